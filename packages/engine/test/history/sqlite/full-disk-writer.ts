/** The process with a file size limit: it writes record by record, and prints the error that stopped it. */

import { readFileSync, writeSync } from 'node:fs';
import { deserialize } from 'node:v8';
import type { HistoryRecord } from '../../../src/history/history.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';

const STDOUT = 1;

export interface Stopped {
  readonly name: string;
  readonly message: string;
  /** SQLite's own, with the upper bits. */
  readonly errcode: number;
}

export function writeUntilStopped(path: string, recordsPath: string): void {
  const records = deserialize(readFileSync(recordsPath)) as HistoryRecord[];
  try {
    const writer = new SqliteHistoryWriter(path);
    for (const record of records) writer.write([record]);
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { errcode: number } };
    const stopped: Stopped = { name, message, errcode: cause?.errcode ?? 0 };
    writeSync(STDOUT, JSON.stringify(stopped));
  }
}
