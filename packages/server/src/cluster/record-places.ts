/**
 * Which message of the stream holds which record. Usually record 7 is message 7. When a record was set aside, a message
 * after it says so, and the next message is another record of the same sequence: from there on the two numbers differ.
 */

import { ByteSink } from '../log/command-codec/byte-sink.ts';
import { ByteSource } from '../log/command-codec/byte-source.ts';
import type { RecordStream, StreamBounds } from './record-stream.ts';

/** From the record `seq`, which is message `at`, the numbers go on together. */
interface Stretch {
  readonly seq: number;
  readonly at: number;
}

export class RecordPlaces {
  readonly #stretches: Stretch[] = [{ seq: 1, at: 1 }];

  /** Asks the stream what was set aside. */
  static async find(stream: RecordStream, { first }: StreamBounds): Promise<RecordPlaces> {
    const places = new RecordPlaces();
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
    const stretch = this.#stretches.findLast((each) => each.seq <= seq)!;
    return stretch.at + seq - stretch.seq;
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

export function readAside(bytes: Uint8Array): number {
  return new ByteSource(bytes).float64();
}
