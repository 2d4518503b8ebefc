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
 * The part of a row that is touched whenever the order is: 128 bytes, two cache lines, read as doubles, integers and
 * short integers of the same memory. Fields of `hot`; amounts take two.
 */
const HOT = 16;
const ID = 0;
const PRICE = 1;
const SIZE = 2;
const REMAINING = 3;
const DEALT = 4;
const VISIBLE = 5;
const HOLD = 6;
const DEAL_FUNDS = 8;
const FEE = 10;
/** Fields of `links`: rows point at each other by number, -1 is none. */
const LINKS = 32;
const USER = 24;
const TRADER = 25;
const LEVEL = 26;
const PREVIOUS = 27;
const NEXT = 28;
const PREVIOUS_OWN = 29;
const NEXT_OWN = 30;
/** Fields of `shorts`. */
const SHORTS = 64;
const FLAGS = 62;
const SYMBOL = 63;

/** The part that matters when an order comes, trades or is shown; fields of `cold`. */
const COLD = 8;
const VISIBLE_SIZE = 0;
const CREATED = 1;
const UPDATED = 2;
const EXPIRES = 3;
const MAKER_RATE = 4;
const TAKER_RATE = 5;
const SLACK = 6;
const CANCEL_AFTER = 7;

const NONE = -1;
const FIRST_CAPACITY = 1024;

