/**
 * A priority queue: a binary heap of keys by rank (a time, or a price), ties by key. A key can be removed at any time, so
 * that cancelled ones do not stay until they are due.
 */

import { type HashKey, IndexTable } from './index-table.ts';

export class DueHeap {
  readonly #ranks: number[] = [];
  readonly #keys: number[] = [];
  readonly #places: IndexTable;

  constructor(hashKey: HashKey) {
    this.#places = new IndexTable(16, hashKey);
  }

  get size(): number {
    return this.#keys.length;
  }

  /** Infinity if it is empty. */
  get firstRank(): number {
    return this.#keys.length === 0 ? Infinity : this.#ranks[0];
  }

  get firstKey(): number {
    return this.#keys[0];
  }

  /** Adds the key, or moves it to another rank. */
  set(key: number, rank: number): void {
    this.delete(key);
    this.#keys.push(key);
    this.#ranks.push(rank);
    this.#up(this.#keys.length - 1);
  }

  delete(key: number): void {
    const at = this.#places.get(key);
    if (at < 0) return;
    this.#places.delete(key);
    const lastKey = this.#keys.pop() as number;
    const lastRank = this.#ranks.pop() as number;
    if (lastKey === key) return;
    this.#put(at, lastKey, lastRank);
    this.#up(at);
    this.#down(this.#places.get(lastKey));
  }

  /** Ascending by key. */
  list(): { readonly key: number; readonly rank: number }[] {
    return this.#keys.map((key, at) => ({ key, rank: this.#ranks[at] })).toSorted((a, b) => a.key - b.key);
  }

  #put(at: number, key: number, rank: number): void {
    this.#keys[at] = key;
    this.#ranks[at] = rank;
    this.#places.set(key, at);
  }

  #isBefore(a: number, b: number): boolean {
    const difference = this.#ranks[a] - this.#ranks[b];
    return difference < 0 || (difference === 0 && this.#keys[a] < this.#keys[b]);
  }

  #swap(a: number, b: number): void {
    const key = this.#keys[a];
    const rank = this.#ranks[a];
    this.#put(a, this.#keys[b], this.#ranks[b]);
    this.#put(b, key, rank);
  }

  #up(from: number): void {
    let at = from;
    this.#places.set(this.#keys[at], at);
    while (at > 0) {
      const parent = (at - 1) >>> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #down(from: number): void {
    let at = from;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= this.#keys.length) return;
      const right = left + 1;
      const child = right < this.#keys.length && this.#isBefore(right, left) ? right : left;
      if (!this.#isBefore(child, at)) return;
      this.#swap(at, child);
      at = child;
    }
  }
}
