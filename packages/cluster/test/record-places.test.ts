/** Which message holds which record, where records were set aside. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type MessageKind,
  NO_TAGS,
  RecordMac,
  RecordPlaces,
  type StreamMessage,
  writeAside,
  writeRecordMessage,
} from '../src/stream/record-stream.ts';
import { NO_HASH, RecordWriter } from '../../engine/src/log/record.ts';
import { recordOf } from '@bourse/test-kit/contracts.ts';

const mac = new RecordMac(Buffer.alloc(32, 7));
/** The content of each message of the stream, from the first on: a record, or a message that sets a record aside. */
const STREAM =
  'record 1, record 2, record 3, record 4, record 5, aside 5, aside 4, record 4, record 5, aside 5, record 5, record 6';
const MESSAGES: readonly StreamMessage[] = STREAM.split(', ').map((text, index) => {
  const [kind, seq] = [text.split(' ')[0] as MessageKind, Number(text.split(' ')[1])];
  const frame = new RecordWriter().write(recordOf(seq), NO_HASH);
  const bytes = kind === 'aside' ? writeAside(seq) : writeRecordMessage(frame, NO_TAGS);
  return { at: index + 1, kind, bytes: mac.sign(kind, index + 1, bytes) };
});
const last = MESSAGES.length;

/** Like a stream whose oldest message is this one. */
function placesFrom(first: number): Promise<RecordPlaces> {
  const find = async (kind: MessageKind, from: number): Promise<StreamMessage | null> =>
    MESSAGES.find((message) => message.kind === kind && message.at >= Math.max(first, from)) ?? null;
  return RecordPlaces.find({ find }, { first, last }, mac);
}

test('after a message was set aside, its record number belongs to a later message', async () => {
  const places = await placesFrom(1);
  assert.deepEqual(
    [1, 2, 3, 4, 5, 6, 7].map((seq) => places.messageOf(seq)),
    [1, 2, 3, 8, 11, 12, 13],
  );
});

test('a stream has the same records after its oldest messages were removed, even those that set records aside', async () => {
  const firsts = [];
  for (let first = 1; first <= last; first++) {
    const places = await placesFrom(first);
    const firstSeq = places.firstRecord(first, 6);
    firsts.push(firstSeq);
    for (let seq = firstSeq; seq <= 6; seq++)
      assert.equal(places.messageOf(seq), [0, 1, 2, 3, 8, 11, 12][seq]);
    for (let seq = 1; seq < firstSeq; seq++) assert.ok(places.messageOf(seq) < first);
  }
  assert.deepEqual(firsts, [1, 2, 3, 4, 4, 4, 4, 4, 5, 5, 5, 6]);
});

test('messages that no node wrote are skipped, wherever they are', async () => {
  const foreign = (kind: MessageKind, at: number): StreamMessage => ({
    at,
    kind,
    // As a node wrote it for another place.
    bytes: MESSAGES.find((message) => message.kind === kind)!.bytes,
  });
  const record = MESSAGES.at(-1)!;
  const messages = [foreign('record', 9), foreign('aside', 10), foreign('record', 11), record];
  const find = async (kind: MessageKind, from: number): Promise<StreamMessage | null> =>
    messages.find((message) => message.kind === kind && message.at >= from) ?? null;
  const places = await RecordPlaces.find({ find }, { first: 9, last: 12 }, mac);
  assert.deepEqual([places.firstRecord(9, 6), places.messageOf(6)], [6, 12]);
});
