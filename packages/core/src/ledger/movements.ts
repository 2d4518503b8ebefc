/**
 * How many transfers and withdrawals are remembered, and since when: a transfer from the day it was made, because its
 * request may come again; a withdrawal from the day it was over. They are forgotten when their window has passed, and
 * no user can have more of them remembered than the limits say. What rules 1 made has no day, and is never forgotten.
 */

import { DueHeap } from '../due-heap.ts';
import type { HashKey } from '../index-table.ts';

export interface RememberedMovement {
  readonly id: number;
  readonly since: number;
}

export class Movements {
  private readonly counts = new Map<number, number>();
  private readonly since: DueHeap;
  private total = 0;

  constructor(hashKey: HashKey) {
    this.since = new DueHeap(hashKey);
  }

  get count(): number {
    return this.total;
  }

  countOf(user: number): number {
    return this.counts.get(user) ?? 0;
  }

  add(user: number): void {
    this.counts.set(user, this.countOf(user) + 1);
    this.total += 1;
  }

  remove(user: number): void {
    const left = this.countOf(user) - 1;
    if (left === 0) this.counts.delete(user);
    else this.counts.set(user, left);
    this.total -= 1;
  }

  /** From now on its window runs. */
  remember(id: number, since: number): void {
    this.since.set(id, since);
  }

  /** Takes out the one that has been remembered for longest, if since the given time or before; 0 if there is none. */
  takeUntil(until: number): number {
    if (this.since.firstRank > until) return 0;
    const id = this.since.firstKey;
    this.since.delete(id);
    return id;
  }

  /** Ascending by id. */
  list(): RememberedMovement[] {
    return this.since.list().map(({ key, rank }) => ({ id: key, since: rank }));
  }
}
