/**
 * Finds an order's row by its id. Ids are counted, so an id's last bits scatter the active orders as well as any hash,
 * and young orders, which are asked for most, lie side by side. Orders with the same last bits are chained, and the id
 * to compare with is in the row, which is wanted next anyway. Most orders are alone in their chain; that is marked, so
 * that such an order is found and removed by four bytes of the index and nothing besides.
 *
 * Chains are added a few at a time, as orders come (linear hashing): a new one takes, of the orders in the chain that
 * had one bit less to go by, those with the bit set. So no order ever waits until a million others are hashed anew.
 */

import { GrowingMemory } from '../../tables/growing-memory.ts';

const NONE = 0;
/** So that few chains have more than one order: ids that have lived long are no longer side by side. */
const CHAINS_PER_ROW = 2;
const ROW_BYTES = CHAINS_PER_ROW * 4;
/**
 * How many chains are added at a time, for a sixteenth as many orders. Where each order added some, V8 would inline that
 * as if it happened all the time, and have no budget left for what does.
 */
const ADDED = 16 * CHAINS_PER_ROW;

/**
 * Below, `ids` has the id of each row at every 8th place, and `nexts` the row that follows it in its chain at the 7th of
 * every 8: both are the order table's.
 */
export class OrderIndex {
  private readonly memory: GrowingMemory;
  /**
   * The first row of each chain, by the last bits of the id. Rows are counted from 1 here, so that memory that was never
   * used reads as no row; negative where others may follow.
   */
  private heads: Int32Array;
  private chains = ADDED;
  /** How many last bits of an id choose its chain. Where that chain does not exist yet, one bit less is used. */
  private mask = ADDED - 1;
  private count = 0;

  /** For so many rows. */
  constructor(capacity: number) {
    this.memory = new GrowingMemory(capacity * ROW_BYTES);
    this.heads = new Int32Array(this.memory.buffer);
  }

  /** -1 when no order has this id. */
  find(id: number, ids: Float64Array, nexts: Int32Array): number {
    const head = this.heads[this.chainOf(id)];
    if (head === NONE) return -1;
    const row = Math.abs(head) - 1;
    if (ids[row << 3] === id) return row;
    return head > 0 ? -1 : findBehind(row, id, ids, nexts);
  }

  add(id: number, row: number, ids: Float64Array, nexts: Int32Array): void {
    if (++this.count * CHAINS_PER_ROW > this.chains) this.addChains(ids, nexts);
    this.link(this.chainOf(id), row, nexts);
  }

  remove(id: number, row: number, nexts: Int32Array): void {
    const { heads } = this;
    const chain = this.chainOf(id);
    this.count--;
    if (heads[chain] === row + 1) heads[chain] = NONE;
    else this.unlink(chain, row, nexts);
  }

  /** Twice as many rows. */
  grow(): void {
    this.memory.double();
    this.heads = new Int32Array(this.memory.buffer);
  }

  private chainOf(id: number): number {
    const chain = id & this.mask;
    return chain < this.chains ? chain : chain & (this.mask >> 1);
  }

  private link(chain: number, row: number, nexts: Int32Array): void {
    const { heads } = this;
    const head = heads[chain];
    nexts[(row << 3) | 7] = Math.abs(head);
    heads[chain] = head === NONE ? row + 1 : -(row + 1);
  }

  /** Of a chain in which others may be. */
  private unlink(chain: number, row: number, nexts: Int32Array): void {
    const next = nexts[(row << 3) | 7];
    let before = -this.heads[chain] - 1;
    if (before === row) {
      this.heads[chain] = -next;
      return;
    }
    while (nexts[(before << 3) | 7] !== row + 1) before = nexts[(before << 3) | 7] - 1;
    nexts[(before << 3) | 7] = next;
  }

  private addChains(ids: Float64Array, nexts: Int32Array): void {
    for (let left = ADDED; left > 0; left--) this.addChain(ids, nexts);
  }

  private addChain(ids: Float64Array, nexts: Int32Array): void {
    const { heads } = this;
    const added = this.chains++;
    if (added > this.mask) this.mask = this.mask * 2 + 1;
    const from = added & (this.mask >> 1);
    let row = Math.abs(heads[from]) - 1;
    heads[from] = heads[added] = NONE;
    while (row >= 0) {
      const next = nexts[(row << 3) | 7] - 1;
      this.link(ids[row << 3] & this.mask, row, nexts);
      row = next;
    }
  }
}

/** Rare: among the orders behind the first of a chain. */
function findBehind(first: number, id: number, ids: Float64Array, nexts: Int32Array): number {
  let row = nexts[(first << 3) | 7] - 1;
  while (row >= 0 && ids[row << 3] !== id) row = nexts[(row << 3) | 7] - 1;
  return row;
}
