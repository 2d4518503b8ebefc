/** Theme and colours. */

import { setPreferences, usePreferences } from '../preferences/preferences.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';

const themes = [
  { value: 'system', label: 'As the system has it' },
  { value: 'dark', label: 'Dark' },
  { value: 'light', label: 'Light' },
] as const;

export function TasteMenu() {
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
    </Menu>
  );
}
