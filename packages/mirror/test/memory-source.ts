/** Records in memory as the source of a mirror. */

import { type Command, Exchange, type LogRecord, RULES_VERSION } from '@bourse/core';
import type { MirrorSource } from '../src/mirror.ts';

const START = Date.UTC(2026, 0, 5, 12);
const MINUTE_MS = 60_000;

export class MemorySource implements MirrorSource {
  readonly records: LogRecord[] = [];

  /** The commands of each record. */
  constructor(records: readonly (readonly Command[])[] = []) {
    this.append(...records);
  }

  append(...records: readonly (readonly Command[])[]): void {
    for (const commands of records) {
      const seq = this.records.length + 1;
      this.records.push({ seq, time: START + seq * MINUTE_MS, rules: RULES_VERSION, commands });
    }
  }

  async lastSeq(): Promise<number> {
    return this.records.length;
  }

  async firstSeq(): Promise<number> {
    return 1;
  }

  async exchangeBefore(): Promise<Exchange> {
    return new Exchange();
  }

  async *read(fromSeq: number, throughSeq: number): AsyncGenerator<LogRecord> {
    yield* this.records.slice(fromSeq - 1, throughSeq);
  }

  async close(): Promise<void> {}
}
