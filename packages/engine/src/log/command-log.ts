/**
 * The log of commands: the single ordered, durable source that everything else is computed from. This interface
 * separates the engine from the storage of the log: files here, a replicated stream elsewhere. Any process that can
 * append is the leader.
 */

import type { LogRecord } from '@bourse/core';

export interface LogSource {
  /** Durable records from `fromSeq` on, through `throughSeq`. Throws LogDamaged, LogGone, LogTooNew. */
  read(fromSeq: number, throughSeq: number): AsyncIterable<LogRecord>;
  /** Bytes of all records read so far. */
  readonly bytesRead: number;
  close(): Promise<void>;
}

export interface CommandLog extends LogSource {
  /** Sequence of the last record that is durable or need not be awaited; 0 for an empty log. */
  readonly lastSeq: number;
  /** Its time; 0 for an empty log. */
  readonly lastTime: number;
  /** The oldest record in the log; `lastSeq + 1` if it is empty. */
  readonly firstSeq: number;
  /** Bytes of all records appended since the log was opened; decides when a snapshot is due. */
  readonly bytesAppended: number;
  /** Why nothing can be appended any more, even if the failure came after a record was durable. */
  readonly failure: LogBroken | LogConflict | null;
  /**
   * Appends the record, whose sequence must follow `lastSeq`, in two stages, so that it may be applied while it syncs.
   *
   * When the call returns, the record is written; when `durable` resolves, it is durable and `lastSeq` is its sequence.
   * The next append must wait for that. The call throws LogFull (no space; nothing of the record counts, and it may be
   * retried), LogConflict (another process appended) or LogBroken. `durable` rejects with LogBroken or LogConflict,
   * and with LogFull if only the servers of the log know that there is no space.
   * After LogBroken and LogConflict the log is closed permanently; after LogBroken it is unknown whether the record survives.
   *
   * `durable` may reject after the record was applied. A caller that has applied it has a state that the log
   * does not lead to: it must stop responding, discard that state, and start again from the log.
   */
  append(record: LogRecord): Appending;
  /**
   * The same for a record that no client waits for, which is marked in the log. If it is not awaited, `durable`
   * resolves at once, and a power failure may lose the record and all later ones, until `secure` or the next awaited
   * record. Absent if a log does not support this.
   */
  appendLazily?(record: LogRecord, isAwaited: boolean): Appending;
  /** Whether there are records that may not be durable, because they were not awaited. */
  readonly isBehind?: boolean;
  /** Makes them durable, blocking this thread. Throws LogBroken. */
  secure?(): void;
  /**
   * Removes the last record from a log to which nothing was appended yet, and keeps a copy of it. Resolves to the
   * path of the copy when both are durable. Throws LogBroken.
   */
  setLastAside(): Promise<string>;
  /**
   * Removes segments whose records are all below `seq`, if the log has segments. Throws SegmentKept if
   * one cannot be removed: the log is unharmed, and the call may be retried. Throws LogBroken.
   */
  removeBelow(seq: number): Promise<void>;
}

export interface Appending {
  readonly durable: Promise<void>;
}

/** Another writer appended first. */
export class LogConflict extends Error {
  override readonly name = 'LogConflict';
}

export function lostOwnership(): LogConflict {
  return new LogConflict(
    'The lock of the data directory was removed or replaced while this process held it, so another process may write ' +
      'there. This one stops and sends no more responses. Make sure that only one Bourse uses it, and start again.',
  );
}

/** No space left on the disk; nothing of the record counts, and the append may be retried. */
export class LogFull extends Error {
  override readonly name = 'LogFull';
}

/** A write or sync failed. Never retried: a second sync does not restore pages that the kernel has dropped. */
export class LogBroken extends Error {
  override readonly name = 'LogBroken';
}

/** An old segment could not be removed; the message says which one and why. */
export class SegmentKept extends Error {
  override readonly name = 'SegmentKept';

  constructor(path: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `${path} is not needed any more, but it cannot be removed (${why}); the removal is retried from time to time`,
      {
        cause,
      },
    );
  }
}

/** The log is damaged before its end; the message says where, and what to do. */
export class LogDamaged extends Error {
  override readonly name = 'LogDamaged';
}

/** The requested records no longer exist: their segments were removed. */
export class LogGone extends Error {
  override readonly name = 'LogGone';
}

/** Format, command or rules are unknown to this version: a newer one wrote the log. */
export class LogTooNew extends Error {
  override readonly name = 'LogTooNew';
  readonly what: string;

  constructor(what: string) {
    super(`${what} A newer version of Bourse wrote this log; start that one. Nothing was changed.`);
    this.what = what;
  }
}
