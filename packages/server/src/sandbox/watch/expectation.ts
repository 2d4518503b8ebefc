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
/** Each looks at every event. Whoever asked may be gone, so the oldest makes room for the next. */
const OPEN_MAX = 1000;

export class Expectations {
  readonly #events: EventLog;
  readonly #open = new Set<() => void>();

  constructor(events: EventLog) {
    this.#events = events;
  }

  wait({ kind, condition, withinMs, clock, from }: Expected): Promise<Met> {
    const [oldest] = this.#open;
    if (this.#open.size >= OPEN_MAX) oldest();
    return new Promise((resolve) => {
      const closest = new Closest(condition);
      let isOver = false;
      let cancelTimer: () => void = () => undefined;
      let unsubscribe: () => void = () => undefined;
      const end = (met: Met): void => {
        isOver = true;
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
      let place = this.#events.placeAfter(after);
      /** What is there already is looked at in pieces, because others wait meanwhile. */
      const look = (): void => {
        if (isOver) return;
        const piece = this.#events.pieceAt(place);
        if (piece?.events.some(take)) return;
        if (piece) {
          place = piece.next;
          clock.machine.soon(look);
          return;
        }
        unsubscribe = this.#events.subscribe(take);
        // No time at all: where exchange time stands, a timer would wait for somebody to move it.
        if (withinMs === 0) giveUp();
      };
      this.#open.add(giveUp);
      if (withinMs > 0) cancelTimer = clock.after(withinMs, giveUp);
      look();
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
