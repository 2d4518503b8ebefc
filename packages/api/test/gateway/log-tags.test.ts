/** Names that are unique in the log. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionProof } from '../../src/gateway/admission.ts';
import { LogTags } from '../../src/gateway/ids.ts';

test('in one process, the same records give the same names, each of them once', () => {
  const names = (tags: LogTags) => [7, 7, 8].map((seq) => tags.next(seq));
  assert.deepEqual(names(new LogTags()), ['7-0', '7-1', '8-0']);
});

test('two nodes that have applied the same record never give the same name', () => {
  const [one, other] = [new LogTags(true), new LogTags(true)];
  const names = [one, other].flatMap((tags) => [tags.next(7), tags.next(7)]);
  assert.equal(new Set(names).size, names.length, names.join());
});

test('the name of a message in the log never exceeds the length that the log accepts', () => {
  const tags = new LogTags(true);
  const tag = tags.next(Number.MAX_SAFE_INTEGER);
  for (const length of [1, 30, 40, 128]) {
    assert.ok(sessionProof(tag, 'm'.repeat(length)).id.length <= 64, `${length}`);
  }
  assert.notEqual(sessionProof(tag, 'm'.repeat(40)).id, sessionProof(tags.next(1), 'm'.repeat(40)).id);
});
