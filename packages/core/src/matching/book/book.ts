/**
 * One symbol's order book: two ladders of price levels with their queues. It adds and removes orders and maintains the
 * visible and total sizes; match.ts decides who trades with whom.
 */

import type { EventBatch } from '../../events/event-batch.ts';
import * as levelTable from './price-levels.ts';
import { type LevelTable, PriceLadder } from './price-levels.ts';
import type { OrderTable } from '../orders/order-table.ts';

/** Local copies of imported constants: see event-batch.ts. */
const { VISIBLE_QUEUE, HIDDEN_QUEUE } = levelTable;
const BUY = 0;
const SELL = 1;

export class Book {
  readonly symbol: number;
  /** Buys, then sells. */
  readonly sides: readonly [PriceLadder, PriceLadder];
  /** The total resting size of each side; below 2^53, so that the sums of its levels are exact. */
  readonly totals = new Float64Array(2);
  /** Counts the book's changes and the symbol's trades. */
  sequence = 0;
  trades = 0;
  /**
   * Counts the public messages about single orders, without hidden ones: received, resting (again with each slice of an
   * iceberg), a trade, a resting order that was reduced or traded in an auction, done. The feed numbers its messages with
   * it, so it must count the same: feed/topics/level3-topic.ts.
   */
  messages = 0;
  /** The price of the latest trade; 0 before the first. */
  lastPrice = 0;

  readonly #orders: OrderTable;
  readonly #levels: LevelTable;
  readonly #events: EventBatch;

  /** `tick`: the initial smallest price step. */
  constructor(symbol: number, tick: number, orders: OrderTable, levels: LevelTable, events: EventBatch) {
    this.symbol = symbol;
    this.#orders = orders;
    this.#levels = levels;
    this.#events = events;
    this.sides = [new PriceLadder(BUY, tick, levels), new PriceLadder(SELL, tick, levels)];
  }

  /** The level of a side at this price; -1 if nothing rests there. */
  findLevel(side: number, price: number): number {
    return this.sides[side].find(price);
  }

  /** Like `findLevel`, but never searches: also -1 if a search would be needed. */
  nearLevel(side: number, price: number): number {
    return this.sides[side].findNear(price);
  }

  /** The best price of a side, including hidden orders; 0 if it is empty. */
  bestPrice(side: number): number {
    const level = this.sides[side].best;
    return level < 0 ? 0 : this.#levels.price(level);
  }

