/** A user's holdings in a report, and the prices that value them while a log is replayed. Integers only. */

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

/**
 * Maintains the visible books from their changes, their mid prices, and thus the value of one currency in
 * another.
 */
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

/** The worth of an amount in the currency of the report, now; null where it has no price. */
export type Worth = (currency: number, amount: bigint) => bigint | null;

export interface Holding {
  readonly currency: number;
  quantity: bigint;
  /** In the report's currency; null before the first price. */
  cost: bigint | null;
  readonly atStart: bigint;
  /** Received or sent other than by trading; by trading; as fees (never negative). */
  moved: bigint;
  traded: bigint;
  fees: bigint;
  /** The proceeds of selling or spending it minus its cost, in the report's currency. */
  realised: bigint;
}

export interface Exchanged {
  readonly base: number;
  readonly quote: number;
  readonly isBuy: boolean;
  /** In units of the base and of the quote currency. */
  readonly amount: bigint;
  readonly funds: bigint;
  readonly fee: bigint;
}

/**
 * A user's holdings, their cost and their value, in one currency. Average cost: an acquisition adds its price to
 * the cost, a disposal removes its share of the cost, and the difference to its proceeds is realised.
 *
 * All amounts are integers. A share is rounded down to a unit and the rest stays in the cost, so nothing is lost, and
 *
 *   worth at the end - worth at the beginning - moved = realised + unrealised - fees
 *
 * holds to the last unit, whatever the prices were.
 */
export class Holdings {
  readonly all = new Map<number, Holding>();
  /** The value of everything that had a price when the period began. */
  readonly worthAtStart: bigint;
  realised = 0n;
  fees = 0n;
  /** The value of deposits minus withdrawals, each at its time, and of holdings that got their first price. */
  moved = 0n;
  readonly #worth: Worth;

  constructor(worth: Worth, balances: ReadonlyMap<number, bigint>) {
    this.#worth = worth;
    let sum = 0n;
    for (const [currency, quantity] of balances) {
      const cost = worth(currency, quantity);
      this.all.set(currency, { ...nothing(currency), quantity, cost, atStart: quantity });
      sum += cost ?? 0n;
    }
    this.worthAtStart = sum;
  }

  /** A deposit, a withdrawal, or a transfer to or from somebody else. */
  move(currency: number, amount: bigint): void {
    const holding = this.#priced(currency);
    holding.moved += amount;
    const value = this.#worth(currency, amount);
    if (value === null || holding.cost === null) {
      holding.quantity += amount;
      return;
    }
    this.moved += value;
    if (amount > 0n) acquire(holding, amount, value);
    else this.#dispose(holding, -amount, -value);
  }

  trade({ base, quote, isBuy, amount, funds, fee }: Exchanged): void {
    const [coins, money] = [this.#priced(base), this.#priced(quote)];
    const value = this.#worth(quote, funds);
    const feeValue = this.#worth(quote, fee);
    coins.traded += isBuy ? amount : -amount;
    money.traded += isBuy ? -funds : funds;
    money.fees += fee;
    if (value === null || feeValue === null || coins.cost === null || money.cost === null) {
      coins.quantity += isBuy ? amount : -amount;
      money.quantity += (isBuy ? -funds : funds) - fee;
      return;
    }
    if (isBuy) {
      this.#dispose(money, funds, value);
      acquire(coins, amount, value);
    } else {
      this.#dispose(coins, amount, value);
      acquire(money, funds, value);
    }
    this.#dispose(money, fee, feeValue);
    this.fees += feeValue;
  }

  /** Values holdings without a price at their first one: neither a gain nor a loss. */
  settle(): void {
    for (const currency of this.all.keys()) this.#priced(currency);
  }

  /** The value of everything that has or had a price; a holding without a current price counts at its cost. */
  worthNow(): bigint {
    let sum = 0n;
    for (const { currency, quantity, cost } of this.all.values()) {
      if (cost !== null) sum += this.#worth(currency, quantity) ?? cost;
    }
    return sum;
  }

  cost(): bigint {
    let sum = 0n;
    for (const { cost } of this.all.values()) sum += cost ?? 0n;
    return sum;
  }

  /** The result of trading after fees, at current prices, compared to doing nothing. */
  tradingNow(): bigint {
    let sum = 0n;
    for (const { currency, traded, fees } of this.all.values())
      sum += this.#worth(currency, traded - fees) ?? 0n;
    return sum;
  }

  #priced(currency: number): Holding {
    let holding = this.all.get(currency);
    if (holding === undefined) {
      holding = { ...nothing(currency), cost: this.#worth(currency, 0n) };
      this.all.set(currency, holding);
    }
    if (holding.cost === null) {
      holding.cost = this.#worth(currency, holding.quantity);
      this.moved += holding.cost ?? 0n;
    }
    return holding;
  }

  #dispose(holding: Holding, amount: bigint, value: bigint): void {
    if (amount === 0n) return;
    const cost = holding.cost!;
    const share = amount === holding.quantity ? cost : (cost * amount) / holding.quantity;
    holding.quantity -= amount;
    holding.cost = cost - share;
    holding.realised += value - share;
    this.realised += value - share;
  }
}

function acquire(holding: Holding, amount: bigint, value: bigint): void {
  holding.quantity += amount;
  holding.cost = holding.cost! + value;
}

const nothing = (currency: number): Holding => ({
  currency,
  quantity: 0n,
  cost: null,
  atStart: 0n,
  moved: 0n,
  traded: 0n,
  fees: 0n,
  realised: 0n,
});
