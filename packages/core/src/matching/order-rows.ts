/** The fields of orders, as rows of typed arrays: what each number means, and a name for each. See order-table.ts. */

import { Amount } from '../amount.ts';
import { GrowingMemory } from '../growing-memory.ts';

/**
 * Layout. `hot`, the part of a row that is touched whenever the order is, has 128 bytes, two cache lines, read as
 * doubles and integers (`links`) of the same memory:
 *   doubles of 16: 0 id, 1 price, 2 size, 3 remaining, 4 dealt, 5 visible, 6-7 hold, 8-9 deal funds, 10-11 fee
 *   integers of 32: 24 user, 25 trader, 26 level, 27 previous, 28 next, 29 previous own, 30 next own, 31 the symbol
 *     above 16 bits of flags, which are those of order-flags.ts
 * `cold` matters when an order comes, trades or is shown:
 *   doubles of 8: 0 visible size, 1 created, 2 updated, 3 expires, 4 maker rate, 5 taker rate, 6 slack, 7 cancel after
 *
 * The functions below are the names of these numbers, and say the numbers themselves: V8 inlines a function of at
 * most 27 bytes of bytecode wherever it is called. With named constants they have more, and lose a third of the speed.
 * Shifting, where multiplying would do, needs no check for overflow.
 */
const FIRST_CAPACITY = 1024;
const HOT_BYTES = 128;
const COLD_BYTES = 64;

export class OrderRows {
  protected capacity = FIRST_CAPACITY;
  private readonly hotMemory = new GrowingMemory(FIRST_CAPACITY * HOT_BYTES);
  private readonly coldMemory = new GrowingMemory(FIRST_CAPACITY * COLD_BYTES);
  protected hot = new Float64Array(this.hotMemory.buffer);
  protected links = new Int32Array(this.hotMemory.buffer);
  protected cold = new Float64Array(this.coldMemory.buffer);

  id(row: number): number {
    return this.hot[row << 4];
  }

  price(row: number): number {
    return this.hot[(row << 4) | 1];
  }

  setPrice(row: number, price: number): void {
    this.hot[(row << 4) | 1] = price;
  }

  /** 0 for an order by funds. */
  sizeOf(row: number): number {
    return this.hot[(row << 4) | 2];
  }

  /** The size, all of which remains. */
  setSize(row: number, size: number): void {
    this.hot[(row << 4) | 2] = size;
    this.hot[(row << 4) | 3] = size;
  }

  /** size - dealt - cancelled; 0 for an order by funds. */
  remaining(row: number): number {
    return this.hot[(row << 4) | 3];
  }

  lowerRemaining(row: number, by: number): void {
    this.hot[(row << 4) | 3] -= by;
  }

  dealt(row: number): number {
    return this.hot[(row << 4) | 4];
  }

  /** What shows in the book now: an iceberg's slice, 0 for a hidden order. */
  visible(row: number): number {
    return this.hot[(row << 4) | 5];
  }

  setVisible(row: number, visible: number): void {
    this.hot[(row << 4) | 5] = visible;
  }

  /** The most that an iceberg shows. */
  visibleSize(row: number): number {
    return this.cold[row << 3];
  }

  setVisibleSize(row: number, visibleSize: number): void {
    this.cold[row << 3] = visibleSize;
  }

  createdAt(row: number): number {
    return this.cold[(row << 3) | 1];
  }

  updatedAt(row: number): number {
    return this.cold[(row << 3) | 2];
  }

  create(row: number, at: number): void {
    this.cold[(row << 3) | 1] = at;
    this.cold[(row << 3) | 2] = at;
  }

  update(row: number, at: number): void {
    this.cold[(row << 3) | 2] = at;
  }

  /** Milliseconds; 0: never. */
  expiresAt(row: number): number {
    return this.cold[(row << 3) | 3];
  }

  setExpiresAt(row: number, at: number): void {
    this.cold[(row << 3) | 3] = at;
  }

  /** One fill more: its size, its funds and its fee. */
  addFill(row: number, size: number, funds: Amount, fee: Amount): void {
    const { hot } = this;
    const h = row << 4;
    hot[h | 4] += size; // dealt
    if (hot[h | 2] > 0) hot[h | 3] -= size; // remaining, of an order by size
    funds.addTo(hot, h | 8);
    fee.addTo(hot, h | 10);
  }

  readDealFunds(row: number, into: Amount): void {
    into.load(this.hot, (row << 4) | 8);
  }

  readFee(row: number, into: Amount): void {
    into.load(this.hot, (row << 4) | 10);
  }

  readHold(row: number, into: Amount): void {
    into.load(this.hot, (row << 4) | 6);
  }

  setHold(row: number, hold: Amount): void {
    hold.store(this.hot, (row << 4) | 6);
  }

  user(row: number): number {
    return this.links[(row << 5) | 24];
  }

  symbol(row: number): number {
    return this.links[(row << 5) | 31] >>> 16;
  }

