// The level-3 book: its messages, their sequence numbers, and the snapshot that they continue.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Level3Book, type Level3Message, type Level3Snapshot } from '@bourse/test-kit/level3-book.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { BTC, checkData, Traders } from './traders.ts';
import type { Data, FeedClient } from './feed-client.ts';

const TOPIC = `/spotMarket/level3:${BTC}`;
const SNAPSHOT = `/api/v3/market/orderbook/level3?symbol=${BTC}`;

async function hear(client: FeedClient, count: number): Promise<Data[]> {
  const all: Data[] = [];
  while (all.length < count) {
    const frame = await client.message(TOPIC);
    const data = checkData(frame);
    assert.equal(frame.subject, data['type'], 'the subject is the kind');
    all.push(data);
  }
  return all;
}

/** Without the constant fields of every message, and without times. */
function shown(all: readonly Data[]): Data[] {
  const common = new Set(['ts', 'orderTime', 'symbol', 'sequence']);
  return all.map((data) => Object.fromEntries(Object.entries(data).filter(([name]) => !common.has(name))));
}

const numbers = (all: readonly Data[]) => all.map(({ sequence }) => Number(sequence));

test('an order is published from its receipt to its end, without a gap in the sequence', () =>
  Traders.run(async (traders) => {
    const { alice, bob } = traders;
    const client = await traders.listen(undefined, TOPIC);
    const sell = await traders.limit(alice, 'sell', '50000', '0.5', { clientOid: 'mine-1' });
    const buy = await traders.limit(bob, 'buy', '50000', '0.2');
    await alice.delete(`/api/v1/hf/orders/cancel/${sell}?symbol=${BTC}&cancelSize=0.1`);
    await alice.delete(`/api/v1/hf/orders/${sell}?symbol=${BTC}`);
    const all = await hear(client, 7);
    assert.deepEqual(numbers(all), [1, 2, 3, 4, 5, 6, 7]);
    const ofSell = { orderId: sell, side: 'sell' };
    const ofBuy = { orderId: buy, side: 'buy' };
    const received = { orderType: 'limit', price: '50000' };
    assert.deepEqual(shown(all), [
      { type: 'received', ...ofSell, clientOid: 'mine-1', ...received, size: '0.5' },
      { type: 'open', ...ofSell, price: '50000', size: '0.5' },
      { type: 'received', ...ofBuy, clientOid: '', ...received, size: '0.2' },
      {
        type: 'match',
        makerOrderId: sell,
        takerOrderId: buy,
        side: 'buy',
        price: '50000',
        size: '0.2',
        tradeId: '1',
      },
      { type: 'done', ...ofBuy, reason: 'filled' },
      { type: 'change', ...ofSell, price: '50000', newSize: '0.2' },
      { type: 'done', ...ofSell, reason: 'canceled' },
    ]);
  }));

test('a hidden order appears only in its trades, and an iceberg order slice by slice', () =>
  Traders.run(async (traders) => {
    const { alice, bob } = traders;
    const client = await traders.listen(undefined, TOPIC);
    await traders.limit(alice, 'sell', '50000', '0.1', { hidden: true });
    const iceberg = await traders.limit(alice, 'sell', '50001', '0.5', { iceberg: true, visibleSize: '0.2' });
    await traders.limit(bob, 'buy', '50001', '0.35');
    const all = await hear(client, 7);
    assert.deepEqual(numbers(all), [1, 2, 3, 4, 5, 6, 7]);
    assert.deepEqual(
      all.map(({ type, orderId, makerOrderId, size }) => [type, (orderId ?? makerOrderId) === iceberg, size]),
      [
        ['received', true, '0.2'],
        ['open', true, '0.2'],
        ['received', false, '0.35'],
        ['match', false, '0.1'],
        ['match', true, '0.2'],
        ['open', true, '0.2'],
        ['match', true, '0.05'],
      ],
    );
    const snapshot = (await new Client(traders.server.url).get(SNAPSHOT)).json.data as Level3Snapshot;
    assert.deepEqual(
      snapshot.asks.map(([id, price, size]) => [id, price, size]),
      [[iceberg, '50001', '0.15']],
    );
    assert.equal(Number(snapshot.sequence), 8, 'the end of the buy is the eighth');
  }));

test('a market order by funds is received with its funds, and appears as the taker', () =>
  Traders.run(async (traders) => {
    await traders.limit(traders.alice, 'sell', '50000', '0.01');
    const client = await traders.listen(undefined, TOPIC);
    await traders.place(traders.bob, { type: 'market', side: 'buy', funds: '1000' });
    const [received, match, filled, canceled] = await hear(client, 4);
    assert.deepEqual(
      [received['funds'], received['size'], received['price']],
      ['1000', undefined, undefined],
    );
    assert.deepEqual([match['type'], match['takerOrderId']], ['match', received['orderId']]);
    assert.deepEqual([filled['reason'], canceled['reason']], ['filled', 'canceled']);
  }));

test('the snapshot is public and equal in both dialects, and messages continue from it', () =>
  Traders.run(async (traders) => {
    const { alice, bob } = traders;
    await traders.limit(alice, 'sell', '50001', '0.5');
    await traders.limit(alice, 'sell', '50000', '0.3');
    await traders.limit(bob, 'buy', '49999', '0.1');
    const client = await traders.listen(undefined, TOPIC);
    const anyone = new Client(traders.server.url);
    const { status, json } = await anyone.get(SNAPSHOT);
    assert.equal(status, 200);
    assert.equal(json.code, '200000');
    const snapshot = json.data as Level3Snapshot;
    const family = (await new Client(traders.server.url, undefined, 'family').get(SNAPSHOT)).json
      .data as Level3Snapshot;
    assert.deepEqual({ ...family, time: 0 }, { ...snapshot, time: 0 });
    await traders.limit(bob, 'buy', '50000', '0.4');
    const decimals = traders.server.services.catalogue.symbol(BTC)!.sizeDecimals;
    const book = new Level3Book(decimals, snapshot);
    for (const data of await hear(client, 4)) book.apply(data as unknown as Level3Message);
    const now = (await anyone.get(SNAPSHOT)).json.data as Level3Snapshot;
    assert.equal(book.sequence, Number(now.sequence));
    assert.deepEqual(
      book.rows('buy'),
      now.bids.map((row) => row.slice(0, 3)),
    );
    assert.deepEqual(
      book.rows('sell'),
      now.asks.map((row) => row.slice(0, 3)),
    );
    assert.equal((await anyone.get('/api/v3/market/orderbook/level3?symbol=NO-SUCH')).status, 400);
    assert.equal((await anyone.get('/api/v3/market/orderbook/level3')).status, 400);
  }));

test('sequence numbers advance while nobody is subscribed, and a later subscriber sees no gap', () =>
  Traders.run(async (traders) => {
    const order = await traders.limit(traders.alice, 'sell', '50000', '0.5');
    await traders.alice.delete(`/api/v1/hf/orders/${order}?symbol=${BTC}`);
    const client = await traders.listen(undefined, TOPIC);
    await traders.limit(traders.alice, 'sell', '50000', '0.5');
    assert.deepEqual(numbers(await hear(client, 2)), [4, 5]);
  }));
