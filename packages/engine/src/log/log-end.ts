/** Finds the end of a log from its last segment, without changing anything. */

import { RULES_VERSION } from '@bourse/core';
import type { Disk } from '../io/disk.ts';
import { damagedLog, openSegment } from './log-reader.ts';
import {
  NO_HASH,
  BODY_BYTES_MAX,
  BODY_BYTES_MIN,
  chainHash,
  FRAME_EXTRA_BYTES,
  HASH_BYTES,
  isHashAt,
  LENGTH_BYTES,
  readHead,
  type RecordHead,
} from './record.ts';
import { HEADER_BYTES, type LogEnd, type SegmentPlace, type SegmentReader } from './segment.ts';
import { ByteSource } from '../bytes.ts';
import { readCommand } from './command-codec.ts';

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
    checkTail(tail, dir, segment);
    if (nextSeq <= knownSeq) {
      throw damagedLog(dir, `${name}, byte ${position}, record ${nextSeq}: ${lost(tail, knownSeq)}.`);
    }
    const tornBytes = tail.kind === 'torn' ? tail.bytes : 0;
    return { lastSeq: nextSeq - 1, lastTime: time, isLazy, hash, openPosition, position, tornBytes };
  } finally {
    await segment.close();
  }
}

/** Throws LogDamaged. */
function checkTail(tail: Tail, dir: string, { name, position, nextSeq }: SegmentReader): void {
  if (tail.kind !== 'damaged') return;
  throw damagedLog(dir, `${name}, byte ${position}, record ${nextSeq}: ${tail.what}.`);
}

/**
 * Finds the end of a log again and again while somebody else writes. Each time it reads only from the first record that may
 * not have been durable the last time: everything before it stays as it is, unless the file is replaced.
 */
export class EndFinder {
  readonly #disk: Disk;
  readonly #dir: string;
  #open: SegmentPlace | null = null;

  /** `dir` contains the segments. */
  constructor(disk: Disk, dir: string) {
    this.#disk = disk;
    this.#dir = dir;
  }

