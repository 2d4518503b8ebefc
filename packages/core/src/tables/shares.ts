/**
 * The number of entries of a shared table per owner, and one of the owners with the most. Owners are compared by the
 * number of binary digits of their count, so that the order changes only when a count doubles or halves: an exact order
 * would cost a heap operation for every entry.
 */

import { DueHeap } from './due-heap.ts';
import type { HashKey } from './index-table.ts';

export class Shares {
  readonly #counts: number[] = [];
  /** Owners by the negated number of digits of their count, ties by owner: the first is the heaviest. */
  readonly #byWeight: DueHeap;
  #total = 0;

  constructor(hashKey: HashKey) {
    this.#byWeight = new DueHeap(hashKey);
  }

  get count(): number {
    return this.#total;
  }

  countOf(owner: number): number {
    return owner < this.#counts.length ? this.#counts[owner] : 0;
  }

  /** There must be an entry. */
  get heaviest(): number {
    return this.#byWeight.firstKey;
  }

  add(owner: number): void {
    while (this.#counts.length <= owner) this.#counts.push(0);
    this.#change(owner, 1);
  }

  remove(owner: number): void {
    this.#change(owner, -1);
  }

  #change(owner: number, by: number): void {
    const before = this.#counts[owner];
    const after = before + by;
    this.#counts[owner] = after;
    this.#total += by;
    if (digitsOf(before) === digitsOf(after)) return;
    if (after === 0) this.#byWeight.delete(owner);
    else this.#byWeight.set(owner, -digitsOf(after));
  }
}

const digitsOf = (count: number): number => 32 - Math.clz32(count);
