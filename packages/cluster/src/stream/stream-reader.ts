/** Reads records from the stream: checks that each follows the one before, and waits for those yet to come. */

import type { LogRecord } from '@bourse/core';
import { type Clock, LogGone, type LogSource } from '@bourse/engine';
import {
  decodeAny,
  decodeFollowing,
  readAside,
  type RecordMac,
  type RecordMessage,
  RecordPlaces,
  type RecordStream,
  type StreamBounds,
  type StreamMessage,
} from './record-stream.ts';

/** Between two requests to servers that do not respond or are behind. */
const PAUSE_MS = 50;
/** A server that lacks a logged record for this long is partitioned from the others. */
const BEHIND_MS_MAX = 3000;

export interface StreamReaderParts {
  readonly stream: RecordStream;
  readonly clock: Clock;
  readonly mac: RecordMac;
  readonly places: RecordPlaces;
}

export class StreamReader implements LogSource {
  readonly #parts: StreamReaderParts;
  #isClosed = false;
  /** The last record that was read, in message `at`: a later call verifies that its first record continues it. */
  #last: { readonly seq: number; readonly at: number; readonly hash: Uint8Array } | null = null;
  bytesRead = 0;

  constructor(parts: StreamReaderParts) {
    this.#parts = parts;
  }

  /** The reader closes the stream. */
  static async open(parts: Omit<StreamReaderParts, 'places'>): Promise<StreamReader> {
    const { stream, mac } = parts;
    const places = await RecordPlaces.find(stream, await stream.bounds(), mac);
    return new StreamReader({ ...parts, places });
  }

  /** Waits for records that do not exist yet: the caller knows that they will. */
  async *read(fromSeq: number, throughSeq: number): AsyncGenerator<LogRecord, void, void> {
    const { places, mac } = this.#parts;
    let before: Pick<RecordMessage, 'hash'> | null = this.#before(fromSeq);
    let at = places.messageOf(fromSeq);
    for (let seq = fromSeq; seq <= throughSeq; ) {
      for (const message of await this.#wait(at)) {
        if (message.at > at) throw new LogGone(`Record ${seq} is no longer in the stream: it was removed.`);
        at++;
        const opened = mac.open(message);
        // Forged, so skip it.
        if (opened === null) continue;
        if (opened.kind === 'aside' && readAside(opened.bytes) === seq) {
          places.setAside(seq, message.at);
          continue;
        }
        const found = decodeFollowing(opened, seq, before);
        before = found;
        this.#last = { seq, at: message.at, hash: found.hash };
        this.bytesRead += opened.bytes.length;
        yield found.record;
        seq++;
        if (seq > throughSeq || places.messageOf(seq) > at) break;
      }
      at = Math.max(at, places.messageOf(seq));
    }
  }

  /** The last record of a stream with these bounds; null if the asked server does not have it yet. */
  async lastSeq({ first, last }: StreamBounds): Promise<number | null> {
    const { stream, mac } = this.#parts;
    for (let at = last; at >= first; at--) {
      const [message] = await stream.read(at);
      if (message?.at !== at) return null;
      const opened = mac.open(message);
      if (opened?.kind === 'record') return decodeAny(opened).record.seq;
      if (opened) return readAside(opened.bytes) - 1;
    }
    return first - 1;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#parts.stream.close();
  }

  /** null if it was not read, or was set aside since. */
  #before(seq: number): Pick<RecordMessage, 'hash'> | null {
    const last = this.#last;
    return last?.seq === seq - 1 && this.#parts.places.messageOf(last.seq) === last.at ? last : null;
  }

  async #wait(at: number): Promise<readonly StreamMessage[]> {
    const { stream, clock } = this.#parts;
    for (let since = clock.elapsed(); ; ) {
      if (this.#isClosed) throw new Error('the log was closed while it was read');
      const messages = await stream.read(at).catch(() => []);
      // Only earlier messages are not progress: the caller would ask again at once, forever.
      if (messages.some((message) => message.at >= at)) return messages;
      if (clock.elapsed() - since > BEHIND_MS_MAX) {
        since = clock.elapsed();
        stream.leaveServer();
      }
      await delay(clock, PAUSE_MS);
    }
  }
}

export function delay(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
