/** Finds the end of a log, by its last segment, and changes nothing. */

import type { Disk } from '../io/disk.ts';
import { damagedLog, openSegment } from './log-reader.ts';
import { NO_HASH } from './record.ts';
import { HEADER_BYTES } from './segment.ts';
import { judgeTail } from './tail.ts';

/** Where a log ends. */
export interface LogEnd {
  readonly lastSeq: number;
  readonly lastTime: number;
  readonly hash: Uint8Array;
  /** Where the last record begins and ends in the last segment; the same when that has none. */
  readonly lastPosition: number;
  readonly position: number;
  /** Bytes behind it that are what is left of a record which was never durable; 0 for none. */
  readonly tornBytes: number;
}

export const EMPTY: LogEnd = {
  lastSeq: 0,
  lastTime: 0,
  hash: NO_HASH,
  lastPosition: HEADER_BYTES,
  position: HEADER_BYTES,
  tornBytes: 0,
};

export async function findEnd(disk: Disk, dir: string, last: number): Promise<LogEnd> {
  const segment = await openSegment(disk, dir, last);
  try {
    while (segment.nextInWindow() || (await segment.next()));
    const { lastPosition, position, nextSeq, time, hash, name } = segment;
    const tail = judgeTail(await segment.rest(), position, nextSeq);
    if (tail.kind === 'damaged') {
      throw damagedLog(dir, `${name}, byte ${position}, record ${nextSeq}: ${tail.what}.`);
    }
    const tornBytes = tail.kind === 'torn' ? tail.bytes : 0;
    return { lastSeq: nextSeq - 1, lastTime: time, hash, lastPosition, position, tornBytes };
  } finally {
    await segment.close();
  }
}
