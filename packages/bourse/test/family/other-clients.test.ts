/** Undocumented endpoints that clients of the family use, and how empty values are returned. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client, startServer, type TestServer } from '@bourse/test-kit/server.ts';

describe('what other clients ask for', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.close());

  const literal = (who?: string) => new Client(server.url, who);
  const family = (who?: string) => new Client(server.url, who, 'family');

  test('the old list of symbols is the new one, in an envelope', async () => {
    const old = (await literal().get('/api/v1/symbols')).json;
    assert.equal(old.code, '200000');
    assert.deepEqual(old.data, (await literal().get('/api/v2/symbols')).json);
    const ofMarket = (await family().get('/api/v1/symbols?market=BTC')).json.data as { market: string }[];
    assert.ok(ofMarket.length > 0 && ofMarket.every(({ market }) => market === 'BTC'));
  });

  test('the regions are also listed below /api', async () => {
    for (const client of [literal(), family()]) {
      const { data } = (await client.get('/api/kyc/regions/v4')).json;
      assert.deepEqual(data, (await client.get('/kyc/regions/v4')).json.data);
      assert.ok((data as unknown[]).length > 200);
    }
  });

  test('version 2 of the feed tokens is version 1', async () => {
    for (const path of ['/api/v2/bullet-private', '/api/v2/bullet-public']) {
      const { code, data } = (await family('alice').post(path)).json;
      assert.equal(code, '200000');
      assert.match((data as { token: string }).token, /.{20}/);
    }
    assert.equal((await family().post('/api/v2/bullet-private')).json.code, '400001');
  });

  test('prices are in dollars, and a request for another fiat currency is rejected', async () => {
    for (const base of ['', '?base=', '?base=USD', '?base=USDT']) {
      assert.deepEqual((await family().get(`/api/v1/prices${base}`)).json.data, { USDT: '1' }, base);
    }
    for (const base of ['EUR', 'BTC', 'usd', '__proto__']) {
      const { json } = await family().get(`/api/v1/prices?base=${base}`);
      assert.equal(json.code, '400100');
      assert.equal(json['detail'], `base is '${base}': expected USD or USDT.`);
    }
    assert.equal((await literal().get('/api/v1/prices?base=EUR')).status, 400);
  });

  test('an empty side of the ticker is null in the family dialect, and "" in the literal one', async () => {
    const path = '/api/v1/market/orderbook/level1?symbol=ETH-BTC';
    const figures = (ticker: Record<string, unknown>) =>
      ['price', 'size', 'bestAsk', 'bestAskSize', 'bestBid', 'bestBidSize'].map((name) => ticker[name]);
    assert.deepEqual(figures((await literal().get(path)).json), Array(6).fill(''));
    assert.deepEqual(
      figures((await family().get(path)).json.data as Record<string, unknown>),
      Array(6).fill(null),
    );
    const order = { symbol: 'ETH-BTC', type: 'limit', side: 'buy', price: '0.05', size: '0.1' };
    assert.equal((await literal('alice').post('/api/v1/hf/orders', order)).status, 200);
    assert.deepEqual(figures((await family().get(path)).json.data as Record<string, unknown>), [
      null,
      null,
      null,
      null,
      '0.05',
      '0.1',
    ]);
  });
});
