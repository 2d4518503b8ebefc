/**
 * The first script of every page, small so that it runs early: the user's stored preferences are applied before
 * the first paint, and the terminal's market is asked for while the larger scripts are on their way.
 */

import { beginFirstMarket, wantedSymbol } from './exchange/first-market.ts';
import { applyPreferences } from './preferences/apply.ts';
import './styles/index.css';

const TERMINAL = /^\/(?:trade\/([\w-]+))?$/;

applyPreferences();
const terminal = TERMINAL.exec(location.pathname);
if (terminal !== null) {
  beginFirstMarket(wantedSymbol(terminal[1]));
  void import('./terminal/terminal.tsx');
}
void import('./main.tsx');
