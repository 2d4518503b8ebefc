import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFeed } from './feed-check.ts';

const SEED = 20_260;
const MESSAGES = 4000;

test(`promise 11: a copy of the book is the book after every message (seed ${SEED})`, async () => {
  const { messages, compared, trades, resyncs } = await checkFeed(SEED, MESSAGES);
  assert.ok(messages >= MESSAGES);
  assert.ok(compared > MESSAGES / 2, `${compared} compared`);
  assert.ok(trades > 100 && resyncs >= 4, `${trades} trades, ${resyncs} resyncs`);
});
