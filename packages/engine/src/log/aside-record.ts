/**
 * A record removed from the log, in a separate file: a segment with only this record, so that log tools can read it,
 * under a name that is not part of a log.
 */

import type { Disk } from '../io/disk.ts';
import { segmentName, writeHeader } from './segment.ts';
import { SegmentReader } from './segment-reader.ts';
import type { LogEnd } from './log-end.ts';

const SUFFIX = '.aside';

/** The end of the log without its last record, which is in the segment starting with `first`. */
export async function endBefore(disk: Disk, dir: string, first: number, lastSeq: number): Promise<LogEnd> {
  const segment = await SegmentReader.open(disk, dir, first);
  try {
    while (segment.nextSeq < lastSeq) {
      if (!(await segment.next()))
        throw new Error(`record ${segment.nextSeq} of ${segment.name} is not whole`);
    }
    const { nextSeq, time, isLazy, hash, lastPosition: openPosition, position } = segment;
    return { lastSeq: nextSeq - 1, lastTime: time, isLazy, hash, openPosition, position, tornBytes: 0 };
  } finally {
    await segment.close();
  }
}

/** Resolves to the path of the copy once it is durable. Never overwrites an existing copy. */
export async function copyAside(disk: Disk, dir: string, frame: Uint8Array, before: LogEnd): Promise<string> {
  const header = writeHeader({
    firstSeq: before.lastSeq + 1,
    timeBefore: before.lastTime,
    hashBefore: before.hash,
  });
  const path = await freePath(disk, dir, segmentName(before.lastSeq + 1));
  const file = await disk.open(path, 'create');
  try {
    file.write(0, header);
    file.write(header.length, frame);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.syncDirectory(dir);
  return path;
}

async function freePath(disk: Disk, dir: string, name: string): Promise<string> {
  const names = new Set(await disk.list(dir));
  let aside = `${name}${SUFFIX}`;
  for (let again = 2; names.has(aside); again++) aside = `${name}${SUFFIX}-${again}`;
  return `${dir}/${aside}`;
}
