/**
 * The process that gets killed: it writes history as fast as it can, and prints after each call how far it has come.
 * After `through` it writes existing records again, so that the kill always interrupts a write.
 */

import { readFileSync, writeSync } from 'node:fs';
import { deserialize } from 'node:v8';
import type { HistoryRecord } from '../../../src/history/history.ts';
import { SqliteHistoryWriter } from '../../../src/history/sqlite/sqlite-history-writer.ts';

const STDOUT = 1;

export function writeUntilKilled(path: string, recordsPath: string, batchMax: number, through: number): void {
  const records = deserialize(readFileSync(recordsPath)) as HistoryRecord[];
  const writer = new SqliteHistoryWriter(path);
  writeSync(STDOUT, 'ready\n');
  for (;;) {
    const { checkpoint } = writer;
    // Some existing records, like a follower that starts from its snapshot.
    const end = Math.min(through, checkpoint + 1 + (checkpoint % batchMax));
    writer.write(records.slice(Math.max(0, checkpoint - 20), end));
    writer.prune(0);
    writeSync(STDOUT, `${writer.checkpoint}\n`);
  }
}
