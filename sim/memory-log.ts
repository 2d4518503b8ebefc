/** A log that lives in memory: for worlds in which the disk is not what is tested. */

import type { LogRecord } from '@bourse/core';
import {
  type Appending,
  type CommandLog,
  LogBroken,
  LogConflict,
  LogFull,
  LogGone,
} from '../packages/server/src/log/command-log.ts';
import { RecordWriter, NO_HASH } from '../packages/server/src/log/record.ts';

export class MemoryLog implements CommandLog {
  /** What the next appends come to; a record each, then all is well again. */
  readonly faults: ('full' | 'broken-write' | 'broken-sync')[] = [];
  bytesAppended = 0;
  failure: LogBroken | null = null;
  private readonly writer = new RecordWriter();
  private readonly wait: () => Promise<void>;
  private readonly records: LogRecord[];
  private first: number;
  private state: 'ready' | 'syncing' | 'broken' = 'ready';

  /** With the records that it holds already; `wait` takes as long as a sync. */
  constructor(records: readonly LogRecord[] = [], wait: () => Promise<void> = () => Promise.resolve()) {
    this.records = [...records];
    this.wait = wait;
    this.first = records[0]?.seq ?? 1;
  }

  get lastSeq(): number {
    return this.first + this.records.length - 1;
  }

  get lastTime(): number {
    return this.records.at(-1)?.time ?? 0;
  }

  get firstSeq(): number {
    return this.first;
  }

  append(record: LogRecord): Appending {
    if (this.state === 'broken') throw new LogBroken('The log is closed: a write or sync failed before.');
    if (this.state === 'syncing') throw new Error('append while the log is syncing');
    if (record.seq !== this.lastSeq + 1) throw new LogConflict(`Record ${record.seq} does not follow.`);
    if (!(record.time >= this.lastTime)) throw new RangeError(`Record ${record.seq} goes back in time.`);
    const fault = this.faults.shift();
    if (fault === 'full') throw new LogFull(`There is no room for record ${record.seq}.`);
    if (fault === 'broken-write') throw this.breakDown();
    this.state = 'syncing';
    return { durable: this.sync(record, fault === 'broken-sync') };
  }

  async *read(fromSeq: number, throughSeq: number): AsyncGenerator<LogRecord, void, void> {
    const end = Math.min(throughSeq, this.lastSeq);
    if (fromSeq < this.first && fromSeq <= end)
      throw new LogGone(`Record ${fromSeq} is not in the log any more.`);
    for (let seq = fromSeq; seq <= end; seq++) yield this.records[seq - this.first];
  }

  /** Here every record is a segment. */
  async removeBelow(seq: number): Promise<void> {
    const count = Math.max(0, Math.min(seq - this.first, this.records.length - 1));
    this.records.splice(0, count);
    this.first += count;
  }

  async close(): Promise<void> {}

  private async sync(record: LogRecord, fails: boolean): Promise<void> {
    await this.wait();
    if (fails) throw this.breakDown();
    this.bytesAppended += this.writer.write(record, NO_HASH).length;
    this.records.push(record);
    this.state = 'ready';
  }

  private breakDown(): LogBroken {
    this.state = 'broken';
    this.failure = new LogBroken('Syncing the log failed.');
    return this.failure;
  }
}
