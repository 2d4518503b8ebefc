/**
 * Changes that take effect at their time, after everything else that is due at that instant (T1). Each is
 * validated again then. Completed entries are kept until their place is needed.
 */

import type { ScheduledChange } from '../commands/commands.ts';
import type { Rejection } from '../commands/rejections.ts';
import { DueHeap } from '../tables/due-heap.ts';
import type { HashKey } from '../tables/index-table.ts';

export interface ScheduleEntry {
  readonly entry: number;
  /** Milliseconds. */
  readonly at: number;
  /** The id of the operator's call. */
  readonly scheduled: string;
  readonly command: ScheduledChange;
  readonly by: string;
  readonly why: string;
  /** When it was scheduled, and so announced. */
  readonly createdAt: number;
  readonly state: 'scheduled' | 'done' | 'refused';
  /** The reason of a change that was rejected. */
  readonly failure?: Rejection;
}

export const SCHEDULE_MAX = 1000;

export class Schedule {
  readonly #byId = new Map<number, ScheduleEntry>();
  /** Pending changes, by time. */
  readonly due: DueHeap;
  /** The number that the latest was given. */
  last = 0;

  constructor(hashKey: HashKey) {
    this.due = new DueHeap(hashKey);
  }

  get(entry: number): ScheduleEntry | null {
    return this.#byId.get(entry) ?? null;
  }

  set(entry: ScheduleEntry): void {
    this.#byId.set(entry.entry, entry);
    if (entry.state === 'scheduled') this.due.set(entry.entry, entry.at);
    else this.due.delete(entry.entry);
  }

  delete(entry: number): void {
    this.#byId.delete(entry);
    this.due.delete(entry);
  }

  /** False where all there can be are still to come. */
  makeRoom(): boolean {
    if (this.#byId.size < SCHEDULE_MAX) return true;
    const over = this.list().find(({ state }) => state !== 'scheduled');
    return over !== undefined && this.#byId.delete(over.entry);
  }

  /** Ascending by number. */
  list(): ScheduleEntry[] {
    return [...this.#byId.values()].toSorted((a, b) => a.entry - b.entry);
  }
}
