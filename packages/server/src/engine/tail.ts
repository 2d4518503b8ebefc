/**
 * What the bytes behind the last whole record are.
 *
 * At most one record is ever written and not yet durable, in one write, over nothing but zeros. So a crash can leave of
 * it: nothing, a beginning, or all of it with some sectors still zero. Such a torn tail was never acknowledged and may
 * be cut. Whatever else is found there was once whole: damage, and nobody may cut it silently.
 */

import { ByteSource } from './command-codec/byte-source.ts';
import {
  BODY_BYTES_MAX,
  BODY_BYTES_MIN,
  chainHash,
  FRAME_EXTRA_BYTES,
  HASH_BYTES,
  LENGTH_BYTES,
  readHead,
} from './record.ts';

/** The smallest piece that a disk writes or does not write. */
const SECTOR_BYTES = 512;
/** A chain hash that ends in more zeros than this is too rare to look for. */
const HASH_ZEROS_MAX = 3;

export type Tail =
  /** Nothing, or only zeros: room made in advance. */
  | { readonly kind: 'clean' }
  | { readonly kind: 'torn'; readonly bytes: number }
  | { readonly kind: 'damaged'; readonly what: string };

/**
 * `bytes` begin with the chain hash of the last whole record, and what follows it lies at `position` in the file;
 * `nextSeq` is the sequence it should have.
 */
export function judgeTail(bytes: Uint8Array, position: number, nextSeq: number): Tail {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = contentEnd(buffer);
  const torn: Tail = { kind: 'torn', bytes: end - HASH_BYTES };
  if (end === HASH_BYTES) return { kind: 'clean' };
  if (end < HASH_BYTES + LENGTH_BYTES) return torn;
  const length = buffer.readUInt32LE(HASH_BYTES);
  const isLengthPossible = length >= BODY_BYTES_MIN && length <= BODY_BYTES_MAX;
  const frameEnd = isLengthPossible ? HASH_BYTES + length + FRAME_EXTRA_BYTES : HASH_BYTES;
  const later = findRecord(buffer, frameEnd < end ? frameEnd : HASH_BYTES + 1, end, nextSeq);
  if (later >= 0)
    return { kind: 'damaged', what: `it does not match its hash, but record ${later} behind it does` };
  if (hasLostSector(buffer, position, end)) return torn;
  if (isLengthPossible && frameEnd > end) {
    if (isWholeWithOtherLength(buffer, end)) return { kind: 'damaged', what: 'its length is wrong' };
    return matchesSoFar(buffer, frameEnd - HASH_BYTES, end)
      ? torn
      : { kind: 'damaged', what: 'it does not match what there is of its hash' };
  }
  const what =
    frameEnd === end ? 'it is all there and does not match its hash' : 'what stands there is no record';
  return { kind: 'damaged', what };
}

/** Behind the last byte that is not zero, but not before the hash ends. */
function contentEnd(bytes: Buffer): number {
  let end = bytes.length;
  while (end > HASH_BYTES && bytes[end - 1] === 0) end -= 1;
  return end;
}

/** Sequence of a record at or behind `from` that matches the hash it carries; -1 when there is none. */
function findRecord(bytes: Buffer, from: number, end: number, seqMin: number): number {
  const source = new ByteSource(bytes);
  for (let at = from; at + FRAME_EXTRA_BYTES + BODY_BYTES_MIN <= bytes.length && at < end; at++) {
    const length = bytes.readUInt32LE(at);
    const bodyEnd = at + LENGTH_BYTES + length;
    if (length < BODY_BYTES_MIN || bodyEnd + HASH_BYTES > bytes.length) continue;
    source.seek(at + LENGTH_BYTES, bodyEnd);
    const { seq } = readHead(source);
    // Most places are ruled out here, before anything is hashed.
    if (seq < seqMin || seq > seqMin + BODY_BYTES_MAX) continue;
    if (isWhole(bytes.subarray(at - HASH_BYTES, bodyEnd), bytes, bodyEnd)) return seq;
  }
  return -1;
}

/** Whether a part of the content, as sectors lie in the file, is nothing but zeros. */
function hasLostSector(bytes: Buffer, position: number, end: number): boolean {
  let at = HASH_BYTES;
  while (at < end) {
    const inFile = position + at - HASH_BYTES;
    const sectorEnd = Math.min(end, at + SECTOR_BYTES - (inFile % SECTOR_BYTES));
    if (bytes.subarray(at, sectorEnd).every((byte) => byte === 0)) return true;
    at = sectorEnd;
  }
  return false;
}

/** Whether the content would match its hash if the length were what it ought to be for it. */
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

/** What reaches into its hash has all of its body: it is a beginning only if the two agree as far as they go. */
function matchesSoFar(bytes: Buffer, hashAt: number, end: number): boolean {
  if (end <= hashAt) return true;
  const hash = chainHash(bytes.subarray(0, hashAt));
  return bytes.compare(hash, 0, end - hashAt, hashAt, end) === 0;
}

function isWhole(hashed: Uint8Array, bytes: Buffer, hashAt: number): boolean {
  return bytes.compare(chainHash(hashed), 0, HASH_BYTES, hashAt, hashAt + HASH_BYTES) === 0;
}
