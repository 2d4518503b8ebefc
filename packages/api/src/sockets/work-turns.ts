/**
 * What websockets give to do, in steps. A hundred clients may say something at the same moment, and one message may go to
 * thousands of readers: whatever would take longer than STEP_MS of a turn of the event loop waits for the next turn. Those
 * who wait take turns by network (in IPv6 its /64), so that whoever has a thousand connections delays only his own.
 */

import type { Clock } from '@bourse/engine';

/** Requests have a share of the turn of their own, and so has a record: a turn is to stay well below 50 ms. */
const STEP_MS = 5;

/** Somebody who has something to do. */
export interface Worker {
  readonly network: string;
  /** Does a piece of about a millisecond at most; returns whether there is more. */
  work(): boolean;
  /** Called after each step in which its turn has not come, or not for all it has. */
  left?(): void;
}

export class WorkTurns {
  readonly #clock: Clock;
  /** Who waits, by network; the network whose turn is next comes first. */
  readonly #waiting = new Map<string, Worker[]>();
  /** When the first work of this turn began; undefined before it. */
  #startedAt: number | undefined;
  /** The time of the last look at the clock: whatever is being worked on began then, in milliseconds of monotonic time. */
  lookedAt = 0;
  #isScheduled = false;
  #isWorking = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether something may be done at once: nobody waits, or it is the asker's turn, and the step is not used up. */
  get hasTime(): boolean {
    return (this.#isWorking || this.#waiting.size === 0) && this.#isWithin();
  }

  /** From now on its `work` is called until nothing is left. A worker must not be added again before that. */
  add(worker: Worker): void {
    this.#append(worker);
    this.#schedule();
  }

  /** As much as the step still allows, now instead of soon. */
  run(): void {
    while (this.#waiting.size > 0 && this.#isWithin()) this.#next();
    if (this.#waiting.size === 0) return;
    for (const lane of this.#waiting.values()) for (const worker of lane) worker.left?.();
    this.#schedule();
  }

  #next(): void {
    const [[network, lane]] = this.#waiting;
    const worker = lane.shift()!;
    this.#waiting.delete(network);
    if (lane.length > 0) this.#waiting.set(network, lane);
    this.#isWorking = true;
    const hasMore = worker.work();
    this.#isWorking = false;
    if (hasMore) this.#append(worker);
  }

  #append(worker: Worker): void {
    const lane = this.#waiting.get(worker.network);
    if (lane === undefined) this.#waiting.set(worker.network, [worker]);
    else lane.push(worker);
  }

  #isWithin(): boolean {
    this.lookedAt = this.#clock.elapsed();
    if (this.#startedAt === undefined) {
      this.#startedAt = this.lookedAt;
      this.#schedule();
    }
    return this.lookedAt - this.#startedAt < STEP_MS;
  }

  /** What comes then belongs to the next turn. */
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    this.#clock.soon(this.#endTurn);
  }

  readonly #endTurn = (): void => {
    this.#isScheduled = false;
    this.#startedAt = undefined;
    if (this.#waiting.size > 0) this.run();
  };
}
