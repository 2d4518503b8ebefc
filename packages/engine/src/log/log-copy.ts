/** Copies a log: up to one of its records as a new log, or its completed segments. */

import type { Disk } from '../io/disk.ts';
import { copyFile } from '../io/file-copy.ts';
import { LogGone } from './command-log.ts';
import { faultOfCopy } from './copied-segment.ts';
import { isMissing, openSegment } from './log-reader.ts';
import { segmentName, segmentsAmong, TEMPORARY_SUFFIX } from './segment.ts';

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
export class CopyUnfit extends Error {
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
