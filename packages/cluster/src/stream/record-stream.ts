/**
 * A cluster's log as a stream of messages: the stream's interface, the format of a message, and which record
 * is in which message.
 */

import type { LogRecord } from '@bourse/core';
import {
  BODY_BYTES_MIN,
  ByteSink,
  ByteSource,
  chainHash,
  FRAME_EXTRA_BYTES,
  HASH_BYTES,
  isHashAt,
  LENGTH_BYTES,
  LogDamaged,
  LogTooNew,
  Malformed,
  readBody,
} from '@bourse/engine';
import { Mac } from '../authentication.ts';

/** `aside`: says that the record before it does not count. */
export type MessageKind = 'record' | 'aside';

export interface StreamMessage {
  /** Its number in the stream, from 1 on, without gaps. */
  readonly at: number;
  readonly kind: MessageKind;
  readonly bytes: Uint8Array;
}

/**
 * `refused`: another message is there, or may yet be. `full`: there is no space. `unknown`: there was no reply, and the
 * message may be there now, later, or never.
 */
export type AppendResult = 'appended' | 'refused' | 'full' | 'unknown';

export interface StreamBounds {
  /** The oldest existing message; `last + 1` if there is none. */
  readonly first: number;
  /** 0 if nothing was ever appended. */
  readonly last: number;
}

/**
 * The stream with a cluster's log, as its servers offer it: numbered messages, appended only after the message that the
 * writer names. That is the fence: of all appends after the same message, one is accepted.
 */
export interface RecordStream {
  readonly messageBytesMax: number;
  bounds(): Promise<StreamBounds>;
  /** The last message, from a server that a majority follows, so nothing was appended elsewhere; null if there is no such server. */
  end(): Promise<number | null>;
  /** Never rejects: an unknown result is `unknown`. */
  append(kind: MessageKind, bytes: Uint8Array, after: number): Promise<AppendResult>;
  /**
   * Some messages in order, starting with the oldest from `from` on; none if the asked server has none, which may be behind.
   * Rejects if nobody replies.
   */
  read(from: number): Promise<readonly StreamMessage[]>;
  /** The first message of this kind from `from` on, or null. Rejects if nobody replies. */
  find(kind: MessageKind, from: number): Promise<StreamMessage | null>;
  removeBelow(at: number): Promise<void>;
  /** Connects to another server: this one may be partitioned from the others without noticing. */
  leaveServer(): void;
  close(): Promise<void>;
}

/**
 * A record as a message of the stream: its frame, as in a file, followed by the cluster's metadata.
 *
 *   frame | format u8 | writer's name, run and term | digest | runs | for each command: which run, which id | snapshot u8 |
 *   for each node: its name, the newest rules that it knows
 *
 * FORMAT is raised with every change of this layout. A MAC follows: see RecordMac.
 */
const FORMAT = 1;

/** Who appended a record. */
export interface Writer {
  /** Of the node. */
  readonly name: string;
  /** Of the node's process: another one after each start. */
  readonly run: string;
  /** Sequence of the record with which it began to lead. */
  readonly term: number;
}

/** The caller of a command: a process, and its own number for the command. */
export interface CommandOrigin {
  readonly run: string;
  readonly id: number;
}

/** The newest rules that a node supports. */
export interface KnownRules {
  readonly name: string;
  readonly rules: number;
}

export interface RecordTags {
  readonly writer: Writer;
  /** The writer's digest of everything before this record; empty if unknown, and then all start over. */
  readonly digest: string;
  /** One for each command. */
  readonly origins: readonly CommandOrigin[];
  /** Every node takes a snapshot after this record, and they compare hashes. */
  readonly isSnapshotDue: boolean;
  /** The writer's, and those of every node it has heard recently: the next leader may not have heard them. */
  readonly known: readonly KnownRules[];
}

export const NO_WRITER: Writer = { name: '', run: '', term: 0 };
export const NO_TAGS: RecordTags = {
  writer: NO_WRITER,
  digest: '',
  origins: [],
  isSnapshotDue: false,
  known: [],
};

export interface RecordMessage {
  readonly record: LogRecord;
  readonly tags: RecordTags;
  /** The frame's chain hash. */
  readonly hash: Uint8Array;
  /** The hashed bytes, without the previous hash. */
  readonly hashed: Uint8Array;
}

