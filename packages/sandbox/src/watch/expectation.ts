/** Waits for a matching event, in exchange time or machine time, or reports the closest one. */

import type { Clock } from '@bourse/engine';
import { type Condition, PatternBudget } from './condition.ts';
import type { EventKind, EventLog, WatchedEvent } from './events.ts';

export interface Expected {
  readonly kind: EventKind;
  readonly condition: Condition;
  readonly withinMs: number;
  /** The exchange's or the machine's time. */
  readonly clock: Clock;
  /** Includes events after this record; undefined: only new events. */
  readonly from: number | undefined;
}

export type Met =
  | { readonly met: true; readonly event: WatchedEvent }
  | { readonly met: false; readonly closest: readonly WatchedEvent[] };

const CLOSEST_MAX = 5;
/** Budget of patterns on past events per time slice. */
const PIECE_LEFT = new PatternBudget().left;
/** Each checks every event. Its caller may be gone, so the oldest is dropped for a new one. */
const OPEN_MAX = 1000;

export class Expectations {
  readonly #events: EventLog;
  readonly #open = new Set<() => void>();
  /** For the latest event, shared by all expectations. */
  #budget = new PatternBudget();
  #budgetOf: WatchedEvent | undefined;

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
        const budget = this.#budgetFor(event);
        if (!condition.fits(event, budget)) {
          closest.add(event, budget);
          return false;
        }
        end({ met: true, event });
        return true;
      };
      // A request without a record has the sequence of the previous one.
      const after = from === undefined ? Infinity : kind === 'request' ? from - 1 : from;
      let place = this.#events.placeAfter(after);
      /** The rest of the current piece, latest first. */
      let pending: WatchedEvent[] = [];
      /** Scans existing events in pieces, to not block the event loop. */
      const look = (): void => {
        if (isOver) return;
        if (pending.length === 0) {
          const piece = this.#events.pieceAt(place);
          if (piece) {
            place = piece.next;
            pending = piece.events.toReversed();
          }
        }
        if (pending.length > 0) {
          let left = PIECE_LEFT;
          for (let event = pending.pop(); event !== undefined; event = left > 0 ? pending.pop() : undefined) {
            const budget = this.#budgetFor(event);
            const before = budget.left;
            if (take(event)) return;
            left -= before - budget.left;
          }
          clock.machine.soon(look);
          return;
        }
        unsubscribe = this.#events.subscribe(take);
        // No timeout at all: if exchange time stands still, a timer would wait until somebody advances it.
        if (withinMs === 0) giveUp();
      };
      this.#open.add(giveUp);
      if (withinMs > 0) cancelTimer = clock.after(withinMs, giveUp);
      look();
    });
  }

  #budgetFor(event: WatchedEvent): PatternBudget {
    if (this.#budgetOf !== event) {
      this.#budgetOf = event;
      this.#budget = new PatternBudget();
    }
    return this.#budget;
  }

  /** The expected event can no longer arrive: the world is replaced, or ends. */
  giveUp(): void {
    for (const giveUp of this.#open) giveUp();
  }
}

/** The best matching events of the kind; ties go to the latest. */
class Closest {
  readonly #condition: Condition;
  #found: { readonly event: WatchedEvent; readonly score: number }[] = [];

  constructor(condition: Condition) {
    this.#condition = condition;
  }

  add(event: WatchedEvent, budget: PatternBudget): void {
    const found = [...this.#found, { event, score: this.#condition.score(event, budget) }];
    this.#found = found
      .toSorted((a, b) => b.score - a.score || b.event.seq - a.event.seq)
      .slice(0, CLOSEST_MAX);
  }

  get list(): WatchedEvent[] {
    return this.#found.map(({ event }) => event);
  }
}
