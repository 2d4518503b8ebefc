/** The symbol that a caller names, or a refusal that says which one may be meant. */

import type { SymbolSet } from '@bourse/core';
import { shortened } from '@bourse/engine';
import type { Catalogue } from '../views/catalogue.ts';
import { Refusal } from './errors/refusal.ts';

export function symbolOf(catalogue: Catalogue, code: string): SymbolSet {
  const symbol = catalogue.symbol(code);
  if (symbol !== undefined) return symbol;
  const shown = shortened(code);
  const letters = lettersOf(shown);
  const meant = catalogue.symbols().find((each) => lettersOf(each.code) === letters);
  const advice = meant ? `did you mean ${meant.code}?` : 'GET /api/v2/symbols lists them.';
  throw new Refusal('symbol-unknown', `There is no symbol ${JSON.stringify(shown)}; ${advice}`);
}

/** BTC/USDT, btc_usdt and BTCUSDT are the same pair in other places. */
const lettersOf = (code: string): string => code.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
