/**
 * All active orders, one row each in two typed arrays: no garbage, and an order's fields lie side by side, so that
 * touching one of a million costs three cache lines and not twenty. A row is found by its order's id; freed rows
 * are used again.
 *
 * A request is checked in a draft: the next free row, filled but not yet committed. Rows, not values, are what
 * functions hand to each other, because a number in a typed array costs nothing and a boxed double does. For the
 * same reason the layout stays in this file: constants of the own module are folded into the code, imported ones
 * are not.
 */

import type { Amount } from '../amount.ts';
import { IndexTable } from '../index-table.ts';
import type { OrderTexts } from './order-flags.ts';

/** Fields of `numbers`, relative to `row * NUMBERS`. Amounts take two. */
const NUMBERS = 18;
const ID = 0;
const PRICE = 1;
const SIZE = 2;
const REMAINING = 3;
const DEALT = 4;
const VISIBLE = 5;
const VISIBLE_SIZE = 6;
const CREATED = 7;
const UPDATED = 8;
const EXPIRES = 9;
const DEAL_FUNDS = 10;
const FEE = 12;
const HOLD = 14;
const FUNDS = 16;

/** Fields of `links`, relative to `row * LINKS`. Rows point at each other by number, -1 is none. */
const LINKS = 13;
const USER = 0;
const SYMBOL = 1;
const FLAGS = 2;
const TRADER = 3;
const LEVEL = 4;
const PREVIOUS = 5;
const NEXT = 6;
const PREVIOUS_OWN = 7;
const NEXT_OWN = 8;
const MAKER_RATE = 9;
const TAKER_RATE = 10;
const SLACK = 11;
const CANCEL_AFTER = 12;

/** What a snapshot keeps of `links`; the others are derived. */
const KEPT_LINKS = [USER, SYMBOL, FLAGS, MAKER_RATE, TAKER_RATE, SLACK, CANCEL_AFTER] as const;

const NONE = -1;
const FIRST_CAPACITY = 1024;

