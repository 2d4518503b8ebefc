/** Theme and colours, and the licenses of the libraries that these pages are made with. */

import { setPreferences, UP_COLOURS } from '../preferences/preferences.ts';
import { usePreferences } from '../preferences/use-preferences.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';

const themes = [
  { value: 'system', label: 'Same as the system' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const;

const downColour = { blue: 'orange', orange: 'blue', green: 'red', red: 'green' } as const;

export function PreferencesMenu() {
  const { theme, up } = usePreferences();
  return (
    <Menu trigger={<IconButton icon={theme === 'light' ? 'sun' : 'moon'} label="Theme and colours" />}>
      <MenuLabel>Theme</MenuLabel>
      {themes.map(({ value, label }) => (
        <MenuItem key={value} isChosen={theme === value} onSelect={() => setPreferences({ theme: value })}>
          {label}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuLabel>Up and down</MenuLabel>
      {UP_COLOURS.map((colour) => (
        <MenuItem key={colour} isChosen={up === colour} onSelect={() => setPreferences({ up: colour })}>
          Up {colour}, down {downColour[colour]}
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem onSelect={() => window.open('/licenses.txt', '_blank', 'noopener')}>
        Licenses of the libraries
      </MenuItem>
    </Menu>
  );
}
