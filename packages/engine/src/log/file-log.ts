/**
 * The log in files: segments in one directory, of which only the last is written. A record is written in one call and then
 * synced. Space is preallocated, because a sync that does not change the file's size takes about half as long.
 */

import type { LogRecord } from '@bourse/core';
import type { Disk, DiskFile } from '../io/disk.ts';
import { isFull } from '../io/shown-text.ts';
import {
  type Appending,
  type CommandLog,
  LogBroken,
  LogConflict,
  LogFull,
  lostOwnership,
  SegmentKept,
} from './command-log.ts';
import {
  type LogEnd,
  copyAside,
  endBefore,
  createSegment,
  nameSegment,
  prepareSegment,
  removeUnfinished,
  HEADER_BYTES,
  segmentName,
  segmentsAmong,
} from './segment.ts';
import { EMPTY_LOG_END, findEnd, lost } from './log-end.ts';
import { damagedLog, isMissing, LogReader } from './log-reader.ts';
import type { LogCut } from './log-copy.ts';
import { HASH_BYTES, NO_HASH, RecordWriter } from './record.ts';

export interface FileLogOptions {
  readonly disk: Disk;
  /** Directory of the segments; created if it does not exist. */
  readonly dir: string;
  /** A segment of this size or more is followed by a new one. */
  readonly segmentBytes?: number;
  /** Bytes of preallocated space; 0 for none. */
  readonly roomBytes?: number;
  /** Whether this process still owns the directory; checked before every write, and before it counts. */
  readonly isOwned?: () => boolean;
  /** The last record known to have been durable, because history or a snapshot has it: a log that ends earlier is damaged. */
  readonly knownSeq?: number;
}

export const SEGMENT_BYTES = 64 << 20;
const ROOM_BYTES = 1 << 20;

/** A record whose frame is written. */
interface Appended {
  readonly record: LogRecord;
  readonly isLazy: boolean;
  readonly end: number;
  readonly hash: Uint8Array;
}

const UNSYNCED: Appending = { durable: Promise.resolve() };

export class FileLog implements CommandLog {
  lastSeq = 0;
  lastTime = 0;
  bytesAppended = 0;
  failure: LogBroken | LogConflict | null = null;
  /** Bytes of a record that was being written when the process last ended, cut off on opening; 0 for none. */
  readonly cutBytes: number;
  readonly #disk: Disk;
  readonly #dir: string;
  readonly #segmentBytes: number;
  readonly #room: Uint8Array;
  readonly #isOwned: () => boolean;
  #reader: LogReader;
  readonly #writer = new RecordWriter();
  readonly #segments: number[];
  #file: DiskFile;
  isBehind = false;
  #hash: Uint8Array = NO_HASH;
  #isLazy = false;
  /** The position of the next record, and the maximum size of the file. */
  #position = 0;
  #fileEnd = 0;
  #state: 'ready' | 'syncing' | 'cutting' | 'broken' | 'closed' = 'ready';
  #settled: Promise<void> = Promise.resolve();

  private constructor(options: FileLogOptions, segments: number[], file: DiskFile, end: LogEnd) {
    this.#disk = options.disk;
    this.#dir = options.dir;
    this.#segmentBytes = options.segmentBytes ?? SEGMENT_BYTES;
    this.#room = new Uint8Array(options.roomBytes ?? ROOM_BYTES);
    this.#isOwned = options.isOwned ?? (() => true);
    this.#reader = new LogReader(options.disk, options.dir);
    this.#segments = segments;
    this.#file = file;
    this.#endAt(end);
    this.cutBytes = end.tornBytes;
  }

  /**
   * Opens for writing. Cuts off a torn tail. Throws LogDamaged or LogTooNew without changing anything, or LogBroken
   * if the disk rejects the writes of a start.
   */
  static async open(options: FileLogOptions): Promise<FileLog> {
    const { disk, dir, knownSeq = 0 } = options;
    await disk.makeDirectory(dir);
    const names = await disk.list(dir);
    const segments = segmentsAmong(names);
    const last = segments.at(-1);
    if (last === undefined && knownSeq > 0)
      throw damagedLog(dir, `${segmentName(1)}: ${lost({ kind: 'clean' }, knownSeq)}.`);
    const end = last === undefined ? EMPTY_LOG_END : await findEnd(disk, dir, last, knownSeq);
    await removeUnfinished(disk, dir, names);
    if (last === undefined) {
      const file = await createSegment(disk, dir, EMPTY_LOG_END);
      return new FileLog(options, [1], file, EMPTY_LOG_END);
    }
    const file = await disk.open(`${dir}/${segmentName(last)}`, 'write');
    try {
      await secure(file, end);
      await disk.syncDirectory(dir);
    } catch (error) {
      await file.close();
      throw broken('Opening', dir, error);
    }
    return new FileLog(options, segments, file, end);
  }

  get firstSeq(): number {
    return this.#segments[0];
  }

