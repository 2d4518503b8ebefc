/**
 * Finds an order's row by its id. Ids are counted, so an id's last bits scatter the active orders as well as any hash,
 * and young orders, which are asked for most, lie side by side. Orders with the same last bits are chained, and the id
 * to compare with is in the row, which is wanted next anyway: mostly one small array is touched besides.
 *
 * Chains are added one at a time, as orders come (linear hashing): the new one takes, of the orders in the chain that
 * had one bit less to go by, those with the bit set. So no order ever waits until a million others are hashed anew.
 */

import { GrowingMemory } from '../../tables/growing-memory.ts';

const BYTES = 8;
const NONE = 0;

export class OrderIndex {
  private readonly memory: GrowingMemory;
  /**
   * By twos: the first row of each chain, by the last bits of the id; and the row after each row. Rows are counted from
   * 1 here, so that memory that was never used reads as no row.
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

  /** -1 when no order has this id. `rows` has an order's id at every 16th place. */
  find(id: number, rows: Float64Array): number {
    const { links } = this;
    let row = links[this.chainOf(id) << 1] - 1;
    while (row >= 0 && rows[row << 3] !== id) row = links[(row << 1) | 1] - 1;
    return row;
  }

  add(id: number, row: number, rows: Float64Array): void {
    if (++this.count > this.chains) this.addChain(rows);
    this.link(this.chainOf(id), row);
  }

  remove(id: number, row: number): void {
    const { links } = this;
    const next = links[(row << 1) | 1];
    let at = this.chainOf(id) << 1;
    while (links[at] !== row + 1) at = ((links[at] - 1) << 1) | 1;
    links[at] = next;
    this.count--;
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

  private link(chain: number, row: number): void {
    this.links[(row << 1) | 1] = this.links[chain << 1];
    this.links[chain << 1] = row + 1;
  }

  private addChain(rows: Float64Array): void {
    const { links } = this;
    const added = this.chains++;
    if (added > this.mask) this.mask = this.mask * 2 + 1;
    const from = added & (this.mask >> 1);
    let row = links[from << 1] - 1;
    links[from << 1] = links[added << 1] = NONE;
    while (row >= 0) {
      const next = links[(row << 1) | 1] - 1;
      this.link(rows[row << 3] & this.mask, row);
      row = next;
    }
  }
}
