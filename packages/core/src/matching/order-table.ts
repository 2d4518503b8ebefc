/**
 * All active orders, one row each in typed arrays: no garbage, and an order's fields lie side by side, so that
 * touching one of a million costs two or three cache lines and not thirty. A row is found by its order's id; freed rows
 * are used again.
 *
 * A request is checked in a draft: the next free row, filled but not yet committed. Rows, not values, are what
 * functions hand to each other, because a number in a typed array costs nothing and a boxed double does. For the
 * same reason the layout stays in this file: constants of the own module are folded into the code, imported ones
 * are not.
 */

import { Amount, addTo } from '../amount.ts';
import { IndexTable } from '../index-table.ts';
import { hasTexts, type OrderTexts, withTexts } from './order-flags.ts';

/**
 * Layout. `hot`, the part of a row that is touched whenever the order is, has 128 bytes, two cache lines, read as
 * doubles, integers (`links`) and short integers of the same memory:
 *   doubles of 16: 0 id, 1 price, 2 size, 3 remaining, 4 dealt, 5 visible, 6-7 hold, 8-9 deal funds, 10-11 fee
 *   integers of 32: 24 user, 25 trader, 26 level, 27 previous, 28 next, 29 previous own, 30 next own
 *   shorts of 64: 62 flags, 63 symbol
 * `cold` matters when an order comes, trades or is shown:
 *   doubles of 8: 0 visible size, 1 created, 2 updated, 3 expires, 4 maker rate, 5 taker rate, 6 slack, 7 cancel after
 *
 * The functions below are the names of these numbers, and say the numbers themselves: V8 inlines a function of at
 * most 27 bytes of bytecode wherever it is called. With named constants they have more, and lose a third of the speed.
 */
const NONE = -1;
const FIRST_CAPACITY = 1024;

export class OrderTable {
  private hot = new Float64Array(FIRST_CAPACITY * 16);
  private links = new Int32Array(this.hot.buffer);
  private shorts = new Uint16Array(this.hot.buffer);
  private cold = new Float64Array(FIRST_CAPACITY * 8);
  /** Of the one order by funds that may be there at a time: it is a market order, and never rests. */
  readonly funds = new Amount();
  private readonly texts: (OrderTexts | undefined)[] = [];
  private readonly byId = new IndexTable(FIRST_CAPACITY * 2);
  private capacity = FIRST_CAPACITY;
  /** Rows below this have been used; freed ones are chained through `previous`. */
  private used = 0;
  private free = NONE;

  get size(): number {
    return this.byId.size;
  }

  /** The row the next order will have, emptied for a new request. */
  draft(): number {
    if (this.free === NONE && this.used === this.capacity) this.grow();
    const row = this.free === NONE ? this.used : this.free;
    // What every order writes anyway is left as it was; fill() would cost more than these few.
    const { hot, cold } = this;
    const h = row * 16;
    for (let field = 1; field <= 5; field++) hot[h + field] = 0; // price to visible
    for (let field = 8; field <= 11; field++) hot[h + field] = 0; // deal funds, fee
    this.setLevel(row, NONE);
    this.setFlags(row, 0);
    const c = row * 8;
    cold[c] = 0; // visible size
    cold[c + 3] = 0; // expires
    cold[c + 6] = 0; // slack
    cold[c + 7] = 0; // cancel after
    this.funds.clear();
    return row;
  }

  /** The draft becomes the order `id`. */
  commit(row: number, id: number): void {
    if (row === this.free) this.free = this.links[row * 32 + 27];
    else this.used++;
    this.links[row * 32 + 27] = NONE;
    this.hot[row * 16] = id;
    this.byId.set(id, row);
  }

  remove(row: number): void {
    this.byId.delete(this.hot[row * 16]);
    if (hasTexts(this.flags(row))) this.texts[row] = undefined;
    this.links[row * 32 + 27] = this.free;
    this.free = row;
  }

  /** -1 when no active order has this id. */
  rowOf(id: number): number {
    return this.byId.get(id);
  }

  textsOf(row: number): OrderTexts | undefined {
    return hasTexts(this.flags(row)) ? this.texts[row] : undefined;
  }

  setTexts(row: number, texts: OrderTexts): void {
    this.addFlags(row, withTexts(0));
    this.texts[row] = texts;
  }

  id(row: number): number {
    return this.hot[row * 16];
  }

  price(row: number): number {
    return this.hot[row * 16 + 1];
  }

  setPrice(row: number, price: number): void {
    this.hot[row * 16 + 1] = price;
  }

  /** 0 for an order by funds. */
  sizeOf(row: number): number {
    return this.hot[row * 16 + 2];
  }

  /** The size, all of which remains. */
  setSize(row: number, size: number): void {
    this.hot[row * 16 + 2] = size;
    this.hot[row * 16 + 3] = size;
  }

  /** size - dealt - cancelled; 0 for an order by funds. */
  remaining(row: number): number {
    return this.hot[row * 16 + 3];
  }

  lowerRemaining(row: number, by: number): void {
    this.hot[row * 16 + 3] -= by;
  }

  dealt(row: number): number {
    return this.hot[row * 16 + 4];
  }

  /** What shows in the book now: an iceberg's slice, 0 for a hidden order. */
  visible(row: number): number {
    return this.hot[row * 16 + 5];
  }

  setVisible(row: number, visible: number): void {
    this.hot[row * 16 + 5] = visible;
  }

  /** The most that an iceberg shows. */
  visibleSize(row: number): number {
    return this.cold[row * 8];
  }

