/**
 * How many transfers and withdrawals are remembered, and since when. A transfer is remembered from the time it was
 * made, because its request may be sent again; a withdrawal from the time it was settled. After `movementWindowMs` they
 * are forgotten, and earlier where there are more than the limits allow: see movement-room.ts.
 */

import { DueHeap } from '../tables/due-heap.ts';
import type { HashKey } from '../tables/index-table.ts';
import { Shares } from '../tables/shares.ts';

export interface RememberedMovement {
  readonly id: number;
  readonly since: number;
}

export class Movements {
  readonly #hashKey: HashKey;
  readonly #masterOf: (user: number) => number;
  readonly #since: DueHeap;
  /** Those that may be removed, by master. */
  readonly #ofMasters = new Map<number, DueHeap>();
  readonly shares: Shares;

  /** Sub-accounts count towards their master. */
  constructor(hashKey: HashKey, masterOf: (user: number) => number) {
    this.#hashKey = hashKey;
    this.#masterOf = masterOf;
    this.#since = new DueHeap(hashKey);
    this.shares = new Shares(hashKey);
  }

  /** Starts its window. */
  remember(user: number, id: number, since: number): void {
    const master = this.#masterOf(user);
    let own = this.#ofMasters.get(master);
    if (!own) {
      own = new DueHeap(this.#hashKey);
      this.#ofMasters.set(master, own);
    }
    this.#since.set(id, since);
    own.set(id, since);
    this.shares.add(master);
  }

  /** The oldest one from the given time or before; 0 if there is none. */
  oldestUntil(until: number): number {
    return this.#since.firstRank > until ? 0 : this.#since.firstKey;
  }

  /** The master must have at least one. */
  oldestOf(master: number): number {
    return (this.#ofMasters.get(master) as DueHeap).firstKey;
  }

  forget(user: number, id: number): void {
    this.#since.delete(id);
    const master = this.#masterOf(user);
    const own = this.#ofMasters.get(master) as DueHeap;
    own.delete(id);
    if (own.size === 0) this.#ofMasters.delete(master);
    this.shares.remove(master);
  }

  /** Ascending by id. */
  list(): RememberedMovement[] {
    return this.#since.list().map(({ key, rank }) => ({ id: key, since: rank }));
  }
}
