/**
 * One symbol's order book: two ladders of price levels with their queues. It moves orders in and out and keeps the
 * visible and total sizes; who may trade with whom is decided in match-limit.ts and match-market.ts.
 */

import type { EventBatch } from '../../events/event-batch.ts';
import * as levelTable from './level-table.ts';
import type { LevelTable } from './level-table.ts';
import type { OrderTable } from '../orders/order-table.ts';
import { PriceLadder } from './price-ladder.ts';

/** Copied from the imports, which V8 would load at every use: see event-batch.ts. */
const { VISIBLE_QUEUE, HIDDEN_QUEUE } = levelTable;
const BUY = 0;
const SELL = 1;

export class Book {
  readonly symbol: number;
  /** Buys, then sells. */
  readonly sides: readonly [PriceLadder, PriceLadder];
  /** Everything that rests on each side; below 2^53, so that the sums of its levels are exact. */
  readonly totals = new Float64Array(2);
  /** Counts the book's changes and the symbol's trades. */
  sequence = 0;
  trades = 0;
  /**
   * Counts what everybody is told of single orders, hidden ones left out: received, come to rest (again with each slice of
   * an iceberg), a trade, a resting order that shows less or trades in an auction, done. The feed numbers its messages by it, so that it must
   * count the same: feed/topics/level3-topic.ts.
   */
  messages = 0;
  /** Of the latest trade; 0 before the first. */
  lastPrice = 0;

  private readonly orders: OrderTable;
  private readonly levels: LevelTable;
  private readonly events: EventBatch;

  /** `tick`: the smallest step of prices, as it is at the beginning. */
  constructor(symbol: number, tick: number, orders: OrderTable, levels: LevelTable, events: EventBatch) {
    this.symbol = symbol;
    this.orders = orders;
    this.levels = levels;
    this.events = events;
    this.sides = [new PriceLadder(BUY, tick, levels), new PriceLadder(SELL, tick, levels)];
  }

  /** The level of a side at this price; -1 when nothing rests there. */
  findLevel(side: number, price: number): number {
    return this.sides[side].find(price);
  }

  /** The same without a search: -1 also when it would take one. */
  nearLevel(side: number, price: number): number {
    return this.sides[side].findNear(price);
  }

  /** The best price of a side, hidden orders included; 0 when it is empty. */
  bestPrice(side: number): number {
    const level = this.sides[side].best;
    return level < 0 ? 0 : this.levels.price(level);
  }

  /** The best price of a side that anybody can see; 0 when nothing shows. */
  bestShownPrice(side: number): number {
    const ladder = this.sides[side];
    // Almost always the best level shows something.
    const { best } = ladder;
    if (best >= 0 && this.levels.visible(best) > 0) return this.levels.price(best);
    const level = ladder.bestShown();
    return level < 0 ? 0 : this.levels.price(level);
  }

  /** Whether an incoming order of this side would find one to trade with. */
  meets(side: number, price: number): boolean {
    const level = this.sides[1 - side].best;
    if (level < 0) return false;
    const best = this.levels.price(level);
    return side === BUY ? best <= price : best >= price;
  }

  /** The order that trades next on a side: the first of the visible queue, else of the hidden; -1 when empty. */
  next(side: number): number {
    const level = this.sides[side].best;
    if (level < 0) return -1;
    const first = this.levels.first(level, VISIBLE_QUEUE);
    return first >= 0 ? first : this.levels.first(level, HIDDEN_QUEUE);
  }

  /** In an auction the earlier order of the best level is next, whether it shows or not; -1 when the side is empty. */
  earliest(side: number): number {
    const level = this.sides[side].best;
    if (level < 0) return -1;
    const shown = this.levels.first(level, VISIBLE_QUEUE);
    const hidden = this.levels.first(level, HIDDEN_QUEUE);
    if (shown < 0 || hidden < 0) return Math.max(shown, hidden);
    return this.orders.id(shown) < this.orders.id(hidden) ? shown : hidden;
  }