  /** The end of the log; valid only while nothing is appended. */
  get cut(): LogCut {
    return { segments: [...this.#segments], position: this.#position };
  }

  get #isBroken(): boolean {
    return this.#state === 'broken';
  }

  append(record: LogRecord): Appending {
    return this.#write(record, false, true);
  }

  appendLazily(record: LogRecord, isAwaited: boolean): Appending {
    return this.#write(record, true, isAwaited);
  }

  #write(record: LogRecord, isLazy: boolean, isAwaited: boolean): Appending {
    this.#checkAppend(record);
    if (!this.#isOwned()) throw this.#giveUp();
    const frame = this.#writer.write(record, this.#hash, { isLazy, isEarly: this.#isLazy });
    const end = this.#position + frame.length;
    try {
      this.#file.write(this.#position, frame);
    } catch (error) {
      throw this.#afterFailedWrite(error);
    }
    const appended = { record, isLazy, end, hash: Buffer.from(frame.subarray(-HASH_BYTES)) };
    // Before a new segment is started, all of the current one is durable.
    if (!isAwaited && end < this.#segmentBytes) return this.#deferSync(appended);
    this.#state = 'syncing';
    const durable = this.#finish(appended);
    this.#settled = durable.catch(() => {});
    return { durable };
  }

  secure(): void {
    if (!this.isBehind) return;
    if (this.failure) throw this.failure;
    try {
      this.#file.syncNow();
    } catch (error) {
      throw this.#breakDown('Syncing', error);
    }
    this.isBehind = false;
  }

  async setLastAside(): Promise<string> {
    if (this.#state !== 'ready' || this.bytesAppended > 0 || this.lastSeq < this.firstSeq) {
      throw new Error('there is no record to set aside, or it is too late');
    }
    const { lastSeq } = this,
      disk = this.#disk,
      dir = this.#dir;
    try {
      if (this.#segments.at(-1) === lastSeq + 1) await this.#goToSegmentBefore();
      const position = this.#position;
      const before = await endBefore(disk, dir, this.#segments.at(-1)!, lastSeq);
      const frame = await this.#file.read(before.position, position - before.position);
      const path = await copyAside(disk, dir, frame, before);
      this.#file.truncate(before.position);
      await this.#file.sync();
      // The position may be after the removed record.
      await this.#reader.close();
      this.#reader = new LogReader(disk, dir);
      this.#endAt(before);
      return path;
    } catch (error) {
      throw this.#breakDown('Taking the last record out of', error);
    }
  }

  /** The last segment is empty: the last record is at the end of the previous one. */
  async #goToSegmentBefore(): Promise<void> {
    const disk = this.#disk,
      dir = this.#dir,
      segments = this.#segments;
    await this.#file.close();
    await disk.remove(`${dir}/${segmentName(segments.pop()!)}`);
    await disk.syncDirectory(dir);
    this.#file = await disk.open(`${dir}/${segmentName(segments.at(-1)!)}`, 'write');
    this.#position = await this.#file.size();
    this.#fileEnd = this.#position;
  }

  read(fromSeq: number, throughSeq: number): AsyncIterable<LogRecord> {
    return this.#reader.read(fromSeq, Math.min(throughSeq, this.lastSeq));
  }

  get bytesRead(): number {
    return this.#reader.bytesRead;
  }

  async removeBelow(seq: number): Promise<void> {
    // One at a time, each made durable, so that the remaining log never has a gap.
    while (!this.#isBroken && this.#isOwned() && this.#segments.length > 1 && this.#segments[1] <= seq) {
      await this.#removeFile(`${this.#dir}/${segmentName(this.#segments[0])}`);
      // Another write failed in the meantime: never sync again.
      if (this.#isBroken) return;
      try {
        await this.#disk.syncDirectory(this.#dir);
      } catch (error) {
        throw this.#breakDown('Removing a segment of', error);
      }
      this.#segments.shift();
    }
  }

  async close(): Promise<void> {
    await this.#settled;
    if (this.#state === 'ready' && this.#isOwned()) this.secure();
    const hasRoom = this.#fileEnd > this.#position;
    if (this.#state === 'ready' && hasRoom && this.#isOwned()) this.#file.truncate(this.#position);
    this.#state = 'closed';
    await this.#reader.close();
    await this.#file.close();
  }

  #endAt({ lastSeq, lastTime, isLazy, hash, position }: LogEnd): void {
    this.lastSeq = lastSeq;
    this.lastTime = lastTime;
    this.#isLazy = isLazy;
    this.#hash = hash;
    this.#position = position;
    this.#fileEnd = position;
  }

  #checkAppend({ seq, time }: LogRecord): void {
    if (this.failure) throw this.failure;
    if (this.#state === 'cutting')
      throw new LogFull('The remains of a record from a full disk are being cut off.');
    if (this.#state !== 'ready') throw new Error(`append while the log is ${this.#state}`);
    if (seq !== this.lastSeq + 1) {
      throw new LogConflict(`Record ${seq} does not follow ${this.lastSeq}, the last of the log.`);
    }
    if (!(time >= this.lastTime)) throw new RangeError(`Record ${seq} goes back in time.`);
  }

  /** Disk full: the partial record is cut off durably before anything overwrites it. */
  #afterFailedWrite(error: unknown): Error {
    if (!isFull(error)) return this.#breakDown('Writing to', error);
    try {
      this.#file.truncate(this.#position);
    } catch (second) {
      return this.#breakDown('Cutting', second);
    }
    this.#fileEnd = this.#position;
    this.#state = 'cutting';
    this.#settled = this.#file.sync().then(
      () => {
        if (this.#state === 'cutting') this.#state = 'ready';
      },
      (second: unknown) => void this.#breakDown('Syncing', second),
    );
    return new LogFull(`No space left for record ${this.lastSeq + 1} in ${this.#dir}.`, { cause: error });
  }

  /** Preallocates space with zeros. If the disk is full, only the speed suffers. */
  #makeRoom(end: number): void {
    if (end <= this.#fileEnd) return;
    this.#fileEnd = end;
    const bytes = Math.min(this.#room.length, this.#segmentBytes - end);
    if (bytes <= 0) return;
    // Even if only a part can be written.
    this.#fileEnd = end + bytes;
    try {
      this.#file.write(end, this.#room.subarray(0, bytes));
    } catch (error) {
      if (!isFull(error)) throw error;
    }
  }

  /** Written, but not synced. */
  #deferSync(appended: Appended): Appending {
    try {
      this.#makeRoom(appended.end);
    } catch (error) {
      throw this.#breakDown('Writing to', error);
    }
    this.isBehind = true;
    this.#count(appended);
    return UNSYNCED;
  }

  async #finish(appended: Appended): Promise<void> {
    try {
      this.#makeRoom(appended.end);
      await this.#file.sync();
    } catch (error) {
      throw this.#breakDown('Syncing', error);
    }
    if (!this.#isOwned()) throw this.#giveUp();
    this.isBehind = false;
    this.#count(appended);
    if (this.#position >= this.#segmentBytes) await this.#rotate();
    if (this.#state === 'syncing') this.#state = 'ready';
  }

  #count({ record: { seq, time }, isLazy, end, hash }: Appended): void {
    this.bytesAppended += end - this.#position;
    this.#position = end;
    this.lastSeq = seq;
    this.lastTime = time;
    this.#isLazy = isLazy;
    this.#hash = hash;
  }

  /** There are no preallocated zeros to cut off: none are written beyond a segment's maximum size. */
  async #rotate(): Promise<void> {
    try {
      const file = await this.#prepareNext();
      if (file === null) return;
      await nameSegment(this.#disk, this.#dir, this.lastSeq + 1, file);
      const old = this.#file;
      this.#file = file;
      this.#segments.push(this.lastSeq + 1);
      this.#position = HEADER_BYTES;
      this.#fileEnd = HEADER_BYTES;
      // Everything is durable.
      this.#isLazy = false;
      await old.close();
    } catch (error) {
      this.#breakDown('Adding a segment to', error);
    }
  }

  /**
   * null if the disk is full. That only defers the rotation, and the next record makes the current segment a little larger; but
   * once the new segment may have its name, the current one must never get another record, whatever error was reported.
   */
  async #prepareNext(): Promise<DiskFile | null> {
    const { lastSeq, lastTime } = this,
      hash = this.#hash;
    try {
      return await prepareSegment(this.#disk, this.#dir, { lastSeq, lastTime, hash });
    } catch (error) {
      if (isFull(error)) return null;
      throw error;
    }
  }

  /**
   * A missing file counts as removed. Any other failure is reported to the operator, and the log continues.
   */
  async #removeFile(path: string): Promise<void> {
    try {
      await this.#disk.remove(path);
    } catch (error) {
      if (!isMissing(error)) throw new SegmentKept(path, error);
    }
  }

  /**
   * Another process may be writing: from now on nothing is written, and nothing counts that was not acknowledged yet.
   */
  #giveUp(): LogConflict {
    const conflict = lostOwnership();
    this.#state = 'broken';
    this.failure = conflict;
    return conflict;
  }

  #breakDown(doing: string, cause: unknown): LogBroken {
    const failure = broken(doing, this.#dir, cause);
    this.#state = 'broken';
    this.failure = failure;
    return failure;
  }
}

/**
 * Cuts off a torn tail and makes the rest durable. The bytes that were read may be only in the page cache, because
 * their sync was never started, or failed: only writing them again brings them to the disk.
 */
async function secure(file: DiskFile, { openPosition, position }: LogEnd): Promise<void> {
  file.write(openPosition, await file.read(openPosition, position - openPosition));
  file.truncate(position);
  await file.sync();
}

function broken(doing: string, dir: string, cause: unknown): LogBroken {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new LogBroken(`${doing} the log in ${dir} failed: ${message}`, { cause });
}