const sink = new ByteSink();

/** Returns a copy. */
export function writeRecordMessage(frame: Uint8Array, tags: RecordTags): Uint8Array {
  const { writer, digest, origins, isSnapshotDue, known } = tags;
  sink.at = 0;
  sink.reserve(frame.length);
  sink.bytes.set(frame, 0);
  sink.at = frame.length;
  sink.byte(FORMAT);
  sink.text(writer.name);
  sink.text(writer.run);
  sink.float64(writer.term);
  sink.text(digest);
  const runs = [...new Set(origins.map(({ run }) => run))];
  sink.varint(runs.length);
  for (const run of runs) sink.text(run);
  sink.varint(origins.length);
  for (const { run, id } of origins) {
    sink.varint(runs.indexOf(run));
    sink.float64(id);
  }
  sink.byte(isSnapshotDue ? 1 : 0);
  sink.varint(known.length);
  for (const { name, rules } of known) {
    sink.text(name);
    sink.varint(rules);
  }
  return Uint8Array.prototype.slice.call(sink.bytes, 0, sink.at);
}

/** Throws Malformed, LogTooNew. */
export function readRecordMessage(bytes: Uint8Array): RecordMessage {
  const source = new ByteSource(bytes);
  const length = source.uint32();
  if (length < BODY_BYTES_MIN || length > bytes.length - FRAME_EXTRA_BYTES) {
    throw new Malformed('it is shorter than it says');
  }
  const bodyEnd = LENGTH_BYTES + length;
  const record = readBody(source, LENGTH_BYTES, bodyEnd);
  source.seek(bodyEnd + HASH_BYTES, bytes.length);
  return {
    record,
    tags: readTags(source, record.commands.length),
    hash: bytes.subarray(bodyEnd, bodyEnd + HASH_BYTES),
    hashed: bytes.subarray(0, bodyEnd),
  };
}

function readTags(source: ByteSource, commands: number): RecordTags {
  const format = source.byte();
  if (format < 1) throw new Malformed('it has no format');
  if (format > FORMAT)
    throw new LogTooNew(`A record of the stream has format ${format}; known is ${FORMAT}.`);
  const writer = { name: source.text(), run: source.text(), term: source.float64() };
  const digest = source.text();
  const runs = Array.from({ length: source.count() }, () => source.text());
  const count = source.count();
  if (count !== 0 && count !== commands) throw new Malformed('it does not say whose its commands are');
  const origins = Array.from({ length: count }, () => {
    const run = runs[source.varint()];
    if (run === undefined) throw new Malformed('a command is of an unknown process');
    return { run, id: source.float64() };
  });
  const isSnapshotDue = source.byte() === 1;
  const known = Array.from({ length: source.count() }, () => ({
    name: source.text(),
    rules: source.varint(),
  }));
  return { writer, digest, origins, isSnapshotDue, known };
}

const KINDS: readonly MessageKind[] = ['record', 'aside'];
const CONTEXT_BYTES = 9;

/**
 * The MAC of a stream message covers its kind and its stream sequence: the same bytes at another position, such as a
 * record appended a second time, do not verify. The order of records is covered by their chain hash.
 *
 * All nodes have the same key, so all agree on which messages are forged, and skip them.
 */
export class RecordMac {
  readonly #mac: Mac;

  constructor(key: Uint8Array) {
    this.#mac = new Mac(key);
  }

  /** Signs the bytes as message `at` of the stream. */
  sign(kind: MessageKind, at: number, bytes: Uint8Array): Uint8Array {
    return this.#mac.sign(contextOf(kind, at), bytes);
  }

  /** The message without its MAC; null if no node signed it for this position. */
  open({ kind, at, bytes }: StreamMessage): StreamMessage | null {
    const opened = this.#mac.open(contextOf(kind, at), bytes);
    return opened && { kind, at, bytes: opened };
  }
}

function contextOf(kind: MessageKind, at: number): Uint8Array {
  const context = Buffer.allocUnsafe(CONTEXT_BYTES);
  context.writeUInt8(KINDS.indexOf(kind), 0);
  context.writeDoubleLE(at, 1);
  return context;
}

