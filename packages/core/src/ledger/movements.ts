/**
 * How many transfers and withdrawals are remembered, and since when. A transfer is remembered from the time it was
 * made, because its request may be sent again; a withdrawal from the time it was settled. After `movementWindowMs` they
 * are forgotten, and the limits bound how many a user may have remembered. Those made under rules 1 have no time and
 * are never forgotten.
 */

import { DueHeap } from '../tables/due-heap.ts';
import type { HashKey } from '../tables/index-table.ts';

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

  /** Its window begins now. */
  remember(id: number, since: number): void {
    this.since.set(id, since);
  }

  /** Removes and returns the oldest one if it is from the given time or before; 0 if there is none. */
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
