/**
 * Removes what was added by mistake: only unused entries, because history, balances and addresses refer to the others
 * permanently. The number stays taken; the code is free again.
 */

import type { RemoveCurrency, RemoveSymbol } from '../commands/commands.ts';
import { BUY, SELL } from '../matching/orders/order-flags.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import type { Instrument } from './instrument.ts';

export function removeCurrency(state: State, { currency }: RemoveCurrency): Rejection | null {
  const refused = state.currencies.unknown(currency);
  if (refused) return refused;
  const by = usersOf(state, currency);
  if (by !== null) return reject('code-in-use', { used: state.currencies.all[currency].code, by });
  state.currencies.remove(currency);
  return null;
}

function usersOf(state: State, currency: number): 'symbols' | 'accounts' | 'addresses' | null {
  if (state.instruments.names(currency)) return 'symbols';
  if (state.ledger.hasUsed(currency)) return 'accounts';
  return state.addresses.hasAny(currency) ? 'addresses' : null;
}

export function removeSymbol(state: State, { symbol }: RemoveSymbol): Rejection | null {
  const refused = state.instruments.unknown(symbol);
  if (refused) return refused;
  const instrument = state.instruments.all[symbol];
  if (!isUntouched(instrument) || state.stops.waitsIn(symbol)) {
    return reject('code-in-use', { used: instrument.identity.code, by: 'orders' });
  }
  if (instrument.auction !== null) return reject('in-auction', { symbol });
  state.fees.removeOf(symbol);
  state.traders.forgetRates();
  state.instruments.remove(instrument);
  return null;
}

/** Nothing rests in the book, even hidden; nothing was ever visible in it or traded. */
function isUntouched({ book }: Instrument): boolean {
  const isEmpty = book.bestPrice(BUY) === 0 && book.bestPrice(SELL) === 0;
  return isEmpty && book.sequence === 0 && book.trades === 0;
}
