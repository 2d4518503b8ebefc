import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Exchange } from '@bourse/core';
import { EVERYBODY } from '@bourse/engine';
import { nodeClock } from '../../../engine/src/io/clock.ts';
import { LongLists } from '../../src/gateway/paging.ts';
import { statementOf } from '../../src/gateway/money/statement.ts';
import type { Services } from '../../src/gateway/services.ts';

const EMPTY = { time: 0, accounts: () => [] };

test('statements of one user queue behind each other, and do not delay the lists of operators', async () => {
  const longLists = new LongLists(nodeClock);
  const services = {
    port: { read: <T>(ask: (exchange: Exchange) => T) => Promise.resolve(ask(EMPTY as unknown as Exchange)) },
    history: { countLedger: () => 0, ledger: () => [] },
    historyCaughtUp: () => Promise.resolve(),
    historyRetentionMs: 1,
    catalogue: { user: () => ({ createdAt: Infinity }) },
    clock: nodeClock,
    longLists,
  } as unknown as Services;
  const period = { from: 0, until: 1 };
  const read = (user: number) => statementOf(services, user, period, user);
  const many = await Promise.allSettled(Array.from({ length: 40 }, () => read(7)));
  assert.ok(many.some(({ status }) => status === 'rejected'));
  const mine = Array.from({ length: 40 }, () => read(7).catch(() => null));
  assert.deepEqual(await statementOf(services, 7, period, EVERYBODY), { until: 1, accounts: [] });
  assert.deepEqual(await read(8), { until: 1, accounts: [] });
  await Promise.all(mine);
});