  /** The best visible price of a side; 0 if nothing is visible. */
  bestShownPrice(side: number): number {
    const ladder = this.sides[side];
    // Almost always the best level has visible orders.
    const { best } = ladder;
    if (best >= 0 && this.#levels.visible(best) > 0) return this.#levels.price(best);
    const level = ladder.bestShown();
    return level < 0 ? 0 : this.#levels.price(level);
  }

  /** Whether an incoming order of this side would match. */
  meets(side: number, price: number): boolean {
    const level = this.sides[1 - side].best;
    if (level < 0) return false;
    const best = this.#levels.price(level);
    return side === BUY ? best <= price : best >= price;
  }

  /** The next order to trade on a side: the first of the visible queue, else of the hidden; -1 if empty. */
  next(side: number): number {
    const level = this.sides[side].best;
    if (level < 0) return -1;
    const first = this.#levels.first(level, VISIBLE_QUEUE);
    return first >= 0 ? first : this.#levels.first(level, HIDDEN_QUEUE);
  }

  /** In an auction the earliest order of the best level trades next, visible or hidden; -1 if the side is empty. */
  earliest(side: number): number {
    const level = this.sides[side].best;
    if (level < 0) return -1;
    const shown = this.#levels.first(level, VISIBLE_QUEUE);
    const hidden = this.#levels.first(level, HIDDEN_QUEUE);
    if (shown < 0 || hidden < 0) return Math.max(shown, hidden);
    return this.#orders.id(shown) < this.#orders.id(hidden) ? shown : hidden;
  }

  /** Possible only while an auction collects orders, or after it ended without a trade. */
  get isCrossed(): boolean {
    const ask = this.bestPrice(SELL);
    return ask > 0 && this.bestPrice(BUY) >= ask;
  }

  /** Counts the public message about an order that was received or is done, unless it is hidden. */
  countMessage(row: number): void {
    if (!this.#orders.isHidden(row)) this.messages += 1;
  }

  /** Adds the remainder of an order to its queue. */
  rest(row: number): void {
    const orders = this.#orders;
    if (orders.isIceberg(row)) this.#showSlice(row, orders.remaining(row));
    this.enter(row);
    if (orders.isHidden(row)) return;
    this.messages += 1;
    this.#emit(row);
  }

  /** The size of an iceberg's next slice. */
  #showSlice(row: number, remaining: number): number {
    const slice = Math.min(this.#orders.visibleSize(row), remaining);
    this.#orders.setSlice(row, slice);
    return slice;
  }

  /** Adds an order, with its visible size, to the end of its queue; also used to read a snapshot. */
  enter(row: number): void {
    const orders = this.#orders;
    const levels = this.#levels;
    const side = orders.side(row);
    const level = this.sides[side].levelAt(orders.price(row));
    const remaining = orders.remaining(row);
    orders.setLevel(row, level);
    levels.addTotal(level, remaining);
    levels.addVisible(level, this.#showing(row));
    this.totals[side] += remaining;
    this.#count(row, level, 1);
    this.#enqueue(row, level);
  }

  /** Counts an order that enters or leaves a level, unless it is hidden. */
  #count(row: number, level: number, change: number): void {
    const orders = this.#orders;
    const levels = this.#levels;
    if (!orders.isReserved(row)) levels.addOrdinary(level, change);
    else if (!orders.isHidden(row)) levels.addIcebergs(level, change);
  }

  /** The visible size of an order in the book. */
  #showing(row: number): number {
    const orders = this.#orders;
    return orders.isReserved(row) ? orders.slice(row) : orders.remaining(row);
  }

  /**
   * Adds a fully visible order at the level `near`, as found by `nearLevel`. Returns the level's visible size; the caller
   * writes the event.
   */
  restOrdinary(row: number, side: number, price: number, size: number, near: number): number {
    const orders = this.#orders;
    const levels = this.#levels;
    const level = near >= 0 ? near : this.sides[side].levelAt(price);
    this.totals[side] += size;
    orders.setLevel(row, level);
    const last = levels.join(level, row, size);
    orders.setPrevious(row, last);
    orders.setNext(row, -1);
    if (last >= 0) orders.setNext(last, row);
    this.sequence++;
    // Received and resting.
    this.messages += 2;
    return levels.visible(level);
  }

  /** Removes such an order. Returns the level's visible size; the caller writes the event. */
  leaveOrdinary(row: number, side: number): number {
    const orders = this.#orders;
    const levels = this.#levels;
    const level = orders.level(row);
    const remaining = orders.remaining(row);
    const previous = orders.previous(row);
    const next = orders.next(row);
    if (previous >= 0) orders.setNext(previous, next);
    if (next >= 0) orders.setPrevious(next, previous);
    this.totals[side] -= remaining;
    this.sequence++;
    this.messages += 1;
    const visible = levels.part(level, previous, next, remaining);
    if (previous < 0 && next < 0) this.#dropIfEmpty(side, level);
    return visible;
  }

  /** Removes an order with its remainder. */
  leave(row: number): void {
    const orders = this.#orders;
    const level = orders.level(row);
    const visible = this.#showing(row);
    this.#dequeue(row, level);
    this.#shrink(row, level, orders.remaining(row));
    this.#count(row, level, -1);
    if (visible > 0) {
      this.#levels.addVisible(level, -visible);
      this.#emit(row);
    }
    this.#dropIfEmpty(orders.side(row), level);
  }

  /**
   * The next resting order of its side has traded `size`; its remaining size has already been reduced. When an iceberg's
   * slice is filled, its next slice goes to the end of the queue. Returns true if the order is filled and has left the book.
   */
  trade(row: number, size: number): boolean {
    const orders = this.#orders;
    const levels = this.#levels;
    const level = orders.level(row);
    const remaining = orders.remaining(row);
    const isReserved = orders.isReserved(row);
    this.messages += 1;
    this.#shrink(row, level, size);
    if (!orders.isHidden(row)) {
      levels.addVisible(level, -size);
      this.#emit(row);
    }
    if (remaining === 0) {
      this.#dequeue(row, level);
      this.#count(row, level, -1);
      this.#dropIfEmpty(orders.side(row), level);
      return true;
    }
    if (isReserved && orders.isIceberg(row)) this.#showMore(row, level, remaining, size);
    return false;
  }

  /**
   * Counts the messages of a trade between two resting orders whose remaining sizes have already been reduced: the trade,
   * an iceberg that trades more than it showed, and the remainder of the later order.
   */
  countAuctionTrade(earlier: number, later: number): void {
    const orders = this.#orders;
    const isLeft = !orders.isHidden(later) && orders.remaining(later) > 0;
    this.messages += 1 + (orders.isIceberg(earlier) ? 1 : 0) + (isLeft ? 1 : 0);
  }

  /**
   * Applies an auction trade of `size` to an order whose remaining size has already been reduced. The order keeps its
   * priority; an iceberg trades with all of its size, and then shows a full slice of the remainder. Returns true if the
   * order is filled and has left the book.
   */
  tradeInAuction(row: number, size: number): boolean {
    const orders = this.#orders;
    const levels = this.#levels;
    const level = orders.level(row);
    const remaining = orders.remaining(row);
    this.#shrink(row, level, size);
    if (!orders.isHidden(row)) {
      const isIceberg = orders.isIceberg(row);
      const before = isIceberg ? orders.slice(row) : remaining + size;
      const after = isIceberg ? this.#showSlice(row, remaining) : remaining;
      levels.addVisible(level, after - before);
      if (after !== before) this.#emit(row);
    }
    if (remaining > 0) return false;
    this.#dequeue(row, level);
    this.#count(row, level, -1);
    this.#dropIfEmpty(orders.side(row), level);
    return true;
  }

  /** An iceberg with a remainder has traded, at most its slice. */
  #showMore(row: number, level: number, remaining: number, size: number): void {
    const orders = this.#orders;
    const left = orders.slice(row) - size;
    if (left > 0) {
      orders.setSlice(row, left);
      return;
    }
    this.#levels.addVisible(level, this.#showSlice(row, remaining));
    this.#dequeue(row, level);
    this.#enqueue(row, level);
    this.messages += 1;
    this.#emit(row);
  }