  /** Only where an auction collects orders, or ended without a trade. */
  get isCrossed(): boolean {
    const ask = this.bestPrice(SELL);
    return ask > 0 && this.bestPrice(BUY) >= ask;
  }

  /** Everybody is told of an order that was received or is done, unless it is hidden. */
  countMessage(row: number): void {
    if (!this.orders.isHidden(row)) this.messages += 1;
  }

  /** Puts what remains of an order into its queue. */
  rest(row: number): void {
    const { orders } = this;
    if (orders.isIceberg(row)) this.showSlice(row, orders.remaining(row));
    this.enter(row);
    if (orders.isHidden(row)) return;
    this.messages += 1;
    this.tell(row);
  }

  /** The next slice of an iceberg, of which so much remains; returns its size. */
  private showSlice(row: number, remaining: number): number {
    const slice = Math.min(this.orders.visibleSize(row), remaining);
    this.orders.setSlice(row, slice);
    return slice;
  }

  /** Puts an order, and what it shows, at the end of its queue; also how a snapshot is read back. */
  enter(row: number): void {
    const { orders, levels } = this;
    const side = orders.side(row);
    const level = this.sides[side].levelAt(orders.price(row));
    const remaining = orders.remaining(row);
    orders.setLevel(row, level);
    levels.addTotal(level, remaining);
    levels.addVisible(level, this.showing(row));
    this.totals[side] += remaining;
    this.count(row, level, 1);
    this.enqueue(row, level);
  }

  /** Counts an order that enters or leaves a level, unless it is hidden. */
  private count(row: number, level: number, change: number): void {
    const { orders, levels } = this;
    if (!orders.isReserved(row)) levels.addOrdinary(level, change);
    else if (!orders.isHidden(row)) levels.addIcebergs(level, change);
  }

  /** What shows of an order in the book. */
  private showing(row: number): number {
    const { orders } = this;
    return orders.isReserved(row) ? orders.slice(row) : orders.remaining(row);
  }

  /**
   * An order that shows all of itself comes to rest at the level `near`, as `nearLevel` found it. Returns what its level
   * shows then; whoever calls tells of it.
   */
  restOrdinary(row: number, side: number, price: number, size: number, near: number): number {
    const { orders, levels } = this;
    const level = near >= 0 ? near : this.sides[side].levelAt(price);
    this.totals[side] += size;
    orders.setLevel(row, level);
    const last = levels.join(level, row, size);
    orders.setPrevious(row, last);
    orders.setNext(row, -1);
    if (last >= 0) orders.setNext(last, row);
    this.sequence++;
    // Received, and come to rest.
    this.messages += 2;
    return levels.visible(level);
  }

  /** Such an order leaves. Returns what its level shows then; whoever calls tells of it. */
  leaveOrdinary(row: number, side: number): number {
    const { orders, levels } = this;
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
    if (previous < 0 && next < 0) this.dropIfEmpty(side, level);
    return visible;
  }

  /** Takes an order out, with whatever remains of it. */
  leave(row: number): void {
    const { orders } = this;
    const level = orders.level(row);
    const visible = this.showing(row);
    this.dequeue(row, level);
    this.shrink(row, level, orders.remaining(row));
    this.count(row, level, -1);
    if (visible > 0) {
      this.levels.addVisible(level, -visible);
      this.tell(row);
    }
    this.dropIfEmpty(orders.side(row), level);
  }

  /**
   * A resting order, the next of its side, has traded: `size` less of it, whose remaining has already been lowered.
   * When an iceberg's slice is filled, its next slice goes to the end of the queue. Returns true when the order is
   * filled and has left the book.
   */
  trade(row: number, size: number): boolean {
    const { orders, levels } = this;
    const level = orders.level(row);
    const remaining = orders.remaining(row);
    const isReserved = orders.isReserved(row);
    this.messages += 1;
    this.shrink(row, level, size);
    if (!orders.isHidden(row)) {
      levels.addVisible(level, -size);
      this.tell(row);
    }
    if (remaining === 0) {
      this.dequeue(row, level);
      this.count(row, level, -1);
      this.dropIfEmpty(orders.side(row), level);
      return true;
    }
    if (isReserved && orders.isIceberg(row)) this.showMore(row, level, remaining, size);
    return false;
  }

