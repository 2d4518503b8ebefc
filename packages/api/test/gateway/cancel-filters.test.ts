/** Requests that cancel many orders at once: an empty filter, or one for another kind of trading, cancels nothing. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Client, startServer } from '@bourse/test-kit/server.ts';
import { limit, ORDERS } from '@bourse/test-kit/gateway/trading.ts';

const STOP = { ...limit('buy', '100', '0.1'), stop: 'entry', stopPrice: '50000' };
const OCO = {
  clientOid: 'pair',
  symbol: 'BTC-USDT',
  side: 'buy',
  price: '100',
  size: '0.1',
  stopPrice: '50000',
  limitPrice: '50001',
};

/** Alice has an order, a stop order and an OCO order. */
async function begin(context: TestContext) {
  const server = await startServer();
  context.after(() => server.close());
  const clients = (['literal', 'family'] as const).map((dialect) => new Client(server.url, 'alice', dialect));
  const [alice] = clients;
  for (const [path, body] of [
    [ORDERS, limit('buy', '100', '0.1')],
    ['/api/v1/stop-order', STOP],
    ['/api/v3/oco/order', OCO],
  ] as const) {
    const { status, text } = await alice.post(path, body);
    assert.equal(status, 200, text);
  }
  /** How many orders, stop orders and OCO orders there are; the OCO order's parts are among the first two. */
  const count = async () => {
    const lists = ['/api/v1/orders?status=active', '/api/v1/stop-order', '/api/v3/oco/orders'];
    const pages = await Promise.all(lists.map((path) => alice.get(path)));
    return pages.map(({ json }) => (json.data as { totalNum: number }).totalNum);
  };
  assert.deepEqual(await count(), [2, 2, 1]);
  return { clients, alice, count };
}

test('an empty filter is rejected, because it would match everything', async (context) => {
  const { clients, count } = await begin(context);
  for (const path of ['/api/v1/orders', '/api/v1/stop-order/cancel', '/api/v3/oco/orders']) {
    for (const name of path === '/api/v1/orders' ? ['symbol'] : ['symbol', 'orderIds']) {
      for (const client of clients) {
        const { json, text } = await client.delete(`${path}?${name}=`);
        assert.equal(json.code, '400100', text);
        assert.match(text, new RegExp(`${name} is empty: give it a value, or leave it out to cancel all`));
      }
    }
  }
  assert.deepEqual(await count(), [2, 2, 1]);
});

test('a filter for another kind of trading matches nothing: nothing is listed or cancelled', async (context) => {
  const { alice, count } = await begin(context);
  for (const path of ['/api/v1/orders', '/api/v1/stop-order/cancel']) {
    const { json } = await alice.delete(`${path}?tradeType=MARGIN_TRADE`);
    assert.deepEqual(json.data, { cancelledOrderIds: [] });
  }
  assert.deepEqual(await count(), [2, 2, 1]);
  for (const path of ['/api/v1/orders?status=active&', '/api/v1/stop-order?', '/api/v1/fills?']) {
    const { json } = await alice.get(`${path}tradeType=MARGIN_TRADE`);
    assert.deepEqual((json.data as { items: unknown }).items, []);
  }
  const spot = await alice.get('/api/v1/stop-order?tradeType=TRADE');
  assert.equal((spot.json.data as { totalNum: number }).totalNum, 2);
});

test('an order for another kind of trading is rejected, and does not become a spot order', async (context) => {
  const { alice, count } = await begin(context);
  const margin = { tradeType: 'MARGIN_TRADE' };
  for (const [path, body] of [
    ['/api/v1/orders', { ...limit('buy', '100', '0.1'), ...margin }],
    ['/api/v1/stop-order', { ...STOP, ...margin }],
    ['/api/v3/oco/order', { ...OCO, clientOid: 'other', ...margin }],
  ] as const) {
    const { json, text } = await alice.post(path, body);
    assert.equal(json.code, '400100', text);
    assert.match(text, /tradeType \\"MARGIN_TRADE\\" must be TRADE: there is only spot trading/);
  }
  assert.deepEqual(await count(), [2, 2, 1]);
  const { json } = await alice.post('/api/v1/orders', { ...limit('buy', '100', '0.1'), tradeType: 'TRADE' });
  assert.equal(json.code, '200000');
});
