/**
 * Client ids of done orders: all of them in order of time, and those of each owner in order of time. There may be
 * millions, so adding or removing one neither copies nor visits the others. They are in typed arrays, which the garbage
 * collector does not scan.
 */

import { GrowingMemory } from '../../tables/growing-memory.ts';
import type { HashKey } from '../../tables/index-table.ts';
import { Shares } from '../../tables/shares.ts';

export interface DoneId {
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

export class DoneIds {
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
