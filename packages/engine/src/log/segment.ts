/**
 * A segment: a file of consecutive records, named by the sequence of its first. It begins with a header of 64 bytes:
 *
 * magic 'BOURSE-LOG' | format u16 | first seq u64 | time before it f64 | checksum u32 | chain hash before it
 *
 * The checksum is the first four bytes of SHA-256 over everything else in the header. The hash comes last, directly
 * before the first record, where the record's own hash needs it.
 */

import { hash } from 'node:crypto';
import { viewOf } from '../bytes/byte-sink.ts';
import { LogDamaged, LogTooNew } from './command-log.ts';

export const HEADER_BYTES = 64;
/** A new segment is written with this suffix and renamed once it is durable, so a header is never partial. */
export const TEMPORARY_SUFFIX = '.tmp';

const MAGIC = Buffer.from('BOURSE-LOG');
const FORMAT = 1;
const FORMAT_AT = MAGIC.length;
const SEQ_AT = 12;
const TIME_AT = 20;
const CHECKSUM_AT = 28;
const HASH_AT = 32;

export interface SegmentHeader {
  readonly firstSeq: number;
  /** The time of the record before the first; 0 if there is none. */
  readonly timeBefore: number;
  /** Chain hash of the record before the first; zeros if there is none. */
  readonly hashBefore: Uint8Array;
}

export function writeHeader({ firstSeq, timeBefore, hashBefore }: SegmentHeader): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = viewOf(bytes);
  bytes.set(MAGIC);
  view.setUint16(FORMAT_AT, FORMAT, true);
  view.setBigUint64(SEQ_AT, BigInt(firstSeq), true);
  view.setFloat64(TIME_AT, timeBefore, true);
  bytes.set(hashBefore, HASH_AT);
  view.setUint32(CHECKSUM_AT, checksum(bytes), true);
  return bytes;
}

/** Throws LogDamaged, or LogTooNew for a newer format. `name` is the file name, for the message. */
export function readHeader(bytes: Uint8Array, name: string): SegmentHeader {
  const view = viewOf(bytes);
  if (bytes.length < HEADER_BYTES || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) {
    throw new LogDamaged(`${name}, byte 0: this is not a segment of a log, or its header is damaged.`);
  }
  const format = view.getUint16(FORMAT_AT, true);
  if (format > FORMAT && view.getUint32(CHECKSUM_AT, true) === checksum(bytes)) {
    throw new LogTooNew(`${name} has format ${format}; known are those up to ${FORMAT}.`);
  }
  if (format !== FORMAT || view.getUint32(CHECKSUM_AT, true) !== checksum(bytes)) {
    throw new LogDamaged(`${name}, byte 0: the header does not match its checksum.`);
  }
  const firstSeq = Number(view.getBigUint64(SEQ_AT, true));
  if (segmentName(firstSeq) !== name) {
    throw new LogDamaged(
      `${name}, byte ${SEQ_AT}: this file is segment ${segmentName(firstSeq)} under another name.`,
    );
  }
  return {
    firstSeq,
    timeBefore: view.getFloat64(TIME_AT, true),
    hashBefore: new Uint8Array(bytes.subarray(HASH_AT, HEADER_BYTES)),
  };
}

function checksum(header: Uint8Array): number {
  const copy = new Uint8Array(header.subarray(0, HEADER_BYTES));
  copy.fill(0, CHECKSUM_AT, HASH_AT);
  return hash('sha256', copy, 'buffer').readUInt32LE(0);
}

export function segmentName(firstSeq: number): string {
  return `${String(firstSeq).padStart(20, '0')}.log`;
}

/** Sequences of the first records, ascending. Other files in the directory are ignored. */
export function segmentsAmong(names: readonly string[]): number[] {
  return names
    .filter((name) => /^\d{20}\.log$/.test(name))
    .map((name) => Number.parseInt(name, 10))
    .toSorted((a, b) => a - b);
}
