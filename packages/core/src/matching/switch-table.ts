/** Dead man's switches: at most one per user. */

import { DueHeap } from '../tables/due-heap.ts';
import type { HashKey } from '../tables/index-table.ts';

export interface Switch {
  readonly user: number;
  readonly timeoutSec: number;
  /** Milliseconds. */
  readonly triggerAt: number;
  /** Ascending; empty: every symbol. */
  readonly symbols: readonly number[];
}

export class SwitchTable {
  readonly due: DueHeap;
  readonly #byUser = new Map<number, Switch>();

  constructor(hashKey: HashKey) {
    this.due = new DueHeap(hashKey);
  }

  get(user: number): Switch | null {
    return this.#byUser.get(user) ?? null;
  }

  set(value: Switch): void {
    this.#byUser.set(value.user, value);
    this.due.set(value.user, value.triggerAt);
  }

  delete(user: number): void {
    this.#byUser.delete(user);
    this.due.delete(user);
  }

  list(): Switch[] {
    return [...this.#byUser.values()].toSorted((a, b) => a.user - b.user);
  }
}
