// A bot's tests with node:test, each with its own exchange: `npx node --test examples/testing-node.test.ts`.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import ccxt from 'ccxt';
import { type Exchange, startExchange } from '@bourse/testing';

const symbol = 'BTC-USDT';
let exchange: Exchange;

before(async () => {
  exchange = await startExchange({ clock: 'manual' });
});
after(() => exchange.stop());

test('an order by ccxt is filled by another user', async () => {
  const alice = new ccxt.kucoin({ ...exchange.ccxt('alice') });
  const from = await exchange.seq();
  const { id } = await alice.createOrder('BTC/USDT', 'limit', 'sell', 0.5, 60_000);
  await exchange.client('bob').placeOrder({ symbol, type: 'market', side: 'buy', size: '0.2' });
  const fill = await exchange.expect({ kind: 'fill', where: { user: 'alice', orderId: id! } }, { from });
  assert.deepEqual([fill['price'], fill['size'], fill['liquidity']], ['60000', '0.2', 'maker']);
  await alice.cancelOrder(id!, 'BTC/USDT');
});

test('an order with a lifetime of a minute has ended after a minute', async () => {
  const alice = exchange.client('alice');
  const order = { symbol, type: 'limit', side: 'buy', price: '20000', size: '0.1' } as const;
  const { orderId } = await alice.placeOrder({ ...order, timeInForce: 'GTT', cancelAfter: 60 });
  await exchange.clock.advance(59_000);
  assert.equal((await alice.order({ symbol, orderId })).active, true);
  await exchange.clock.advance(1_000);
  assert.equal((await alice.order({ symbol, orderId })).active, false);
});

test('the response is lost, and the order is found by its clientOid', async () => {
  const alice = exchange.client('alice');
  await exchange.faults.add({
    match: { user: 'alice', method: 'POST', route: '/api/v1/hf/orders' },
    effect: { kind: 'drop-reply' },
    times: 1,
  });
  const order = {
    symbol,
    type: 'limit',
    side: 'buy',
    price: '20000',
    size: '0.1',
    clientOid: 'mine-1',
  } as const;
  await assert.rejects(alice.placeOrder(order), { name: 'ConnectionLost' });
  const found = await alice.order({ symbol, clientOid: 'mine-1' });
  assert.deepEqual([found.active, found.price], [true, '20000']);
});

test('a restore undoes everything', async () => {
  const alice = exchange.client('alice');
  const snapshot = await exchange.snapshots.take('before');
  const open = (await alice.openOrders(symbol)).length;
  await alice.placeOrder({ symbol, type: 'limit', side: 'buy', price: '19000', size: '0.1' });
  assert.equal((await alice.openOrders(symbol)).length, open + 1);
  await exchange.snapshots.restore(snapshot);
  assert.equal((await alice.openOrders(symbol)).length, open);
});
