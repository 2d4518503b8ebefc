/**
 * The log and the snapshots of one directory, opened in the order that reveals damage: everything in history or a snapshot
 * was durable, so a log that ends before it has lost its end.
 */

import type { Disk } from './io/disk.ts';
import { FileLog } from './log/file-log.ts';
import { LogReader } from './log/log-reader.ts';
import { Snapshots } from './snapshots.ts';

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
  readonly onWarning?: (sentence: string) => void;
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

export const snapshotsIn = (disk: Disk, dir: string): Snapshots => new Snapshots(disk, `${dir}/snapshots`);

function tornTail(dir: string, { cutBytes, lastSeq }: FileLog): string {
  return (
    `${logDirectory(dir)}: the record after ${lastSeq} was being written when the process or the power ended; ` +
    `its ${cutBytes} bytes were cut off. No client got a response to it: nothing is missing, and no action is needed`
  );
}
