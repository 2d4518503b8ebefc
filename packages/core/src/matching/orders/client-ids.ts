/**
 * Client ids in use: those of active orders and stop orders, and those of orders done within the look-up window. Ids of
 * done orders share a bound: see `makeRoom`.
 */

import { assert } from '../../assert.ts';
import type { HashKey } from '../../tables/index-table.ts';
import { NO_ROW } from '../../tables/text-rows.ts';
import { TextTable } from '../../tables/text-table.ts';
import { DoneIds } from './done-ids.ts';

export interface ClientIdUse {
  readonly user: number;
  readonly clientId: string;
  readonly id: number;
  /** -1 while active. */
  readonly doneAt: number;
}

export class ClientIds {
  /** By user, with the id of the order or stop order that has or had it. */
  readonly #table: TextTable;
  readonly #done: DoneIds;
  readonly #masterOf: (user: number) => number;

  /** A sub-account's ids count towards its master. */
  constructor(hashKey: HashKey, masterOf: (user: number) => number) {
    this.#table = new TextTable(hashKey);
    this.#done = new DoneIds(hashKey);
    this.#masterOf = masterOf;
  }

  /** The order or stop order that has or had the id; 0 if it is free. */
  find(user: number, clientId: string): number {
    const row = this.#table.find(user, clientId);
    return row === NO_ROW ? 0 : this.#table.value(row);
  }

  take(user: number, clientId: string, id: number): void {
    const row = this.#table.find(user, clientId);
    if (row === NO_ROW) this.#table.add(user, clientId, id);
    else this.#table.setValue(row, id);
  }

  /** The order is done; its window starts now. */
  finish(user: number, clientId: string, at: number): void {
    const row = this.#table.find(user, clientId);
    assert(row !== NO_ROW, 'a done order still has its client id');
    this.#done.add(at, row, this.#masterOf(user));
  }

  /** Frees up to `max` of the oldest ids done at or before the given time. */
  forget(until: number, max: number): void {
    for (let left = max; left > 0; left--) {
      const row = this.#done.takeUntil(until);
      if (row === NO_ROW) return;
      this.#table.remove(row);
    }
  }

  /**
   * Frees ids of done orders before their window has passed. First the user's own master loses its oldest while it has more
   * than `ownMax`, then the heaviest master while there are more than `max` in all. At most two each: one is added at a
   * time, and the second reduces an excess after a limit was lowered.
   */
  makeRoom(user: number, ownMax: number, max: number): void {
    const done = this.#done;
    const { shares } = done;
    const master = this.#masterOf(user);
    for (let left = 2; left > 0 && shares.countOf(master) > ownMax; left--) {
      this.#table.remove(done.takeOldestOf(master));
    }
    for (let left = 2; left > 0 && shares.count > max; left--) {
      this.#table.remove(done.takeOldestOf(shares.heaviest));
    }
  }

  /** Ids of done orders, in the order they expire. */
  listDone(): ClientIdUse[] {
    const table = this.#table;
    const uses: ClientIdUse[] = [];
    for (const { at, row } of this.#done) {
      uses.push({
        user: table.ownerOf(row),
        clientId: table.textOf(row),
        id: table.value(row),
        doneAt: at,
      });
    }
    return uses;
  }
}
