/** A log up to one of its records, as a log of its own: what comes after it is not copied. */

import type { Disk } from '../io/disk.ts';
import { copyFile } from '../io/file-copy.ts';
import { LogGone } from './command-log.ts';
import { openSegment } from './log-reader.ts';
import { segmentName, segmentsAmong } from './segment.ts';

/** The last segment of a log that ends with a record, and how many of its bytes count. */
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

/** Where the log is to be cut so that it ends with this record. Throws LogGone where it is not there. */
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
