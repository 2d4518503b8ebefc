/**
 * Values of currencies while a log is replayed: maintains the visible books from their changes, their mid prices, and
 * thus the value of one currency in another. Integers only.
 */

import type { BookChanged, Exchange, Side, SymbolSet, Trade } from '@bourse/core';

/** A ratio: one unit of the base currency is `over / under` units of the quote currency. */
interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

const LEVELS_MAX = 1e6;

/** One side of a visible book. */
class BookSide {
  best = 0;
  readonly #sizes: Map<number, number>;
  readonly #isBuy: boolean;

  constructor(side: Side, levels: readonly { readonly price: number; readonly size: number }[]) {
    this.#isBuy = side === 'buy';
    this.#sizes = new Map(levels.map(({ price, size }) => [price, size]));
    this.best = levels[0]?.price ?? 0;
  }

  change(price: number, size: number): void {
    if (size > 0) {
      this.#sizes.set(price, size);
      if (this.best === 0 || this.#isBetter(price)) this.best = price;
      return;
    }
    this.#sizes.delete(price);
    if (price !== this.best) return;
    this.best = 0;
    for (const left of this.#sizes.keys()) if (this.best === 0 || this.#isBetter(left)) this.best = left;
  }

  #isBetter(price: number): boolean {
    return this.#isBuy ? price > this.best : price < this.best;
  }
}

class WatchedSymbol {
  readonly terms: SymbolSet;
  /** Units of the base currency in one unit of size. */
  readonly baseFactor: bigint;
  last: number;
  readonly #sides: Readonly<Record<Side, BookSide>>;

  constructor(exchange: Exchange, terms: SymbolSet) {
    const { symbol, base, sizeDecimals } = terms;
    const side = (which: Side) => new BookSide(which, exchange.depth(symbol, which, LEVELS_MAX));
    this.terms = terms;
    this.baseFactor = 10n ** BigInt(exchange.reference.currencies[base].scale - sizeDecimals);
    this.last = exchange.lastPrice(symbol);
    this.#sides = { buy: side('buy'), sell: side('sell') };
  }

  change({ side, price, size }: BookChanged): void {
    this.#sides[side].change(price, size);
  }

  /** Twice the mid of the best visible prices, in units of price; 0 if a side is empty. */
  get twiceMiddle(): number {
    const { buy, sell } = this.#sides;
    return buy.best === 0 || sell.best === 0 ? 0 : buy.best + sell.best;
  }

  /** The mid price, or else the last trade; null if there was neither. */
  get ratio(): Ratio | null {
    const twice = this.twiceMiddle || 2 * this.last;
    return twice === 0 ? null : { over: BigInt(twice), under: 2n * this.baseFactor };
  }
}

export class PriceWatch {
  readonly #exchange: Exchange;
  readonly #symbols: WatchedSymbol[] = [];

  constructor(exchange: Exchange) {
    this.#exchange = exchange;
    for (const terms of exchange.reference.symbols()) this.add(terms);
  }

  /** A symbol was listed, or has new terms. */
  add(terms: SymbolSet): void {
    this.#symbols[terms.symbol] ??= new WatchedSymbol(this.#exchange, terms);
  }

  change(event: BookChanged): void {
    this.#symbols[event.symbol].change(event);
  }

  trade({ symbol, price }: Trade): void {
    this.#symbols[symbol].last = price;
  }

  symbol(number: number): WatchedSymbol {
    return this.#symbols[number];
  }

  /** In units of currency `into`, rounded towards zero; null if no path of symbols connects the two. */
  worth(currency: number, amount: bigint, into: number): bigint | null {
    if (currency === into) return amount;
    const path = this.#pathBetween(currency, into);
    if (path === null) return null;
    return (amount * path.over) / path.under;
  }

  /** The path with the fewest symbols, each in either direction. */
  #pathBetween(from: number, into: number): Ratio | null {
    const reached = new Map<number, Ratio>([[from, { over: 1n, under: 1n }]]);
    for (const [here, { over, under }] of reached) {
      for (const symbol of this.#symbols) {
        const { base, quote } = symbol?.terms ?? {};
        if (base === undefined || quote === undefined || (base !== here && quote !== here)) continue;
        const there = base === here ? quote : base;
        const ratio = reached.has(there) ? null : symbol.ratio;
        if (ratio === null) continue;
        const found =
          base === here
            ? { over: over * ratio.over, under: under * ratio.under }
            : { over: over * ratio.under, under: under * ratio.over };
        if (there === into) return found;
        reached.set(there, found);
      }
    }
    return null;
  }
}
