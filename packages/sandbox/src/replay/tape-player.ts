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
}

const UNORDERED = 'it is smaller than the symbol takes, or more than the tape has money for';

type NumberedEvent = TapeEvent & { readonly line: number };

export class TapePlayer {
  readonly #kind: TapeKind;
  readonly #book = new TapeBook();
  #wasSnapshot = false;
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
    if (symbol.state !== 'open') {
      for (const event of events) this.skip(exchange, number, event);
      const why = `the symbol is ${symbol.state}`;
      return { commands: [], lines: new Map(), unordered: events.map(({ line }) => ({ line, why })) };
    }
    const work = new PlayedOrders(exchange);
    if (events.length > 0) {
      if (this.#kind === 'book') this.#followBook(exchange, symbol, users, events, work);
      else this.#followTrades(exchange, symbol, users, events, work);
    }
    return { commands: work.orders.commands, lines: work.lines, unordered: work.unordered };
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
    this.#book.set(event.side, priceOf(symbol, event), sizeOf(symbol, event));
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

/** Maximum number of levels per side: those beyond are far from any trading. */
const LEVELS_MAX = 10_000;

export type Levels = ReadonlyMap<number, number>;

export class TapeBook {
  readonly #sides: Readonly<Record<Side, Map<number, number>>> = { buy: new Map(), sell: new Map() };

  /** A snapshot replaces everything. */
  clear(): void {
    this.#sides.buy.clear();
    this.#sides.sell.clear();
  }

  set(side: Side, price: number, size: number): void {
    const levels = this.#sides[side];
    if (size === 0) levels.delete(price);
    else if (levels.size < LEVELS_MAX || levels.has(price)) levels.set(price, size);
  }

  /** Up to `count` best prices of a side. */
  top(side: Side, count: number): Levels {
    const sign = side === 'buy' ? -1 : 1;
    const sorted = [...this.#sides[side]].toSorted(([one], [other]) => sign * (one - other));
    return new Map(sorted.slice(0, count));
  }
}
