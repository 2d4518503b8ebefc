/** Copies of a log: up to one of its records as a new log, or its completed segments; and what may be removed then. */

import type { Disk } from '../io/disk.ts';
import { copyFile, isSameFile } from '../io/files.ts';
import { LogDamaged, LogGone, LogTooNew } from './command-log.ts';
import { isMissing, openSegment } from './log-reader.ts';
import { segmentName, SegmentReader, segmentsAmong, TEMPORARY_SUFFIX } from './segment.ts';
import type { Snapshots } from '../snapshots.ts';

/** The last segment of a log that ends with a given record, and the number of its valid bytes. */
export interface LogCut {
  readonly segments: readonly number[];
  readonly position: number;
}

export async function copyLog(from: string, to: string, { segments, position }: LogCut): Promise<void> {
  const last = segments[segments.length - 1];
  for (const first of segments) {
    const name = segmentName(first);
    await copyFile(`${from}/${name}`, `${to}/${name}`, first === last ? position : undefined);
  }
}

/** Where to cut the log so that it ends with this record. Throws LogGone if the record does not exist. */
export async function findCut(
  disk: Disk,
  dir: string,
  seq: number,
): Promise<LogCut & { readonly time: number }> {
  const all = segmentsAmong(await disk.list(dir));
  const segments = all.filter((first) => first <= seq);
  const last = segments.at(-1);
  if (last === undefined) {
    throw new LogGone(
      `Record ${seq} is not in the log: ${all.length === 0 ? 'it is empty' : `the oldest is ${all[0]}`}.`,
    );
  }
  const segment = await openSegment(disk, dir, last);
  try {
    while (segment.nextSeq <= seq && (segment.nextInWindow() || (await segment.next())));
    if (segment.nextSeq > seq) return { segments, position: segment.position, time: segment.time };
    throw new LogGone(`Record ${seq} is not in the log: the newest is ${segment.nextSeq - 1}.`);
  } finally {
    await segment.close();
  }
}

/** A file of the copy differs from the log; the message says which and why. */
class CopyUnfit extends Error {
  override readonly name = 'CopyUnfit';
}

export interface CopiedSegments {
  readonly copied: number;
  /** The number of segments that were already there. */
  readonly kept: number;
  /** The copy has every record up to this one; 0 for none. */
  readonly throughSeq: number;
}

/**
 * Copies the completed segments, and compares each with its copy. Existing copies are compared, too, and never
 * overwritten. The log may be written concurrently.
 */
export async function copySegments(disk: Disk, from: string, to: string): Promise<CopiedSegments> {
  const segments = segmentsAmong(await disk.list(from));
  await disk.makeDirectory(to);
  const there = segmentsAmong(await disk.list(to));
  let [copied, kept, throughSeq] = [0, 0, 0];
  for (const [at, first] of segments.slice(0, -1).entries()) {
    try {
      if (there.includes(first)) kept += 1;
      else {
        await copySegment(disk, from, to, first);
        copied += 1;
      }
      const fault = await faultOfCopy({ disk, dir: from, copy: to }, first);
      if (fault !== null)
        throw new CopyUnfit(`${fault} Nothing was written over; move it away and copy again.`);
    } catch (error) {
      // A running exchange removes segments that the copy contains.
      if (!isMissing(error)) throw error;
    }
    throughSeq = segments[at + 1] - 1;
  }
  return { copied, kept, throughSeq };
}

/** Under a temporary name until it is durable, so that a file with a segment's name is complete. */
async function copySegment(disk: Disk, from: string, to: string, first: number): Promise<void> {
  const path = `${to}/${segmentName(first)}`;
  await disk.remove(path + TEMPORARY_SUFFIX).catch(() => undefined);
  await copyFile(`${from}/${segmentName(first)}`, path + TEMPORARY_SUFFIX);
  await disk.rename(path + TEMPORARY_SUFFIX, path);
  await disk.syncDirectory(to);
}

