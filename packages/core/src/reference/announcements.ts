/** Operators' notices, and changes scheduled for a later time. */

import type { NoticeChange, ScheduledChange } from '../commands/commands.ts';
import type { Rejection } from '../commands/rejections.ts';
import type { HashKey } from '../tables/index-table.ts';
import { DueHeap } from '../tables/ordered.ts';

export interface Notice {
  readonly notice: number;
  readonly title: string;
  readonly text: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly language: string;
  /** Milliseconds: public from then on. */
  readonly publishAt: number;
  readonly change?: NoticeChange & {
    /** 'refused': the symbol's terms have changed meanwhile and no longer allow it. */
    readonly state: 'scheduled' | 'done' | 'refused';
  };
}

/**
 * Notices to everybody. One may carry a change of a symbol's increments, which takes effect at its time, before
 * anything else of that instant (T1). Notices are kept until they are removed.
 */
export class Notices {
  readonly #byId = new Map<number, Notice>();
  /** Scheduled changes, by time. */
  readonly due: DueHeap;
  /** The latest number. */
  last = 0;

  constructor(hashKey: HashKey) {
    this.due = new DueHeap(hashKey);
  }

  get(notice: number): Notice | null {
    return this.#byId.get(notice) ?? null;
  }

  get count(): number {
    return this.#byId.size;
  }

  set(notice: Notice): void {
    this.#byId.set(notice.notice, notice);
    if (notice.change?.state === 'scheduled') this.due.set(notice.notice, notice.change.at);
    else this.due.delete(notice.notice);
  }

  delete(notice: number): void {
    this.#byId.delete(notice);
    this.due.delete(notice);
  }

  /** Ascending by number. */
  list(): Notice[] {
    return [...this.#byId.values()].toSorted((a, b) => a.notice - b.notice);
  }
}

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

/**
 * Changes that take effect at their time, after everything else that is due at that instant (T1). Each is
 * validated again then. Completed entries are kept until their place is needed.
 */
export class Schedule {
  readonly #byId = new Map<number, ScheduleEntry>();
  /** Pending changes, by time. */
  readonly due: DueHeap;
  /** The latest number. */
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

  /** Drops the oldest completed entry if there are too many; false if all are still pending. */
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
