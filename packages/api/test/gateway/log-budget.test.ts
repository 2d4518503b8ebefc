/**
 * A master with all its sub-accounts can write a bounded number of bytes to the log per window, and can still cancel.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '@bourse/core';
import { type ExchangePort, OPERATOR } from '../../../engine/src/exchange-port.ts';
import { LogBudget } from '../../src/gateway/access/throttle.ts';
import { Refusal } from '../../src/gateway/errors/refusal.ts';
import { Client, type Reply, startWhole } from '@bourse/test-kit/server.ts';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';

const isTaken = ({ json }: Reply): boolean => ['200', '200000'].includes(String(json.code));
const MULTI = '/api/v1/hf/orders/multi/sync';
const WAITER = { answered: () => undefined, failed: () => undefined };

test('sub-accounts share the log bytes of their master, and everybody can cancel', async (context) => {
  const exchange = await startWhole(makeDirectory(context), {
    quotas: { spot: 100 },
    logBytesPerWeight: 64,
    poolWindowMs: 600_000,
  });
  context.after(() => exchange.close());
  const { baseUrl } = exchange.connection;
  const order = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '1000', size: '0.001' };
  const batchOf = (name: string) =>
    new Client(baseUrl, name).post(MULTI, {
      orderList: Array.from({ length: 5 }, () => ({ ...order, remark: 'r'.repeat(20) })),
    });
  let taken = 0;
  let last = await batchOf('alice');
  for (; last.json.code !== '429000' && taken < 60; taken++) {
    last = await batchOf(taken % 2 === 0 ? 'alice' : 'alice-sub');
  }
  assert.equal(last.json.code, '429000', `${taken} batches were taken`);
  for (const name of ['alice', 'alice-sub']) {
    const client = new Client(baseUrl, name);
    // A single order takes less than a batch.
    for (let i = 0; i < 12; i++) last = await client.post('/api/v1/hf/orders', order);
    assert.equal(last.json.code, '429000');
    assert.match(String(last.json.msg), /bytes of the log/);
    assert.ok(isTaken(await client.delete('/api/v1/hf/orders?symbol=BTC-USDT')));
  }
  assert.ok(isTaken(await new Client(baseUrl, 'bob').post('/api/v1/hf/orders', order)));
});

test('the budget is full again when its window ends, and operators are not limited', () => {
  const clock = new ManualClock();
  const sent: Command[] = [];
  const port = { send: (command: Command) => void sent.push(command) } as unknown as ExchangePort;
  const users = [{ parent: -1, tier: 0 }] as never[];
  const catalogue = { user: (number: number) => users[number] };
  const quotas = { windowMs: 1000, spot: 10, tiers: {}, logBytesPerWeight: 64, bytesOf: () => 64 };
  const budget = new LogBudget(port, catalogue, quotas, clock);
  const command: Command = { kind: 'place-order', user: 0, symbol: 0, type: 'limit', side: 'buy' };
  const isRefused = (error: unknown) => error instanceof Refusal && error.error === 'too-many-requests';
  for (let i = 0; i < 6; i++) budget.send(command, WAITER, 0);
  assert.throws(() => budget.send(command, WAITER, 0), isRefused);
  budget.send(command, WAITER, OPERATOR);
  budget.send({ kind: 'cancel-order', user: 0, symbol: 0, order: 1 }, WAITER, 0);
  clock.monotonic += 1000;
  budget.send(command, WAITER, 0);
  assert.equal(sent.length, 9);
});
