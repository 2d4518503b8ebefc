/**
 * Client ids in use: those of active orders and stop orders, and those of orders done within the look-up window. Ids of
 * done orders share a bound: see `makeRoom`.
 */

import { GrowingMemory } from '../../tables/growing-memory.ts';
import type { HashKey } from '../../tables/index-table.ts';
import { Shares } from '../../tables/ordered.ts';
import { NO_ROW, TextTable } from '../../tables/text-table.ts';
import { assert } from '../../values/checks.ts';

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

  claim(user: number, clientId: string, id: number): void {
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

interface DoneId {
  readonly at: number;
  /** The row of the client id in the table of texts. */
  readonly row: number;
}

/**
 * Layout of an entry, 32 bytes: the time as a double, then integers of 8: 2 row, 3 owner, 4 previous and 5 next of all,
 * 6 next of the same owner. Entry 0 is the head of the list of all: its next is the oldest, its previous the latest.
 */
const ENTRY_BYTES = 32;
const FIRST_CAPACITY = 1024;
const ROW = 2;
const OWNER = 3;
const PREVIOUS = 4;
const NEXT = 5;
const NEXT_OWN = 6;
const HEAD = 0;
const NONE = 0;

/**
 * Client ids of done orders: all of them in order of time, and those of each owner in order of time. There may be
 * millions, so adding or removing one neither copies nor visits the others. They are in typed arrays, which the garbage
 * collector does not scan.
 */
class DoneIds {
  readonly #memory = new GrowingMemory(FIRST_CAPACITY * ENTRY_BYTES);
  #times = new Float64Array(this.#memory.buffer);
  #fields = new Int32Array(this.#memory.buffer);
  /** Number of entries ever used; freed ones are chained through `NEXT`. */
  #used = 1;
  #firstFree = NONE;
  /** The oldest and the latest entry of each owner. */
  readonly #oldestOf: number[] = [];
  readonly #latestOf: number[] = [];
  readonly shares: Shares;

  constructor(hashKey: HashKey) {
    this.shares = new Shares(hashKey);
  }

  /** `at` must not be before the time of the id added last. */
  add(at: number, row: number, owner: number): void {
    const entry = this.#takeFree();
    const fields = this.#fields;
    const start = entry << 3;
    const latest = fields[PREVIOUS];
    this.#times[entry << 2] = at;
    fields[start + ROW] = row;
    fields[start + OWNER] = owner;
    fields[start + PREVIOUS] = latest;
    fields[start + NEXT] = HEAD;
    fields[start + NEXT_OWN] = NONE;
    fields[(latest << 3) + NEXT] = entry;
    fields[PREVIOUS] = entry;
    while (this.#oldestOf.length <= owner) {
      this.#oldestOf.push(NONE);
      this.#latestOf.push(NONE);
    }
    if (this.#oldestOf[owner] === NONE) this.#oldestOf[owner] = entry;
    else fields[(this.#latestOf[owner] << 3) + NEXT_OWN] = entry;
    this.#latestOf[owner] = entry;
    this.shares.add(owner);
  }

  /** Removes the oldest of all if it is from `until` or before, and returns its row; 0 if there is none. */
  takeUntil(until: number): number {
    const oldest = this.#fields[NEXT];
    if (oldest === HEAD || this.#times[oldest << 2] > until) return 0;
    return this.takeOldestOf(this.#fields[(oldest << 3) + OWNER]);
  }

  /** Removes the owner's oldest and returns its row; 0 if the owner has none. */
  takeOldestOf(owner: number): number {
    const entry = owner < this.#oldestOf.length ? this.#oldestOf[owner] : NONE;
    if (entry === NONE) return 0;
    const fields = this.#fields;
    const start = entry << 3;
    const previous = fields[start + PREVIOUS];
    const next = fields[start + NEXT];
    fields[(previous << 3) + NEXT] = next;
    fields[(next << 3) + PREVIOUS] = previous;
    this.#oldestOf[owner] = fields[start + NEXT_OWN];
    fields[start + NEXT] = this.#firstFree;
    this.#firstFree = entry;
    this.shares.remove(owner);
    return fields[start + ROW];
  }

  *[Symbol.iterator](): Generator<DoneId, void, void> {
    const fields = this.#fields;
    for (let entry = fields[NEXT]; entry !== HEAD; entry = fields[(entry << 3) + NEXT]) {
      yield { at: this.#times[entry << 2], row: fields[(entry << 3) + ROW] };
    }
  }

  #takeFree(): number {
    const entry = this.#firstFree;
    if (entry !== NONE) {
      this.#firstFree = this.#fields[(entry << 3) + NEXT];
      return entry;
    }
    if (this.#used << 3 >= this.#fields.length) {
      this.#memory.double();
      this.#times = new Float64Array(this.#memory.buffer);
      this.#fields = new Int32Array(this.#memory.buffer);
    }
    return this.#used++;
  }
}