  /** Whose it is and where, with no flags yet. */
  setOwner(row: number, user: number, symbol: number): void {
    this.links[(row << 5) | 24] = user;
    this.links[(row << 5) | 31] = symbol << 16;
  }

  flags(row: number): number {
    return this.links[(row << 5) | 31] & 65535;
  }

  addFlags(row: number, flags: number): void {
    this.links[(row << 5) | 31] |= flags;
  }

  /** 0 for a buy, 1 for a sell. */
  side(row: number): number {
    return this.links[(row << 5) | 31] & 1;
  }

  isBuy(row: number): boolean {
    return (this.links[(row << 5) | 31] & 1) === 0;
  }

  isMarket(row: number): boolean {
    return (this.links[(row << 5) | 31] & 2) !== 0;
  }

  /** Whether what is left of it may come to rest: a limit order with GTC or GTT. */
  mayRest(row: number): boolean {
    return (this.links[(row << 5) | 31] & 10) === 0;
  }

  isPostOnly(row: number): boolean {
    return (this.links[(row << 5) | 31] & 128) !== 0;
  }

  isHidden(row: number): boolean {
    return (this.links[(row << 5) | 31] & 256) !== 0;
  }

  /** Quantity that does not all show: hidden, or an iceberg; such orders pay the taker's rate even at rest. */
  isReserved(row: number): boolean {
    return (this.links[(row << 5) | 31] & 768) !== 0;
  }

  /** Whether the order has been in the book. */
  hasRested(row: number): boolean {
    return (this.links[(row << 5) | 31] & 1024) !== 0;
  }

  setRested(row: number): void {
    this.links[(row << 5) | 31] |= 1024;
  }

  /** A market order for so much money instead of so much size. */
  isByFunds(row: number): boolean {
    return (this.links[(row << 5) | 31] & 2048) !== 0;
  }

  /** Whether the order carries words: most do not, and their words are not looked for. */
  hasTexts(row: number): boolean {
    return (this.links[(row << 5) | 31] & 4096) !== 0;
  }

  /** Whether the order is the limit part of an OCO order: its first trade and its end matter to another. */
  isPaired(row: number): boolean {
    return (this.links[(row << 5) | 31] & 8192) !== 0;
  }

  /** Whether the order is done, and its row is kept. */
  isDone(row: number): boolean {
    return (this.links[(row << 5) | 31] & 16384) !== 0;
  }

  clearPaired(row: number): void {
    this.links[(row << 5) | 31] &= ~8192;
  }

  /** The user's row in this symbol: see trader-table.ts. */
  trader(row: number): number {
    return this.links[(row << 5) | 25];
  }

  setTrader(row: number, trader: number): void {
    this.links[(row << 5) | 25] = trader;
  }

  makerRate(row: number): number {
    return this.cold[(row << 3) | 4];
  }

  takerRate(row: number): number {
    return this.cold[(row << 3) | 5];
  }

  setRates(row: number, maker: number, taker: number): void {
    this.cold[(row << 3) | 4] = maker;
    this.cold[(row << 3) | 5] = taker;
  }

  /** What rounding fees up has charged too much so far, in 10^-8 units. */
  slack(row: number): number {
    return this.cold[(row << 3) | 6];
  }

  setSlack(row: number, slack: number): void {
    this.cold[(row << 3) | 6] = slack;
  }

  cancelAfterSec(row: number): number {
    return this.cold[(row << 3) | 7];
  }

  setCancelAfterSec(row: number, seconds: number): void {
    this.cold[(row << 3) | 7] = seconds;
  }

  /** The price level it rests at, -1 while it does not. */
  level(row: number): number {
    return this.links[(row << 5) | 26];
  }

  setLevel(row: number, level: number): void {
    this.links[(row << 5) | 26] = level;
  }

  /** Neighbours in the level's queue. */
  previous(row: number): number {
    return this.links[(row << 5) | 27];
  }

  next(row: number): number {
    return this.links[(row << 5) | 28];
  }

  setPrevious(row: number, previous: number): void {
    this.links[(row << 5) | 27] = previous;
  }

  setNext(row: number, next: number): void {
    this.links[(row << 5) | 28] = next;
  }

  /** Neighbours among the trader's orders, ascending by id. */
  previousOwn(row: number): number {
    return this.links[(row << 5) | 29];
  }

  nextOwn(row: number): number {
    return this.links[(row << 5) | 30];
  }

  setPreviousOwn(row: number, previous: number): void {
    this.links[(row << 5) | 29] = previous;
  }

  setNextOwn(row: number, next: number): void {
    this.links[(row << 5) | 30] = next;
  }

  /** Twice the room; at most 2^25 rows. */
  protected growRows(): void {
    this.hotMemory.double();
    this.coldMemory.double();
    this.capacity *= 2;
    this.hot = new Float64Array(this.hotMemory.buffer);
    this.links = new Int32Array(this.hotMemory.buffer);
    this.cold = new Float64Array(this.coldMemory.buffer);
  }
}