export class OrderTable {
  private hot = new Float64Array(FIRST_CAPACITY * HOT);
  private links = new Int32Array(this.hot.buffer);
  private shorts = new Uint16Array(this.hot.buffer);
  private cold = new Float64Array(FIRST_CAPACITY * COLD);
  /** Of the one order by funds that may be there at a time: it is a market order, and never rests. */
  readonly funds = new Amount();
  private readonly texts: (OrderTexts | undefined)[] = [];
  private readonly byId = new IndexTable(FIRST_CAPACITY * 2);
  private capacity = FIRST_CAPACITY;
  /** Rows below this have been used; freed ones are chained through PREVIOUS. */
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
    const h = row * HOT;
    hot[h + PRICE] = 0;
    hot[h + SIZE] = 0;
    hot[h + REMAINING] = 0;
    hot[h + DEALT] = 0;
    hot[h + VISIBLE] = 0;
    hot[h + DEAL_FUNDS] = 0;
    hot[h + DEAL_FUNDS + 1] = 0;
    hot[h + FEE] = 0;
    hot[h + FEE + 1] = 0;
    this.links[row * LINKS + LEVEL] = NONE;
    this.shorts[row * SHORTS + FLAGS] = 0;
    const c = row * COLD;
    cold[c + VISIBLE_SIZE] = 0;
    cold[c + EXPIRES] = 0;
    cold[c + SLACK] = 0;
    cold[c + CANCEL_AFTER] = 0;
    this.funds.clear();
    return row;
  }

  /** The draft becomes the order `id`. */
  commit(row: number, id: number): void {
    if (row === this.free) this.free = this.links[row * LINKS + PREVIOUS];
    else this.used++;
    this.links[row * LINKS + PREVIOUS] = NONE;
    this.hot[row * HOT + ID] = id;
    this.byId.set(id, row);
  }

  remove(row: number): void {
    this.byId.delete(this.hot[row * HOT + ID]);
    if (hasTexts(this.flags(row))) this.texts[row] = undefined;
    this.links[row * LINKS + PREVIOUS] = this.free;
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
    return this.hot[row * HOT + ID];
  }

  price(row: number): number {
    return this.hot[row * HOT + PRICE];
  }

  setPrice(row: number, price: number): void {
    this.hot[row * HOT + PRICE] = price;
  }

  /** 0 for an order by funds. */
  sizeOf(row: number): number {
    return this.hot[row * HOT + SIZE];
  }

  /** The size, all of which remains. */
  setSize(row: number, size: number): void {
    this.hot[row * HOT + SIZE] = size;
    this.hot[row * HOT + REMAINING] = size;
  }

  /** size - dealt - cancelled; 0 for an order by funds. */
  remaining(row: number): number {
    return this.hot[row * HOT + REMAINING];
  }

  lowerRemaining(row: number, by: number): void {
    this.hot[row * HOT + REMAINING] -= by;
  }

  dealt(row: number): number {
    return this.hot[row * HOT + DEALT];
  }

  /** What shows in the book now: an iceberg's slice, 0 for a hidden order. */
  visible(row: number): number {
    return this.hot[row * HOT + VISIBLE];
  }

  setVisible(row: number, visible: number): void {
    this.hot[row * HOT + VISIBLE] = visible;
  }

  /** The most that an iceberg shows. */
  visibleSize(row: number): number {
    return this.cold[row * COLD + VISIBLE_SIZE];
  }

  setVisibleSize(row: number, visibleSize: number): void {
    this.cold[row * COLD + VISIBLE_SIZE] = visibleSize;
  }

  createdAt(row: number): number {
    return this.cold[row * COLD + CREATED];
  }

  updatedAt(row: number): number {
    return this.cold[row * COLD + UPDATED];
  }

  create(row: number, at: number): void {
    this.cold[row * COLD + CREATED] = at;
    this.cold[row * COLD + UPDATED] = at;
  }

  update(row: number, at: number): void {
    this.cold[row * COLD + UPDATED] = at;
  }

  /** Milliseconds; 0: never. */
  expiresAt(row: number): number {
    return this.cold[row * COLD + EXPIRES];
  }

  setExpiresAt(row: number, at: number): void {
    this.cold[row * COLD + EXPIRES] = at;
  }

  /** One fill more: its size, its funds and its fee. */
  addFill(row: number, size: number, funds: Amount, fee: Amount): void {
    const { hot } = this;
    const h = row * HOT;
    hot[h + DEALT] += size;
    if (hot[h + SIZE] > 0) hot[h + REMAINING] -= size;
    addTo(hot, h + DEAL_FUNDS, funds);
    addTo(hot, h + FEE, fee);
  }

  readDealFunds(row: number, into: Amount): void {
    into.load(this.hot, row * HOT + DEAL_FUNDS);
  }

  readFee(row: number, into: Amount): void {
    into.load(this.hot, row * HOT + FEE);
  }

  readHold(row: number, into: Amount): void {
    into.load(this.hot, row * HOT + HOLD);
  }

  setHold(row: number, hold: Amount): void {
    hold.store(this.hot, row * HOT + HOLD);
  }

  user(row: number): number {
    return this.links[row * LINKS + USER];
  }

  symbol(row: number): number {
    return this.shorts[row * SHORTS + SYMBOL];
  }

  setOwner(row: number, user: number, symbol: number): void {
    this.links[row * LINKS + USER] = user;
    this.shorts[row * SHORTS + SYMBOL] = symbol;
  }

  flags(row: number): number {
    return this.shorts[row * SHORTS + FLAGS];
  }

  setFlags(row: number, flags: number): void {
    this.shorts[row * SHORTS + FLAGS] = flags;
  }

  addFlags(row: number, flags: number): void {
    this.shorts[row * SHORTS + FLAGS] |= flags;
  }

  /** The user's row in this symbol: see trader-table.ts. */
  trader(row: number): number {
    return this.links[row * LINKS + TRADER];
  }

  setTrader(row: number, trader: number): void {
    this.links[row * LINKS + TRADER] = trader;
  }

  makerRate(row: number): number {
    return this.cold[row * COLD + MAKER_RATE];
  }

  takerRate(row: number): number {
    return this.cold[row * COLD + TAKER_RATE];
  }

  setRates(row: number, maker: number, taker: number): void {
    this.cold[row * COLD + MAKER_RATE] = maker;
    this.cold[row * COLD + TAKER_RATE] = taker;
  }

  /** What rounding fees up has charged too much so far, in 10^-8 units. */
  slack(row: number): number {
    return this.cold[row * COLD + SLACK];
  }

  setSlack(row: number, slack: number): void {
    this.cold[row * COLD + SLACK] = slack;
  }

  cancelAfterSec(row: number): number {
    return this.cold[row * COLD + CANCEL_AFTER];
  }

  setCancelAfterSec(row: number, seconds: number): void {
    this.cold[row * COLD + CANCEL_AFTER] = seconds;
  }

  /** The price level it rests at, -1 while it does not. */
  level(row: number): number {
    return this.links[row * LINKS + LEVEL];
  }

  setLevel(row: number, level: number): void {
    this.links[row * LINKS + LEVEL] = level;
  }

  /** Neighbours in the level's queue. */
  previous(row: number): number {
    return this.links[row * LINKS + PREVIOUS];
  }

  next(row: number): number {
    return this.links[row * LINKS + NEXT];
  }

  setPrevious(row: number, previous: number): void {
    this.links[row * LINKS + PREVIOUS] = previous;
  }

  setNext(row: number, next: number): void {
    this.links[row * LINKS + NEXT] = next;
  }

  /** Neighbours among the trader's orders, ascending by id. */
  previousOwn(row: number): number {
    return this.links[row * LINKS + PREVIOUS_OWN];
  }

  nextOwn(row: number): number {
    return this.links[row * LINKS + NEXT_OWN];
  }

  setPreviousOwn(row: number, previous: number): void {
    this.links[row * LINKS + PREVIOUS_OWN] = previous;
  }

  setNextOwn(row: number, next: number): void {
    this.links[row * LINKS + NEXT_OWN] = next;
  }

  /** All that a snapshot keeps of a row, but its texts; what is derived is made anew. */
  fieldsOf(row: number): number[] {
    const fields = [...this.hot.subarray(row * HOT, row * HOT + USER / 2)];
    fields.push(...this.cold.subarray(row * COLD, (row + 1) * COLD));
    fields.push(this.user(row), this.symbol(row), this.flags(row));
    return fields;
  }

  static readonly fieldCount = USER / 2 + COLD + 3;

  /** An order from a snapshot; the derived links are still to be made. */
  restore(fields: readonly number[]): number {
    const row = this.draft();
    const coldAt = USER / 2;
    const ownerAt = coldAt + COLD;
    this.hot.set(fields.slice(0, coldAt), row * HOT);
    this.cold.set(fields.slice(coldAt, ownerAt), row * COLD);
    this.setOwner(row, fields[ownerAt], fields[ownerAt + 1]);
    this.setFlags(row, fields[ownerAt + 2]);
    this.commit(row, fields[ID]);
    return row;
  }

  private grow(): void {
    this.capacity *= 2;
    const hot = new Float64Array(this.capacity * HOT);
    hot.set(this.hot);
    this.hot = hot;
    this.links = new Int32Array(hot.buffer);
    this.shorts = new Uint16Array(hot.buffer);
    const cold = new Float64Array(this.capacity * COLD);
    cold.set(this.cold);
    this.cold = cold;
  }
}
