/**
 * Reads that wait until the record in flight is durable. Many may accumulate during a sync, and each may read a
 * complete book, so they run for a few milliseconds at a time; the rest follows in the next event loop iteration, or
 * after the next record. They run in order of arrival.
 */

import type { Clock } from './io/clock.ts';

/** The time slice for reads after a record; a running read is not interrupted. Rendering the results takes as long again. */
const READS_MS = 2;

interface WaitingRead {
  readonly run: () => void;
  readonly reject: (error: Error) => void;
}

export class WaitingReads {
  readonly #clock: Clock;
  #waiting: WaitingRead[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get count(): number {
    return this.#waiting.length;
  }

  /** Enqueues the query and resolves to its result. */
  add<T>(query: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ run: () => resolve(attempt(query)), reject });
    });
  }

  /** Runs queries for one time slice. */
  run(): void {
    if (this.#waiting.length === 0) return;
    const { isDeterministic, machine } = this.#clock;
    const end = isDeterministic ? Infinity : machine.elapsed() + READS_MS;
    const waiting = this.#waiting;
    this.#waiting = [];
    let done = 0;
    while (done < waiting.length && (done === 0 || machine.elapsed() < end)) waiting[done++].run();
    if (done < waiting.length) this.#waiting = [...waiting.slice(done), ...this.#waiting];
  }

  refuse(why: Error): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { reject } of waiting) reject(why);
  }
}

/** The query's result as a promise; rejects with what it throws. */
export function attempt<T>(query: () => T): Promise<T> {
  try {
    return Promise.resolve(query());
  } catch (error) {
    return Promise.reject(error);
  }
}
