/**
 * How many transfers and withdrawals are remembered, and since when: a transfer from the day it was made, because its
 * request may come again; a withdrawal from the day it was over. They are forgotten when their window has passed, and
 * no user can have more of them remembered than the limits say. What rules 1 made has no day, and is never forgotten.
 */

import { DueHeap } from '../due-heap.ts';
import type { HashKey } from '../index-table.ts';
import { type Rejection, reject } from '../rejections.ts';
import type { State } from '../state.ts';

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

/** Whether the user may have one more. */
export function checkMovementRoom(state: State, user: number): Rejection | null {
  if (state.rules < 2) return null;
  const { movementsPerUserMax, movementsMax } = state.limits.values;
  if (state.movements.countOf(user) >= movementsPerUserMax) {
    return reject('movements-per-user', { max: movementsPerUserMax });
  }
  return state.movements.count >= movementsMax ? reject('movements-in-all', { max: movementsMax }) : null;
}

/** Forgets the oldest whose window has passed, at most so many. */
export function forgetMovements(state: State, max: number): void {
  const until = state.time - state.limits.values.movementWindowMs;
  for (let left = max; left > 0; left--) {
    const id = state.movements.takeUntil(until);
    if (id === 0) return;
    state.movements.remove(state.transfers.forget(id) ?? state.withdrawals.forget(id));
  }
}
