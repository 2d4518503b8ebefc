/**
 * The log in a replicated stream. The leader is whoever can append: every append names the message it must follow, and the
 * servers accept only one of all appends that name the same message. Neither locks nor clocks are involved.
 *
 * Without a reply, the result of an append is unknown. Deduplication by the servers is never assumed; the message after
 * the last known one is read, and it is either this append's or another node's. While there is none, the same bytes are
 * appended again, after the same message: so at most one of them is ever accepted.
 *
 * A forged message takes a position and nothing else: everybody skips it. The next writer first appends a message which
 * says that what follows the last record does not count, so that later readers find the records.
 */

import type { LogRecord } from '@bourse/core';
import {
  type Appending,
  type Clock,
  type CommandLog,
  HASH_BYTES,
  LogBroken,
  LogConflict,
  LogFull,
  NO_HASH,
  RecordWriter,
} from '@bourse/engine';
import {
  decodeAny,
  decodeFollowing,
  type KnownRules,
  type MessageKind,
  NO_TAGS,
  NO_WRITER,
  readAside,
  type RecordMac,
  type RecordMessage,
  RecordPlaces,
  type RecordStream,
  type RecordTags,
  type StreamBounds,
  type StreamMessage,
  writeAside,
  type Writer,
  writeRecordMessage,
} from './record-stream.ts';
import { MAC_BYTES } from '../authentication.ts';
import { ClusterUnfit } from './nats-link.ts';
import { delay, StreamReader } from './stream-reader.ts';

/** A message without its MAC, which depends on its position. */
interface Unsigned {
  readonly bytes: Uint8Array;
}

/**
 * The messages that may be at the next position of the stream. A message may be accepted long after its sender gave up, so
 * any that was tried at a position may be found there; the servers accept at most one.
 */
interface Candidates<T extends Unsigned> {
  readonly tried: readonly T[];
  /** The one to send now. */
  next(): T;
}

function only<T extends Unsigned>(message: T): Candidates<T> {
  return { tried: [message], next: () => message };
}

/** `message` until it is late; from then on the result of `makeLate`. */
function untilLate<T extends Unsigned>(message: T, isLate: () => boolean, makeLate: () => T): Candidates<T> {
  const tried = [message];
  const next = (): T => {
    if (tried.length === 1 && isLate()) tried.push(makeLate());
    return tried.at(-1)!;
  };
  return { tried, next };
}

export interface JetStreamLogOptions {
  readonly stream: RecordStream;
  readonly clock: Clock;
  readonly mac: RecordMac;
  /** Message `at` is forged. */
  readonly onForged?: (at: number) => void;
}

/** A record as a message of the stream. */
interface Candidate extends Unsigned {
  readonly message: Pick<RecordMessage, 'record' | 'tags' | 'hash'>;
}

export interface StreamAppending extends Appending {
  /** Which of the records tried at this position is there; only once `durable` has resolved. */
  readonly placed: () => Candidate;
}

/** Between two attempts while the result is unknown. */
const AGAIN_MS = 100;
const FORGED_AT_END_MAX = 1000;
export class JetStreamLog implements CommandLog {
  lastSeq = 0;
  lastTime = 0;
  firstSeq = 1;
  bytesAppended = 0;
  failure: LogConflict | LogBroken | null = null;
  /** The rules of the last record; 0 if there is none. */
  lastRules = 0;
  /** The writer of the last record. */
  lastWriter: Writer = NO_WRITER;
  /** The versions that the nodes support, as named by the last record. */
  lastKnown: readonly KnownRules[] = [];
  readonly #stream: RecordStream;
  readonly #clock: Clock;
  readonly #mac: RecordMac;
  readonly #onForged: (at: number) => void;
  readonly #places: RecordPlaces;
  readonly #reader: StreamReader;
  readonly #writer = new RecordWriter();
  #hash: Uint8Array = NO_HASH;
  /** The last known message of the stream. */
  #at: number;
  #first: number;
  /** There are forged messages between the last record and `#at`, and no node has marked them yet. */
  #isPastForged = false;
  #isTakenIn = false;
  #state: 'ready' | 'appending' | 'closed' = 'ready';

