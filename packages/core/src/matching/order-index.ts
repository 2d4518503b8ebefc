/**
 * Finds an order's row by its id. Ids are counted, so an id's last bits scatter the active orders as well as any hash,
 * and young orders, which are asked for most, lie side by side. Orders with the same last bits are chained, and the id
 * to compare with is in the row, which is wanted next anyway: mostly one small array is touched besides.
 *
 * Chains are added one at a time, as orders come (linear hashing): the new one takes, of the orders in the chain that
 * had one bit less to go by, those with the bit set. So no order ever waits until a million others are hashed anew.
 */

import { GrowingMemory } from '../growing-memory.ts';

const BYTES = 8;
const NONE = 0;
/** Set in a chain's first entry when another row follows. */
const MORE = 1;

export class OrderIndex {
  private readonly memory: GrowingMemory;
  /**
   * By twos: of each chain, by the last bits of the id, its first row, twice that and MORE; and the row after each row.
   * Rows are counted from 1 here, so that memory that was never used reads as no row. What follows the only row of a
   * chain is neither read nor written: most chains are so short, and that place is a cache line of its own.
   */
  private links: Int32Array;
  private chains = 1;
  /** How many last bits of an id choose its chain. Where that chain does not exist yet, one bit less is used. */
  private mask = 0;
  private count = 0;

  /** For so many rows. */
  constructor(capacity: number) {
    this.memory = new GrowingMemory(capacity * BYTES);
    this.links = new Int32Array(this.memory.buffer);
  }

  /** -1 when no order has this id. `rows` has an order's id at every 8th place. */
  find(id: number, rows: Float64Array): number {
    const first = this.links[this.chainOf(id) << 1];
    const row = (first >> 1) - 1;
    if (row < 0 || rows[row << 3] === id) return row;
    return (first & MORE) === 0 ? -1 : this.findAfter(row, id, rows);
  }

  private findAfter(first: number, id: number, rows: Float64Array): number {
    let row = this.next(first);
    while (row >= 0 && rows[row << 3] !== id) row = this.next(row);
    return row;
  }

  add(id: number, row: number, rows: Float64Array): void {
    if (++this.count > this.chains) this.addChain(rows);
    this.link(this.chainOf(id), row);
  }

  remove(id: number, row: number): void {
    const { links } = this;
    this.count--;
    const chain = this.chainOf(id) << 1;
    const first = links[chain];
    if (first >> 1 === row + 1)
      links[chain] = (first & MORE) === 0 ? NONE : this.startingWith(this.next(row));
    else {
      let before = (first >> 1) - 1;
      while (this.next(before) !== row) before = this.next(before);
      links[(before << 1) | 1] = links[(row << 1) | 1];
    }
  }

  /** Twice as many rows. */
  grow(): void {
    this.memory.double();
    this.links = new Int32Array(this.memory.buffer);
  }

  private chainOf(id: number): number {
    const chain = id & this.mask;
    return chain < this.chains ? chain : chain & (this.mask >> 1);
  }

  /** The row after one that is not alone in its chain; -1 for none. */
  private next(row: number): number {
    return this.links[(row << 1) | 1] - 1;
  }

  /** The first entry of a chain that begins with a row of which what follows is known. */
  private startingWith(row: number): number {
    return row < 0 ? NONE : ((row + 1) << 1) | MORE;
  }

  private link(chain: number, row: number): void {
    const { links } = this;
    const first = links[chain << 1];
    links[chain << 1] = (row + 1) << 1;
    if (first !== NONE) this.putBefore(chain, row, first);
  }

  /** The row is followed by those that were there: by one that was alone, or by more. */
  private putBefore(chain: number, row: number, first: number): void {
    const { links } = this;
    const second = first >> 1;
    if ((first & MORE) === 0) links[((second - 1) << 1) | 1] = NONE;
    links[(row << 1) | 1] = second;
    links[chain << 1] |= MORE;
  }

  private addChain(rows: Float64Array): void {
    const { links } = this;
    const added = this.chains++;
    if (added > this.mask) this.mask = this.mask * 2 + 1;
    const from = added & (this.mask >> 1);
    const first = links[from << 1];
    links[from << 1] = links[added << 1] = NONE;
    let row = (first >> 1) - 1;
    let isMore = (first & MORE) !== 0;
    while (row >= 0) {
      const next = isMore ? this.next(row) : -1;
      this.link(rows[row << 3] & this.mask, row);
      row = next;
      isMore = true;
    }
  }
}
