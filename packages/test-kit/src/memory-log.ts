/** A log in memory, for tests that are not about the disk. A test completes or fails its syncs. */

import type { LogRecord } from '@bourse/core';
import {
  type Appending,
  type CommandLog,
  LogBroken,
  LogConflict,
  LogFull,
  LogGone,
} from '../../engine/src/log/command-log.ts';
import { NO_HASH, RecordWriter } from '../../engine/src/log/record.ts';

interface Pending {
  readonly record: LogRecord;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class MemoryLog implements CommandLog {
  readonly records: LogRecord[];
  /** Syncs complete by themselves; otherwise `sync` or `failSync` completes one. */
  isAutomatic = true;
  isFull = false;
  /** Results of the next appends, one each; then appends succeed again. */
  readonly faults: ('broken-write' | 'broken-sync')[] = [];
  appends = 0;
  /** Records that were set aside. */
  readonly aside: LogRecord[] = [];
  bytesAppended = 0;
  bytesRead = 0;
  failure: LogBroken | null = null;
  readonly #writer = new RecordWriter();
  #firstSeq: number;
  #pending: Pending | null = null;

  /** `records`: its initial content. */
  constructor(records: readonly LogRecord[] = []) {
    this.records = [...records];
    this.#firstSeq = records[0]?.seq ?? 1;
  }

  get lastSeq(): number {
    return this.#firstSeq + this.records.length - 1;
  }

  get lastTime(): number {
    return this.records.at(-1)?.time ?? 0;
  }

  get firstSeq(): number {
    return this.#firstSeq;
  }

  get isSyncing(): boolean {
    return this.#pending !== null;
  }

  append(record: LogRecord): Appending {
    this.appends++;
    if (this.failure) throw new LogBroken('The log is closed: a write or sync failed before.');
    if (this.#pending) throw new Error('append while the log is syncing');
    if (record.seq !== this.lastSeq + 1) throw new LogConflict(`Record ${record.seq} does not follow.`);
    if (!(record.time >= this.lastTime)) throw new RangeError(`Record ${record.seq} goes back in time.`);
    if (this.isFull) throw new LogFull(`No space left for record ${record.seq}.`);
    const fault = this.faults.shift();
    if (fault === 'broken-write') throw this.#breakDown();
    const durable = new Promise<void>((resolve, reject) => {
      this.#pending = { record, resolve, reject };
    });
    if (fault === 'broken-sync') queueMicrotask(() => this.failSync());
    else if (this.isAutomatic) queueMicrotask(() => this.sync());
    return { durable };
  }

  async setLastAside(): Promise<string> {
    const record = this.records.pop();
    if (!record) throw new Error('there is no record');
    this.aside.push(record);
    return `aside ${this.aside.length}`;
  }

  /** Completes the sync in flight. */
  sync(): void {
    const { record, resolve } = this.#take();
    this.records.push(record);
    this.bytesAppended += this.#writer.write(record, NO_HASH).length;
    resolve();
  }

  failSync(): void {
    this.#take().reject(this.#breakDown());
  }

  async *read(fromSeq: number, throughSeq: number): AsyncGenerator<LogRecord, void, void> {
    for (let seq = fromSeq; seq <= Math.min(throughSeq, this.lastSeq); seq++) {
      // Checked for each record, because records may be removed meanwhile.
      if (seq < this.#firstSeq) throw new LogGone(`Record ${seq} is not in the log any more.`);
      const record = this.records[seq - this.#firstSeq];
      this.bytesRead += this.#writer.write(record, NO_HASH).length;
      yield record;
    }
  }

  /** Here every record is a segment, and the last one stays. */
  async removeBelow(seq: number): Promise<void> {
    const count = Math.max(0, Math.min(seq - this.#firstSeq, this.records.length - 1));
    this.records.splice(0, count);
    this.#firstSeq += count;
  }

  async close(): Promise<void> {}

  #take(): Pending {
    const pending = this.#pending;
    this.#pending = null;
    if (!pending) throw new Error('nothing to sync');
    return pending;
  }

  #breakDown(): LogBroken {
    this.failure = new LogBroken('Syncing the log failed.');
    return this.failure;
  }
}
