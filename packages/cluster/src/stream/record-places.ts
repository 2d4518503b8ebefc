/**
 * Which message of the stream holds which record. Usually record 7 is message 7. When a record was set aside, or somebody
 * who is no node wrote messages, a message after them says so, and which record comes next: from there on the two numbers
 * differ. Such a message may have been given up with the records around it, so the oldest record that is there says where
 * to begin.
 */

import { ByteSink, ByteSource } from '@bourse/engine';
import type { RecordMac } from './record-mac.ts';
import type { MessageKind, RecordStream, StreamBounds, StreamMessage } from './record-stream.ts';
import { decodeAny } from './stream-record.ts';

/** From the record `seq`, which is message `at`, the numbers go on together. */
interface Stretch {
  readonly seq: number;
  readonly at: number;
}

type FindIn = Pick<RecordStream, 'find'>;

export class RecordPlaces {
  readonly #stretches: Stretch[];

  private constructor(oldest: Stretch) {
    this.#stretches = [oldest];
  }

  /** Asks the stream what was set aside. Throws LogDamaged, LogTooNew. */
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

  /** Message `at` says that the record `seq`, and whatever stands behind the record before it, does not count. */
  setAside(seq: number, at: number): void {
    if (at >= this.#stretches.at(-1)!.at) this.#stretches.push({ seq, at: at + 1 });
  }

  messageOf(seq: number): number {
    const stretch = this.#stretches.findLast((each) => each.seq <= seq);
    // A record before the oldest was given up, and so was the first message.
    return stretch === undefined ? 1 : stretch.at + seq - stretch.seq;
  }

  /** The first record that counts of a stream that begins with message `first` and ends with record `lastSeq`. */
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
  const sink = new ByteSink();
  sink.float64(seq);
  return sink.bytes.subarray(0, sink.at);
}

export function readAside(bytes: Uint8Array): number {
  return new ByteSource(bytes).float64();
}
