/**
 * Plays a recorded market (a tape) on a symbol, as two ordinary users: one quotes the tape's book, the other makes the
 * tape's trades. Other users' orders trade with them, before them or instead of them, and the filled part
 * of a quote is not quoted again until the recording has a new size for that price.
 */

import { type Command, type Exchange, parseDecimal, type Side } from '@bourse/core';
import { LivingSymbol } from '../market/symbol.ts';
import { StepOrders } from '../market/step-orders.ts';
import type { TapeEvent, TapeKind } from './tape-file.ts';

/** Number of prices quoted per side. */
const LEVELS = 50;
/** Around the last trade of a tape without a book: prices per side, and the distance between them. */
const LADDER = 5;
const LADDER_STEP = 0.0002;
const SIDES: readonly Side[] = ['buy', 'sell'];

export interface TapeUsers {
  readonly maker: number;
  readonly taker: number;
}

/** The commands for some events. */
export interface Played {
  readonly commands: readonly Command[];
  /** By index of its command: the line of an order, and whether it is a trade of the tape. */
  readonly lines: ReadonlyMap<number, { readonly line: number; readonly isTrade: boolean }>;
  /** Lines that resulted in no order. */
  readonly unordered: readonly { readonly line: number; readonly why: string }[];
  /** How many prices were dropped, because their side of the tape's book was full. */
  readonly droppedCount: number;
}

const UNORDERED = 'it is smaller than the symbol takes, or more than the tape has money for';

type NumberedEvent = TapeEvent & { readonly line: number };

export class TapePlayer {
  readonly #kind: TapeKind;
  readonly #book = new TapeBook();
  #wasSnapshot = false;
  /** Prices dropped so far, including those of skipped events. */
  #droppedCount = 0;
  /** The mean size of the trades so far, used for quotes. */
  #meanSize = 0;
  #lastPrice = 0;

  constructor(kind: TapeKind) {
    this.#kind = kind;
  }

