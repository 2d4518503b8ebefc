// The last use of each session is remembered only as long as it matters.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Session } from '@bourse/core';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { SessionKeys } from '../../src/gateway/access/keys.ts';

const MINUTE_MS = 60_000;

test('idle sessions that were not ended on this node are forgotten, and others are not', () => {
  const clock = new ManualClock();
  const catalogue = { key: () => undefined, keys: () => [], isOperator: () => false };
  const keys = new SessionKeys(catalogue as never, clock, { sessionIdleMs: 30 * MINUTE_MS });
  keys.begin('replaced');
  clock.jump(20 * MINUTE_MS);
  keys.noteUsed('at another node');
  clock.jump(10 * MINUTE_MS);
  keys.forgetIdle();
  assert.equal(keys.usedAt('replaced'), 0);
  assert.notEqual(keys.usedAt('at another node'), 0);
  // A forgotten session stays closed, because it had ended.
  const sessionOf = (id: string) => ({ id, createdAt: 0, expires: Infinity }) as Session;
  assert.equal(keys.isOpen(sessionOf('replaced'), 0), false);
  assert.equal(keys.isOpen(sessionOf('at another node'), 0), true);
});
