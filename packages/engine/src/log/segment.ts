/**
 * A segment: a file of consecutive records, named by the sequence of its first. It begins with a header of 64 bytes:
 *
 * magic 'BOURSE-LOG' | format u16 | first seq u64 | time before it f64 | checksum u32 | chain hash before it
 *
 * The checksum is the first four bytes of SHA-256 over everything else in the header. The hash comes last, directly
 * before the first record, where the record's own hash needs it.
 */

import * as crypto from 'node:crypto';
import type { LogRecord } from '@bourse/core';
import { ByteSource, Malformed, viewOf } from '../bytes.ts';
import type { Disk, DiskFile } from '../io/disk.ts';
import { LogDamaged, LogTooNew } from './command-log.ts';
import {
  BODY_BYTES_MAX,
  BODY_BYTES_MIN,
  chainHash,
  FRAME_EXTRA_BYTES,
  HASH_BYTES,
  isHashAt,
  LENGTH_BYTES,
  readBody,
  readHead,
} from './record.ts';

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

interface SegmentHeader {
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
function readHeader(bytes: Uint8Array, name: string): SegmentHeader {
  const view = viewOf(bytes);
  if (bytes.length < HEADER_BYTES || !MAGIC.equals(bytes.subarray(0, MAGIC.length))) {
    throw new LogDamaged(`${name}, byte 0: this is not a segment of a log, or its header is damaged.`);
  }
  const format = view.getUint16(FORMAT_AT, true);
  if (format > FORMAT && view.getUint32(CHECKSUM_AT, true) === checksum(bytes)) {
    throw new LogTooNew(`${name} has format ${format}; this version reads up to ${FORMAT}.`);
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
  return crypto.hash('sha256', copy, 'buffer').readUInt32LE(0);
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

/** Between two records of a segment. */
export interface SegmentPlace {
  /** The segment's first record. */
  readonly firstSeq: number;
  readonly position: number;
  /** The sequence of the record after it, and the time and chain hash of the one before it. */
  readonly nextSeq: number;
  readonly time: number;
  readonly hash: Uint8Array;
}

/** Small at first, because a follower reads little at a time; doubled whenever all of it is used. */
const WINDOW_BYTES_MIN = 1 << 16;
const WINDOW_BYTES_MAX = 1 << 20;

/**
 * Iterates over a segment record by record, in a moving window of bytes. Only a complete record with the right hash
 * and sequence counts; the caller determines what is wrong with anything else.
 */
export class SegmentReader {
  readonly name: string;
  readonly header: SegmentHeader;
  /** The sequence of the next record. */
  nextSeq: number;
  /** The position of the next record in the file. */
  position = HEADER_BYTES;
  /** Start of the previous record; equal to `position` before the first. */
  lastPosition = HEADER_BYTES;
  /** Time of the previous record. */
  time: number;
  /** Flags of the previous record. */
  isLazy = false;
  isEarly = false;
  readonly #file: DiskFile;
  #window: Buffer = Buffer.alloc(0);
  #source = new ByteSource(this.#window);
  #windowAt = 0;
  #windowBytes = WINDOW_BYTES_MIN;
  /** Bytes of the frame that did not fit into the window, if nothing else is wrong with it. */
  #frameBytes = 0;
  #bodyAt = 0;
  #bodyEnd = 0;

  private constructor(name: string, file: DiskFile, header: SegmentHeader) {
    this.name = name;
    this.#file = file;
    this.header = header;
    this.nextSeq = header.firstSeq;
    this.time = header.timeBefore;
  }

  static async open(disk: Disk, dir: string, firstSeq: number): Promise<SegmentReader> {
    const name = segmentName(firstSeq);
    const file = await disk.open(`${dir}/${name}`, 'read');
    try {
      return new SegmentReader(name, file, readHeader(await file.read(0, HEADER_BYTES), name));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Chain hash of the previous record, which precedes the next one. */
  get hash(): Uint8Array {
    if (this.nextSeq === this.header.firstSeq) return this.header.hashBefore;
    const end = this.position - this.#windowAt;
    return new Uint8Array(this.#window.subarray(end - HASH_BYTES, end));
  }

  get place(): SegmentPlace {
    const { position, nextSeq, time, hash } = this;
    return { firstSeq: this.header.firstSeq, position, nextSeq, time, hash };
  }

  /** Goes to a place that another reader has found; false, without going there, if this file does not have it. */
  async skipTo({ firstSeq, position, nextSeq, time, hash }: SegmentPlace): Promise<boolean> {
    const at = position - HASH_BYTES;
    const found = Buffer.from(await this.#file.read(at, HASH_BYTES));
    if (firstSeq !== this.header.firstSeq || !found.equals(hash)) return false;
    [this.nextSeq, this.time] = [nextSeq, time];
    [this.position, this.lastPosition] = [position, position];
    [this.#window, this.#windowAt] = [found, at];
    return true;
  }

  /** Advances to the next record; false if there is none, or it is invalid. */
  async next(): Promise<boolean> {
    return this.nextInWindow() || this.#nextInFile();
  }

  /** The same synchronously; also false if the window must move first. */
  nextInWindow(): boolean {
    const window = this.#window;
    const at = this.position - this.#windowAt;
    this.#frameBytes = 0;
    if (at + LENGTH_BYTES > window.length) return false;
    const length = window.readUInt32LE(at);
    if (length < BODY_BYTES_MIN || length > BODY_BYTES_MAX) return false;
    const bodyAt = at + LENGTH_BYTES;
    const bodyEnd = bodyAt + length;
    if (bodyEnd + HASH_BYTES > window.length) {
      this.#frameBytes = length + FRAME_EXTRA_BYTES;
      return false;
    }
    if (!isHashAt(window, bodyEnd, chainHash(window.subarray(at - HASH_BYTES, bodyEnd)))) return false;
    this.#source.seek(bodyAt, bodyEnd);
    const { seq, time, isLazy, isEarly } = readHead(this.#source);
    if (seq !== this.nextSeq || !(time >= this.time)) return false;
    this.#bodyAt = bodyAt;
    this.#bodyEnd = bodyEnd;
    this.lastPosition = this.position;
    this.position += length + FRAME_EXTRA_BYTES;
    this.nextSeq = seq + 1;
    this.time = time;
    this.isLazy = isLazy;
    this.isEarly = isEarly;
    return true;
  }

  /** Reads again, because the file may have grown. */
  async #nextInFile(): Promise<boolean> {
    await this.#moveWindow();
    if (this.nextInWindow()) return true;
    if (this.#frameBytes + HASH_BYTES <= this.#window.length) return false;
    await this.#moveWindow();
    return this.nextInWindow();
  }

  async #moveWindow(): Promise<void> {
    const at = this.position - HASH_BYTES;
    const used = at - this.#windowAt;
    if (used * 2 > this.#windowBytes) this.#windowBytes = Math.min(this.#windowBytes * 2, WINDOW_BYTES_MAX);
    else this.#windowBytes = WINDOW_BYTES_MIN;
    const bytes = await this.#file.read(at, Math.max(this.#windowBytes, this.#frameBytes + HASH_BYTES));
    this.#window = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#source = new ByteSource(this.#window);
    this.#windowAt = at;
  }

  /** The current record, preceded by the previous chain hash. The SHA-256 of this is the record's chain hash. */
  get frame(): Uint8Array {
    return new Uint8Array(this.#window.subarray(this.#bodyAt - LENGTH_BYTES - HASH_BYTES, this.#bodyEnd));
  }

  /** The current record. Throws LogDamaged, LogTooNew. */
  record(): LogRecord {
    try {
      return readBody(this.#source, this.#bodyAt, this.#bodyEnd);
    } catch (error) {
      if (error instanceof LogTooNew) throw new LogTooNew(`${this.name}: ${error.what}`);
      if (!(error instanceof Malformed)) throw error;
      const at = this.#windowAt + this.#bodyAt;
      throw new LogDamaged(
        `${this.name}, byte ${at}, record ${this.nextSeq - 1}: its hash is right, but it cannot be read (${error.message}).`,
      );
    }
  }

  size(): Promise<number> {
    return this.#file.size();
  }

  /** The bytes from the chain hash before the next record to the end of the file. */
  async rest(): Promise<Uint8Array> {
    const at = this.position - HASH_BYTES;
    return this.#file.read(at, (await this.#file.size()) - at);
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

// New segments, under a temporary name until they are durable.

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
        throw new Error(`record ${segment.nextSeq} of ${segment.name} is incomplete`);
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
