import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, startWhole } from '@bourse/test-kit/server.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import {
  detail,
  limit,
  market,
  matched,
  money,
  ORDERS,
  placed,
  refused,
} from '@bourse/test-kit/gateway/trading.ts';

const MARKET_DATA = [
  '/api/v1/market/histories?symbol=BTC-USDT',
  '/api/v1/market/orderbook/level1?symbol=BTC-USDT',
];

test('orders, balances, trades and the ticker are the same after a restart', {
  timeout: 120_000,
}, async (context) => {
  const data = makeDirectory(context);
  let running = await startWhole(data);
  const clients = () => ['alice', 'bob'].map((name) => new Client(running.connection.baseUrl, name));
  try {
    let [alice, bob] = clients();
    const open = await placed(alice, limit('buy', '20000', '1', { clientOid: 'open', tags: 't' }));
    const hidden = await placed(alice, limit('buy', '19000', '1', { hidden: true }));
    const sold = await matched(bob, market('sell', { size: '0.4', clientOid: 'sold' }));
    const cancelled = await placed(bob, limit('sell', '30000', '1', { clientOid: 'cancelled' }));
    await bob.delete(`${ORDERS}/${cancelled}?symbol=BTC-USDT`);
    // Look-ups are answered first from memory and later from history: they must not differ.
    const look = async () => [
      await detail(alice, open),
      await detail(alice, hidden),
      await detail(bob, sold.orderId),
      await detail(bob, cancelled),
      (await bob.get(`${ORDERS}/client-order/sold?symbol=BTC-USDT`)).json.data,
      await money(alice, 'USDT'),
      await money(bob, 'BTC'),
      (await alice.get(MARKET_DATA[0])).text,
      { ...(await alice.get(MARKET_DATA[1])).json, time: 0 },
    ];
    const before = await look();
    await sleep(1000);
    assert.deepEqual(await look(), before);
    await running.close();
    running = await startWhole(data);
    [alice, bob] = clients();
    assert.deepEqual(await look(), before);

    const twice = await bob.post(ORDERS, limit('sell', '30000', '1', { clientOid: 'cancelled' }));
    refused(twice, '400100', /clientOidDuplicated/);
    refused(
      await bob.delete(`${ORDERS}/${cancelled}?symbol=BTC-USDT`),
      '400100',
      /is cancelled \(as requested\)/,
    );
    assert.equal((await alice.delete(`${ORDERS}/${open}?symbol=BTC-USDT`)).status, 200);
    assert.equal(await money(alice, 'USDT'), '972973 + 19019');
  } finally {
    await running.close();
  }
});
