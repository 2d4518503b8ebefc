/**
 * Removing what was added by mistake: only what nobody has used, because history, balances and addresses name it for
 * ever. The number stays taken; the code is free again.
 */

import type { RemoveCurrency, RemoveSymbol } from '../commands.ts';
import { BUY, SELL } from '../matching/order-flags.ts';
import { type Rejection, reject } from '../rejections.ts';
import type { State } from '../state.ts';
import type { Market } from './market.ts';

export function removeCurrency(state: State, { currency }: RemoveCurrency): Rejection | null {
  const refused = state.currencies.unknown(currency);
  if (refused) return refused;
  const by = usersOf(state, currency);
  if (by !== null) return reject('code-in-use', { used: state.currencies.all[currency].code, by });
  state.currencies.remove(currency);
  return null;
}

function usersOf(state: State, currency: number): 'symbols' | 'accounts' | 'addresses' | null {
  if (state.markets.names(currency)) return 'symbols';
  if (state.ledger.hasUsed(currency)) return 'accounts';
  return state.addresses.hasAny(currency) ? 'addresses' : null;
}

export function removeSymbol(state: State, { symbol }: RemoveSymbol): Rejection | null {
  const refused = state.markets.unknown(symbol);
  if (refused) return refused;
  const market = state.markets.all[symbol];
  if (!isUntouched(market) || state.stops.waitsIn(symbol)) {
    return reject('code-in-use', { used: market.identity.code, by: 'orders' });
  }
  state.fees.removeOf(symbol);
  state.traders.forgetRates();
  state.markets.remove(market);
  return null;
}

/** Nothing rests in the book, hidden orders included, nothing ever showed in it, and nothing was ever traded. */
function isUntouched({ book }: Market): boolean {
  const isEmpty = book.bestPrice(BUY) === 0 && book.bestPrice(SELL) === 0;
  return isEmpty && book.sequence === 0 && book.trades === 0;
}
