/**
 * Fields that only some orders need, apart from the rows of all: sums of fills, time of the last change, expiry, and the
 * slices of icebergs.
 *
 * Layout:
 * `cold`, a cache line in use only if bit 15 of the flags is set: the order has traded, was reduced or expires
 *   doubles of 8: 0 dealt, 1-2 deal funds, 3-4 fee, 5 updated, 6 slack, 7 cancel after
 * `slices`, for icebergs, and for done orders by funds:
 *   doubles of 2: 0 current visible size, 1 maximum visible size; or 0-1 the cancelled funds
 */

import type { Amount } from '../../values/amount.ts';
import { GrowingMemory } from '../../tables/growing-memory.ts';
import { OrderRows } from './order-rows.ts';

const COLD_BYTES = 64;
const SLICES_BYTES = 16;

export class OrderFills extends OrderRows {
  readonly #coldMemory = new GrowingMemory(this.capacity * COLD_BYTES);
  readonly #slicesMemory = new GrowingMemory(this.capacity * SLICES_BYTES);
  #cold = new Float64Array(this.#coldMemory.buffer);
  #slices = new Float64Array(this.#slicesMemory.buffer);

  dealt(row: number): number {
    return this.isTouched(row) ? this.#cold[row << 3] : 0;
  }

  /** The visible size in the book: an iceberg's slice, 0 for a hidden order or one that does not rest. */
  visible(row: number): number {
    if (this.isDone(row) || this.level(row) < 0) return 0;
    return this.isReserved(row) ? this.slice(row) : this.remaining(row);
  }

  /** The visible size of a hidden or iceberg order: 0 for a hidden one. */
  slice(row: number): number {
    return this.isHidden(row) ? 0 : this.#slices[row << 1];
  }

  /** Of an iceberg. */
  setSlice(row: number, visible: number): void {
    this.#slices[row << 1] = visible;
  }

  /** The maximum visible size of an iceberg; 0 for any other order. */
  visibleSize(row: number): number {
    return this.isIceberg(row) ? this.#slices[(row << 1) | 1] : 0;
  }

  setVisibleSize(row: number, visibleSize: number): void {
    this.#slices[(row << 1) | 1] = visibleSize;
  }

  /** The unspent funds of a done order by funds; zero for any other. */
  readDoneCancelled(row: number, into: Amount): void {
    if (this.isByFunds(row)) into.load(this.#slices, row << 1);
    else into.clear();
  }

  protected setDoneCancelled(row: number, funds: Amount): void {
    funds.store(this.#slices, row << 1);
  }

  /** Reduces the remaining size; the order is no longer untouched. */
  lowerRemaining(row: number, by: number): void {
    if (by > 0) this.#beginCold(row);
    this.hot[(row << 3) | 2] -= by;
  }

  updatedAt(row: number): number {
    const updated = this.isTouched(row) ? this.#cold[(row << 3) | 5] : 0;
    return updated === 0 ? this.createdAt(row) : updated;
  }

  update(row: number, at: number): void {
    this.#beginCold(row);
    this.#cold[(row << 3) | 5] = at;
  }

  /** Milliseconds; 0: never. An order with a time to live expires only once it rests. */
  expiresAt(row: number): number {
    const seconds = this.cancelAfterSec(row);
    return seconds > 0 && this.hasRested(row) ? this.createdAt(row) + seconds * 1000 : 0;
  }

  /** Adds a fill: its size, funds and fee, and the resulting slack. */
  addFill(row: number, size: number, funds: Amount, fee: Amount, slack: number, at: number): void {
    this.#beginCold(row);
    const { hot } = this;
    const cold = this.#cold;
    const h = row << 3;
    if (hot[h | 2] > 0) hot[h | 2] -= size; // remaining, of an order by size
    cold[h] += size; // dealt
    funds.addTo(cold, h | 1);
    fee.addTo(cold, h | 3);
    cold[h | 5] = at;
    cold[h | 6] = slack;
  }

  /** Restores the fields from a snapshot: see `readFields` in order-table.ts. */
  protected restoreCold(row: number, fields: Float64Array): void {
    if (fields[4] === 0 && fields[19] === 0 && fields[14] === fields[13]) return;
    this.#beginCold(row);
    const cold = this.#cold;
    const c = row << 3;
    cold[c] = fields[4];
    for (let i = 0; i < 4; i++) cold[c | (i + 1)] = fields[8 + i];
    cold[c | 5] = fields[14];
    cold[c | 6] = fields[18];
    cold[c | 7] = fields[19];
  }

  readDealFunds(row: number, into: Amount): void {
    if (this.isTouched(row)) into.load(this.#cold, (row << 3) | 1);
    else into.clear();
  }

  readFee(row: number, into: Amount): void {
    if (this.isTouched(row)) into.load(this.#cold, (row << 3) | 3);
    else into.clear();
  }

  /** The amount overcharged by rounding fees up so far, in 10^-8 units. */
  slack(row: number): number {
    return this.isTouched(row) ? this.#cold[(row << 3) | 6] : 0;
  }

  /** 0 if the order has no time to live. */
  cancelAfterSec(row: number): number {
    return this.isTouched(row) ? this.#cold[(row << 3) | 7] : 0;
  }

  setCancelAfterSec(row: number, seconds: number): void {
    this.#beginCold(row);
    this.#cold[(row << 3) | 7] = seconds;
  }

  /** Whether the order's cold line is in use: it has traded, was reduced or expires. Otherwise the line is all 0. */
  isTouched(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 32768) !== 0;
  }

  #beginCold(row: number): void {
    if (!this.isTouched(row)) this.#clearCold(row);
  }

  #clearCold(row: number): void {
    this.marks[(row << 4) | 15] |= 32768;
    // Faster than fill().
    for (let i = 0; i < 8; i++) this.#cold[(row << 3) | i] = 0;
  }

  protected override growRows(): void {
    super.growRows();
    this.#coldMemory.double();
    this.#slicesMemory.double();
    this.#cold = new Float64Array(this.#coldMemory.buffer);
    this.#slices = new Float64Array(this.#slicesMemory.buffer);
  }
}
