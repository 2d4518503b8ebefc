/** The fields of orders, as rows of typed arrays: their layout and accessors. See order-table.ts. */

import type { Amount } from '../../values/amount.ts';
import { GrowingMemory } from '../../tables/growing-memory.ts';

/**
 * Layout, by how often a part is accessed, so that most orders touch as few cache lines as possible:
 *
 * `hot`, one line of 64 bytes that every access to the order or its neighbours needs, read as doubles and as integers
 * (`marks`):
 *   doubles of 8: 0 id, 1 price, 2 remaining, 3-4 hold
 *   integers of 16: 10 previous, 11 next, 12 trader, 13 level, 14 its place among its trader's orders, 15 the symbol
 *     above 16 bits of flags, which are those of order-flags.ts
 * `terms`, half a line that is written once and not read again when an untraded order is cancelled, as doubles and as
 * integers (`parties`):
 *   doubles of 4: 0 size, 1 created
 *   integers of 8: 4 user, 5 maker rate, 6 taker rate, 7 the next row of its chain in order-index.ts
 * Fields that only some orders need are in order-fills.ts.
 *
 * The functions below name these positions and contain them as literals: V8 inlines a function of at
 * most 27 bytes of bytecode everywhere. With named constants they are longer, which costs a third of the speed.
 * Shifts instead of multiplications avoid the overflow check.
 */
const FIRST_CAPACITY = 1024;
const HOT_BYTES = 64;
const TERMS_BYTES = 32;

export class OrderRows {
  protected capacity = FIRST_CAPACITY;
  readonly #hotMemory = new GrowingMemory(FIRST_CAPACITY * HOT_BYTES);
  readonly #termsMemory = new GrowingMemory(FIRST_CAPACITY * TERMS_BYTES);
  protected hot = new Float64Array(this.#hotMemory.buffer);
  protected marks = new Int32Array(this.#hotMemory.buffer);
  protected terms = new Float64Array(this.#termsMemory.buffer);
  protected parties = new Int32Array(this.#termsMemory.buffer);

  id(row: number): number {
    return this.hot[row << 3];
  }

  price(row: number): number {
    return this.hot[(row << 3) | 1];
  }

  setPrice(row: number, price: number): void {
    this.hot[(row << 3) | 1] = price;
  }

  /** 0 for an order by funds. */
  sizeOf(row: number): number {
    return this.terms[row << 2];
  }

  /** Sets the size and the remaining size. */
  setSize(row: number, size: number): void {
    this.terms[row << 2] = size;
    this.hot[(row << 3) | 2] = size;
  }

  /** size - dealt - cancelled; 0 for an order by funds. */
  remaining(row: number): number {
    return this.hot[(row << 3) | 2];
  }

  createdAt(row: number): number {
    return this.terms[(row << 2) | 1];
  }

  create(row: number, at: number): void {
    this.terms[(row << 2) | 1] = at;
  }

  readHold(row: number, into: Amount): void {
    into.load(this.hot, (row << 3) | 3);
  }

  setHold(row: number, hold: Amount): void {
    hold.store(this.hot, (row << 3) | 3);
  }

  user(row: number): number {
    return this.parties[(row << 3) | 4];
  }

  symbol(row: number): number {
    return this.marks[(row << 4) | 15] >>> 16;
  }

  /** Sets user and symbol, and clears the flags. */
  setOwner(row: number, user: number, symbol: number): void {
    this.parties[(row << 3) | 4] = user;
    this.marks[(row << 4) | 15] = symbol << 16;
  }

  flags(row: number): number {
    return this.marks[(row << 4) | 15] & 32767;
  }

  addFlags(row: number, flags: number): void {
    this.marks[(row << 4) | 15] |= flags;
  }

  /** 0 for a buy, 1 for a sell. */
  side(row: number): number {
    return this.marks[(row << 4) | 15] & 1;
  }

  isBuy(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 1) === 0;
  }

  isMarket(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 2) !== 0;
  }

  /** Whether its remainder may rest: a limit order with GTC or GTT. */
  mayRest(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 10) === 0;
  }

  isPostOnly(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 128) !== 0;
  }

  isHidden(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 256) !== 0;
  }

  isIceberg(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 512) !== 0;
  }

  /** Hidden or an iceberg; such orders pay the taker's rate even when resting. */
  isReserved(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 768) !== 0;
  }

  /** Whether the order has been in the book. */
  hasRested(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 1024) !== 0;
  }

  setRested(row: number): void {
    this.marks[(row << 4) | 15] |= 1024;
  }

  /** A market order by funds instead of size. */
  isByFunds(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 2048) !== 0;
  }

  /** Whether the order has texts; most do not. */
  hasTexts(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 4096) !== 0;
  }

  /** Whether the order is the limit part of an OCO order: its first trade and its end affect its pair. */
  isPaired(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 8192) !== 0;
  }

  /** Whether the order is done, and its row is kept. */
  isDone(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 16384) !== 0;
  }

  clearPaired(row: number): void {
    this.marks[(row << 4) | 15] &= ~8192;
  }

  /** The user's row in this symbol: see trader-table.ts. */
  trader(row: number): number {
    return this.marks[(row << 4) | 12];
  }

  setTrader(row: number, trader: number): void {
    this.marks[(row << 4) | 12] = trader;
  }

  makerRate(row: number): number {
    return this.parties[(row << 3) | 5];
  }

  takerRate(row: number): number {
    return this.parties[(row << 3) | 6];
  }

  setRates(row: number, maker: number, taker: number): void {
    this.parties[(row << 3) | 5] = maker;
    this.parties[(row << 3) | 6] = taker;
  }

  /** The price level it rests at, -1 if it does not rest. */
  level(row: number): number {
    return this.marks[(row << 4) | 13];
  }

  setLevel(row: number, level: number): void {
    this.marks[(row << 4) | 13] = level;
  }

  /** Neighbours in the level's queue. */
  previous(row: number): number {
    return this.marks[(row << 4) | 10];
  }

  next(row: number): number {
    return this.marks[(row << 4) | 11];
  }

  setPrevious(row: number, previous: number): void {
    this.marks[(row << 4) | 10] = previous;
  }

  setNext(row: number, next: number): void {
    this.marks[(row << 4) | 11] = next;
  }

  /** Its position among its trader's orders: see own-orders.ts. */
  ownPlace(row: number): number {
    return this.marks[(row << 4) | 14];
  }

  setOwnPlace(row: number, place: number): void {
    this.marks[(row << 4) | 14] = place;
  }

  /** Doubles the capacity, up to 2^26 rows. */
  protected growRows(): void {
    this.#hotMemory.double();
    this.#termsMemory.double();
    this.capacity *= 2;
    this.hot = new Float64Array(this.#hotMemory.buffer);
    this.marks = new Int32Array(this.#hotMemory.buffer);
    this.terms = new Float64Array(this.#termsMemory.buffer);
    this.parties = new Int32Array(this.#termsMemory.buffer);
  }
}
