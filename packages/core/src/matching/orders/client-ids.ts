/**
 * The client ids a user may not use again: those of active orders and stop orders, and those of orders that have been
 * done for less than the look-up window. A remembered id costs about 115 bytes, a forgotten one nothing.
 */

import { DoneIds } from './done-ids.ts';

export interface ClientIdUse {
  readonly user: number;
  readonly clientId: string;
  readonly id: number;
  /** -1 while active. */
  readonly doneAt: number;
}

/**
 * A user's ids are in several maps of at most this many entries. A Map holds at most 2^24, which a busy bot reaches
 * within the window; and a Map that grows rehashes all its entries, which takes some milliseconds at this size.
 */
const MAP_SIZE_MAX = 2 ** 18;

export class ClientIds {
  /** The newest map is the first. */
  private readonly byUser: (Map<string, number>[] | undefined)[] = [];
  private readonly done = new DoneIds();
  private total = 0;

  /** The order or stop order that has or had the id; 0 when it is free. */
  find(user: number, clientId: string): number {
    const maps = this.byUser[user];
    if (maps === undefined) return 0;
    for (let i = 0; i < maps.length; i++) {
      const id = maps[i].get(clientId);
      if (id !== undefined) return id;
    }
    return 0;
  }

  /** How many are remembered. */
  get count(): number {
    return this.total;
  }

  countOf(user: number): number {
    const maps = this.byUser[user];
    if (maps === undefined) return 0;
    let count = 0;
    for (let i = 0; i < maps.length; i++) count += maps[i].size;
    return count;
  }

  take(user: number, clientId: string, id: number): void {
    const maps = (this.byUser[user] ??= [new Map()]);
    const older = maps.length > 1 ? maps.find((map) => map.has(clientId)) : undefined;
    if (!older && maps[0].size >= MAP_SIZE_MAX && !maps[0].has(clientId)) maps.unshift(new Map());
    const map = older ?? maps[0];
    this.total -= map.size;
    map.set(clientId, id);
    this.total += map.size;
  }

  /** The order is done, and its window begins now. */
  finish(user: number, clientId: string, id: number, at: number): void {
    this.done.add(at, user, clientId, id);
  }

  /** Frees what was done at or before the given time: the oldest, and at most so many. */
  forget(until: number, max: number): void {
    for (let left = max; left > 0; left--) {
      const oldest = this.done.takeUntil(until);
      if (!oldest) return;
      const { user, clientId, id } = oldest;
      // An altered order's id lives on with the order that replaced it.
      if (this.find(user, clientId) === id) this.free(user, clientId);
    }
  }

  private free(user: number, clientId: string): void {
    const maps = this.byUser[user]!;
    const at = maps.findIndex((map) => map.delete(clientId));
    this.total -= 1;
    if (maps[at]?.size === 0 && maps.length > 1) maps.splice(at, 1);
  }

  /** Remembered uses in the order they will be forgotten. */
  listDone(): ClientIdUse[] {
    const uses: ClientIdUse[] = [];
    for (const { at, user, clientId, id } of this.done) {
      if (this.find(user, clientId) === id) uses.push({ user, clientId, id, doneAt: at });
    }
    return uses;
  }
}
