/**
 * Reads the segments of a log without changing them, for the follower, recovery and tools. It reads only up to the
 * durable position, because the writer may be writing after it. It remembers where it stopped, so that following
 * the log costs only the new records.
 */

import type { LogRecord } from '@bourse/core';
import type { Disk } from '../io/disk.ts';
import { LogDamaged, LogGone, type LogSource, LogTooNew } from './command-log.ts';
import { LogRewritten } from '../transparency/checkpoint.ts';
import { segmentName, segmentsAmong, SegmentReader } from './segment.ts';

const WHAT_TO_DO =
  'Nothing was changed. Run `bourse log verify` to see all of it, and restore the files from a copy.';

/** An error message for the operator; `what` begins with the file name. */
export function damagedLog(dir: string, what: string): LogDamaged {
  return new LogDamaged(`${dir}/${what} ${WHAT_TO_DO}`);
}

/** Adds the directory to an error of a segment. */
function located(dir: string, error: unknown): unknown {
  if (error instanceof LogDamaged) return damagedLog(dir, error.message);
  return error instanceof LogTooNew ? new LogTooNew(`${dir}/${error.what}`) : error;
}

export async function openSegment(disk: Disk, dir: string, firstSeq: number): Promise<SegmentReader> {
  try {
    return await SegmentReader.open(disk, dir, firstSeq);
  } catch (error) {
    throw located(dir, error);
  }
}

export class LogReader implements LogSource {
  readonly #disk: Disk;
  readonly #dir: string;
  /** Where the last read stopped; null during a read. */
  #resting: SegmentReader | null = null;
  #isClosed = false;
  bytesRead = 0;

  /** `dir` contains the segments. */
  constructor(disk: Disk, dir: string) {
    this.#disk = disk;
    this.#dir = dir;
  }

  async *read(fromSeq: number, throughSeq: number): AsyncGenerator<LogRecord, void, void> {
    if (fromSeq > throughSeq) return;
    let segment = await this.#begin(fromSeq);
    try {
      while (segment.nextSeq <= throughSeq) {
        const isThere: boolean = segment.nextInWindow() || (await segment.next());
        if (!isThere) segment = await this.#follow(segment);
        else if (segment.nextSeq > fromSeq) {
          this.bytesRead += segment.position - segment.lastPosition;
          yield this.#recordOf(segment);
        }
      }
    } finally {
      await this.#rest(segment);
    }
  }

  /**
   * Yields only the records' chain hashes, without decoding the records. `before` is the expected chain hash before
   * `fromSeq`; throws LogRewritten if the log has a different one.
   */
  async *hashes(
    fromSeq: number,
    throughSeq: number,
    before?: Uint8Array,
  ): AsyncGenerator<Uint8Array, void, void> {
    if (fromSeq > throughSeq) return;
    let segment = await this.#begin(fromSeq);
    try {
      while (segment.nextSeq < fromSeq) {
        if (!(await segment.next())) segment = await this.#follow(segment);
      }
      if (before && !Buffer.from(segment.hash).equals(before)) {
        throw new LogRewritten(
          `${this.#dir}/${segment.name}: record ${fromSeq} does not continue the records that were read before.`,
        );
      }
      while (segment.nextSeq <= throughSeq) {
        const isThere: boolean = segment.nextInWindow() || (await segment.next());
        if (!isThere) segment = await this.#follow(segment);
        else yield segment.hash;
      }
    } finally {
      await this.#rest(segment);
    }
  }

  /** The bytes of a record, preceded by the previous chain hash, as `readFrame` expects. */
  async frame(seq: number): Promise<Uint8Array> {
    let segment = await this.#begin(seq);
    try {
      while (segment.nextSeq <= seq) {
        if (!(await segment.next())) segment = await this.#follow(segment);
      }
      return segment.frame;
    } finally {
      await this.#rest(segment);
    }
  }

  /** The oldest record in the directory; undefined if there is none. */
  async firstSeq(): Promise<number | undefined> {
    return segmentsAmong(await this.#disk.list(this.#dir))[0];
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#resting?.close();
    this.#resting = null;
  }

  #recordOf(segment: SegmentReader): LogRecord {
    try {
      return segment.record();
    } catch (error) {
      throw located(this.#dir, error);
    }
  }

  async #begin(fromSeq: number): Promise<SegmentReader> {
    const resting = this.#resting;
    this.#resting = null;
    if (resting !== null) {
      if (resting.nextSeq === fromSeq) return resting;
      await resting.close();
    }
    const segments = segmentsAmong(await this.#disk.list(this.#dir));
    const first = segments.findLast((each) => each <= fromSeq);
    if (first === undefined) throw gone(fromSeq, segments);
    return this.#open(first, fromSeq, segments);
  }

  /** Opens the listed segment `first`, to read the record `seq`. */
  async #open(first: number, seq: number, segments: readonly number[]): Promise<SegmentReader> {
    try {
      return await openSegment(this.#disk, this.#dir, first);
    } catch (error) {
      // It may have been removed between listing and opening.
      throw isMissing(error)
        ? gone(
            seq,
            segments.filter((each) => each > first),
          )
        : error;
    }
  }

  async #rest(segment: SegmentReader): Promise<void> {
    if (this.#isClosed || this.#resting !== null) await segment.close();
    else this.#resting = segment;
  }

  /** Opens the segment after this one, which must consist of complete records only. */
  async #follow(segment: SegmentReader): Promise<SegmentReader> {
    const { nextSeq } = segment;
    const size = await segment.size();
    const segments = segmentsAmong(await this.#disk.list(this.#dir));
    // A segment without records has the name that the next one should have.
    const isEmpty = nextSeq === segment.header.firstSeq;
    const isNextThere = !isEmpty && segments.includes(nextSeq);
    if (segment.position < size && !isNextThere) throw this.#damaged(segment, 'it is incomplete');
    if (segment.position !== size) throw this.#damaged(segment, 'these bytes are not a record');
    if (isEmpty) throw this.#damaged(segment, 'it is missing');
    // Old segments are removed oldest first, even while somebody reads them.
    if (segments.length > 0 && segments[0] > nextSeq) throw gone(nextSeq, segments);
    if (!isNextThere) throw this.#damaged(segment, `the segment ${segmentName(nextSeq)} is missing`);
    const next = await this.#open(nextSeq, nextSeq, segments);
    if (!Buffer.from(next.hash).equals(segment.hash)) {
      await next.close();
      throw damagedLog(
        this.#dir,
        `${next.name}, byte 0, record ${nextSeq}: it does not continue ${segment.name}.`,
      );
    }
    await segment.close();
    return next;
  }

  #damaged({ name, position, nextSeq }: SegmentReader, what: string): LogDamaged {
    return damagedLog(this.#dir, `${name}, byte ${position}, record ${nextSeq}: ${what}.`);
  }
}

function gone(seq: number, segments: readonly number[]): LogGone {
  const first = segments.length === 0 ? 'there is none' : `the oldest is ${segments[0]}`;
  return new LogGone(`Record ${seq} is not in the log any more: ${first}.`);
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
