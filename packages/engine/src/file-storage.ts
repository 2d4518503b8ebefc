/**
 * The log and the snapshots of one directory, opened in the order that reveals damage: everything in history or a snapshot
 * was durable, so a log that ends before it has lost its end.
 */

import { Exchange, type LogRecord } from '@bourse/core';
import type { Disk } from './io/disk.ts';
import { FileLog } from './log/file-log.ts';
import { LogReader } from './log/log-reader.ts';
import { Snapshots } from './snapshots.ts';
import { LogGone } from './log/command-log.ts';
import { EndFinder, findEnd } from './log/log-end.ts';
import { segmentsAmong } from './log/segment.ts';

export { SEGMENT_BYTES } from './log/file-log.ts';

export interface FileStorageOptions {
  readonly disk: Disk;
  readonly dir: string;
  /** History's checkpoint. */
  readonly checkpoint: number;
  /** A segment of this size or more is followed by a new one. */
  readonly segmentBytes?: number;
  /** Whether this process still owns the directory. */
  readonly isOwned?: () => boolean;
  /** A message for the operator about a repair. */
  readonly onWarning?: (message: string) => void;
}

export interface FileStorage {
  readonly log: FileLog;
  readonly snapshots: Snapshots;
}

/** Throws LogDamaged and LogTooNew; then nothing was changed. */
export async function openFileStorage(options: FileStorageOptions): Promise<FileStorage> {
  const { disk, dir, checkpoint, segmentBytes, isOwned, onWarning } = options;
  const snapshots = snapshotsIn(disk, dir);
  const log = await FileLog.open({
    disk,
    dir: logDirectory(dir),
    knownSeq: Math.max(checkpoint, await snapshots.newestSeq()),
    ...(segmentBytes && { segmentBytes }),
    ...(isOwned && { isOwned }),
  });
  if (log.cutBytes > 0) onWarning?.(tornTail(dir, log));
  return { log, snapshots };
}

export const logDirectory = (dir: string): string => `${dir}/log`;

/** For a reader beside the writer. */
export const logReaderIn = (disk: Disk, dir: string): LogReader => new LogReader(disk, logDirectory(dir));

export const endFinderIn = (disk: Disk, dir: string): EndFinder => new EndFinder(disk, logDirectory(dir));

export const snapshotsIn = (disk: Disk, dir: string): Snapshots => new Snapshots(disk, `${dir}/snapshots`);

function tornTail(dir: string, { cutBytes, lastSeq }: FileLog): string {
  return (
    `${logDirectory(dir)}: the record after ${lastSeq} was being written when the process or the power ended; ` +
    `its ${cutBytes} bytes were cut off. No client got a response to it: nothing is missing, and no action is needed`
  );
}

/**
 * Replays the log of a data directory through the core, from the beginning or from the latest snapshot that is not
 * after a time. Only reads, whether or not a service runs on the directory.
 */
export class LogReplay {
  /** Its state before the first record. The caller applies the records it reads. */
  readonly exchange: Exchange;
  readonly #disk: Disk;
  readonly #log: string;
  readonly #lastSeq: number;

  private constructor(disk: Disk, log: string, exchange: Exchange, lastSeq: number) {
    this.#disk = disk;
    this.#log = log;
    this.exchange = exchange;
    this.#lastSeq = lastSeq;
  }

  /** Null if there is no log. With `from` (milliseconds), earlier records may be skipped. */
  static async open(disk: Disk, dir: string, from = 0): Promise<LogReplay | null> {
    const log = logDirectory(dir);
    const segments = segmentsAmong(await disk.list(log));
    const last = segments.at(-1);
    if (last === undefined) return null;
    const { lastSeq } = await findEnd(disk, log, last);
    return new LogReplay(disk, log, await beginningOf(disk, dir, segments[0], from), lastSeq);
  }

  async *records(): AsyncGenerator<LogRecord> {
    const reader = new LogReader(this.#disk, this.#log);
    try {
      yield* reader.read(this.exchange.seq + 1, this.#lastSeq);
    } finally {
      await reader.close();
    }
  }
}

/**
 * The newest snapshot that is not after `from`; otherwise an empty exchange if the log is complete, or else the
 * oldest snapshot that the log continues.
 */
async function beginningOf(disk: Disk, dir: string, firstSeq: number, from: number): Promise<Exchange> {
  const snapshots = new Snapshots(disk, `${dir}/snapshots`);
  const usable = (await snapshots.list()).filter((seq) => seq >= firstSeq - 1);
  if (from > 0) {
    for (const seq of usable.toReversed()) {
      const { exchange, seq: found } = await snapshots.restore(seq);
      if (found === seq && exchange.time < from) return exchange;
    }
  }
  if (firstSeq === 1) return new Exchange();
  for (const seq of usable) {
    const { exchange, seq: found } = await snapshots.restore(seq);
    if (found === seq) return exchange;
  }
  throw new LogGone(`The log in ${dir} begins with record ${firstSeq}, and no snapshot has what was before.`);
}
