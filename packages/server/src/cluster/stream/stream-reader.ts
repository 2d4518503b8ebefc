/** Reads records out of the stream: checks that each follows the one before, and waits for those that are yet to come. */

import type { LogRecord } from '@bourse/core';
import type { Clock } from '../../io/clock.ts';
import { LogGone, type LogSource } from '../../log/command-log.ts';
import type { RecordMessage } from './record-message.ts';
import { RecordPlaces } from './record-places.ts';
import type { RecordStream, StreamMessage } from './record-stream.ts';
import { decodeFollowing } from './stream-record.ts';

/** Between two questions to servers that do not answer or are behind. */
const PAUSE_MS = 50;

export class StreamReader implements LogSource {
  readonly #stream: RecordStream;
  readonly #clock: Clock;
  readonly #places: RecordPlaces;
  #isClosed = false;
  bytesRead = 0;

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
        this.bytesRead += message.bytes.length;
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

export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