/** Compares a segment of a log with the copy of it in another directory, record by record. Changes nothing. */
interface CompareOptions {
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
async function faultOfCopy(options: CompareOptions, first: number): Promise<string | null> {
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
    throw new LogDamaged(`${own.name}, byte ${own.position}, record ${own.nextSeq}: it is incomplete.`);
  if (copied.position === (await copied.size())) return null;
  return `${path} continues after record ${own.nextSeq - 1}, the last of the segment: it was copied while it was written.`;
}

const otherLog = (path: string, seq: number): string =>
  `${path} belongs to another log: its record ${seq} is a different one.`;

async function shortCopy(copied: SegmentReader, path: string): Promise<string> {
  const { position, nextSeq } = copied;
  return (await copied.size()) === position
    ? `${path} is older: it ends before record ${nextSeq}.`
    : `${path} is damaged: byte ${position}, record ${nextSeq} does not match its hash.`;
}

interface RetentionParts extends CompareOptions {
  readonly disk: Disk;
  readonly snapshots: Snapshots;
}

/** In record time: the delay before the next check after one that found a fault. */
const RETENTION_RETRY_MS = 60_000;

/**
 * Decides which segments of the log may be removed: those that a start no longer needs, because a snapshot that was read
 * back from the disk covers them, and whose records are all in the copy. It runs concurrently with the follower's other
 * work, because the copy may be on a disk that is slow or does not respond.
 */
export class LogRetention {
  readonly #parts: RetentionParts;
  #running: Promise<void> | null = null;
  #isClosed = false;
  #checkedSnapshot = 0;
  #checkedAt = -Infinity;
  /** Segments with records up to this one may be removed. */
  removable = 0;
  /** An error message that says why segments before the snapshot are kept; null if nothing is wrong. */
  problem: string | null = null;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  /** Starts a check if something may have changed; updates `removable` and `problem` asynchronously. */
  look(oldestSnapshot: number, time: number): void {
    const isNew = oldestSnapshot > this.#checkedSnapshot;
    const isRetryDue = this.problem !== null && time >= this.#checkedAt + RETENTION_RETRY_MS;
    if (this.#running || this.#isClosed || oldestSnapshot === 0 || !(isNew || isRetryDue)) return;
    this.#checkedSnapshot = oldestSnapshot;
    this.#checkedAt = time;
    this.#running = this.#check(oldestSnapshot).finally(() => {
      this.#running = null;
    });
  }

  /** Resolves when the current check is over. */
  async checked(): Promise<void> {
    await this.#running;
  }

  close(): void {
    this.#isClosed = true;
  }

  async #check(snapshot: number): Promise<void> {
    try {
      this.problem = await this.#findProblem(snapshot);
    } catch (error) {
      // A failure here only keeps segments.
      const what = (error as Error).message;
      this.problem =
        error instanceof LogDamaged
          ? `${this.#parts.dir}/${what} This is the log itself, not its copy: run \`bourse log verify\`.`
          : `The copy of the log cannot be checked (${what}).`;
    }
  }

  async #findProblem(snapshot: number): Promise<string | null> {
    const { disk, dir, snapshots } = this.#parts;
    const fault = await snapshots.findFault(snapshot).catch(orGone);
    if (fault === GONE) return null;
    if (fault !== null) return `${fault}, and the log is needed from its first record on.`;
    const segments = segmentsAmong(await disk.list(dir));
    for (let at = 0; at + 1 < segments.length; at++) {
      const last = segments[at + 1] - 1;
      if (last > snapshot || this.#isClosed) break;
      if (last <= this.removable) continue;
      const problem = await faultOfCopy(this.#parts, segments[at]);
      if (problem !== null) return problem;
      this.removable = last;
    }
    return null;
  }
}

const GONE = Symbol('gone');

/** Two newer snapshots were taken in the meantime: the older of them is checked next. */
function orGone(error: unknown): typeof GONE {
  if (isMissing(error)) return GONE;
  throw error;
}