  /**
   * `last` is the last segment's first record; `knownSeq` is durable if the log has it. `durableSeq` is the last record that
   * is certain to be. Throws LogDamaged, LogTooNew.
   */
  async find(last: number, knownSeq: number): Promise<{ lastSeq: number; durableSeq: number }> {
    const segment = await openSegment(this.#disk, this.#dir, last);
    try {
      if (this.#open !== null) await segment.skipTo(this.#open);
      let open = segment.place;
      let before = open;
      const tail = await goToEnd(segment, () => {
        if (!segment.isEarly || segment.nextSeq <= knownSeq + 1) open = before;
        before = segment.place;
      });
      checkTail(tail, this.#dir, segment);
      this.#open = open;
      const lastSeq = segment.nextSeq - 1;
      return { lastSeq, durableSeq: Math.max(open.nextSeq - 1, Math.min(knownSeq, lastSeq)) };
    } finally {
      await segment.close();
    }
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
  const what = kind === 'clean' ? 'it is missing' : 'it is incomplete';
  return `${what}, but history or a snapshot has everything up to record ${knownSeq}`;
}

/** The smallest unit that a disk writes atomically. */
const SECTOR_BYTES = 512;
/** A chain hash that ends in more zeros than this is too rare to consider. */
const HASH_ZEROS_MAX = 3;
const BODY_AT = HASH_BYTES + LENGTH_BYTES;
/** The ends of the parts of its head. */
const RULES_END = BODY_AT + 2;
const SEQ_END = RULES_END + 8;
const TIME_END = SEQ_END + 8;
const HEAD_END = BODY_AT + BODY_BYTES_MIN;

/**
 * Classifies the bytes after the last complete record.
 *
 * A record is written in one write, over zeros, and at most one awaited record is not durable yet.
 * So a crash can leave nothing of it, a beginning, or all of it with some sectors still zero. Such a torn tail was never
 * acknowledged and may be cut. Several lazy records, which are not acknowledged either, may be torn together: then complete
 * records can follow a torn one; these are marked early. Anything else was once complete: it is damage, and is never cut
 * silently.
 */
export type Tail =
  /** Nothing, or only zeros: preallocated space. */
  | { readonly kind: 'clean' }
  | { readonly kind: 'torn'; readonly bytes: number }
  /** `isFollowed`: a record follows that proves it was durable, so it is not just being written. */
  | { readonly kind: 'damaged'; readonly what: string; readonly isFollowed: boolean };

export interface TailPlace {
  /** End of the last complete record in the file. */
  readonly position: number;
  /** The sequence that the next record should have. */
  readonly nextSeq: number;
  /** The time of the last complete record. */
  readonly time: number;
}

/** `bytes` begin with the chain hash of the last complete record. */
export function judgeTail(bytes: Uint8Array, place: TailPlace): Tail {
  const { position, nextSeq } = place;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = contentEnd(buffer);
  const torn: Tail = { kind: 'torn', bytes: end - HASH_BYTES };
  if (end === HASH_BYTES) return { kind: 'clean' };
  if (end < BODY_AT) return torn;
  const length = buffer.readUInt32LE(HASH_BYTES);
  const isLengthPossible = length >= BODY_BYTES_MIN && length <= BODY_BYTES_MAX;
  const frameEnd = isLengthPossible ? HASH_BYTES + length + FRAME_EXTRA_BYTES : HASH_BYTES;
  const later = findRecords(buffer, frameEnd < end ? frameEnd : HASH_BYTES + 1, end, nextSeq);
  const proof = later.find(({ isEarly }) => !isEarly);
  if (proof) return damaged(`it does not match its hash, but record ${proof.seq} after it does`, true);
  if (!hasLostSector(buffer, position, end, HEAD_END)) {
    // A torn record is at most as long as its length field says, and has a valid head.
    if (frameEnd < end && !isLazyAt(buffer)) return damaged('these bytes are not a record');
    const headFault = faultOfHead(buffer, end, place);
    if (headFault !== null) return damaged(headFault);
  }
  if (hasLostSector(buffer, position, end, isLengthPossible ? frameEnd : end)) return torn;
  if (frameEnd <= end) return damaged('it is complete but does not match its hash');
  if (isWholeWithOtherLength(buffer, end)) return damaged('its length is wrong');
  const fault = faultOfCommands(buffer, end, frameEnd - HASH_BYTES);
  if (fault !== null) return damaged(fault);
  return matchesSoFar(buffer, frameEnd - HASH_BYTES, end)
    ? torn
    : damaged('it does not match the present part of its hash');
}

function damaged(what: string, isFollowed = false): Tail {
  return { kind: 'damaged', what, isFollowed };
}

/** After the last nonzero byte, but not before the end of the hash. */
function contentEnd(bytes: Buffer): number {
  let end = bytes.length;
  while (end > HASH_BYTES && bytes[end - 1] === 0) end -= 1;
  return end;
}

/** Records at or after `from` that match their own hash, up to the first that is not early. */
function findRecords(bytes: Buffer, from: number, end: number, seqMin: number): RecordHead[] {
  const source = new ByteSource(bytes);
  const found: RecordHead[] = [];
  for (let at = from; at + FRAME_EXTRA_BYTES + BODY_BYTES_MIN <= bytes.length && at < end; at++) {
    const length = bytes.readUInt32LE(at);
    const bodyEnd = at + LENGTH_BYTES + length;
    if (length < BODY_BYTES_MIN || bodyEnd + HASH_BYTES > bytes.length) continue;
    source.seek(at + LENGTH_BYTES, bodyEnd);
    const head = readHead(source);
    // Most positions are excluded here, before anything is hashed.
    if (head.seq < seqMin || head.seq > seqMin + BODY_BYTES_MAX) continue;
    if (!isWhole(bytes.subarray(at - HASH_BYTES, bodyEnd), bytes, bodyEnd)) continue;
    found.push(head);
    if (!head.isEarly) break;
    at = bodyEnd + HASH_BYTES - 1;
  }
  return found;
}

function isLazyAt(bytes: Buffer): boolean {
  const source = new ByteSource(bytes);
  source.seek(BODY_AT, HEAD_END);
  return readHead(source).isLazy;
}

/** The fault in the present part of its head, or null. */
function faultOfHead(bytes: Buffer, end: number, { nextSeq, time: timeMin }: TailPlace): string | null {
  const head = Buffer.alloc(HEAD_END);
  bytes.copy(head, 0, 0, end);
  const source = new ByteSource(head);
  source.seek(HASH_BYTES, HEAD_END);
  const length = source.uint32();
  const { rules, seq, time, count } = readHead(source);
  if (end >= RULES_END && rules < 1) return 'its version of the rules is invalid';
  if (end >= RULES_END && rules > RULES_VERSION)
    return `it follows rules ${rules}; this version knows those up to ${RULES_VERSION}`;
  if (end >= SEQ_END && seq !== nextSeq) return `its sequence is ${seq}`;
  if (end >= TIME_END && !(time >= timeMin && time < Infinity))
    return 'its time is before that of the previous record';
  return end >= HEAD_END && count > length - BODY_BYTES_MIN ? 'it is too short for its commands' : null;
}

/** Why the present part of its commands is not the beginning of a valid body, or null. */
function faultOfCommands(bytes: Buffer, end: number, bodyEnd: number): string | null {
  const thereEnd = Math.min(end, bodyEnd);
  // Decodes up to the end given by the length. Commands read from unwritten bytes do not count.
  const source = new ByteSource(bytes.subarray(0, thereEnd));
  source.seek(BODY_AT, bodyEnd);
  const isThere = () => bodyEnd - source.left <= thereEnd;
  try {
    const { count } = readHead(source);
    for (let i = 0; i < count && isThere(); i++) readCommand(source);
  } catch {
    return isThere() ? 'its commands cannot be decoded' : null;
  }
  return isThere() && source.left > 0 ? 'it is longer than its commands' : null;
}

/** Whether the content covers a sector, or part of one, up to `until` that is all zeros. */
function hasLostSector(bytes: Buffer, position: number, end: number, until: number): boolean {
  let at = HASH_BYTES;
  while (at < Math.min(end, until)) {
    const inFile = position + at - HASH_BYTES;
    const sectorEnd = Math.min(end, at + SECTOR_BYTES - (inFile % SECTOR_BYTES));
    if (bytes.subarray(at, sectorEnd).every((byte) => byte === 0)) return true;
    at = sectorEnd;
  }
  return false;
}

/** Whether the content would match its hash if its length field were right. */
function isWholeWithOtherLength(bytes: Buffer, end: number): boolean {
  for (let frameEnd = end; frameEnd <= Math.min(end + HASH_ZEROS_MAX, bytes.length); frameEnd++) {
    const length = frameEnd - HASH_BYTES - FRAME_EXTRA_BYTES;
    if (length < BODY_BYTES_MIN) continue;
    const repaired = Buffer.from(bytes.subarray(0, frameEnd - HASH_BYTES));
    repaired.writeUInt32LE(length, HASH_BYTES);
    if (isWhole(repaired, bytes, frameEnd - HASH_BYTES)) return true;
  }
  return false;
}

/**
 * If part of the hash is present, the body is complete: then it is a torn record only if that part matches the hash
 * of the body.
 */
function matchesSoFar(bytes: Buffer, hashAt: number, end: number): boolean {
  if (end <= hashAt) return true;
  const hash = Buffer.from(chainHash(bytes.subarray(0, hashAt)), 'latin1');
  return bytes.compare(hash, 0, end - hashAt, hashAt, end) === 0;
}

function isWhole(hashed: Uint8Array, bytes: Buffer, hashAt: number): boolean {
  return isHashAt(bytes, hashAt, chainHash(hashed));
}
