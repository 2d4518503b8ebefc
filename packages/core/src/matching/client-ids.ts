/**
 * The client ids a user may not use again: those of active orders and stop orders, and those of orders that have
 * been done for less than the look-up window. Forgotten ids cost nothing; a remembered one about 150 bytes.
 */

interface Done {
  readonly at: number;
  readonly user: number;
  readonly clientId: string;
  readonly id: number;
}

export interface ClientIdUse {
  readonly user: number;
  readonly clientId: string;
  readonly id: number;
  /** -1 while active. */
  readonly doneAt: number;
}

/** The queue is cut when this many at its front have been forgotten. */
const CUT_AT = 4096;
/**
 * A user's ids are in several maps of at most this many: a Map takes no more than 2^24, which a busy bot reaches within
 * the window, and one that grows hashes all it has anew, which at this size takes some milliseconds.
 */
const MAP_SIZE_MAX = 2 ** 18;

export class ClientIds {
  /** The newest map is the first. */
  private readonly byUser: (Map<string, number>[] | undefined)[] = [];
  /** In order of time, as orders are done in order of time. */
  private done: Done[] = [];
  private firstDone = 0;

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

  take(user: number, clientId: string, id: number): void {
    const maps = (this.byUser[user] ??= [new Map()]);
    const older = maps.length > 1 ? maps.find((map) => map.has(clientId)) : undefined;
    if (!older && maps[0].size >= MAP_SIZE_MAX && !maps[0].has(clientId)) maps.unshift(new Map());
    (older ?? maps[0]).set(clientId, id);
  }

  /** The order is done: from now on the window runs. */
  finish(user: number, clientId: string, id: number, at: number): void {
    this.done.push({ at, user, clientId, id });
  }

  /** Frees what was done at or before the given time. */
  forget(until: number): void {
    while (this.firstDone < this.done.length && this.done[this.firstDone].at <= until) {
      const { user, clientId, id } = this.done[this.firstDone++];
      // An altered order's id lives on with the order that replaced it.
      if (this.find(user, clientId) === id) this.free(user, clientId);
    }
    if (this.firstDone < CUT_AT) return;
    this.done = this.done.slice(this.firstDone);
    this.firstDone = 0;
  }

  private free(user: number, clientId: string): void {
    const maps = this.byUser[user]!;
    const at = maps.findIndex((map) => map.delete(clientId));
    if (maps[at]?.size === 0 && maps.length > 1) maps.splice(at, 1);
  }

  /** Remembered uses in the order they will be forgotten. */
  listDone(): ClientIdUse[] {
    return this.done
      .slice(this.firstDone)
      .filter(({ user, clientId, id }) => this.find(user, clientId) === id)
      .map(({ at, user, clientId, id }) => ({ user, clientId, id, doneAt: at }));
  }
}
