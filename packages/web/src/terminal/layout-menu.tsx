/** Shows and hides panels of the terminal. */

import { usePreferences } from '../preferences/use-preferences.ts';
import { IconButton } from '../ui/button.tsx';
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuLine } from '../ui/menu.tsx';
import { PANELS, type PanelName, resetLayout, showPanel } from './panel-sizes.ts';

/** `left`: panels that do not fit at the current width. */
export function LayoutMenu({ left }: { readonly left: readonly PanelName[] }) {
  const { hiddenPanels } = usePreferences();
  return (
    <Menu trigger={<IconButton icon="layout" label="Layout" />}>
      <MenuLabel>Panels</MenuLabel>
      {PANELS.filter(({ name }) => !left.includes(name)).map(({ name, title }) => (
        <MenuCheck
          key={name}
          isChecked={!hiddenPanels.includes(name)}
          onChecked={(isShown) => showPanel(name, isShown)}
        >
          {title}
        </MenuCheck>
      ))}
      <MenuLine />
      <MenuItem onSelect={resetLayout}>Reset the layout</MenuItem>
    </Menu>
  );
}