/** The record `seq`; `before`: the previous one, if it was read too. Throws LogDamaged if the message has another. */
export function decodeFollowing(
  message: StreamMessage,
  seq: number,
  before: Pick<RecordMessage, 'hash'> | null,
): RecordMessage {
  return decode(message, `record ${seq}`, (found) => {
    if (found.record.seq !== seq) throw new Malformed(`it says that it is record ${found.record.seq}`);
    const { hash, hashed } = found;
    if (before && !isHashAt(hash, 0, chainHash(Buffer.concat([before.hash, hashed])))) {
      throw new Malformed('it does not match its hash');
    }
  });
}

/** Any record. */
export function decodeAny(message: StreamMessage): RecordMessage {
  return decode(message, 'a record', () => undefined);
}

/** `check` throws Malformed. */
function decode(
  { at, kind, bytes }: StreamMessage,
  expected: string,
  check: (found: RecordMessage) => void,
): RecordMessage {
  try {
    if (kind !== 'record') throw new Malformed('it is not a record');
    const found = readRecordMessage(bytes);
    check(found);
    return found;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new LogDamaged(
      `Message ${at} of the stream should be ${expected}, but ${error.message}: something else writes to this stream, ` +
        'or a server has damaged it. Nothing was changed; restore the stream from a copy.',
    );
  }
}

/** From the record `seq`, which is message `at`, both numbers increase together. */
interface Stretch {
  readonly seq: number;
  readonly at: number;
}

type FindIn = Pick<RecordStream, 'find'>;

/**
 * Maps records to messages of the stream. Usually record 7 is message 7. If a record was set aside, or forged messages were
 * appended, a later message says so and names the next record: from there on the two numbers differ. That message may have
 * been removed with the records around it, so the oldest existing record determines the start.
 */
export class RecordPlaces {
  readonly #stretches: Stretch[];

  private constructor(oldest: Stretch) {
    this.#stretches = [oldest];
  }

  /** Reads from the stream what was set aside. Throws LogDamaged, LogTooNew. */
  static async find(stream: FindIn, { first }: StreamBounds, mac: RecordMac): Promise<RecordPlaces> {
    const oldest = first > 1 ? await findOpened(stream, 'record', first, mac) : null;
    const places = new RecordPlaces(
      oldest ? { seq: decodeAny(oldest).record.seq, at: oldest.at } : { seq: 1, at: 1 },
    );
    for (let from = first; ; ) {
      const found = await findOpened(stream, 'aside', from, mac);
      if (found === null) return places;
      places.setAside(readAside(found.bytes), found.at);
      from = found.at + 1;
    }
  }

  /** Message `at` says that the record `seq`, and everything after the record before it, does not count. */
  setAside(seq: number, at: number): void {
    if (at >= this.#stretches.at(-1)!.at) this.#stretches.push({ seq, at: at + 1 });
  }

  messageOf(seq: number): number {
    const stretch = this.#stretches.findLast((each) => each.seq <= seq);
    // Records before the oldest were removed, and so was the first message.
    return stretch === undefined ? 1 : stretch.at + seq - stretch.seq;
  }

  /** The first valid record of a stream that starts with message `first` and ends with record `lastSeq`. */
  firstRecord(first: number, lastSeq: number): number {
    let end = lastSeq + 1;
    let found = end;
    for (const { seq, at } of this.#stretches.toReversed()) {
      // Records from `end` on are in a later stretch.
      if (seq < end && at + end - 1 - seq >= first) found = seq + Math.max(0, first - at);
      end = Math.min(end, seq);
    }
    return found;
  }
}

/** The first message of that kind that a node wrote. */
async function findOpened(
  stream: FindIn,
  kind: MessageKind,
  first: number,
  mac: RecordMac,
): Promise<StreamMessage | null> {
  for (let from = first; ; ) {
    const found = await stream.find(kind, from);
    const opened = found && mac.open(found);
    if (found === null || opened !== null) return opened;
    from = found.at + 1;
  }
}

export function writeAside(seq: number): Uint8Array {
  const aside = new ByteSink();
  aside.float64(seq);
  return aside.bytes.subarray(0, aside.at);
}

export function readAside(bytes: Uint8Array): number {
  return new ByteSource(bytes).float64();
}
