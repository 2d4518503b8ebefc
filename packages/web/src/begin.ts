/**
 * The first script of every page, small so that it runs early: it applies the stored preferences before the first
 * paint, and requests the terminal's market while the larger scripts load.
 */

import { beginFirstMarket, wantedSymbol } from './exchange/first-market.ts';
import { onPreferences, preferences } from './preferences/preferences.ts';
import './styles/index.css';

const TERMINAL = /^\/(?:trade\/([\w-]+))?$/;
const prefersLight = matchMedia('(prefers-color-scheme: light)');

/** Sets theme and colours on the document. Without a chosen theme it follows the system's. */
function applyPreferences(): void {
  const apply = (): void => {
    const { theme, up } = preferences();
    const { dataset } = document.documentElement;
    dataset['theme'] = theme === 'system' ? (prefersLight.matches ? 'light' : 'dark') : theme;
    dataset['up'] = up;
  };
  apply();
  onPreferences(apply);
  prefersLight.addEventListener('change', apply);
}

applyPreferences();
const terminal = TERMINAL.exec(location.pathname);
if (terminal !== null) {
  beginFirstMarket(wantedSymbol(terminal[1]));
  void import('./terminal/terminal.tsx');
}
void import('./main.tsx');
