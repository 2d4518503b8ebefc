/**
 * A record as bytes:
 *
 *   length u32 | body | chain hash, 32 bytes
 *   body: rules and marks u16 | seq u64 | time f64 | number of commands u32 | commands
 *
 * The chain hash is SHA-256 over the previous record's chain hash, the length and the body. The previous hash is
 * directly before the length, so the hashed bytes are contiguous.
 *
 * The two highest bits of the rules are marks. They say which records a loss of power may have torn together, and depend
 * only on the commands and the previous record: the same requests give the same bytes.
 */

import { hash } from 'node:crypto';
import { type Command, type LogRecord, RULES_VERSION } from '@bourse/core';
import { ByteSink, ByteSource, Malformed } from '../bytes.ts';
import { readCommand, writeCommand } from './command-codec.ts';
import { LogTooNew } from './command-log.ts';

export const HASH_BYTES = 32;
export const LENGTH_BYTES = 4;
const BODY_HEAD_BYTES = 22;
/** Overhead of a frame besides its body. */
export const FRAME_EXTRA_BYTES = LENGTH_BYTES + HASH_BYTES;
export const BODY_BYTES_MIN = BODY_HEAD_BYTES;
/** More than the sequencer ever puts into a record; a longer one in a file is damage. */
export const BODY_BYTES_MAX = 1 << 26;

/** Nobody waits for it, so the next record may be appended before it is durable. */
const LAZY = 0x8000;
/** The record before it is lazy. */
const EARLY = 0x4000;

export interface RecordMarks {
  readonly isLazy: boolean;
  readonly isEarly: boolean;
}

const UNMARKED: RecordMarks = { isLazy: false, isEarly: false };

/** The chain hash before the first record. */
export const NO_HASH: Uint8Array = new Uint8Array(HASH_BYTES);

/**
 * Hash of the previous hash, the length and the body, in one call, as a binary string, which takes half the time of a
 * buffer.
 */
export function chainHash(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'binary');
}

/** Whether the bytes from `at` on equal the chain hash. */
export function isHashAt(bytes: Uint8Array, at: number, chained: string): boolean {
  for (let i = 0; i < HASH_BYTES; i++) if (bytes[at + i] !== chained.charCodeAt(i)) return false;
  return true;
}

/** Builds frames in a reused buffer: a frame is valid until the next one is built. */
export class RecordWriter {
  readonly #sink = new ByteSink();

  /** The frame, without the preceding hash. Its last 32 bytes are its chain hash. */
  write(record: LogRecord, previousHash: Uint8Array, marks = UNMARKED): Uint8Array {
    const sink = this.#sink;
    const { seq, commands } = record;
    sink.at = HASH_BYTES + LENGTH_BYTES;
    this.#writeHead(record, marks);
    for (let i = 0; i < commands.length; i++) writeCommand(sink, commands[i]);
    const bodyEnd = sink.at;
    const length = bodyEnd - HASH_BYTES - LENGTH_BYTES;
    if (length > BODY_BYTES_MAX) throw new RangeError(`Record ${seq} has ${length} bytes.`);
    sink.reserve(HASH_BYTES);
    sink.bytes.set(previousHash, 0);
    sink.view.setUint32(HASH_BYTES, length, true);
    sink.bytes.write(chainHash(sink.bytes.subarray(0, bodyEnd)), bodyEnd, 'latin1');
    return sink.bytes.subarray(HASH_BYTES, bodyEnd + HASH_BYTES);
  }

  #writeHead({ seq, time, rules = 1, commands }: LogRecord, { isLazy, isEarly }: RecordMarks): void {
    const sink = this.#sink;
    sink.reserve(BODY_HEAD_BYTES);
    const { view, at } = sink;
    view.setUint16(at, rules | (isLazy ? LAZY : 0) | (isEarly ? EARLY : 0), true);
    view.setUint32(at + 2, seq >>> 0, true);
    view.setUint32(at + 6, Math.floor(seq / 2 ** 32), true);
    view.setFloat64(at + 10, time, true);
    view.setUint32(at + 18, commands.length, true);
    sink.at = at + BODY_HEAD_BYTES;
  }
}

/** The fields before the commands. */
export interface RecordHead extends RecordMarks {
  readonly rules: number;
  readonly seq: number;
  readonly time: number;
  readonly count: number;
}

/** Throws Malformed if there is not even space for one. */
export function readHead(source: ByteSource): RecordHead {
  const marked = source.uint16();
  const seq = source.uint32() + source.uint32() * 2 ** 32;
  const [isLazy, isEarly] = [(marked & LAZY) !== 0, (marked & EARLY) !== 0];
  const rules = marked & ~(LAZY | EARLY);
  return { rules, isLazy, isEarly, seq, time: source.float64(), count: source.uint32() };
}

/** Parses the result of `LogReader.frame` and computes the record's chain hash. Throws Malformed and LogTooNew. */
export function readFrame(frame: Uint8Array): { readonly hash: Uint8Array; readonly record: LogRecord } {
  const bytes = Buffer.from(frame);
  const from = HASH_BYTES + LENGTH_BYTES;
  if (bytes.length < from + BODY_BYTES_MIN || bytes.readUInt32LE(HASH_BYTES) !== bytes.length - from) {
    throw new Malformed('its length field does not match its size');
  }
  const record = readBody(new ByteSource(bytes), from, bytes.length);
  return { hash: Buffer.from(chainHash(bytes), 'latin1'), record };
}

/**
 * Reads the record whose body is between `from` and `end`. Throws Malformed, or LogTooNew for bytes that only a newer
 * version could have written.
 */
export function readBody(source: ByteSource, from: number, end: number): LogRecord {
  source.seek(from, end);
  const { rules, seq, time, count } = readHead(source);
  if (rules > RULES_VERSION) {
    throw new LogTooNew(
      `Record ${seq} follows rules ${rules}; this version knows those up to ${RULES_VERSION}.`,
    );
  }
  if (rules < 1 || !Number.isSafeInteger(seq) || !Number.isFinite(time)) {
    throw new Malformed('a record has no valid head');
  }
  if (count > source.left) throw new Malformed(`${count} commands in ${source.left} bytes`);
  const commands: Command[] = [];
  for (let i = 0; i < count; i++) commands.push(readCommand(source));
  if (source.left > 0) throw new Malformed(`${source.left} bytes after the last command`);
  return { seq, time, rules, commands };
}