  /** Skips events that were played before a restart. */
  skip(exchange: Exchange, number: number, event: TapeEvent): void {
    const symbol = new LivingSymbol(exchange, number);
    if (this.#kind === 'book') this.#change(symbol, event);
    else this.#note(symbol, event);
  }

  play(exchange: Exchange, number: number, users: TapeUsers, events: readonly NumberedEvent[]): Played {
    const symbol = new LivingSymbol(exchange, number);
    const before = this.#droppedCount;
    if (symbol.state !== 'open') {
      for (const event of events) this.skip(exchange, number, event);
      const why = `the symbol is ${symbol.state}`;
      const unordered = events.map(({ line }) => ({ line, why }));
      return { commands: [], lines: new Map(), unordered, droppedCount: this.#droppedCount - before };
    }
    const work = new PlayedOrders(exchange);
    if (events.length > 0) {
      if (this.#kind === 'book') this.#followBook(exchange, symbol, users, events, work);
      else this.#followTrades(exchange, symbol, users, events, work);
    }
    const { orders, lines, unordered } = work;
    return { commands: orders.commands, lines, unordered, droppedCount: this.#droppedCount - before };
  }

  #followBook(
    exchange: Exchange,
    symbol: LivingSymbol,
    { maker }: TapeUsers,
    events: readonly NumberedEvent[],
    work: PlayedOrders,
  ): void {
    const { orders } = work;
    const before = topsOf(this.#book);
    /** The line that last changed the price; 0 for prices that a snapshot replaced. */
    const touched = { buy: new Map<number, number>(), sell: new Map<number, number>() };
    for (const event of events) {
      if (this.#change(symbol, event))
        for (const side of SIDES) for (const price of before[side].keys()) touched[side].set(price, 0);
      touched[event.side].set(priceOf(symbol, event), event.line);
    }
    const after = topsOf(this.#book);
    const missing: { side: Side; price: number; size: number }[] = [];
    for (const side of SIDES) {
      const standing = standingOf(exchange, maker, symbol.number, side);
      for (const [price, own] of standing) {
        const wanted = touched[side].has(price)
          ? (after[side].get(price) ?? 0)
          : sizeAt(after[side], price, own.size);
        if (wanted < own.size) takeBack(orders, maker, symbol, own, wanted);
      }
      for (const [price, wanted] of after[side]) {
        const isNew = touched[side].has(price) || !before[side].has(price);
        const size = wanted - (standing.get(price)?.size ?? 0);
        if (isNew && size > 0) missing.push({ side, price, size });
      }
    }
    // After all cancellations, or a quote would match one of its own user.
    for (const { side, price, size } of missing) {
      const isOrdered = orders.limit(maker, symbol, side, price, size);
      work.note(touched[side].get(price) ?? 0, isOrdered, false);
    }
  }

  /** True if a snapshot begins, which replaces the whole book. */
  #change(symbol: LivingSymbol, event: TapeEvent): boolean {
    const begins = event.isSnapshot && !this.#wasSnapshot;
    if (begins) this.#book.clear();
    this.#wasSnapshot = event.isSnapshot;
    const isKept = this.#book.set(event.side, priceOf(symbol, event), sizeOf(symbol, event));
    if (!isKept) this.#droppedCount++;
    return begins;
  }

  #followTrades(
    exchange: Exchange,
    symbol: LivingSymbol,
    { maker, taker }: TapeUsers,
    events: readonly NumberedEvent[],
    work: PlayedOrders,
  ): void {
    const { orders } = work;
    for (const { order } of exchange.orderPlaces(maker, symbol.number)) orders.cancel(maker, symbol, order);
    for (const event of events) {
      this.#note(symbol, event);
      const size = Math.max(symbol.sizeMin, sizeOf(symbol, event));
      const other: Side = event.side === 'buy' ? 'sell' : 'buy';
      const price = Math.max(symbol.increment, priceOf(symbol, event));
      const isOrdered =
        orders.limit(maker, symbol, other, price, size) &&
        orders.limit(taker, symbol, event.side, price, size, 'immediate');
      work.note(event.line, isOrdered, true);
    }
    this.#quoteAround(symbol, maker, orders);
  }

  #note(symbol: LivingSymbol, event: TapeEvent): void {
    const size = sizeOf(symbol, event);
    this.#meanSize = this.#meanSize === 0 ? size : Math.round(0.95 * this.#meanSize + 0.05 * size);
    this.#lastPrice = priceOf(symbol, event);
  }

  #quoteAround(symbol: LivingSymbol, maker: number, orders: StepOrders): void {
    const size = symbol.onGrid(2 * this.#meanSize);
    for (let level = 1; level <= LADDER; level++) {
      const away = Math.max(symbol.increment * level, this.#lastPrice * LADDER_STEP * level);
      const [bid, ask] = [symbol.down(this.#lastPrice - away), symbol.up(this.#lastPrice + away)];
      if (bid < this.#lastPrice) orders.limit(maker, symbol, 'buy', bid, size);
      orders.limit(maker, symbol, 'sell', ask, size);
    }
  }
}

/** Orders of a step, and their lines. */
class PlayedOrders {
  readonly orders: StepOrders;
  readonly lines = new Map<number, { readonly line: number; readonly isTrade: boolean }>();
  readonly unordered: { readonly line: number; readonly why: string }[] = [];

  constructor(exchange: Exchange) {
    this.orders = new StepOrders(exchange);
  }

  /** The line of the last order; 0 for one that was played before. */
  note(line: number, isOrdered: boolean, isTrade: boolean): void {
    if (line === 0) return;
    if (isOrdered) this.lines.set(this.orders.commands.length - 1, { line, isTrade });
    else this.unordered.push({ line, why: UNORDERED });
  }
}

const topsOf = (book: TapeBook): Record<Side, Levels> => ({
  buy: book.top('buy', LEVELS),
  sell: book.top('sell', LEVELS),
});

/** An unchanged price stays while it is among the best. */
const sizeAt = (levels: Levels, price: number, size: number): number => (levels.has(price) ? size : 0);

interface Standing {
  size: number;
  readonly orders: { readonly order: number; readonly remaining: number }[];
}

/** By price; a price may have several orders, the later ones for sizes that the tape added. */
function standingOf(exchange: Exchange, user: number, symbol: number, side: Side): Map<number, Standing> {
  const standing = new Map<number, Standing>();
  for (const { order, side: of, price, remaining } of exchange.orderPlaces(user, symbol)) {
    if (of !== side) continue;
    const at = standing.get(price) ?? { size: 0, orders: [] };
    at.size += remaining;
    at.orders.push({ order, remaining });
    standing.set(price, at);
  }
  return standing;
}

/** Cancels the latest orders first, so that the others keep their priority. */
function takeBack(
  orders: StepOrders,
  user: number,
  symbol: LivingSymbol,
  own: Standing,
  wanted: number,
): void {
  let size = own.size;
  for (const { order, remaining } of own.orders.toReversed()) {
    if (size <= wanted) return;
    if (size - remaining >= wanted) orders.cancel(user, symbol, order);
    else orders.reduce(user, symbol, order, size - wanted);
    size -= Math.min(remaining, size - wanted);
  }
}

/** A tape may be finer than the symbol: bids and sellers' trades are rounded down, asks and buyers' trades up. */
function priceOf(symbol: LivingSymbol, { price, side }: TapeEvent): number {
  return symbol.priceUnits(parseDecimal(price)!, side === 'sell');
}

function sizeOf(symbol: LivingSymbol, { amount }: TapeEvent): number {
  return symbol.sizeUnits(parseDecimal(amount)!);
}

/** Maximum number of prices per side: those beyond are far from any trading. */
const PRICES_MAX = 10_000;

export type Levels = ReadonlyMap<number, number>;

export class TapeBook {
  readonly #sides: Readonly<Record<Side, TapeSide>>;

  /** `pricesMax`: overrides PRICES_MAX. */
  constructor(pricesMax = PRICES_MAX) {
    this.#sides = { buy: new TapeSide(1, pricesMax), sell: new TapeSide(-1, pricesMax) };
  }

  /** A snapshot replaces everything. */
  clear(): void {
    this.#sides.buy.clear();
    this.#sides.sell.clear();
  }

  /** False if the side was full: its worst price was dropped, which may be the new one. */
  set(side: Side, price: number, size: number): boolean {
    return this.#sides[side].set(price, size);
  }

  /** Up to `count` best prices of a side, the best first. */
  top(side: Side, count: number): Levels {
    return this.#sides[side].top(count);
  }
}

class TapeSide {
  /** A higher rank is a better price: the price of a bid, the negative price of an ask. */
  readonly #sign: 1 | -1;
  /**
   * The ranks of all prices, ascending, so that a change near the best moves little. Typed, because moving part of it is
   * one copy of memory, while a search has as many steps as the count has bits.
   */
  readonly #ranks: Float64Array;
  readonly #sizes = new Map<number, number>();

  constructor(sign: 1 | -1, pricesMax: number) {
    this.#sign = sign;
    this.#ranks = new Float64Array(pricesMax);
  }

  clear(): void {
    this.#sizes.clear();
  }

  set(price: number, size: number): boolean {
    const rank = this.#sign * price;
    const count = this.#sizes.size;
    if (size > 0 && !this.#sizes.has(rank)) return this.#add(rank, size);
    if (size > 0) this.#sizes.set(rank, size);
    else if (this.#sizes.delete(rank)) {
      const at = this.#firstFrom(rank, count);
      this.#ranks.copyWithin(at, at + 1, count);
    }
    return true;
  }

  top(count: number): Levels {
    const levels = new Map<number, number>();
    for (let at = this.#sizes.size - 1; at >= 0 && levels.size < count; at--) {
      const rank = this.#ranks[at];
      levels.set(this.#sign * rank, this.#sizes.get(rank)!);
    }
    return levels;
  }

  #add(rank: number, size: number): boolean {
    const count = this.#sizes.size;
    const at = this.#firstFrom(rank, count);
    if (count < this.#ranks.length) {
      this.#ranks.copyWithin(at + 1, at, count);
      this.#ranks[at] = rank;
      this.#sizes.set(rank, size);
      return true;
    }
    if (at === 0) return false;
    this.#sizes.delete(this.#ranks[0]);
    this.#ranks.copyWithin(0, 1, at);
    this.#ranks[at - 1] = rank;
    this.#sizes.set(rank, size);
    return false;
  }

  /** The index of the first of `count` ranks that is not below this one. */
  #firstFrom(rank: number, count: number): number {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ranks[middle] < rank) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
