/** Finds the end of a log from its last segment, without changing anything. */

import type { Disk } from '../io/disk.ts';
import { damagedLog, openSegment } from './log-reader.ts';
import { NO_HASH } from './record.ts';
import { HEADER_BYTES } from './segment.ts';
import type { SegmentReader } from './segment-reader.ts';
import { judgeTail, type Tail } from './tail.ts';

/** Where a log ends. */
export interface LogEnd {
  readonly lastSeq: number;
  readonly lastTime: number;
  readonly hash: Uint8Array;
  /** Of the last record, because the next one is early. */
  readonly isLazy: boolean;
  /** Offset in the last segment of the first record that may not be durable, and of the end of the last record. */
  readonly openPosition: number;
  readonly position: number;
  /** Bytes after it that remain of a record that was never durable, or 0. */
  readonly tornBytes: number;
}

export const EMPTY_LOG_END: LogEnd = {
  lastSeq: 0,
  lastTime: 0,
  hash: NO_HASH,
  isLazy: false,
  openPosition: HEADER_BYTES,
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
    let openPosition = segment.position;
    const tail = await goToEnd(segment, () => {
      // An early record may have been written before the preceding ones were durable; a known record is durable
      // itself.
      if (!segment.isEarly || segment.nextSeq <= knownSeq + 1) openPosition = segment.lastPosition;
    });
    const { position, nextSeq, time, isLazy, hash, name } = segment;
    if (tail.kind === 'damaged') {
      throw damagedLog(dir, `${name}, byte ${position}, record ${nextSeq}: ${tail.what}.`);
    }
    if (nextSeq <= knownSeq) {
      throw damagedLog(dir, `${name}, byte ${position}, record ${nextSeq}: ${lost(tail, knownSeq)}.`);
    }
    const tornBytes = tail.kind === 'torn' ? tail.bytes : 0;
    return { lastSeq: nextSeq - 1, lastTime: time, isLazy, hash, openPosition, position, tornBytes };
  } finally {
    await segment.close();
  }
}

/**
 * Reads up to the last complete record and classifies the bytes after it; calls `onRecord` for every record.
 *
 * A writer may be active, so one read may mix bytes from before and after a write. The result counts
 * only if a second read finds the next record still incomplete. It is damage only in two cases: a record
 * follows it that a writer would not have begun before this one was durable; or its bytes are the same in two reads,
 * in which case a record in the middle of being written would show as a torn beginning instead.
 */
export async function goToEnd(segment: SegmentReader, onRecord: () => void = () => undefined): Promise<Tail> {
  let before: Uint8Array | null = null;
  for (;;) {
    while (segment.nextInWindow() || (await segment.next())) onRecord();
    const rest = await segment.rest();
    const tail = judgeTail(rest, segment);
    if (await segment.next()) {
      onRecord();
      before = null;
    } else if (tail.kind !== 'damaged' || tail.isFollowed || (before && Buffer.from(before).equals(rest))) {
      return tail;
    } else {
      before = rest;
    }
  }
}

/** The log ends before what other parts already have. */
export function lost({ kind }: Pick<Tail, 'kind'>, knownSeq: number): string {
  const what = kind === 'clean' ? 'it is missing' : 'it is not whole';
  return `${what}, but history or a snapshot has everything up to record ${knownSeq}`;
}