  /**
   * The trade of two orders that both rest, whose remaining sizes have been lowered. Besides the trade, everybody is told
   * that an iceberg trades more than it showed, and what is left of the later order.
   */
  countAuctionTrade(earlier: number, later: number): void {
    const { orders } = this;
    const isLeft = !orders.isHidden(later) && orders.remaining(later) > 0;
    this.messages += 1 + (orders.isIceberg(earlier) ? 1 : 0) + (isLeft ? 1 : 0);
  }

  /**
   * An order has traded in an auction: `size` less of it, whose remaining has already been lowered. It keeps its place; an
   * iceberg trades with all of its size, and shows a whole slice of what remains. Returns true when the order is filled
   * and has left the book.
   */
  tradeInAuction(row: number, size: number): boolean {
    const { orders, levels } = this;
    const level = orders.level(row);
    const remaining = orders.remaining(row);
    this.shrink(row, level, size);
    if (!orders.isHidden(row)) {
      const isIceberg = orders.isIceberg(row);
      const before = isIceberg ? orders.slice(row) : remaining + size;
      const after = isIceberg ? this.showSlice(row, remaining) : remaining;
      levels.addVisible(level, after - before);
      if (after !== before) this.tell(row);
    }
    if (remaining > 0) return false;
    this.dequeue(row, level);
    this.count(row, level, -1);
    this.dropIfEmpty(orders.side(row), level);
    return true;
  }

  /** An iceberg of which something remains has traded, at most its slice. */
  private showMore(row: number, level: number, remaining: number, size: number): void {
    const { orders } = this;
    const left = orders.slice(row) - size;
    if (left > 0) {
      orders.setSlice(row, left);
      return;
    }
    this.levels.addVisible(level, this.showSlice(row, remaining));
    this.dequeue(row, level);
    this.enqueue(row, level);
    this.messages += 1;
    this.tell(row);
  }

  /**
   * A resting order was reduced by `by` and keeps its place; its remaining size has already been lowered. The part that
   * does not show is reduced first.
   */
  reduce(row: number, by: number): void {
    const { orders } = this;
    const level = orders.level(row);
    this.shrink(row, level, by);
    const isReserved = orders.isReserved(row);
    const less = isReserved ? orders.slice(row) - orders.remaining(row) : by;
    if (less <= 0) return;
    if (isReserved) orders.setSlice(row, orders.remaining(row));
    this.levels.addVisible(level, -less);
    this.messages += 1;
    this.tell(row);
  }

  private shrink(row: number, level: number, by: number): void {
    this.levels.addTotal(level, -by);
    this.totals[this.orders.side(row)] -= by;
  }

  /** The visible size of the order's level has changed. */
  private tell(row: number): void {
    const level = this.orders.level(row);
    const side = this.orders.side(row);
    this.events.book(this.symbol, ++this.sequence, side, this.levels, level);
  }

  private enqueue(row: number, level: number): void {
    const { orders, levels } = this;
    const queue = orders.isHidden(row) ? HIDDEN_QUEUE : VISIBLE_QUEUE;
    const last = levels.last(level, queue);
    orders.setPrevious(row, last);
    orders.setNext(row, -1);
    if (last < 0) levels.setFirst(level, queue, row);
    else orders.setNext(last, row);
    levels.setLast(level, queue, row);
  }

  private dequeue(row: number, level: number): void {
    const { orders, levels } = this;
    const queue = orders.isHidden(row) ? HIDDEN_QUEUE : VISIBLE_QUEUE;
    const previous = orders.previous(row);
    const next = orders.next(row);
    if (previous < 0) levels.setFirst(level, queue, next);
    else orders.setNext(previous, next);
    if (next < 0) levels.setLast(level, queue, previous);
    else orders.setPrevious(next, previous);
  }

  private dropIfEmpty(side: number, level: number): void {
    if (this.levels.isEmpty(level)) this.sides[side].remove(level);
  }
}
