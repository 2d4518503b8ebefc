/**
 * Reads that wait until the record in flight is durable. While it syncs, many may gather, and each may be of a whole book:
 * so they run for a few milliseconds at a time, and the rest after the event loop has gone round, or after the next
 * record. They run in the order they came.
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
