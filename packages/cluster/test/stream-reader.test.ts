/** Consecutive reads of a stream: each continues the one before, or reports that the log was rewritten. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAll, recordOf } from '@bourse/test-kit/contracts.ts';
import { nodeClock } from '../../engine/src/io/clock.ts';
import { HASH_BYTES, NO_HASH, RecordWriter } from '../../engine/src/log/record.ts';
import { deriveClusterKeys } from '../src/authentication.ts';
import {
  type MessageKind,
  NO_TAGS,
  RecordMac,
  RecordPlaces,
  type RecordStream,
  type StreamMessage,
  writeAside,
  writeRecordMessage,
} from '../src/stream/record-stream.ts';
import { StreamReader } from '../src/stream/stream-reader.ts';

const mac = new RecordMac(deriveClusterKeys('a7'.repeat(32), 'test').records);
const writer = new RecordWriter();

/** A stream in memory. */
class Messages {
  readonly all: StreamMessage[] = [];
  #hash: Uint8Array = NO_HASH;
  /** The chain hash before each record. */
  readonly #hashes: Uint8Array[] = [];

  record(seq: number, time = 1000 + seq): void {
    const before = this.#hashes[seq] ?? this.#hash;
    const frame = writer.write(recordOf(seq, { time }), before);
    this.#hashes[seq] = before;
    this.#hash = Buffer.from(frame.subarray(-HASH_BYTES));
    this.#append('record', writeRecordMessage(frame, NO_TAGS));
  }

  aside(seq: number): void {
    this.#append('aside', writeAside(seq));
  }

  #append(kind: MessageKind, bytes: Uint8Array): void {
    const at = this.all.length + 1;
    this.all.push({ at, kind, bytes: mac.sign(kind, at, bytes) });
  }
}

function streamOf(now: () => Messages): RecordStream {
  const stream: Partial<RecordStream> = {
    bounds: async () => ({ first: 1, last: now().all.length }),
    read: async (from) => now().all.slice(from - 1),
    find: async (kind, from) => now().all.find((each) => each.kind === kind && each.at >= from) ?? null,
    close: async () => undefined,
  };
  return stream as RecordStream;
}

test('a record that does not continue those read before is damage, even in a later call', async () => {
  const [own, other] = [new Messages(), new Messages()];
  for (const seq of [1, 2, 3]) {
    own.record(seq);
    // Only record 2 differs: the third has the same content in both.
    other.record(seq, seq === 2 ? 1001 : undefined);
  }
  let now = own;
  const reader = await StreamReader.open({ stream: streamOf(() => now), clock: nodeClock, mac });
  await readAll(reader, 1, 2);
  now = other;
  await assert.rejects(readAll(reader, 3, 3), {
    name: 'LogDamaged',
    message: /^Message 3 of the stream should be record 3, but it does not match its hash/,
  });
  now = own;
  assert.deepEqual(await readAll(reader, 3, 3), [recordOf(3, { time: 1003 })]);
});

test('a record that was set aside after it was read is not the one before the next', async () => {
  const messages = new Messages();
  for (const seq of [1, 2]) messages.record(seq);
  const stream = streamOf(() => messages);
  const places = await RecordPlaces.find(stream, await stream.bounds(), mac);
  const reader = new StreamReader({ stream, clock: nodeClock, mac, places });
  await readAll(reader, 1, 2);
  messages.aside(2);
  places.setAside(2, 3);
  messages.record(2, 1001);
  messages.record(3);
  assert.deepEqual(await readAll(reader, 3, 3), [recordOf(3, { time: 1003 })]);
});
