/**
 * The log of commands: the one ordered, durable thing that everything else is computed from. This is the seam between
 * the engine and where the log lies: files here, a replicated stream elsewhere. Whoever can append, leads.
 */

import type { LogRecord } from '@bourse/core';

export interface LogSource {
  /** Durable records from `fromSeq` on, through `throughSeq`. Throws LogDamaged, LogGone, LogTooNew. */
  read(fromSeq: number, throughSeq: number): AsyncIterable<LogRecord>;
  /** Bytes of all records that were read so far. */
  readonly bytesRead: number;
  close(): Promise<void>;
}

export interface CommandLog extends LogSource {
  /** Sequence of the last record that is durable or need not be awaited; 0 when the log is empty. */
  readonly lastSeq: number;
  /** Its time; 0 when the log is empty. */
  readonly lastTime: number;
  /** The oldest record that is still there; `lastSeq + 1` when there is none. */
  readonly firstSeq: number;
  /** Bytes of all records appended since the log was opened: what a snapshot's turn may be measured by. */
  readonly bytesAppended: number;
  /** Why nothing can be appended any more: also known when the failure came after a record was durable. */
  readonly failure: LogBroken | LogConflict | null;
  /**
   * Appends the record, whose sequence must follow `lastSeq`, in two stages, so that it may be applied while it syncs.
   *
   * When the call returns, the record is written; when `durable` resolves, it is durable and `lastSeq` is its sequence.
   * The next append must wait for that. The call throws LogFull (no room; nothing of the record counts, and it may be
   * tried again), LogConflict (somebody else appended) or LogBroken. `durable` rejects with LogBroken or LogConflict,
   * and with LogFull where only the servers of the log know that there is no room.
   * After LogBroken and LogConflict the log is closed for good; after LogBroken nobody knows whether the record survives.
   *
   * A refusal by `durable` comes after the record may have been applied. Whoever has applied it has a state that the log
   * does not lead to: it must answer nothing more, forget that state, and start again from the log.
   */
  append(record: LogRecord): Appending;
  /**
   * The same for a record that nobody outside waits for, which is written into the log. Where it is not awaited, `durable`
   * resolves at once, and a loss of power may take the record back, with all behind it, until `secure` or the next record
   * that is awaited. Left out where a log cannot do that.
   */
  appendLazily?(record: LogRecord, isAwaited: boolean): Appending;
  /** Records were appended that are not known to be durable, because nobody awaited them. */
  readonly isBehind?: boolean;
  /** Makes them durable; this thread waits for it. Throws LogBroken. */
  secure?(): void;
  /**
   * Takes the last record out of the log, which must hold one and to which nothing was appended yet, and keeps a copy
   * beside it. Resolves, when both are durable, to where the copy is. Throws LogBroken.
   */
  setLastAside(): Promise<string>;
  /**
   * Gives up whole segments of which every record is below `seq`, where the log keeps segments. Throws SegmentKept when
   * one cannot be removed: the log is as good as before, and it may be tried again. Throws LogBroken.
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
      'there. This one stops, and answers nothing more. Make sure that only one Bourse runs on it, and start again.',
  );
}

/** No room on the disk; nothing of the record counts, and appending may be tried again. */
export class LogFull extends Error {
  override readonly name = 'LogFull';
}

/** A write or sync failed. Never retried: what the disk has forgotten, a second sync would not bring back. */
export class LogBroken extends Error {
  override readonly name = 'LogBroken';
}

/** An old segment could not be removed; the sentence, for the operator, says which and why. */
export class SegmentKept extends Error {
  override readonly name = 'SegmentKept';

  constructor(path: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(
      `${path} is not needed any more and cannot be removed (${why}); it is tried again from time to time`,
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

/** Records asked for are not there any more: their segments were removed. */
export class LogGone extends Error {
  override readonly name = 'LogGone';
}

/** Format, command or rules that this version does not know: a newer one wrote the log. */
export class LogTooNew extends Error {
  override readonly name = 'LogTooNew';
  readonly what: string;

  constructor(what: string) {
    super(`${what} A newer version of Bourse wrote this log; start that one. Nothing was changed.`);
    this.what = what;
  }
}
