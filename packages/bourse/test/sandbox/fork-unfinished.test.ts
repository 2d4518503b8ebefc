/**
 * A fork from a record in the middle of a split order: the order continues while the fork starts, and all market data
 * equals that of the origin.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { submit } from '@bourse/test-kit/submit.ts';
import type { ConnectionFile } from '../../src/startup/running-exchange.ts';
import { SignedClient } from './client.ts';
import { sandboxFor } from './exchange.ts';

const OFFERS = 24;
/** A record allows two matches. */
const STEPS = 8;
const MARKET = [
  '/api/v1/market/histories?symbol=BTC-USDT',
  '/api/v1/market/stats?symbol=BTC-USDT',
  '/api/v1/market/orderbook/level1?symbol=BTC-USDT',
  '/api/v1/market/orderbook/level2_20?symbol=BTC-USDT',
];

async function marketOf({ baseUrl }: Pick<ConnectionFile, 'baseUrl'>): Promise<string[]> {
  return Promise.all(MARKET.map(async (path) => (await fetch(baseUrl + path)).text()));
}

test('a fork from the middle of a cut order shows all its trades', async (context) => {
  const sandbox = await sandboxFor(context);
  const { connection, engine } = sandbox.running;
  await submit(engine, { kind: 'set-limits', stepsPerRecordMax: STEPS });
  const [alice, bob] = ['alice', 'bob'].map((name) => new SignedClient(connection, name));
  const order = (side: string, price: number, size: string) => ({
    symbol: 'BTC-USDT',
    type: 'limit',
    side,
    price: String(price),
    size,
  });
  for (let i = 0; i < OFFERS; i++)
    await bob.send('POST', '/api/v1/hf/orders', order('sell', 20_000 + i, '0.01'));
  const { seq: before } = await sandbox.call<{ seq: number }>('GET', '/');
  await alice.send('POST', '/api/v1/hf/orders/sync', order('buy', 21_000, '0.24'));
  const { seq: after } = await sandbox.call<{ seq: number }>('GET', '/');
  assert.equal(after - before, OFFERS / 2);
  const origin = await marketOf(connection);
  for (const from of [before + 1, before + 5, after - 1]) {
    const fork = await sandbox.call<ConnectionFile & { id: string; sandboxUrl: string }>('POST', '/forks', {
      from,
    });
    const isThrough = async () => {
      const response = await fetch(fork.sandboxUrl, {
        headers: { authorization: `Bearer ${fork.operatorToken}` },
      });
      return ((await response.json()) as { seq: number }).seq >= after;
    };
    while (!(await isThrough())) await setTimeout(5);
    assert.deepEqual(await marketOf(fork), origin, `from record ${from}, ${after - from} before the end`);
    await sandbox.call('DELETE', `/forks/${fork.id}`);
  }
});
