/**
 * Returns results to the callers of a record. An order that the record left unfinished gets its result when a later
 * record completes it, and commands that must wait for it go back into the queue.
 */

import type { Applied, LogRecord } from '@bourse/core';
import type { CommandBatch, CommandQueue } from './command-queue.ts';
import type { Waiter } from './exchange-port.ts';
import type { RecordLoad } from './record-budget.ts';
import type { Clock } from './io/clock.ts';

export interface AnsweredRecord {
  readonly record: LogRecord;
  readonly batch: CommandBatch;
  /** Its result; null before it is applied. */
  readonly applied: Applied | null;
}

export interface InFlight extends AnsweredRecord {
  applied: Applied | null;
  readonly load: RecordLoad;
  /** How long it blocked this thread. */
  ms: number;
}

export class RecordAnswers {
  readonly #queue: CommandQueue;
  /** By the order's ticket. */
  readonly #unfinished = new Map<number, Waiter>();

  constructor(queue: CommandQueue) {
    this.#queue = queue;
  }

  /** Callers with unfinished orders. */
  get waiting(): number {
    return this.#unfinished.size;
  }

  /** Valid only until the next record is applied, which overwrites the outcomes. */
  give({ record: { seq, time }, applied, batch }: AnsweredRecord): void {
    const { outcomes, finished, waits } = applied as Applied;
    for (const { ticket, outcome } of finished) {
      const waiter = this.#unfinished.get(ticket);
      this.#unfinished.delete(ticket);
      waiter?.answered({ outcome, seq, time });
    }
    this.#queue.putBack(batch, waits);
    const count = batch.waiters.length - waits;
    let at = 0;
    for (let i = 0; i < count; i++) {
      const outcome = outcomes.readAt(at);
      at = outcomes.readEnd;
      const waiter = batch.waiters[i];
      if (outcome.kind === 'unfinished') this.#unfinished.set(outcome.order, waiter);
      else waiter.answered({ outcome, seq, time });
    }
  }

  /** The results of unfinished orders are unknown. */
  refuse(why: Error): void {
    const waiters = [...this.#unfinished.values()];
    this.#unfinished.clear();
    for (const waiter of waiters) waiter.failed(why);
  }
}

/** The time slice for reads after a record; a running read is not interrupted. Rendering the results takes as long again. */
const READS_MS = 2;

interface WaitingRead {
  readonly run: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Reads that wait until the record in flight is durable. Many may accumulate during a sync, and each may read a
 * complete book, so they run for a few milliseconds at a time; the rest follows in the next event loop iteration, or
 * after the next record. They run in order of arrival.
 */
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
