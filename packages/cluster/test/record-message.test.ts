/** A record as a message of the stream, with the cluster's metadata. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRecordMessage, type RecordTags, writeRecordMessage } from '../src/stream/record-stream.ts';
import { Malformed } from '../../engine/src/bytes.ts';
import { NO_HASH, RecordWriter } from '../../engine/src/log/record.ts';
import { recordOf } from '@bourse/test-kit/contracts.ts';

const record = recordOf(1, {
  commands: [
    { kind: 'add-user', name: 'one' },
    { kind: 'add-user', name: 'two' },
  ],
});
const tags: RecordTags = {
  writer: { name: 'n1', run: 'run-1', term: 7 },
  digest: '1-0123',
  origins: [
    { run: 'run-1', id: 3 },
    { run: 'run-2', id: 9 },
  ],
  isSnapshotDue: true,
  known: [
    { name: 'n1', rules: 3 },
    { name: 'n2', rules: 2 },
  ],
};
const write = (of: RecordTags): Uint8Array =>
  writeRecordMessage(new RecordWriter().write(record, NO_HASH), of);

test('an encoded message is decoded unchanged', () => {
  for (const isSnapshotDue of [true, false]) {
    const read = readRecordMessage(write({ ...tags, isSnapshotDue }));
    assert.deepEqual(read.record, record);
    assert.deepEqual(read.tags, { ...tags, isSnapshotDue });
  }
});

test('a message that ends early is malformed', () => {
  const whole = write(tags);
  for (let cut = 1; cut < 40; cut++)
    assert.throws(() => readRecordMessage(whole.subarray(0, -cut)), Malformed, `${cut} bytes`);
});
