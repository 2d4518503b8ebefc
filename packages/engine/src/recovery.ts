/**
 * Recovery, which is the only way to start: the newest intact snapshot, then the log after it. In an empty directory
 * both are empty.
 */

import type { Applied, Exchange, LogRecord } from '@bourse/core';
import type { Clock } from './io/clock.ts';
import { LogDamaged, LogGone, type LogSource } from './log/command-log.ts';
import type { Digest } from './digest.ts';
import type { Snapshots } from './snapshots.ts';

export interface RecoveryProgress {
  /** Records applied so far, and the total. */
  readonly records: number;
  readonly recordsTotal: number;
  readonly commands: number;
}

export interface RecoveryParts {
  readonly snapshots: Snapshots;
  readonly log: LogSource & { readonly lastSeq: number };
  readonly clock: Clock;
  /** Orders done after this record are kept, because history does not have them. */
  readonly checkpoint: number;
  readonly digest?: Digest;
  /** `writeHistory` is called when more done orders than this are kept. */
  readonly doneMax?: number;
  /** Writes history up to this record, so that no earlier done order need be kept; false if that is not possible now. */
  readonly writeHistory?: (seq: number) => Promise<boolean>;
  /** Called about every second if recovery takes longer than that. */
  readonly onProgress?: (progress: RecoveryProgress) => void;
  /** An error message for each skipped snapshot, reported before the log is read, because that may fail. */
  readonly onWarning?: (message: string) => void;
}

/**
 * A record is complete, but the core throws when applying it. The process that wrote it threw as well, so its callers
 * got no response; but callers of later records in the log did.
 */
export class RecordUnfit extends Error {
  override readonly name = 'RecordUnfit';
  readonly seq: number;

  constructor(seq: number, lastSeq: number, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `Record ${seq} of the log is complete, but it cannot be applied: ${why}. ` +
        (seq < lastSeq
          ? `Records up to ${lastSeq} follow it, and they were applied once, so another version of Bourse wrote them, or ` +
            'the disk or the memory of this machine has changed something. Start the version that wrote the log; nothing was changed.'
          : 'It is the last record of the log.'),
      { cause },
    );
    this.seq = seq;
  }
}

export interface Recovered {
  readonly exchange: Exchange;
  readonly snapshotSeq: number;
  readonly commands: number;
  /** Bytes of the log after the snapshot. */
  readonly logBytes: number;
}

const PROGRESS_MS = 1000;
/** Number of records between two checks of the time. */
const CHECK_EVERY = 64;

export async function recover(parts: RecoveryParts): Promise<Recovered> {
  const { snapshots, log, clock, onWarning } = parts;
  const startedAt = clock.elapsed();
  const { exchange, seq: snapshotSeq, damaged } = await snapshots.restore();
  for (const message of damaged) onWarning?.(message);
  if (snapshotSeq > log.lastSeq) throw new LogDamaged(logTooShort(snapshotSeq, log.lastSeq));
  // History may also lack records, and says so itself.
  let ofHistory: unknown;
  const writeHistory =
    parts.writeHistory &&
    ((seq: number) =>
      parts.writeHistory!(seq).catch((error: unknown) => {
        ofHistory = error;
        throw error;
      }));
  try {
    const replayed = await replay(exchange, startedAt, { ...parts, ...(writeHistory && { writeHistory }) });
    return { exchange, snapshotSeq, ...replayed };
  } catch (error) {
    if (!(error instanceof LogGone) || error === ofHistory) throw error;
    throw new LogGone(`${error.message} ${whyNeeded(snapshotSeq, snapshots.dir)}`);
  }
}

async function replay(exchange: Exchange, startedAt: number, parts: RecoveryParts) {
  const { log, clock, digest, writeHistory, onProgress } = parts;
  let { checkpoint, doneMax = Infinity } = parts;
  const { seq: snapshotSeq } = exchange;
  const recordsTotal = log.lastSeq - snapshotSeq;
  let reportedAt = startedAt;
  const bytesBefore = log.bytesRead;
  let commands = 0;
  for await (const record of log.read(snapshotSeq + 1, log.lastSeq)) {
    // Applying a record keeps or frees the done orders of the previous one.
    exchange.keepDone = record.seq > checkpoint + 1;
    const applied = apply(exchange, record, log.lastSeq);
    digest?.add(record.seq, applied);
    commands += record.commands.length;
    if (writeHistory && exchange.doneCount > doneMax) {
      if (await writeHistory(record.seq)) {
        checkpoint = record.seq;
        exchange.forgetDone(checkpoint);
      } else doneMax = Infinity;
    }
    if (record.seq % CHECK_EVERY !== 0 || !onProgress || clock.elapsed() - reportedAt < PROGRESS_MS) continue;
    reportedAt = clock.elapsed();
    onProgress({ records: record.seq - snapshotSeq, recordsTotal, commands });
  }
  exchange.keepDone = true;
  return { commands, logBytes: log.bytesRead - bytesBefore };
}

function apply(exchange: Exchange, record: LogRecord, lastSeq: number): Applied {
  try {
    return exchange.apply(record);
  } catch (error) {
    throw new RecordUnfit(record.seq, lastSeq, error);
  }
}

function whyNeeded(snapshotSeq: number, dir: string): string {
  const why =
    snapshotSeq === 0
      ? `there is no intact snapshot in ${dir}`
      : `the newest intact snapshot in ${dir} ends with record ${snapshotSeq}`;
  return (
    `A start needs it, because ${why}. Restore the snapshots that belong to this log, or the missing ` +
    'segments of the log, from a backup.'
  );
}

function logTooShort(snapshotSeq: number, lastSeq: number): string {
  return (
    `the newest snapshot is of record ${snapshotSeq}, but the log ends with record ${lastSeq}: ` +
    'the end of the log is missing; restore the missing segments from a backup'
  );
}
