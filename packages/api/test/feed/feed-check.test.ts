import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { checkFeed } from './feed-check.ts';

const SEED = 20_260;
const MESSAGES = ofSize(30_000, 200_000);

test(`promise 11: a copy of the book is the book after every one of ${MESSAGES} messages (seed ${SEED})`, async (t) => {
  const { compared, counts, resyncs } = await checkFeed({ seed: SEED, messages: MESSAGES });
  t.diagnostic([...counts].map(([name, count]) => `${name} ${count}`).join(', '));
  assert.ok(compared >= MESSAGES, `${compared} compared`);
  assert.ok(counts.get('/market/level2')! >= compared, 'each comparison is of a message');
  assert.ok(counts.get('/market/match')! > MESSAGES / 100, 'there were trades');
  assert.ok(resyncs >= MESSAGES / 2000, `${resyncs} resyncs`);
});
