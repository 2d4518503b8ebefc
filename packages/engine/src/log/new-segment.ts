/** Creates segments of a log, under a temporary name until they are durable. */

import type { Disk, DiskFile } from '../io/disk.ts';
import type { LogEnd } from './log-end.ts';
import { segmentName, TEMPORARY_SUFFIX, writeHeader } from './segment.ts';

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
