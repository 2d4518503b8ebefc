/**
 * Returns results to the callers of a record. An order that the record left unfinished gets its result when a later
 * record completes it, and commands that must wait for it go back into the queue.
 */

import type { Applied, LogRecord } from '@bourse/core';
import type { CommandBatch, CommandQueue } from './command-queue.ts';
import type { Waiter } from './exchange-port.ts';
import type { RecordLoad } from './record-budget.ts';

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
