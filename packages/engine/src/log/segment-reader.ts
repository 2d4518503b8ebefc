/**
 * Iterates over a segment record by record, in a moving window of bytes. Only a complete record with the right hash
 * and sequence counts; the caller determines what is wrong with anything else.
 */

import type { LogRecord } from '@bourse/core';
import type { Disk, DiskFile } from '../io/disk.ts';
import { ByteSource, Malformed } from '../bytes/byte-source.ts';
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
import { HEADER_BYTES, readHeader, type SegmentHeader, segmentName } from './segment.ts';

/** Small at first, because a follower reads little at a time; doubled whenever all of it is used. */
const WINDOW_BYTES_MIN = 1 << 16;
const WINDOW_BYTES_MAX = 1 << 20;

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
  /** Its flags. */
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
