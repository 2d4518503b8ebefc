/** Waits for an event that fits, in exchange time or the machine's, or says what came closest. */

import type { Clock } from '../../io/clock.ts';
import type { Condition } from './condition.ts';
import type { EventLog } from './event-log.ts';
import type { EventKind, WatchedEvent } from './events.ts';

export interface Expected {
  readonly kind: EventKind;
  readonly condition: Condition;
  readonly withinMs: number;
  /** The exchange's, or the machine's. */
  readonly clock: Clock;
  /** Also what came after this record; undefined: only what comes from now on. */
  readonly from: number | undefined;
}

export type Met =
  | { readonly met: true; readonly event: WatchedEvent }
  | { readonly met: false; readonly closest: readonly WatchedEvent[] };

const CLOSEST_MAX = 5;

export class Expectations {
  readonly #events: EventLog;
  readonly #open = new Set<() => void>();

  constructor(events: EventLog) {
    this.#events = events;
  }

  wait({ kind, condition, withinMs, clock, from }: Expected): Promise<Met> {
    return new Promise((resolve) => {
      const closest = new Closest(condition);
      let cancelTimer: () => void = () => undefined;
      let unsubscribe: () => void = () => undefined;
      const end = (met: Met): void => {
        cancelTimer();
        unsubscribe();
        this.#open.delete(giveUp);
        resolve(met);
      };
      const giveUp = (): void => end({ met: false, closest: closest.list });
      const take = (event: WatchedEvent): boolean => {
        if (event.kind !== kind) return false;
        if (!condition.fits(event)) {
          closest.add(event);
          return false;
        }
        end({ met: true, event });
        return true;
      };
      // A request that brought no record has the sequence of the one before it.
      const after = from === undefined ? Infinity : kind === 'request' ? from - 1 : from;
      for (const event of this.#events.after(after)) if (take(event)) return;
      // No time at all: where exchange time stands, a timer would wait for somebody to move it.
      if (withinMs === 0) {
        giveUp();
        return;
      }
      this.#open.add(giveUp);
      unsubscribe = this.#events.subscribe(take);
      cancelTimer = clock.after(withinMs, giveUp);
    });
  }

  /** What is waited for cannot come any more: the world begins anew, or ends. */
  giveUp(): void {
    for (const giveUp of this.#open) giveUp();
  }
}

/** The events of the kind that fit best, and of those the latest. */
class Closest {
  readonly #condition: Condition;
  #found: { readonly event: WatchedEvent; readonly score: number }[] = [];

  constructor(condition: Condition) {
    this.#condition = condition;
  }

  add(event: WatchedEvent): void {
    const found = [...this.#found, { event, score: this.#condition.score(event) }];
    this.#found = found
      .toSorted((a, b) => b.score - a.score || b.event.seq - a.event.seq)
      .slice(0, CLOSEST_MAX);
  }

  get list(): WatchedEvent[] {
    return this.#found.map(({ event }) => event);
  }
}
