/**
 * Recovery, which is the only way to start: the newest whole snapshot, then the log behind it. On an empty directory
 * both are empty.
 */

import type { Exchange } from '@bourse/core';
import type { Clock } from '../io/clock.ts';
import { LogDamaged, type LogSource } from './command-log.ts';
import type { Digest } from './digest.ts';
import type { Snapshots } from './snapshots.ts';

export interface RecoveryProgress {
  /** Records applied so far, and how many there are. */
  readonly records: number;
  readonly recordsTotal: number;
  readonly commands: number;
}

export interface RecoveryParts {
  readonly snapshots: Snapshots;
  readonly log: LogSource & { readonly lastSeq: number };
  readonly clock: Clock;
  /** Orders that ended after this record are kept: history does not have them. */
  readonly checkpoint: number;
  readonly digest?: Digest;
  /** Called about every second, once recovery has taken one. */
  readonly onProgress?: (progress: RecoveryProgress) => void;
}

export interface Recovered {
  readonly exchange: Exchange;
  readonly snapshotSeq: number;
  readonly commands: number;
  readonly damaged: readonly string[];
}

const PROGRESS_MS = 1000;
/** The clock is looked at every so many records. */
const LOOK_EVERY = 64;

export async function recover(parts: RecoveryParts): Promise<Recovered> {
  const { snapshots, log, clock, checkpoint, digest, onProgress } = parts;
  let shownAt = clock.elapsed();
  const { exchange, seq: snapshotSeq, damaged } = await snapshots.restore();
  if (snapshotSeq > log.lastSeq) throw new LogDamaged(logTooShort(snapshotSeq, log.lastSeq));
  const recordsTotal = log.lastSeq - snapshotSeq;
  let commands = 0;
  for await (const record of log.read(snapshotSeq + 1, log.lastSeq)) {
    // Applying a record keeps or frees what ended in the one before.
    exchange.keepEnded = record.seq > checkpoint + 1;
    const applied = exchange.apply(record);
    digest?.add(record.seq, applied);
    commands += record.commands.length;
    if (record.seq % LOOK_EVERY !== 0 || !onProgress || clock.elapsed() - shownAt < PROGRESS_MS) continue;
    shownAt = clock.elapsed();
    onProgress({ records: record.seq - snapshotSeq, recordsTotal, commands });
  }
  exchange.keepEnded = true;
  return { exchange, snapshotSeq, commands, damaged };
}

function logTooShort(snapshotSeq: number, lastSeq: number): string {
  return (
    `the newest snapshot holds everything up to record ${snapshotSeq}, but the log ends with record ${lastSeq}: ` +
    'the end of the log is missing; put the missing segments back from a backup'
  );
}