  /**
   * A resting order was reduced by `by` and keeps its queue position; its remaining size has already been reduced. The
   * invisible part is reduced first.
   */
  reduce(row: number, by: number): void {
    const orders = this.#orders;
    const level = orders.level(row);
    this.#shrink(row, level, by);
    const isReserved = orders.isReserved(row);
    const less = isReserved ? orders.slice(row) - orders.remaining(row) : by;
    if (less <= 0) return;
    if (isReserved) orders.setSlice(row, orders.remaining(row));
    this.#levels.addVisible(level, -less);
    this.messages += 1;
    this.#emit(row);
  }

  #shrink(row: number, level: number, by: number): void {
    this.#levels.addTotal(level, -by);
    this.totals[this.#orders.side(row)] -= by;
  }

  /** The visible size of the order's level has changed. */
  #emit(row: number): void {
    const level = this.#orders.level(row);
    const side = this.#orders.side(row);
    this.#events.book(this.symbol, ++this.sequence, side, this.#levels, level);
  }

  #enqueue(row: number, level: number): void {
    const orders = this.#orders;
    const levels = this.#levels;
    const queue = orders.isHidden(row) ? HIDDEN_QUEUE : VISIBLE_QUEUE;
    const last = levels.last(level, queue);
    orders.setPrevious(row, last);
    orders.setNext(row, -1);
    if (last < 0) levels.setFirst(level, queue, row);
    else orders.setNext(last, row);
    levels.setLast(level, queue, row);
  }

  #dequeue(row: number, level: number): void {
    const orders = this.#orders;
    const levels = this.#levels;
    const queue = orders.isHidden(row) ? HIDDEN_QUEUE : VISIBLE_QUEUE;
    const previous = orders.previous(row);
    const next = orders.next(row);
    if (previous < 0) levels.setFirst(level, queue, next);
    else orders.setNext(previous, next);
    if (next < 0) levels.setLast(level, queue, previous);
    else orders.setPrevious(next, previous);
  }

  #dropIfEmpty(side: number, level: number): void {
    if (this.#levels.isEmpty(level)) this.sides[side].remove(level);
  }
}
