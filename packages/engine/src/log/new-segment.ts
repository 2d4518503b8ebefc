/** Creates segments of a log, under a temporary name until they are durable. */

import type { Disk, DiskFile } from '../io/disk.ts';
import type { LogEnd } from './log-end.ts';
import { segmentName, TEMPORARY_SUFFIX, writeHeader } from './segment.ts';
import { SegmentReader } from './segment-reader.ts';

type Joint = Pick<LogEnd, 'lastSeq' | 'lastTime' | 'hash'>;

export async function createSegment(disk: Disk, dir: string, end: Joint): Promise<DiskFile> {
  const file = await prepareSegment(disk, dir, end);
  await nameSegment(disk, dir, end.lastSeq + 1, file);
  return file;
}

/** Under a temporary name until it is durable, so that a segment always has a complete header. */
export async function prepareSegment(
  disk: Disk,
  dir: string,
  { lastSeq, lastTime, hash }: Joint,
): Promise<DiskFile> {
  const path = `${dir}/${segmentName(lastSeq + 1)}${TEMPORARY_SUFFIX}`;
  const file = await disk.open(path, 'create');
  try {
    file.write(0, writeHeader({ firstSeq: lastSeq + 1, timeBefore: lastTime, hashBefore: hash }));
    await file.sync();
    return file;
  } catch (error) {
    await file.close();
    // If that fails, the next start removes it.
    await disk.remove(path).catch(() => undefined);
    throw error;
  }
}

export async function nameSegment(disk: Disk, dir: string, firstSeq: number, file: DiskFile): Promise<void> {
  const path = `${dir}/${segmentName(firstSeq)}`;
  try {
    await disk.rename(`${path}${TEMPORARY_SUFFIX}`, path);
    await disk.syncDirectory(dir);
  } catch (error) {
    await file.close();
    throw error;
  }
}

export async function removeUnfinished(disk: Disk, dir: string, names: readonly string[]): Promise<void> {
  for (const name of names) if (name.endsWith(TEMPORARY_SUFFIX)) await disk.remove(`${dir}/${name}`);
}

// A record removed from the log, in a separate file: a segment with this one record, so that the tools that read a log
// can read it, under a name that is not part of a log.

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
