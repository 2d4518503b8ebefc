/** Our client with a complete exchange: each of its methods, and lost connections. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ApiError, BourseClient, ConnectionLost, Feed, OrderEntry, type Socket } from '@bourse/client';
import { openNodeSocket } from '@bourse/client/node';
import type { WebSocket } from 'ws';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';
import { credentials, startWhole } from '@bourse/test-kit/server.ts';

const symbol = 'BTC-USDT';
const LIMIT = { symbol, type: 'limit', side: 'buy', price: '20000', size: '0.01' } as const;
const WAIT_MS_MAX = 30_000;

async function until(isMet: () => boolean, what: string): Promise<void> {
  const deadline = Date.now() + WAIT_MS_MAX;
  while (!isMet()) {
    if (Date.now() > deadline) throw new Error(`${what}: not in time`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Opens sockets that can be cut without a close frame. */
function cuttable(): { open: (url: string) => Socket; cut: () => void; count: () => number } {
  const sockets: WebSocket[] = [];
  return {
    open: (url) => {
      const socket = openNodeSocket(url);
      sockets.push(socket as unknown as WebSocket);
      return socket;
    },
    cut: () => sockets.at(-1)!.terminate(),
    count: () => sockets.length,
  };
}

describe('the client', () => {
  let dir: string;
  let exchange: RunningExchange;
  let alice: BourseClient;
  let bob: BourseClient;
  let nobody: BourseClient;
  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'bourse-client-'));
    exchange = await startWhole(dir, { quotas: { spot: 1_000_000 } });
    const url = exchange.connection.baseUrl;
    alice = new BourseClient({ url, credentials: credentials('alice') });
    bob = new BourseClient({ url: `${url}/`, credentials: credentials('bob') });
    nobody = new BourseClient({ url });
  });
  after(async () => {
    await exchange.close();
    rmSync(dir, { recursive: true, force: true });
  });

  test('public endpoints need no credentials', async () => {
    assert.ok(Math.abs((await nobody.serverTime()) - Date.now()) < 60_000);
    await nobody.http.syncTime();
    assert.ok(
      (await nobody.symbols()).some((each) => each.symbol === symbol && each.priceIncrement === '0.1'),
    );
    assert.deepEqual(Object.keys(await nobody.depth(symbol)).toSorted(), [
      'asks',
      'bids',
      'sequence',
      'time',
    ]);
    assert.ok(Array.isArray(await nobody.candles(symbol, '1min')));
    assert.ok(Array.isArray(await nobody.trades(symbol)));
    assert.equal(typeof (await nobody.ticker(symbol)).sequence, 'string');
    assert.ok(nobody.http.rateLimit!.remaining < nobody.http.rateLimit!.limit);
  });

  test('orders are placed, altered, found, filled and cancelled', async () => {
    const first = await alice.placeOrder({ ...LIMIT, clientOid: 'first' });
    assert.equal(first.clientOid, 'first');
    assert.equal((await alice.order({ symbol, clientOid: 'first' })).id, first.orderId);
    const { newOrderId } = await alice.alterOrder({ symbol, orderId: first.orderId, newPrice: '20001' });
    assert.equal((await alice.openOrders(symbol)).length, 1);
    const sold = await bob.placeOrderSync({
      symbol,
      type: 'limit',
      side: 'sell',
      price: '20001',
      size: '0.004',
    });
    assert.deepEqual([sold.status, sold.dealSize], ['done', '0.004']);
    const { items } = await alice.fills(symbol, { orderId: newOrderId! });
    assert.deepEqual([items[0]!.price, items[0]!.size, items[0]!.liquidity], ['20001', '0.004', 'maker']);
    const cancelled = await alice.cancelOrderSync({ symbol, orderId: newOrderId! });
    assert.deepEqual([cancelled.canceledSize, cancelled.status], ['0.006', 'done']);
    assert.ok((await alice.doneOrders(symbol)).items.some(({ id }) => id === newOrderId));
    assert.equal((await nobody.ticker(symbol)).price, '20001');
  });

  test('batches, tests, transfers, balances and the dead man’s switch', async () => {
    const results = await alice.placeOrders([LIMIT, { ...LIMIT, size: '0.0000000001' }]);
    assert.deepEqual(
      results.map(({ success }) => success),
      [true, false],
    );
    assert.equal((await alice.book(symbol)).bids[0]![0], '20000');
    assert.match((await alice.testOrder(LIMIT)).orderId, /^[0-9a-f]{24}$/);
    assert.equal(await alice.cancelOrders(symbol), 'success');
    await alice.transfer({ clientOid: 't1', currency: 'USDT', amount: '5', from: 'main', to: 'trade' });
    const [main] = await alice.accounts({ currency: 'USDT', type: 'main' });
    assert.equal(main!.balance, '999995');
    await alice.setDeadMansSwitch(60, [symbol]);
    await alice.setDeadMansSwitch(-1);
  });

  test('a rejection is an ApiError with code, text and explanation, and a missing response is ConnectionLost', async () => {
    await assert.rejects(alice.placeOrder({ ...LIMIT, price: '20000.01' }), (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.deepEqual([error.code, error.status], ['400100', 200]);
      assert.match(error.detail, /0\.1/);
      return true;
    });
    await assert.rejects(
      nobody.accounts(),
      (error: unknown) => error instanceof ApiError && error.status === 400,
    );
    const gone = new BourseClient({ url: 'http://127.0.0.1:1', credentials: credentials('alice') });
    await assert.rejects(gone.serverTime(), ConnectionLost);
    await assert.rejects(new OrderEntry(gone.http).connect(), {
      name: 'ConnectionLost',
      message: `order entry at ${gone.http.url} was closed before it was open: 1006`,
    });
  });

  test('the feed reconnects with all its topics, and a book that missed changes is correct again', async () => {
    const sockets = cuttable();
    const lost: string[] = [];
    const feed = new Feed(alice, { openSocket: sockets.open, onLost: (why) => lost.push(why) });
    const changes: string[] = [];
    await feed.subscribe<{ type: string }>('/spotMarket/tradeOrders', ({ data }) => changes.push(data.type));
    const book = await feed.book(symbol);
    await alice.placeOrder(LIMIT);
    await until(() => book.best('buy')?.[0] === '20000' && changes.includes('open'), 'the first order');

    sockets.cut();
    await until(() => !book.isSynced, 'the loss is noticed');
    for (let step = 1; step <= 20; step++) await alice.placeOrder({ ...LIMIT, price: String(20_000 - step) });
    await alice.cancelOrders(symbol);
    await bob.placeOrder({ ...LIMIT, price: '19000.5' });
    await until(() => book.isSynced && book.syncs === 2, 'the book is right again');
    await until(() => book.best('buy')?.[0] === '19000.5', 'what was missed is there');
    const { bids } = await alice.book(symbol);
    assert.deepEqual(book.levels('bids'), bids);
    changes.length = 0;
    await alice.placeOrder(LIMIT);
    await until(() => changes.includes('open'), 'the private topic is back');
    assert.equal(sockets.count(), 2);
    assert.equal(lost.length, 1);
    await alice.cancelOrders(symbol);
    await bob.cancelOrders(symbol);
    feed.close();
  });

  test('the feed subscribes to and reconnects with more topics than it may send messages', async (context) => {
    const sockets = cuttable();
    const lost: string[] = [];
    const feed = new Feed(alice, { openSocket: sockets.open, onLost: (why) => lost.push(why) });
    context.after(() => feed.close());
    const kinds = [
      'market/ticker',
      'market/level2',
      'market/match',
      'spotMarket/level1',
      'spotMarket/level3',
    ];
    const intervals = ['1min', '5min', '15min', '1hour', '1day'];
    const topics = (await nobody.symbols()).flatMap((each) => [
      ...kinds.map((kind) => `/${kind}:${each.symbol}`),
      ...intervals.map((interval) => `/market/candles:${each.symbol}_${interval}`),
    ]);
    topics.push('/market/ticker:all', '/spotMarket/tradeOrders', '/account/balance');
    assert.ok(topics.length > 110, String(topics.length));
    const messages = new Set<string>();
    const connected = new Set<string>();
    const subscribe = (topic: string) =>
      feed.subscribe(
        topic,
        () => messages.add(topic),
        (isConnected) => (isConnected ? connected.add(topic) : connected.delete(topic)),
      );
    const wrong = assert.rejects(subscribe('/market/ticker:NO-SUCH'), ApiError);
    await Promise.all([wrong, ...topics.map(subscribe)]);
    sockets.cut();
    await until(() => connected.size === topics.length, 'all topics are back');
    messages.clear();
    await alice.placeOrder(LIMIT);
    const changed = ['/market/level2:BTC-USDT', '/spotMarket/level3:BTC-USDT', '/spotMarket/tradeOrders'];
    await until(() => changed.every((topic) => messages.has(topic)), 'messages of each kind');
    assert.deepEqual([sockets.count(), lost.length], [2, 1]);
    await alice.cancelOrders(symbol);
  });

  test('an unknown topic is rejected, and so is a private one without credentials', async () => {
    const feed = new Feed(nobody);
    await assert.rejects(
      feed.subscribe('/no/such:topic', () => undefined),
      ApiError,
    );
    await assert.rejects(
      feed.subscribe('/account/balance', () => undefined),
      ApiError,
    );
    const stop = await feed.subscribe('/market/ticker:BTC-USDT', () => undefined);
    stop();
    feed.close();
  });

  test('order entry signs in again after a cut; messages in flight are lost, and nothing is sent twice', async () => {
    const sockets = cuttable();
    const entry = new OrderEntry(alice.http, { openSocket: sockets.open });
    const { orderId } = await entry.placeOrder({ ...LIMIT, clientOid: 'before-cut' });
    const lost = entry.placeOrder({ ...LIMIT, clientOid: 'at-cut' });
    sockets.cut();
    await assert.rejects(lost, ConnectionLost);
    const next = await entry.placeOrderSync({ ...LIMIT, clientOid: 'after-cut' });
    assert.equal(next.status, 'open');
    const open = (await alice.openOrders(symbol)).map(({ clientOid }) => clientOid);
    assert.equal(open.filter((clientOid) => clientOid === 'after-cut').length, 1);
    assert.ok(open.filter((clientOid) => clientOid === 'at-cut').length <= 1);
    assert.equal((await entry.cancelOrder({ symbol, orderId })).orderId, orderId);
    assert.equal((await entry.cancelOrderSync({ symbol, clientOid: 'after-cut' })).status, 'done');
    await assert.rejects(entry.cancelOrder({ symbol, orderId }), ApiError);
    entry.close();
    await assert.rejects(entry.placeOrder(LIMIT), ConnectionLost);
    await alice.cancelOrders(symbol);
  });

  test('order entry with wrong credentials rejects with the reason', async () => {
    const url = exchange.connection.baseUrl;
    const wrong = new BourseClient({ url, credentials: { ...credentials('alice'), apiSecret: 'wrong' } });
    const entry = new OrderEntry(wrong.http);
    await assert.rejects(
      entry.connect(),
      (error: unknown) => error instanceof ApiError && error.code === '400004',
    );
    entry.close();
  });
});
