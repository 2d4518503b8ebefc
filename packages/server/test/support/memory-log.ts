/** A log in memory whose syncs end when the test says so, and fail as it says. */

import type { LogRecord } from '@bourse/core';
import { type Appending, type CommandLog, LogBroken, LogFull } from '../../src/log/command-log.ts';

export class MemoryLog implements CommandLog {
  readonly records: LogRecord[] = [];
  /** Syncs end by themselves; otherwise `sync` ends one. */
  isAutomatic: boolean;
  isFull = false;
  appends = 0;
  removedBelow = 0;
  bytesAppended = 0;
  failure: LogBroken | null = null;
  #pending: { record: LogRecord; resolve: () => void; reject: (error: Error) => void } | null = null;

  constructor(isAutomatic = true, records: readonly LogRecord[] = []) {
    this.isAutomatic = isAutomatic;
    this.records.push(...records);
  }

  get lastSeq(): number {
    return this.records.at(-1)?.seq ?? 0;
  }

  get lastTime(): number {
    return this.records.at(-1)?.time ?? 0;
  }

  get firstSeq(): number {
    return this.records[0]?.seq ?? 1;
  }

  get isSyncing(): boolean {
    return this.#pending !== null;
  }

  append(record: LogRecord): Appending {
    this.appends++;
    if (this.isFull) throw new LogFull('no room');
    if (this.#pending) throw new Error('one append at a time');
    if (record.seq !== this.lastSeq + 1)
      throw new Error(`record ${record.seq} does not follow ${this.lastSeq}`);
    const durable = new Promise<void>((resolve, reject) => {
      this.#pending = { record, resolve, reject };
    });
    if (this.isAutomatic) queueMicrotask(() => this.sync());
    return { durable };
  }

  sync(): void {
    const pending = this.#pending;
    this.#pending = null;
    if (!pending) throw new Error('nothing to sync');
    this.records.push(pending.record);
    this.bytesAppended += 100;
    pending.resolve();
  }

  failSync(): void {
    const pending = this.#pending;
    this.#pending = null;
    pending?.reject(new LogBroken('the sync failed'));
  }

  async *read(fromSeq: number, throughSeq: number): AsyncGenerator<LogRecord> {
    for (const record of this.records) if (record.seq >= fromSeq && record.seq <= throughSeq) yield record;
  }

  async removeBelow(seq: number): Promise<void> {
    this.removedBelow = seq;
  }

  async close(): Promise<void> {}
}
