/**
 * Collections in order: a priority queue whose keys can be removed, the owners of most entries of a shared table, and ids in
 * the order in which they were assigned.
 */

import { type HashKey, IndexTable } from './index-table.ts';

/**
 * A priority queue: a binary heap of keys by rank (a time, or a price), ties by key. A key can be removed at any time, so
 * that cancelled ones do not stay until they are due.
 */
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

/**
 * The number of entries of a shared table per owner, and one of the owners with the most. Owners are compared by the
 * number of binary digits of their count, so that the order changes only when a count doubles or halves: an exact order
 * would cost a heap operation for every entry.
 */
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

/** A part of a list: its newest rows, or those with an id below `after`. */
export interface NewestFirst {
  readonly after?: number;
  readonly limit: number;
  readonly skip?: number;
}

/** Ids in the order in which they were given: the cost of a page does not depend on the number of rows. */
export class AscendingIds {
  readonly #ids: number[] = [];

  get count(): number {
    return this.#ids.length;
  }

  get all(): readonly number[] {
    return this.#ids;
  }

  /** Greater than all ids before it. */
  add(id: number): void {
    this.#ids.push(id);
  }

  newest({ after = Infinity, limit, skip = 0 }: NewestFirst): number[] {
    const end = Math.max(0, this.#countBelow(after) - skip);
    return this.#ids.slice(Math.max(0, end - limit), end).toReversed();
  }

  #countBelow(id: number): number {
    let [low, high] = [0, this.#ids.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#ids[middle] < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
