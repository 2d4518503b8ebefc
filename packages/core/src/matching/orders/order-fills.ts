/**
 * What only some orders have, apart from the rows of all: the sums of those that have traded, when one was last changed,
 * when it expires, and the slices of icebergs.
 *
 * Layout:
 * `cold`, a line that counts only when bit 15 of the flags is set: the order has traded, was reduced or expires
 *   doubles of 8: 0 dealt, 1-2 deal funds, 3-4 fee, 5 updated, 6 slack, 7 cancel after
 * `slices`, of icebergs, and of orders by funds that are done:
 *   doubles of 2: 0 what shows now, 1 the most that shows; or 0-1 the cancelled funds
 */

import type { Amount } from '../../values/amount.ts';
import { GrowingMemory } from '../../tables/growing-memory.ts';
import { OrderRows } from './order-rows.ts';

const COLD_BYTES = 64;
const SLICES_BYTES = 16;

export class OrderFills extends OrderRows {
  private readonly coldMemory = new GrowingMemory(this.capacity * COLD_BYTES);
  private readonly slicesMemory = new GrowingMemory(this.capacity * SLICES_BYTES);
  private cold = new Float64Array(this.coldMemory.buffer);
  private slices = new Float64Array(this.slicesMemory.buffer);

  dealt(row: number): number {
    return this.isTouched(row) ? this.cold[row << 3] : 0;
  }

  /** What shows in the book now: an iceberg's slice, 0 for a hidden order or one that does not rest. */
  visible(row: number): number {
    if (this.isDone(row) || this.level(row) < 0) return 0;
    return this.isReserved(row) ? this.slice(row) : this.remaining(row);
  }

  /** What shows of an order that hides something: 0 for a hidden one. */
  slice(row: number): number {
    return this.isHidden(row) ? 0 : this.slices[row << 1];
  }

  /** Of an iceberg. */
  setSlice(row: number, visible: number): void {
    this.slices[row << 1] = visible;
  }

  /** The most that an iceberg shows; 0 for any other order. */
  visibleSize(row: number): number {
    return this.isIceberg(row) ? this.slices[(row << 1) | 1] : 0;
  }

  setVisibleSize(row: number, visibleSize: number): void {
    this.slices[(row << 1) | 1] = visibleSize;
  }

  /** What was not spent of an order by funds, which is done; nothing for any other. */
  readDoneCancelled(row: number, into: Amount): void {
    if (this.isByFunds(row)) into.load(this.slices, row << 1);
    else into.clear();
  }

  protected setDoneCancelled(row: number, funds: Amount): void {
    funds.store(this.slices, row << 1);
  }

  /** What is left of it is less than its size from now on, so that it is no longer untouched. */
  lowerRemaining(row: number, by: number): void {
    if (by > 0) this.beginCold(row);
    this.hot[(row << 3) | 2] -= by;
  }

  updatedAt(row: number): number {
    const updated = this.isTouched(row) ? this.cold[(row << 3) | 5] : 0;
    return updated === 0 ? this.createdAt(row) : updated;
  }

  update(row: number, at: number): void {
    this.beginCold(row);
    this.cold[(row << 3) | 5] = at;
  }

  /** Milliseconds; 0: never. An order with a time to live expires only once it rests. */
  expiresAt(row: number): number {
    const seconds = this.cancelAfterSec(row);
    return seconds > 0 && this.hasRested(row) ? this.createdAt(row) + seconds * 1000 : 0;
  }

  /** One fill more: its size, its funds and its fee, and what is then charged too much. */
  addFill(row: number, size: number, funds: Amount, fee: Amount, slack: number, at: number): void {
    this.beginCold(row);
    const { hot, cold } = this;
    const h = row << 3;
    if (hot[h | 2] > 0) hot[h | 2] -= size; // remaining, of an order by size
    cold[h] += size; // dealt
    funds.addTo(cold, h | 1);
    fee.addTo(cold, h | 3);
    cold[h | 5] = at;
    cold[h | 6] = slack;
  }

  /** The same from the fields of a snapshot: see `readFields` in order-table.ts. */
  protected restoreCold(row: number, fields: Float64Array): void {
    if (fields[4] === 0 && fields[19] === 0 && fields[14] === fields[13]) return;
    this.beginCold(row);
    const { cold } = this;
    const c = row << 3;
    cold[c] = fields[4];
    for (let i = 0; i < 4; i++) cold[c | (i + 1)] = fields[8 + i];
    cold[c | 5] = fields[14];
    cold[c | 6] = fields[18];
    cold[c | 7] = fields[19];
  }

  readDealFunds(row: number, into: Amount): void {
    if (this.isTouched(row)) into.load(this.cold, (row << 3) | 1);
    else into.clear();
  }

  readFee(row: number, into: Amount): void {
    if (this.isTouched(row)) into.load(this.cold, (row << 3) | 3);
    else into.clear();
  }

  /** What rounding fees up has charged too much so far, in 10^-8 units. */
  slack(row: number): number {
    return this.isTouched(row) ? this.cold[(row << 3) | 6] : 0;
  }

  /** 0 where the order has no time to live. */
  cancelAfterSec(row: number): number {
    return this.isTouched(row) ? this.cold[(row << 3) | 7] : 0;
  }

  setCancelAfterSec(row: number, seconds: number): void {
    this.beginCold(row);
    this.cold[(row << 3) | 7] = seconds;
  }

  /** Whether the order's cold line counts: it has traded, was reduced or expires. Otherwise all of the line is 0. */
  isTouched(row: number): boolean {
    return (this.marks[(row << 4) | 15] & 32768) !== 0;
  }

  private beginCold(row: number): void {
    if (!this.isTouched(row)) this.clearCold(row);
  }

  private clearCold(row: number): void {
    this.marks[(row << 4) | 15] |= 32768;
    // A call of fill() costs more.
    for (let i = 0; i < 8; i++) this.cold[(row << 3) | i] = 0;
  }

  protected override growRows(): void {
    super.growRows();
    this.coldMemory.double();
    this.slicesMemory.double();
    this.cold = new Float64Array(this.coldMemory.buffer);
    this.slices = new Float64Array(this.slicesMemory.buffer);
  }
}
