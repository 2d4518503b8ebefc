/**
 * Answers the callers of a record. An order that the record left unfinished is answered when a later record ends it, and
 * commands that have to wait for it are put back into the queue.
 */

import type { Applied, LogRecord } from '@bourse/core';
import type { CommandBatch, CommandQueue } from './command-queue.ts';
import type { Waiter } from './exchange-port.ts';
import type { RecordLoad } from './record-budget.ts';

export interface AnsweredRecord {
  readonly record: LogRecord;
  readonly batch: CommandBatch;
  /** What became of it; null before it is applied. */
  readonly applied: Applied | null;
}

export interface InFlight extends AnsweredRecord {
  applied: Applied | null;
  readonly load: RecordLoad;
  /** How long it held up this thread. */
  ms: number;
}

export class RecordAnswers {
  readonly #queue: CommandQueue;
  /** By the order's ticket. */
  readonly #unfinished = new Map<number, Waiter>();

  constructor(queue: CommandQueue) {
    this.#queue = queue;
  }

  /** Callers whose order is unfinished. */
  get waiting(): number {
    return this.#unfinished.size;
  }

  /** Before the next record is applied: that overwrites the outcomes. */
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

  /** Nobody knows what becomes of the unfinished orders. */
  refuse(why: Error): void {
    const waiters = [...this.#unfinished.values()];
    this.#unfinished.clear();
    for (const waiter of waiters) waiter.failed(why);
  }
}
