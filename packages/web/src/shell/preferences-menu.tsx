/** Theme and colours, and the licenses of the libraries that these pages are made with. */

import { setPreferences } from '../preferences/preferences.ts';
import { usePreferences } from '../preferences/use-preferences.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';

const themes = [
  { value: 'system', label: 'As the system has it' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const;

export function PreferencesMenu() {
  const { theme, isSwapped } = usePreferences();
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
      <MenuItem isChosen={!isSwapped} onSelect={() => setPreferences({ isSwapped: false })}>
        Up blue, down orange
      </MenuItem>
      <MenuItem isChosen={isSwapped} onSelect={() => setPreferences({ isSwapped: true })}>
        Up orange, down blue
      </MenuItem>
      <MenuLine />
      <MenuItem onSelect={() => window.open('/licenses.txt', '_blank', 'noopener')}>
        Licenses of what is inside
      </MenuItem>
    </Menu>
  );
}
