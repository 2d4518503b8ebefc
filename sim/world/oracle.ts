/**
 * The expected state, computed only from the records on the disk: a separate core with all checkers after every
 * record (promises 5, 6, 8), history from scratch, and the outcome of every command that was sent (promises 1, 2).
 */

import { Exchange, type Event, type LogRecord, type Outcome } from '@bourse/core';
import { historyRecordOf } from '../../packages/engine/src/history/history-record.ts';
import { LogReader } from '../../packages/engine/src/log/log-reader.ts';
import { Suite } from '../checkers/suite.ts';
import { violated } from '../checkers/violation.ts';
import { Digest } from '../digest.ts';
import type { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import type { Random } from '@bourse/test-kit/random.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { OnceChecker } from './once-checker.ts';
import type { Senders } from './senders.ts';
import type { Tally } from './tally.ts';

export interface Told {
  readonly seq: number;
  readonly time: number;
  /** Hash over the events. */
  readonly digest: string;
}

export class Oracle {
  readonly exchange = new Exchange();
  /** Every row ever written, without pruning. */
  readonly history = new MemoryHistory();
  readonly records: LogRecord[] = [];
  readonly #suite = new Suite();
  readonly #once = new OnceChecker();
  readonly #answers = new Digest();
  readonly #tally: Tally;
  readonly #onEvents: (events: readonly Event[], time: number) => void;

  constructor(tally: Tally, onEvents: (events: readonly Event[], time: number) => void) {
    this.#tally = tally;
    this.#onEvents = onEvents;
    this.exchange.keepDone = true;
  }

  get seq(): number {
    return this.exchange.seq;
  }

  /** Reads new records; `told` is what subscribers received of them, if there were any. */
  async catchUp(
    disk: LossyDisk,
    logDir: string,
    through: number,
    senders: Senders,
    told: readonly Told[],
  ): Promise<void> {
    if (through <= this.seq) return;
    const reader = new LogReader(disk, logDir);
    for await (const record of reader.read(this.seq + 1, through)) this.#apply(record, senders, told);
    await reader.close();
    if (this.seq !== through) violated('every durable record can be read', { seq: this.seq, through });
  }

  #apply(record: LogRecord, senders: Senders, told: readonly Told[]): void {
    const { exchange } = this;
    const { seq, time, commands } = record;
    if (seq !== exchange.seq + 1) violated('records follow each other', { seq, after: exchange.seq });
    if (time < exchange.time) violated('time never goes back', { time, before: exchange.time });
    const applied = exchange.apply(record);
    const outcomes = applied.outcomes.decode();
    const events = applied.events.decode();
    if (outcomes.length !== commands.length) violated('one outcome each', { outcomes: outcomes.length });
    this.history.write([historyRecordOf(exchange, applied, record)]);
    this.#suite.afterRecord(exchange, record, events);
    this.#once.afterRecord(record, outcomes);
    senders.match(record, outcomes, applied.finished);
    this.#answers.add(outcomes);
    this.#answers.add([...applied.finished]);
    this.#answers.add(events);
    this.records.push(record);
    this.#count(commands.length, outcomes);
    const seen = told.find((each) => each.seq === seq);
    if (seen && (seen.time !== time || seen.digest !== digestOf(events))) {
      violated('subscribers see what the log says', { seq });
    }
    this.#onEvents(events, time);
  }

  #count(commands: number, outcomes: readonly Outcome[]): void {
    this.#tally.add('records');
    this.#tally.add('commands', commands);
    if (commands === 0) this.#tally.add('ticks');
    for (const { kind } of outcomes) {
      if (kind === 'unfinished') this.#tally.add('orders left unfinished');
      if (kind === 'waits') this.#tally.add('commands that wait for an unfinished order');
    }
    this.#tally.add(
      'outcomes that are rejections',
      outcomes.filter(({ kind }) => kind === 'rejected').length,
    );
  }

  /**
   * Promise 5: replaying all records, with snapshots and restores at some points, gives the same bytes and outcomes.
   */
  replay(random: Random): void {
    let exchange = new Exchange();
    const answers = new Digest();
    for (const record of this.records) {
      const { outcomes, events, finished } = exchange.apply(record);
      answers.add(outcomes.decode());
      answers.add([...finished]);
      answers.add(events.decode());
      if (random.chance(0.02)) exchange = Exchange.restore(exchange.snapshot());
    }
    if (Buffer.compare(exchange.snapshot(), this.exchange.snapshot()) !== 0) {
      violated('a replay ends in the same bytes (promise 5)', { seq: this.seq });
    }
    if (answers.toString() !== this.#answers.toString()) violated('a replay gives the same answers', {});
    this.#tally.add('replays compared');
  }
}

export function digestOf(events: readonly Event[]): string {
  const digest = new Digest();
  digest.add(events);
  return digest.toString();
}