  private constructor(options: JetStreamLogOptions, bounds: StreamBounds, places: RecordPlaces) {
    const { stream, clock, mac, onForged = () => undefined } = options;
    this.#stream = stream;
    this.#clock = clock;
    this.#mac = mac;
    this.#onForged = onForged;
    this.#places = places;
    this.#reader = new StreamReader({ stream, clock, mac, places });
    this.#at = bounds.last;
    this.#first = bounds.first;
  }

  /** The log closes the stream. Throws LogDamaged, LogTooNew. */
  static async open(options: JetStreamLogOptions): Promise<JetStreamLog> {
    const bounds = await options.stream.bounds();
    const places = await RecordPlaces.find(options.stream, bounds, options.mac);
    const log = new JetStreamLog(options, bounds, places);
    await log.#findEnd(bounds);
    return log;
  }

  /**
   * Without tags, nobody waits for its commands, and nobody leads by it. No attempt is sent after `until`, in monotonic time:
   * from then on an empty record is tried at the same position. Throws RangeError if it is too large.
   */
  append(record: LogRecord, tags: RecordTags = NO_TAGS, until = Infinity): StreamAppending {
    this.#checkAppend(record);
    const candidates = untilLate(
      this.#candidate(record, tags),
      () => this.#clock.machine.elapsed() > until,
      () => this.#candidate({ ...record, commands: [] }, { ...tags, origins: [] }),
    );
    this.#state = 'appending';
    let placed: Candidate;
    const durable = this.#send('record', candidates).then((candidate) => {
      placed = candidate;
      this.#end(candidate.message);
      this.bytesAppended += candidate.bytes.length;
      this.#state = 'ready';
    });
    return { durable, placed: () => placed };
  }

  #candidate(record: LogRecord, tags: RecordTags): Candidate {
    const frame = this.#writer.write(record, this.#hash);
    const hash = Buffer.from(frame.subarray(-HASH_BYTES));
    const bytes = writeRecordMessage(frame, tags);
    const length = bytes.length + MAC_BYTES;
    if (length > this.#stream.messageBytesMax) {
      throw new RangeError(
        `Record ${record.seq} has ${length} bytes, and the servers take ${this.#stream.messageBytesMax}.`,
      );
    }
    return { bytes, message: { record, tags, hash } };
  }

  async setLastAside(): Promise<string> {
    if (this.#state !== 'ready' || this.bytesAppended > 0 || this.lastSeq < this.firstSeq) {
      throw new Error('there is no record to set aside, or it is too late');
    }
    const seq = this.lastSeq;
    const path = `message ${this.#places.messageOf(seq)} of the stream`;
    this.#state = 'appending';
    await this.#send('aside', only({ bytes: writeAside(seq) }));
    this.#state = 'ready';
    this.#places.setAside(seq, this.#at);
    this.lastSeq = seq - 1;
    if (this.lastSeq >= this.firstSeq) await this.#readLast();
    else {
      [this.lastTime, this.lastRules, this.#hash] = [0, 0, NO_HASH];
      [this.lastWriter, this.lastKnown] = [NO_WRITER, []];
    }
    return path;
  }

  read(fromSeq: number, throughSeq: number): AsyncIterable<LogRecord> {
    return this.#reader.read(fromSeq, Math.min(throughSeq, this.lastSeq));
  }

  get bytesRead(): number {
    return this.#reader.bytesRead;
  }

  /** Never the last record, because the next one is chained to it; and no message after `lastMessage`. */
  async removeBelow(seq: number, lastMessage = Infinity): Promise<void> {
    const at = Math.min(this.#places.messageOf(Math.min(seq, this.lastSeq)), lastMessage + 1);
    if (at <= this.#first) return;
    await this.#stream.removeBelow(at);
    this.#first = at;
    this.firstSeq = this.#places.firstRecord(at, this.lastSeq);
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    await this.#reader.close();
  }

  /** After LogConflict or LogFull: a node that has not applied the rejected record may continue from the log. */
  resume(): void {
    if (this.failure instanceof LogBroken) return;
    this.failure = null;
  }

  /** Records that others have appended, as far as the server knows; every record counts as soon as it is here. */
  async readNew(): Promise<RecordMessage[]> {
    if (this.#state !== 'ready' || this.#isTakenIn)
      throw new Error(`reading while the log is ${this.#state}`);
    this.#isTakenIn = true;
    try {
      for (;;) {
        const messages = await this.#stream.read(this.#at + 1);
        const taken = messages.map((message) => this.#accept(message)).filter((each) => each !== null);
        if (taken.length > 0 || messages.length === 0) return taken;
      }
    } finally {
      this.#isTakenIn = false;
    }
  }

  /**
   * Takes a message without its MAC, as its writer broadcast it once it was durable, over an authenticated bus; null if it is
   * not the next one or cannot be decoded. If it was damaged in transit, the stream has it intact; if it is damaged there
   * too, reading the stream reports it.
   */
  accept(message: StreamMessage): RecordMessage | null {
    if (this.#state !== 'ready' || this.#isTakenIn || message.at !== this.#at + 1) return null;
    try {
      return this.#acceptOpened(message);
    } catch {
      return null;
    }
  }

  /** Whether this log has everything that was appended when the servers replied; null if they did not. */
  async isAtEnd(): Promise<boolean | null> {
    const end = await this.#stream.end();
    return end === null ? null : end <= this.#at;
  }

  get messageBytesMax(): number {
    return this.#stream.messageBytesMax;
  }

  /** The number of the last message. */
  get lastMessage(): number {
    return this.#at;
  }

  /** null if it is not a record. */
  #accept(message: StreamMessage): RecordMessage | null {
    const opened = this.#mac.open(message);
    if (opened !== null) return this.#acceptOpened(opened);
    this.#skip(message);
    return null;
  }

  #acceptOpened(message: StreamMessage): RecordMessage | null {
    if (message.kind === 'aside' && readAside(message.bytes) === this.lastSeq + 1) {
      this.#at = message.at;
      this.#places.setAside(this.lastSeq + 1, this.#at);
      this.#isPastForged = false;
      return null;
    }
    const found = decodeFollowing(message, this.lastSeq + 1, { hash: this.#hash });
    this.#at = message.at;
    this.#end(found);
    this.bytesAppended += message.bytes.length;
    return found;
  }

  #skip({ at }: StreamMessage): void {
    this.#at = at;
    this.#isPastForged = true;
    this.#onForged(at);
  }

  #checkAppend({ seq, time }: LogRecord): void {
    if (this.failure) throw this.failure;
    if (this.#state !== 'ready') throw new Error(`append while the log is ${this.#state}`);
    if (this.#isTakenIn) throw new Error('append while the log is being read');
    if (seq !== this.lastSeq + 1) {
      throw new LogConflict(`Record ${seq} does not follow ${this.lastSeq}, the last of the log.`);
    }
    if (!(time >= this.lastTime)) throw new RangeError(`Record ${seq} goes back in time.`);
  }

  /** Even after forged messages: readers of the stream must find the record. */
  async #send<T extends Unsigned>(kind: MessageKind, candidates: Candidates<T>): Promise<T> {
    for (;;) {
      if (this.#isPastForged) {
        const seq = this.lastSeq + 1;
        if ((await this.#sendHere('aside', only({ bytes: writeAside(seq) }))) === null) continue;
        this.#places.setAside(seq, this.#at);
        this.#isPastForged = false;
      }
      const placed = await this.#sendHere(kind, candidates);
      if (placed !== null) return placed;
    }
  }

  /**
   * Tries the candidates until one of them is known to be there, or all to be rejected permanently; null if a forged message
   * took the position. Throws LogConflict, LogFull, LogBroken.
   */
  async #sendHere<T extends Unsigned>(kind: MessageKind, candidates: Candidates<T>): Promise<T | null> {
    for (let isFirst = true; ; isFirst = false) {
      const candidate = candidates.next();
      const signed = this.#mac.sign(kind, this.#at + 1, candidate.bytes);
      const result = await this.#stream.append(kind, signed, this.#at);
      const placed = result === 'appended' ? candidate : await this.#findPlaced(candidates.tried);
      if (placed === null) return null;
      if (placed) {
        this.#at++;
        return placed;
      }
      if (this.#state === 'closed') throw this.#breakDown();
      // An earlier attempt with an unknown result may still be accepted.
      if (result === 'full' && isFirst) {
        this.#state = 'ready';
        throw new LogFull('The stream is full.');
      }
      await delay(this.#clock, AGAIN_MS);
    }
  }

  /**
   * undefined if there is no message after the last known one, or nobody replies; null if it is forged. Throws LogConflict.
   */
  async #findPlaced<T extends Unsigned>(candidates: readonly T[]): Promise<T | undefined | null> {
    const [next] = await this.#stream.read(this.#at + 1).catch(() => []);
    if (next?.at !== this.#at + 1) return undefined;
    const opened = this.#mac.open(next);
    if (opened === null) {
      this.#skip(next);
      return null;
    }
    const placed = candidates.find(({ bytes }) => Buffer.from(bytes).equals(opened.bytes));
    if (placed === undefined) throw this.#refuse();
    return placed;
  }

  #refuse(): LogConflict {
    this.#state = 'ready';
    this.failure = new LogConflict(
      `Another process appended record ${this.lastSeq + 1} to the stream first. A node that has applied a different one must discard it, and ` +
        'start again from the log.',
    );
    return this.failure;
  }

  #breakDown(): LogBroken {
    this.failure = new LogBroken('The log was closed before the result of its last append was known.');
    return this.failure;
  }

  #end({ record, tags, hash }: Pick<RecordMessage, 'record' | 'tags' | 'hash'>): void {
    this.lastSeq = record.seq;
    this.lastTime = record.time;
    this.lastRules = record.rules ?? 1;
    this.lastWriter = tags.writer;
    this.lastKnown = tags.known;
    this.#hash = hash;
  }

  /** Walks back over forged messages. Throws ClusterUnfit if nothing was written with this key. */
  async #findEnd({ first, last }: StreamBounds): Promise<void> {
    this.lastSeq = first - 1;
    for (let at = last; at >= first; at--) {
      if (last - at === FORGED_AT_END_MAX || at === first) await this.#checkKey(first);
      const opened = this.#mac.open(await this.#readAt(at));
      if (opened !== null) {
        await this.#endAt(opened);
        break;
      }
      this.#isPastForged = true;
      this.#onForged(at);
    }
    this.firstSeq = this.#places.firstRecord(first, this.lastSeq);
  }

  /** A forger can only append: if the oldest message is foreign too, this is not the stream's key. */
  async #checkKey(first: number): Promise<void> {
    if (this.#mac.open(await this.#readAt(first))) return;
    throw new ClusterUnfit(
      'No record of the stream was written with this secret key: give this node that of the others ' +
        '(--secret-key-file), or another stream (--cluster-stream). Nothing was changed.',
    );
  }

  async #endAt(message: StreamMessage): Promise<void> {
    if (message.kind === 'record') {
      this.#end(decodeAny(message));
      return;
    }
    this.lastSeq = readAside(message.bytes) - 1;
    if (this.#places.messageOf(this.lastSeq) >= this.#first) await this.#readLast();
  }

  async #readLast(): Promise<void> {
    const message = await this.#readAt(this.#places.messageOf(this.lastSeq));
    this.#end(decodeFollowing(this.#mac.open(message) ?? message, this.lastSeq, null));
  }

  async #readAt(at: number): Promise<StreamMessage> {
    for (;;) {
      if (this.#state === 'closed') throw this.#breakDown();
      const [message] = await this.#stream.read(at).catch(() => []);
      if (message?.at === at) return message;
      await delay(this.#clock, AGAIN_MS);
    }
  }
}
