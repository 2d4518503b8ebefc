/**
 * Finds an order's row by its id. Ids are sequential, so their low bits distribute active orders as well as any hash, and
 * young orders, which are looked up most, are adjacent. Orders with the same low bits are chained; the id to compare is in
 * the row, which is needed next anyway. Most orders are alone in their chain; a mark says so, so that such an order is
 * found and removed with four bytes of the index.
 *
 * Chains are added a few at a time, as orders arrive (linear hashing): a new one takes the orders with the next bit set
 * from the chain it splits. So no order ever waits for a million others to be rehashed.
 */

import { GrowingMemory } from '../../tables/growing-memory.ts';

const NONE = 0;
/** Keeps most chains at one order, even when old ids are no longer adjacent. */
const CHAINS_PER_ROW = 2;
const ROW_BYTES = CHAINS_PER_ROW * 4;
/**
 * Chains are added in groups, one group per 16 orders. If every order added some, V8 would inline that as frequent code
 * and exhaust its budget for what really is.
 */
const ADDED = 16 * CHAINS_PER_ROW;

/** In the parameters below, `ids` has the id of each row at every 8th position and `nexts` the next row of its chain at the 7th of every 8. Both belong to the order table. */
export class OrderIndex {
  readonly #memory: GrowingMemory;
  /** The first row of each chain, by the low bits of the id. Rows count from 1, so that unused memory reads as no row; negative if others may follow. */
  #heads: Int32Array;
  #chains = ADDED;
  /** The low bits of an id that choose its chain. If that chain does not exist yet, one bit less is used. */
  #mask = ADDED - 1;
  #count = 0;

  /** `capacity`: number of rows. */
  constructor(capacity: number) {
    this.#memory = new GrowingMemory(capacity * ROW_BYTES);
    this.#heads = new Int32Array(this.#memory.buffer);
  }

  /** -1 if no order has this id. */
  find(id: number, ids: Float64Array, nexts: Int32Array): number {
    const head = this.#heads[this.#chainOf(id)];
    if (head === NONE) return -1;
    const row = Math.abs(head) - 1;
    if (ids[row << 3] === id) return row;
    return head > 0 ? -1 : findBehind(row, id, ids, nexts);
  }

  add(id: number, row: number, ids: Float64Array, nexts: Int32Array): void {
    if (++this.#count * CHAINS_PER_ROW > this.#chains) this.#addChains(ids, nexts);
    this.#link(this.#chainOf(id), row, nexts);
  }

  remove(id: number, row: number, nexts: Int32Array): void {
    const heads = this.#heads;
    const chain = this.#chainOf(id);
    this.#count--;
    if (heads[chain] === row + 1) heads[chain] = NONE;
    else this.#unlink(chain, row, nexts);
  }

  /** Doubles the number of rows. */
  grow(): void {
    this.#memory.double();
    this.#heads = new Int32Array(this.#memory.buffer);
  }

  #chainOf(id: number): number {
    const chain = id & this.#mask;
    return chain < this.#chains ? chain : chain & (this.#mask >> 1);
  }

  #link(chain: number, row: number, nexts: Int32Array): void {
    const heads = this.#heads;
    const head = heads[chain];
    nexts[(row << 3) | 7] = Math.abs(head);
    heads[chain] = head === NONE ? row + 1 : -(row + 1);
  }

  /** For a chain that may have several orders. */
  #unlink(chain: number, row: number, nexts: Int32Array): void {
    const next = nexts[(row << 3) | 7];
    let before = -this.#heads[chain] - 1;
    if (before === row) {
      this.#heads[chain] = -next;
      return;
    }
    while (nexts[(before << 3) | 7] !== row + 1) before = nexts[(before << 3) | 7] - 1;
    nexts[(before << 3) | 7] = next;
  }

  #addChains(ids: Float64Array, nexts: Int32Array): void {
    for (let left = ADDED; left > 0; left--) this.#addChain(ids, nexts);
  }

  #addChain(ids: Float64Array, nexts: Int32Array): void {
    const heads = this.#heads;
    const added = this.#chains++;
    if (added > this.#mask) this.#mask = this.#mask * 2 + 1;
    const from = added & (this.#mask >> 1);
    let row = Math.abs(heads[from]) - 1;
    heads[from] = heads[added] = NONE;
    while (row >= 0) {
      const next = nexts[(row << 3) | 7] - 1;
      this.#link(ids[row << 3] & this.#mask, row, nexts);
      row = next;
    }
  }
}

/** Rare: searches the rest of a chain. */
function findBehind(first: number, id: number, ids: Float64Array, nexts: Int32Array): number {
  let row = nexts[(first << 3) | 7] - 1;
  while (row >= 0 && ids[row << 3] !== id) row = nexts[(row << 3) | 7] - 1;
  return row;
}
