/**
 * Schedules websocket work in time slices. A hundred clients may send at the same moment, and one message may go to
 * thousands of readers: work beyond STEP_MS per event loop iteration is deferred to the next. Pending workers are
 * scheduled round-robin by network (in IPv6 its /64), so a client with a thousand connections delays only its own.
 */

import type { Clock } from '@bourse/engine';

/** Requests and records have their own shares of an iteration, which must stay well below 50 ms in total. */
const STEP_MS = 5;

/** A source of work. */
export interface Worker {
  readonly network: string;
  /** Does at most about a millisecond of work; returns whether there is more. */
  work(): boolean;
  /** Called after each time slice in which it was not scheduled, or did not finish. */
  postponed?(): void;
}

export class WorkScheduler {
  readonly #clock: Clock;
  /** Pending workers by network; the next network comes first. */
  readonly #waiting = new Map<string, Worker[]>();
  /** When the first work of this iteration began; undefined before. */
  #startedAt: number | undefined;
  /** When the clock was last read: the current piece of work began then (monotonic, milliseconds). */
  checkedAt = 0;
  /** Time spent on work so far. */
  workedMs = 0;
  #isScheduled = false;
  #isWorking = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Whether work may run at once: nothing else is pending or the caller is scheduled, and the time slice is not used
   * up.
   */
  get hasTime(): boolean {
    return (this.#isWorking || this.#waiting.size === 0) && this.#isWithin();
  }

  /** Calls its `work` until nothing is left. Do not add a worker again before that. */
  add(worker: Worker): void {
    this.#append(worker);
    this.#schedule();
  }

  /** Runs as much as the time slice allows, now instead of later. */
  run(): void {
    const begunAt = this.#clock.elapsed();
    while (this.#waiting.size > 0 && this.#isWithin()) this.#next();
    this.workedMs += this.#clock.elapsed() - begunAt;
    if (this.#waiting.size === 0) return;
    for (const queue of this.#waiting.values()) for (const worker of queue) worker.postponed?.();
    this.#schedule();
  }

  #next(): void {
    const [[network, queue]] = this.#waiting;
    const worker = queue.shift()!;
    this.#waiting.delete(network);
    if (queue.length > 0) this.#waiting.set(network, queue);
    this.#isWorking = true;
    const hasMore = worker.work();
    this.#isWorking = false;
    if (hasMore) this.#append(worker);
  }

  #append(worker: Worker): void {
    const queue = this.#waiting.get(worker.network);
    if (queue === undefined) this.#waiting.set(worker.network, [worker]);
    else queue.push(worker);
  }

  #isWithin(): boolean {
    this.checkedAt = this.#clock.elapsed();
    if (this.#startedAt === undefined) {
      this.#startedAt = this.checkedAt;
      this.#schedule();
    }
    return this.checkedAt - this.#startedAt < STEP_MS;
  }

  /** Later work belongs to the next iteration. */
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
