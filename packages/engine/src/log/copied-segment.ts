/** Compares a segment of a log with the copy of it in another directory, record by record. Changes nothing. */

import { isSameFile } from '../io/file-copy.ts';
import type { Disk } from '../io/disk.ts';
import { LogDamaged, LogTooNew } from './command-log.ts';
import { isMissing } from './log-reader.ts';
import { segmentName } from './segment.ts';
import { SegmentReader } from './segment-reader.ts';

export interface CompareOptions {
  readonly disk: Disk;
  /** Directory of the log's segments. */
  readonly dir: string;
  /** Directory of the copies. */
  readonly copy: string;
  /** Called after each record, to yield to other threads. */
  readonly rest?: () => void;
}

/**
 * Returns an error message about the copy of a completed segment, or null if every record of the
 * segment is in it. Throws LogDamaged if the log itself is damaged there.
 */
export async function faultOfCopy(options: CompareOptions, first: number): Promise<string | null> {
  const { disk, dir, copy } = options;
  const path = `${copy}/${segmentName(first)}`;
  const own = await SegmentReader.open(disk, dir, first);
  try {
    if (await isSameFile(`${dir}/${segmentName(first)}`, path))
      return `${path} is the segment itself, not a copy of it.`;
    const copied = await openCopy(disk, copy, first);
    if (typeof copied === 'string') return copied;
    try {
      return await compare(own, copied, path, options.rest ?? (() => undefined));
    } finally {
      await copied.close();
    }
  } finally {
    await own.close();
  }
}

async function openCopy(disk: Disk, copy: string, first: number): Promise<SegmentReader | string> {
  try {
    return await SegmentReader.open(disk, copy, first);
  } catch (error) {
    if (isMissing(error)) return `${copy}/${segmentName(first)} is missing.`;
    if (!(error instanceof LogDamaged || error instanceof LogTooNew)) throw error;
    return `${copy}/${error.message}`;
  }
}

/** Equal chain hashes mean that all records up to here are equal. */
async function compare(
  own: SegmentReader,
  copied: SegmentReader,
  path: string,
  rest: () => void,
): Promise<string | null> {
  const isOther = () => !Buffer.from(own.hash).equals(copied.hash);
  if (isOther()) return otherLog(path, own.nextSeq);
  while (own.nextInWindow() || (await own.next())) {
    if (!(copied.nextInWindow() || (await copied.next()))) return await shortCopy(copied, path);
    if (isOther()) return otherLog(path, own.nextSeq - 1);
    rest();
  }
  if (own.position !== (await own.size()))
    throw new LogDamaged(`${own.name}, byte ${own.position}, record ${own.nextSeq}: it is not whole.`);
  if (copied.position === (await copied.size())) return null;
  return `${path} goes on behind record ${own.nextSeq - 1}, the last of the segment: it was copied while it was written.`;
}

const otherLog = (path: string, seq: number): string =>
  `${path} is of another log: record ${seq} is a different one there.`;

async function shortCopy(copied: SegmentReader, path: string): Promise<string> {
  const { position, nextSeq } = copied;
  return (await copied.size()) === position
    ? `${path} is older: it ends before record ${nextSeq}.`
    : `${path} is damaged: byte ${position}, record ${nextSeq} does not match its hash.`;
}
