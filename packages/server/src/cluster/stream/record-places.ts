/**
 * Which message of the stream holds which record. Usually record 7 is message 7. When a record was set aside, a message
 * after it says so, and the next message is another record of the same sequence: from there on the two numbers differ.
 * Such a message may have been given up with the records around it, so the oldest record that is there says where to begin.
 */

import { ByteSink } from '../../bytes/byte-sink.ts';
import { ByteSource } from '../../bytes/byte-source.ts';
import type { RecordStream, StreamBounds } from './record-stream.ts';
import { decodeAny } from './stream-record.ts';

/** From the record `seq`, which is message `at`, the numbers go on together. */
interface Stretch {
  readonly seq: number;
  readonly at: number;
}

export class RecordPlaces {
  readonly #stretches: Stretch[];

  private constructor(oldest: Stretch) {
    this.#stretches = [oldest];
  }

  /** Asks the stream what was set aside. Throws LogDamaged, LogTooNew. */
  static async find(stream: Pick<RecordStream, 'find'>, { first }: StreamBounds): Promise<RecordPlaces> {
    const oldest = first > 1 ? await stream.find('record', first) : null;
    const places = new RecordPlaces(
      oldest ? { seq: decodeAny(oldest).record.seq, at: oldest.at } : { seq: 1, at: 1 },
    );
    for (let from = first; ; ) {
      const found = await stream.find('aside', from);
      if (found === null) return places;
      places.setAside(readAside(found.bytes), found.at);
      from = found.at + 1;
    }
  }

  /** Message `at` says that the record `seq` does not count. */
  setAside(seq: number, at: number): void {
    this.#stretches.push({ seq, at: at + 1 });
  }

  messageOf(seq: number): number {
    const stretch = this.#stretches.findLast((each) => each.seq <= seq);
    // A record before the oldest was given up, and so was the first message.
    return stretch === undefined ? 1 : stretch.at + seq - stretch.seq;
  }

  /** The last record of a stream that ends with message `last`. */
  lastRecord(last: number): number {
    const { seq, at } = this.#stretches.at(-1)!;
    return seq + last - at;
  }

  /** The first record that counts of a stream that begins with message `first`. */
  firstRecord({ first, last }: StreamBounds): number {
    let end = this.lastRecord(last) + 1;
    let found = end;
    for (const { seq, at } of this.#stretches.toReversed()) {
      // Records from `end` on are in a later stretch.
      if (seq < end && at + end - 1 - seq >= first) found = seq + Math.max(0, first - at);
      end = Math.min(end, seq);
    }
    return found;
  }
}

export function writeAside(seq: number): Uint8Array {
  const sink = new ByteSink();
  sink.float64(seq);
  return sink.bytes.subarray(0, sink.at);
}

function readAside(bytes: Uint8Array): number {
  return new ByteSource(bytes).float64();
}
