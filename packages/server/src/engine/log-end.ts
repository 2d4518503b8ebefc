/** Finds the end of a log, by its last segment, and changes nothing. */

import type { Disk } from '../io/disk.ts';
import { damagedLog, openSegment } from './log-reader.ts';
import { NO_HASH } from './record.ts';
import { HEADER_BYTES } from './segment.ts';
import { judgeTail, type Tail } from './tail.ts';

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

/**
 * `last` is the last segment's first record. `knownSeq`: history or a snapshot has this record, so it was durable, and a
 * log that ends before it has lost something, however much its end may look like a torn tail.
 */
export async function findEnd(disk: Disk, dir: string, last: number, knownSeq = 0): Promise<LogEnd> {
  const segment = await openSegment(disk, dir, last);
  try {
    while (segment.nextInWindow() || (await segment.next()));
    const { lastPosition, position, nextSeq, time, hash, name } = segment;
    const tail = judgeTail(await segment.rest(), position, nextSeq);
    if (tail.kind === 'damaged') {
      throw damagedLog(dir, `${name}, byte ${position}, record ${nextSeq}: ${tail.what}.`);
    }
    if (nextSeq <= knownSeq) {
      throw damagedLog(dir, `${name}, byte ${position}, record ${nextSeq}: ${lost(tail, knownSeq)}.`);
    }
    const tornBytes = tail.kind === 'torn' ? tail.bytes : 0;
    return { lastSeq: nextSeq - 1, lastTime: time, hash, lastPosition, position, tornBytes };
  } finally {
    await segment.close();
  }
}

/** The log ends before what others have of it. */
export function lost({ kind }: Pick<Tail, 'kind'>, knownSeq: number): string {
  const what = kind === 'clean' ? 'it is missing' : 'it is not whole';
  return `${what}, but history or a snapshot has everything up to record ${knownSeq}`;
}