export class OrderTable {
  private numbers = new Float64Array(FIRST_CAPACITY * NUMBERS);
  private links = new Int32Array(FIRST_CAPACITY * LINKS);
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
    // Loops, because fill() costs more than it does for so little.
    const { numbers, links } = this;
    const n = row * NUMBERS;
    for (let i = n; i < n + NUMBERS; i++) numbers[i] = 0;
    const l = row * LINKS;
    for (let i = l; i < l + LINKS; i++) if (i !== l + PREVIOUS) links[i] = NONE;
    links[l + SLACK] = 0;
    links[l + CANCEL_AFTER] = 0;
    this.texts[row] = undefined;
    return row;
  }

  /** The draft becomes the order `id`. */
  commit(row: number, id: number): void {
    if (row === this.free) this.free = this.links[row * LINKS + PREVIOUS];
    else this.used++;
    this.links[row * LINKS + PREVIOUS] = NONE;
    this.numbers[row * NUMBERS + ID] = id;
    this.byId.set(id, row);
  }

  remove(row: number): void {
    this.byId.delete(this.numbers[row * NUMBERS + ID]);
    this.texts[row] = undefined;
    this.links[row * LINKS + PREVIOUS] = this.free;
    this.free = row;
  }

  /** -1 when no active order has this id. */
  rowOf(id: number): number {
    return this.byId.get(id);
  }

  textsOf(row: number): OrderTexts | undefined {
    return this.texts[row];
  }

  setTexts(row: number, texts: OrderTexts): void {
    this.texts[row] = texts;
  }

  id(row: number): number {
    return this.numbers[row * NUMBERS + ID];
  }

  price(row: number): number {
    return this.numbers[row * NUMBERS + PRICE];
  }

  setPrice(row: number, price: number): void {
    this.numbers[row * NUMBERS + PRICE] = price;
  }

  /** 0 for an order by funds. */
  sizeOf(row: number): number {
    return this.numbers[row * NUMBERS + SIZE];
  }

  /** The size, all of which remains. */
  setSize(row: number, size: number): void {
    this.numbers[row * NUMBERS + SIZE] = size;
    this.numbers[row * NUMBERS + REMAINING] = size;
  }

  /** size - dealt - cancelled; 0 for an order by funds. */
  remaining(row: number): number {
    return this.numbers[row * NUMBERS + REMAINING];
  }

  lowerRemaining(row: number, by: number): void {
    this.numbers[row * NUMBERS + REMAINING] -= by;
  }

  dealt(row: number): number {
    return this.numbers[row * NUMBERS + DEALT];
  }

  /** What shows in the book now: an iceberg's slice, 0 for a hidden order. */
  visible(row: number): number {
    return this.numbers[row * NUMBERS + VISIBLE];
  }

  setVisible(row: number, visible: number): void {
    this.numbers[row * NUMBERS + VISIBLE] = visible;
  }

  /** The most that an iceberg shows. */
  visibleSize(row: number): number {
    return this.numbers[row * NUMBERS + VISIBLE_SIZE];
  }

  setVisibleSize(row: number, visibleSize: number): void {
    this.numbers[row * NUMBERS + VISIBLE_SIZE] = visibleSize;
  }

  createdAt(row: number): number {
    return this.numbers[row * NUMBERS + CREATED];
  }

  updatedAt(row: number): number {
    return this.numbers[row * NUMBERS + UPDATED];
  }

  create(row: number, at: number): void {
    this.numbers[row * NUMBERS + CREATED] = at;
    this.numbers[row * NUMBERS + UPDATED] = at;
  }

  update(row: number, at: number): void {
    this.numbers[row * NUMBERS + UPDATED] = at;
  }

  /** Milliseconds; 0: never. */
  expiresAt(row: number): number {
    return this.numbers[row * NUMBERS + EXPIRES];
  }

  setExpiresAt(row: number, at: number): void {
    this.numbers[row * NUMBERS + EXPIRES] = at;
  }

  /** One fill more: its size, its funds and its fee. */
  addFill(row: number, size: number, funds: Amount, fee: Amount, sum: Amount): void {
    const { numbers } = this;
    const n = row * NUMBERS;
    numbers[n + DEALT] += size;
    if (numbers[n + SIZE] > 0) numbers[n + REMAINING] -= size;
    sum.load(numbers, n + DEAL_FUNDS);
    sum.add(funds);
    sum.store(numbers, n + DEAL_FUNDS);
    sum.load(numbers, n + FEE);
    sum.add(fee);
    sum.store(numbers, n + FEE);
  }

  readDealFunds(row: number, into: Amount): void {
    into.load(this.numbers, row * NUMBERS + DEAL_FUNDS);
  }

  readFee(row: number, into: Amount): void {
    into.load(this.numbers, row * NUMBERS + FEE);
  }

  readHold(row: number, into: Amount): void {
    into.load(this.numbers, row * NUMBERS + HOLD);
  }

  setHold(row: number, hold: Amount): void {
    hold.store(this.numbers, row * NUMBERS + HOLD);
  }

  readFunds(row: number, into: Amount): void {
    into.load(this.numbers, row * NUMBERS + FUNDS);
  }

  setFunds(row: number, funds: Amount): void {
    funds.store(this.numbers, row * NUMBERS + FUNDS);
  }

  user(row: number): number {
    return this.links[row * LINKS + USER];
  }

  symbol(row: number): number {
    return this.links[row * LINKS + SYMBOL];
  }

  setOwner(row: number, user: number, symbol: number): void {
    this.links[row * LINKS + USER] = user;
    this.links[row * LINKS + SYMBOL] = symbol;
  }

  flags(row: number): number {
    return this.links[row * LINKS + FLAGS];
  }

  setFlags(row: number, flags: number): void {
    this.links[row * LINKS + FLAGS] = flags;
  }

  /** The user's row in this symbol: see trader-table.ts. */
  trader(row: number): number {
    return this.links[row * LINKS + TRADER];
  }

  setTrader(row: number, trader: number): void {
    this.links[row * LINKS + TRADER] = trader;
  }

  makerRate(row: number): number {
    return this.links[row * LINKS + MAKER_RATE];
  }

  takerRate(row: number): number {
    return this.links[row * LINKS + TAKER_RATE];
  }

  setRates(row: number, maker: number, taker: number): void {
    this.links[row * LINKS + MAKER_RATE] = maker;
    this.links[row * LINKS + TAKER_RATE] = taker;
  }

  /** What rounding fees up has charged too much so far, in 10^-8 units. */
  slack(row: number): number {
    return this.links[row * LINKS + SLACK];
  }

  setSlack(row: number, slack: number): void {
    this.links[row * LINKS + SLACK] = slack;
  }

  cancelAfterSec(row: number): number {
    return this.links[row * LINKS + CANCEL_AFTER];
  }

  setCancelAfterSec(row: number, seconds: number): void {
    this.links[row * LINKS + CANCEL_AFTER] = seconds;
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

  /** All that a snapshot keeps of a row, but its texts. */
  fieldsOf(row: number): number[] {
    const n = row * NUMBERS;
    return [...this.numbers.subarray(n, n + NUMBERS), ...KEPT_LINKS.map((link) => this.links[row * LINKS + link])];
  }

  static readonly fieldCount = NUMBERS + KEPT_LINKS.length;

  /** An order from a snapshot; the derived links are still to be made. */
  restore(fields: readonly number[]): number {
    const row = this.draft();
    for (let i = 0; i < NUMBERS; i++) this.numbers[row * NUMBERS + i] = fields[i];
    KEPT_LINKS.forEach((link, i) => {
      this.links[row * LINKS + link] = fields[NUMBERS + i];
    });
    this.commit(row, fields[ID]);
    return row;
  }

  private grow(): void {
    this.capacity *= 2;
    const numbers = new Float64Array(this.capacity * NUMBERS);
    numbers.set(this.numbers);
    this.numbers = numbers;
    const links = new Int32Array(this.capacity * LINKS);
    links.set(this.links);
    this.links = links;
  }
}
