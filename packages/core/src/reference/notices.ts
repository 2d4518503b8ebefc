/**
 * Operators' announcements. A notice may carry a change of a symbol's increments, which takes effect at its time, before
 * anything else of that instant (T1). Notices are kept until they are removed.
 */

import type { NoticeChange } from '../commands/commands.ts';
import { DueHeap } from '../tables/due-heap.ts';
import type { HashKey } from '../tables/index-table.ts';

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
