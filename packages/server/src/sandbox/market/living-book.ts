/** A symbol together with its prices: those of the book, and those that the latent values come to. */

import type { Side } from '@bourse/core';
import { exp } from './arithmetic.ts';
import { NUMERAIRE } from './currencies.ts';
import type { LivingSymbol } from './living-symbol.ts';
import type { BookState, CurrencyState, MarketState } from './market-state.ts';
import type { Surroundings } from './surroundings.ts';

export interface LivingBook {
  readonly symbol: LivingSymbol;
  readonly book: BookState;
  /** The latent price and what makers take it for, in units. */
  readonly value: number;
  readonly fair: number;
  /** The worth of one base coin in USDT, by the latent values. */
  readonly baseWorth: number;
  readonly bid: number;
  readonly ask: number;
}

export function livingBooks(surroundings: Surroundings, state: MarketState): LivingBook[] {
  const { exchange } = surroundings;
  const logs = new Map<string, CurrencyState>(state.currencies.map((currency) => [currency.code, currency]));
  const of = (code: string, field: 'value' | 'seen') => (code === NUMERAIRE ? 0 : logs.get(code)![field]);
  return state.books.map((book) => {
    const symbol = surroundings.symbol(book.code);
    const { baseCode, quoteCode, number } = symbol;
    const best = (side: Side) => exchange.bestPrice(number, side);
    return {
      symbol,
      book,
      value: symbol.priceOf(of(baseCode, 'value') - of(quoteCode, 'value')),
      fair: symbol.priceOf(of(baseCode, 'seen') - of(quoteCode, 'seen')),
      baseWorth: exp(of(baseCode, 'value')),
      bid: best('buy'),
      ask: best('sell'),
    };
  });
}
