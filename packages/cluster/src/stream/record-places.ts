/**
 * Maps records to messages of the stream. Usually record 7 is message 7. If a record was set aside, or forged messages were
 * appended, a later message says so and names the next record: from there on the two numbers differ. That message may have
 * been removed with the records around it, so the oldest existing record determines the start.
 */

import { ByteSink, ByteSource } from '@bourse/engine';
import { type RecordMac, decodeAny } from './record-message.ts';
import type { MessageKind, RecordStream, StreamBounds, StreamMessage } from './record-stream.ts';

/** From the record `seq`, which is message `at`, both numbers increase together. */
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
  const sink = new ByteSink();
  sink.float64(seq);
  return sink.bytes.subarray(0, sink.at);
}

export function readAside(bytes: Uint8Array): number {
  return new ByteSource(bytes).float64();
}
