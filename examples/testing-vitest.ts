// A bot's tests with vitest: `npx vitest run --config examples/vitest.config.ts`.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Exchange, startExchange } from '@bourse/testing';

const order = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.1' } as const;
const { symbol } = order;
let exchange: Exchange;

beforeAll(async () => {
  exchange = await startExchange({ clock: 'manual' });
});
afterAll(() => exchange.stop());

test('an order with a lifetime of a minute has ended after a minute', async () => {
  const alice = exchange.client('alice');
  const { orderId } = await alice.placeOrder({ ...order, timeInForce: 'GTT', cancelAfter: 60 });
  await exchange.clock.advance(59_000);
  expect(await alice.order({ symbol, orderId })).toMatchObject({ active: true });
  await exchange.clock.advance(1_000);
  expect(await alice.order({ symbol, orderId })).toMatchObject({ active: false });
});

test('the response is lost, the order exists, and a restore undoes it', async () => {
  const alice = exchange.client('alice');
  const before = await exchange.snapshots.take('before');
  await exchange.faults.add({
    match: { user: 'alice', method: 'POST', route: '/api/v1/hf/orders' },
    effect: { kind: 'drop-reply' },
    times: 1,
  });
  await expect(alice.placeOrder({ ...order, clientOid: 'mine-1' })).rejects.toThrow('fetch failed');
  expect(await alice.order({ symbol, clientOid: 'mine-1' })).toMatchObject({ active: true, price: '20000' });
  await exchange.snapshots.restore(before);
  expect(await alice.openOrders(symbol)).toEqual([]);
});
