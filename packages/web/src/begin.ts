/**
 * The first script of every page, small so that it runs early: the user's stored preferences are applied before
 * the first paint, and the terminal's market is asked for while the larger scripts are on their way.
 */

import { beginFirstMarket, wantedSymbol } from './exchange/first-market.ts';
import { onPreferences, preferences } from './preferences/preferences.ts';
import './styles/index.css';

const TERMINAL = /^\/(?:trade\/([\w-]+))?$/;
const prefersLight = matchMedia('(prefers-color-scheme: light)');

/** Puts theme and colours on the document, and follows the system's theme where the user has chosen none. */
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
