/** Reads records out of the stream: checks that each follows the one before, and waits for those that are yet to come. */

import type { LogRecord } from '@bourse/core';
import type { Clock } from '../io/clock.ts';
import { Malformed } from '../log/command-codec/byte-source.ts';
import { LogDamaged, LogGone, type LogSource } from '../log/command-log.ts';
import { chainHash } from '../log/record.ts';
import { type RecordMessage, readRecordMessage } from './record-message.ts';
import { RecordPlaces } from './record-places.ts';
import type { RecordStream, StreamMessage } from './record-stream.ts';

/** Between two questions to servers that do not answer or are behind. */
const PAUSE_MS = 50;

export class StreamReader implements LogSource {
  readonly #stream: RecordStream;
  readonly #clock: Clock;
  readonly #places: RecordPlaces;
  #isClosed = false;

  constructor(stream: RecordStream, clock: Clock, places: RecordPlaces) {
    this.#stream = stream;
    this.#clock = clock;
    this.#places = places;
  }

  /** The reader closes the stream. */
  static async open(stream: RecordStream, clock: Clock): Promise<StreamReader> {
    return new StreamReader(stream, clock, await RecordPlaces.find(stream, await stream.bounds()));
  }

  /** Waits for records that are not there yet: whoever asks knows that they will be. */
  async *read(fromSeq: number, throughSeq: number): AsyncGenerator<LogRecord, void, void> {
    let before: RecordMessage | null = null;
    for (let seq = fromSeq; seq <= throughSeq; ) {
      for (const message of await this.#wait(this.#places.messageOf(seq))) {
        if (message.at < this.#places.messageOf(seq)) continue;
        if (message.at > this.#places.messageOf(seq)) {
          throw new LogGone(`Record ${seq} is not in the stream any more: it was given up.`);
        }
        const found = decodeFollowing(message, seq, before);
        before = found;
        yield found.record;
        seq++;
        if (seq > throughSeq || this.#places.messageOf(seq) !== message.at + 1) break;
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stream.close();
  }

  async #wait(at: number): Promise<readonly StreamMessage[]> {
    for (;;) {
      if (this.#isClosed) throw new Error('the log was closed while it was read');
      const messages = await this.#stream.read(at).catch(() => []);
      if (messages.length > 0) return messages;
      await pause(this.#clock, PAUSE_MS);
    }
  }
}

/** The record `seq` out of its message; `before`: the one before it, where that was read too. Throws LogDamaged. */
export function decodeFollowing(
  { at, kind, bytes }: StreamMessage,
  seq: number,
  before: Pick<RecordMessage, 'hash'> | null,
): RecordMessage {
  try {
    if (kind !== 'record') throw new Malformed('it is no record');
    const message = readRecordMessage(bytes);
    if (message.record.seq !== seq) throw new Malformed(`it says that it is record ${message.record.seq}`);
    const { hash, hashed } = message;
    if (before && !chainHash(Buffer.concat([before.hash, hashed])).equals(hash)) {
      throw new Malformed('it does not match its hash');
    }
    return message;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new LogDamaged(
      `Message ${at} of the stream should be record ${seq}, but ${error.message}: something else writes to this stream, ` +
        'or a server has damaged it. Nothing was changed; restore the stream from a copy.',
    );
  }
}

export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
