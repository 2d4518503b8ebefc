/**
 * The events of one record, as rows of numbers: hot code writes doubles instead of allocating an object. Rare events, and
 * the texts of an order, are stored beside the rows as objects. `decode` returns the plain events of events.ts.
 *
 * A batch belongs to the exchange and is overwritten by the next record: decode what you keep.
 */

import { Amount } from '../values/amount.ts';
import { type EventOutline, EventReader } from './event-reader.ts';
import * as layout from './event-rows.ts';
import type { Event, MarketEvent, MoneyEvent, RareEvent } from './events.ts';
import type { LevelTable } from '../matching/book/price-levels.ts';
import { type OrderTexts, hasExtraFields } from '../matching/orders/order-rows.ts';
import type { OrderTable } from '../matching/orders/order-table.ts';

/** Local copies: V8 compiles constants of the same file into the code, but loads imported ones at every use. */
const { ROW, STEP, RESTED, LONG, ROW_LENGTH_MAX } = layout;
const { RECEIVED_SHORT, RECEIVED_LONG, OPENED_LENGTH, TRADE_LENGTH, REDUCED_LENGTH } = layout;
const { DONE_SHORT, DONE_LONG, BOOK_LENGTH, BALANCE_SHORT, CAUSE_STEP, RARE_LENGTH } = layout;
const { RESTED_SHORT, CANCELLED_LENGTH } = layout;
const hasExtra = hasExtraFields;

const amount = new Amount();

/** The content of a batch: its rows as 32-bit words, and the objects beside them. */
export interface BatchContent<T> {
  readonly words: Int32Array;
  readonly length: number;
  readonly objects: readonly T[];
}

export class EventBatch {
  #rows = new Float64Array(4096);
  /** The same bytes as integers. */
  #words = new Int32Array(this.#rows.buffer);
  #end = 0;
  #objects: (RareEvent | OrderTexts)[] = [];
  /**
   * Counted here instead of by `length`: setting that would change the array's shape in V8, and `clear` is called for
   * every record.
   */
  #objectCount = 0;

  clear(): void {
    this.#end = 0;
    if (this.#objectCount > 0) this.#forgetObjects();
  }

  #forgetObjects(): void {
    this.#objects = [];
    this.#objectCount = 0;
  }