  setVisibleSize(row: number, visibleSize: number): void {
    this.cold[row * 8] = visibleSize;
  }

  createdAt(row: number): number {
    return this.cold[row * 8 + 1];
  }

  updatedAt(row: number): number {
    return this.cold[row * 8 + 2];
  }

  create(row: number, at: number): void {
    this.cold[row * 8 + 1] = at;
    this.cold[row * 8 + 2] = at;
  }

  update(row: number, at: number): void {
    this.cold[row * 8 + 2] = at;
  }

  /** Milliseconds; 0: never. */
  expiresAt(row: number): number {
    return this.cold[row * 8 + 3];
  }

  setExpiresAt(row: number, at: number): void {
    this.cold[row * 8 + 3] = at;
  }

  /** One fill more: its size, its funds and its fee. */
  addFill(row: number, size: number, funds: Amount, fee: Amount): void {
    const { hot } = this;
    const h = row * 16;
    hot[h + 4] += size; // dealt
    if (hot[h + 2] > 0) hot[h + 3] -= size; // remaining, of an order by size
    addTo(hot, h + 8, funds);
    addTo(hot, h + 10, fee);
  }

  readDealFunds(row: number, into: Amount): void {
    into.load(this.hot, row * 16 + 8);
  }

  readFee(row: number, into: Amount): void {
    into.load(this.hot, row * 16 + 10);
  }

  readHold(row: number, into: Amount): void {
    into.load(this.hot, row * 16 + 6);
  }

  setHold(row: number, hold: Amount): void {
    hold.store(this.hot, row * 16 + 6);
  }

  user(row: number): number {
    return this.links[row * 32 + 24];
  }

  symbol(row: number): number {
    return this.shorts[row * 64 + 63];
  }

  setOwner(row: number, user: number, symbol: number): void {
    this.links[row * 32 + 24] = user;
    this.shorts[row * 64 + 63] = symbol;
  }

  flags(row: number): number {
    return this.shorts[row * 64 + 62];
  }

  setFlags(row: number, flags: number): void {
    this.shorts[row * 64 + 62] = flags;
  }

  addFlags(row: number, flags: number): void {
    this.shorts[row * 64 + 62] |= flags;
  }

  /** The user's row in this symbol: see trader-table.ts. */
  trader(row: number): number {
    return this.links[row * 32 + 25];
  }

  setTrader(row: number, trader: number): void {
    this.links[row * 32 + 25] = trader;
  }

  makerRate(row: number): number {
    return this.cold[row * 8 + 4];
  }

  takerRate(row: number): number {
    return this.cold[row * 8 + 5];
  }

  setRates(row: number, maker: number, taker: number): void {
    this.cold[row * 8 + 4] = maker;
    this.cold[row * 8 + 5] = taker;
  }

  /** What rounding fees up has charged too much so far, in 10^-8 units. */
  slack(row: number): number {
    return this.cold[row * 8 + 6];
  }

  setSlack(row: number, slack: number): void {
    this.cold[row * 8 + 6] = slack;
  }

  cancelAfterSec(row: number): number {
    return this.cold[row * 8 + 7];
  }

  setCancelAfterSec(row: number, seconds: number): void {
    this.cold[row * 8 + 7] = seconds;
  }

  /** The price level it rests at, -1 while it does not. */
  level(row: number): number {
    return this.links[row * 32 + 26];
  }

  setLevel(row: number, level: number): void {
    this.links[row * 32 + 26] = level;
  }

  /** Neighbours in the level's queue. */
  previous(row: number): number {
    return this.links[row * 32 + 27];
  }

  next(row: number): number {
    return this.links[row * 32 + 28];
  }

  setPrevious(row: number, previous: number): void {
    this.links[row * 32 + 27] = previous;
  }

  setNext(row: number, next: number): void {
    this.links[row * 32 + 28] = next;
  }

  /** Neighbours among the trader's orders, ascending by id. */
  previousOwn(row: number): number {
    return this.links[row * 32 + 29];
  }

  nextOwn(row: number): number {
    return this.links[row * 32 + 30];
  }

  setPreviousOwn(row: number, previous: number): void {
    this.links[row * 32 + 29] = previous;
  }

  setNextOwn(row: number, next: number): void {
    this.links[row * 32 + 30] = next;
  }

  /** All that a snapshot keeps of a row, but its texts; what is derived is made anew. */
  fieldsOf(row: number): number[] {
    const fields = [...this.hot.subarray(row * 16, row * 16 + 12)];
    fields.push(...this.cold.subarray(row * 8, (row + 1) * 8));
    fields.push(this.user(row), this.symbol(row), this.flags(row));
    return fields;
  }

  static readonly fieldCount = 12 + 8 + 3;

  /** An order from a snapshot; the derived links are still to be made. */
  restore(fields: readonly number[]): number {
    const row = this.draft();
    const coldAt = 12;
    const ownerAt = coldAt + 8;
    this.hot.set(fields.slice(0, coldAt), row * 16);
    this.cold.set(fields.slice(coldAt, ownerAt), row * 8);
    this.setOwner(row, fields[ownerAt], fields[ownerAt + 1]);
    this.setFlags(row, fields[ownerAt + 2]);
    this.commit(row, fields[0]);
    return row;
  }

  private grow(): void {
    this.capacity *= 2;
    const hot = new Float64Array(this.capacity * 16);
    hot.set(this.hot);
    this.hot = hot;
    this.links = new Int32Array(hot.buffer);
    this.shorts = new Uint16Array(hot.buffer);
    const cold = new Float64Array(this.capacity * 8);
    cold.set(this.cold);
    this.cold = cold;
  }
}
