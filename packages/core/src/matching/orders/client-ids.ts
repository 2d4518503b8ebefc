/**
 * The client ids a user may not use again: those of active orders and stop orders, and those of orders that have been
 * done for less than the look-up window. A remembered id of 20 characters costs about 80 bytes, 20 of them from when its
 * order is done; a forgotten one nothing.
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
  /** Of a user, with the id of the order or stop order that has or had it. */
  private readonly table: TextTable;
  private readonly done = new DoneIds();
  private readonly counts: number[] = [];

  constructor(hashKey: HashKey) {
    this.table = new TextTable(hashKey);
  }

  /** The order or stop order that has or had the id; 0 when it is free. */
  find(user: number, clientId: string): number {
    const row = this.table.find(user, clientId);
    return row === NO_ROW ? 0 : this.table.value(row);
  }

  /** How many are remembered. */
  get count(): number {
    return this.table.size;
  }

  countOf(user: number): number {
    return user >= 0 && user < this.counts.length ? this.counts[user] : 0;
  }

  take(user: number, clientId: string, id: number): void {
    const row = this.table.find(user, clientId);
    if (row !== NO_ROW) {
      this.table.setValue(row, id);
      return;
    }
    this.table.add(user, clientId, id);
    while (this.counts.length <= user) this.counts.push(0);
    this.counts[user] += 1;
  }

  /** The order is done, and its window begins now. */
  finish(user: number, clientId: string, id: number, at: number): void {
    const row = this.table.find(user, clientId);
    assert(row !== NO_ROW, 'what is done had its client id');
    this.done.add(at, row, id);
  }

  /** Frees what was done at or before the given time: the oldest, and at most so many. */
  forget(until: number, max: number): void {
    for (let left = max; left > 0; left--) {
      const oldest = this.done.takeUntil(until);
      if (!oldest) return;
      // An altered order's id lives on with the order that replaced it.
      if (this.table.value(oldest.row) === oldest.id) this.free(oldest.row);
    }
  }

  private free(row: number): void {
    this.counts[this.table.ownerOf(row)] -= 1;
    this.table.remove(row);
  }

  /** Remembered uses in the order they will be forgotten. */
  listDone(): ClientIdUse[] {
    const { table } = this;
    const uses: ClientIdUse[] = [];
    for (const { at, row, id } of this.done) {
      if (table.value(row) === id)
        uses.push({ user: table.ownerOf(row), clientId: table.textOf(row), id, doneAt: at });
    }
    return uses;
  }
}