  /** Stores an object beside the rows, which refer to it by index. */
  #keep(object: RareEvent | OrderTexts): number {
    this.#objects.push(object);
    return this.#objectCount++;
  }

  /** Reserves a row. */
  #next(kind: number, length: number): number {
    const start = this.#end;
    if (start + ROW_LENGTH_MAX > this.#rows.length) this.#grow();
    this.#rows[start] = kind;
    this.#end = start + length;
    return start;
  }

  #grow(): void {
    const grown = new Float64Array(this.#rows.length * 2);
    grown.set(this.#rows);
    this.#rows = grown;
    this.#words = new Int32Array(grown.buffer);
  }

  received(orders: OrderTable, row: number): void {
    const flags = orders.flags(row);
    const isLong = hasExtra(flags);
    const at = this.#next(ROW.received, isLong ? RECEIVED_LONG : RECEIVED_SHORT);
    const rows = this.#rows;
    rows[at + 1] = orders.id(row);
    rows[at + 2] = orders.user(row);
    rows[at + 3] = orders.symbol(row);
    rows[at + 4] = flags;
    rows[at + 5] = orders.price(row);
    rows[at + 6] = orders.sizeOf(row);
    rows[at + 7] = orders.makerRate(row);
    rows[at + 8] = orders.takerRate(row);
    if (!isLong) return;
    orders.funds.store(rows, at + 9);
    rows[at + 11] = orders.cancelAfterSec(row);
    rows[at + 12] = orders.visibleSize(row);
    const texts = orders.textsOf(row);
    rows[at + 13] = texts ? this.#keep(texts) : -1;
  }

  /** Equivalent to `received`, `balance` of the hold, `opened` and `book`, for an order that rests at once. */
  rested(
    id: number,
    user: number,
    symbol: number,
    flags: number,
    price: number,
    size: number,
    makerRate: number,
    takerRate: number,
    sequence: number,
    visible: number,
  ): number {
    const at = this.#next(ROW.rested, RESTED_SHORT);
    const rows = this.#rows;
    rows[at + 8] = id;
    rows[at + 9] = user;
    rows[at + 10] = symbol;
    rows[at + 11] = flags;
    rows[at + 12] = price;
    rows[at + 13] = size;
    rows[at + 14] = sequence;
    rows[at + 15] = visible;
    rows[at + 16] = makerRate;
    rows[at + 17] = takerRate;
    return at;
  }

  /** The texts of the order whose row was just written. */
  keepTexts(texts: OrderTexts): void {
    this.#rows[this.#end++] = this.#keep(texts);
  }

  /** Equivalent to `book`, `balance` of the release and `done`, for an order cancelled before any trade. */
  cancelled(
    id: number,
    user: number,
    symbol: number,
    flags: number,
    price: number,
    size: number,
    sequence: number,
    visible: number,
  ): number {
    const at = this.#next(ROW.cancelled, CANCELLED_LENGTH);
    const rows = this.#rows;
    rows[at + 8] = id;
    rows[at + 9] = user;
    rows[at + 10] = symbol;
    rows[at + 11] = flags;
    rows[at + 12] = price;
    rows[at + 13] = size;
    rows[at + 14] = sequence;
    rows[at + 15] = visible;
    return at;
  }

  /** The account fields of either row. */
  balanceAt(at: number, accounts: Float64Array, from: number, changed: Amount): void {
    const rows = this.#rows;
    rows[at + 1] = accounts[from | 4];
    changed.store(rows, at + 2);
    rows[at + 4] = accounts[from];
    rows[at + 5] = accounts[from | 1];
    rows[at + 6] = accounts[from | 2];
    rows[at + 7] = accounts[from | 3];
  }

  opened(orders: OrderTable, row: number): void {
    const at = this.#next(ROW.opened, OPENED_LENGTH);
    const rows = this.#rows;
    rows[at + 1] = orders.id(row);
    rows[at + 2] = orders.user(row);
    rows[at + 3] = orders.symbol(row);
    rows[at + 4] = orders.remaining(row);
  }

  /** The trade itself; `fill` must be called for the incoming and then for the resting order. */
  trade(symbol: number, trade: number, price: number, size: number, funds: Amount, side: number): void {
    const at = this.#next(ROW.trade, TRADE_LENGTH);
    const rows = this.#rows;
    rows[at + 1] = symbol;
    rows[at + 2] = trade;
    rows[at + 3] = price;
    rows[at + 4] = size;
    funds.store(rows, at + 5);
    rows[at + 7] = side;
  }

  /** One side of the trade row just written. `terms`: bit 0 taker's rate, bit 1 taker's liquidity. */
  fill(isResting: boolean, orders: OrderTable, row: number, fee: Amount, terms: number): void {
    const at = this.#end - TRADE_LENGTH + (isResting ? 14 : 8);
    const rows = this.#rows;
    rows[at] = orders.id(row);
    rows[at + 1] = orders.user(row);
    rows[at + 2] = orders.remaining(row);
    fee.store(rows, at + 3);
    rows[at + 5] = terms;
  }

  reduced(orders: OrderTable, row: number, by: number, reason: number): void {
    const at = this.#next(ROW.reduced, REDUCED_LENGTH);
    const rows = this.#rows;
    rows[at + 1] = orders.id(row);
    rows[at + 2] = orders.user(row);
    rows[at + 3] = orders.symbol(row);
    rows[at + 4] = by;
    rows[at + 5] = orders.remaining(row);
    rows[at + 6] = reason;
  }

  done(orders: OrderTable, row: number, reason: number, cancelledFunds: Amount): void {
    const dealt = orders.dealt(row);
    const isLong = dealt > 0 || orders.isByFunds(row);
    const at = this.#next(ROW.done, isLong ? DONE_LONG : DONE_SHORT);
    const rows = this.#rows;
    rows[at + 1] = orders.id(row);
    rows[at + 2] = orders.user(row);
    rows[at + 3] = orders.symbol(row);
    rows[at + 4] = reason * STEP + (orders.hasRested(row) ? RESTED : 0) + (isLong ? LONG : 0);
    const size = orders.sizeOf(row);
    rows[at + 5] = size > 0 ? size - dealt : 0;
    if (!isLong) return;
    rows[at + 6] = dealt;
    orders.readDealFunds(row, amount);
    amount.store(rows, at + 7);
    orders.readFee(row, amount);
    amount.store(rows, at + 9);
    cancelledFunds.store(rows, at + 11);
  }

  book(symbol: number, sequence: number, side: number, levels: LevelTable, level: number): void {
    const at = this.#next(ROW.book, BOOK_LENGTH);
    const rows = this.#rows;
    rows[at + 1] = symbol;
    rows[at + 2] = sequence;
    rows[at + 3] = side;
    rows[at + 4] = levels.price(level);
    rows[at + 5] = levels.visible(level);
  }

  /**
   * `from` is the account's row in `accounts` after the posting: available, hold and the account's key. `subject` is an
   * order, or the deposit, transfer or withdrawal.
   */
  balance(
    movement: number,
    accounts: Float64Array,
    from: number,
    changed: Amount,
    cause: number,
    subject: number,
    trade: number,
  ): void {
    const at = this.#next(ROW.balance, BALANCE_SHORT);
    const rows = this.#rows;
    rows[at + 1] = accounts[from | 4];
    rows[at + 2] = cause * CAUSE_STEP + movement;
    changed.store(rows, at + 3);
    rows[at + 5] = accounts[from];
    rows[at + 6] = accounts[from | 1];
    rows[at + 7] = accounts[from | 2];
    rows[at + 8] = accounts[from | 3];
    rows[at + 9] = subject;
    rows[at + 10] = trade;
  }

  /** The released part of the posting just written. */
  released(released: Amount): void {
    released.store(this.#rows, this.#end);
    this.#end += 2;
  }

  rare(event: RareEvent): void {
    const at = this.#next(ROW.rare, RARE_LENGTH);
    this.#rows[at + 1] = this.#keep(event);
  }

  /** The written rows as they are, for comparing two exchanges record by record. */
  get written(): BatchContent<RareEvent | OrderTexts> {
    return { words: this.#words, length: this.#end * 2, objects: this.#objects };
  }

  /** How often the fast paths were taken, for runs that must exercise them. */
  get fastPaths(): { readonly rested: number; readonly cancelled: number } {
    const reader = new EventReader(this.#rows, this.#objects);
    return { rested: reader.count(this.#end, ROW.rested), cancelled: reader.count(this.#end, ROW.cancelled) };
  }

  /** Every event, as plain objects. */
  decode(): Event[] {
    return new EventReader(this.#rows, this.#objects).readAll(this.#end);
  }

  /** Decodes a copy of the rows, so it may be called when the next record has overwritten them. */
  decodeLater(): () => Event[] {
    const end = this.#end;
    const reader = new EventReader(this.#rows.slice(0, end), this.#objects);
    return () => reader.readAll(end);
  }

  get outline(): EventOutline {
    return new EventReader(this.#rows, this.#objects).outline(this.#end);
  }

  /**
   * Only events of these kinds. Most events of a record are postings, and making objects of them costs more than the
   * matching.
   */
  decodeMarket(): MarketEvent[] {
    return new EventReader(this.#rows, this.#objects).readMarket(this.#end);
  }

  decodeMoney(): MoneyEvent[] {
    return new EventReader(this.#rows, this.#objects).readMoney(this.#end);
  }
}
