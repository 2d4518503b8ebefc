/** Resolves the symbol that a caller names; the error suggests which one may be meant. */

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

/** Other exchanges write the same pair as BTC/USDT, btc_usdt or BTCUSDT. */
const lettersOf = (code: string): string => code.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase();
