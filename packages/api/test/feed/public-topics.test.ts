import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TOPIC_NAMES, TOPICS } from '../../src/feed/topics/topics.ts';
import { BTC, checkData, Traders } from './traders.ts';
import { dataOf } from './feed-client.ts';

test('the ticker publishes the last and the best prices, at once and after each change', () =>
  Traders.run(async (traders) => {
    const client = await traders.listen(undefined, `/market/ticker:${BTC}`);
    const first = checkData(await client.message(`/market/ticker:${BTC}`));
    assert.deepEqual([first['price'], first['bestAsk'], first['bestBid']], [null, null, null]);
    await traders.limit(traders.alice, 'sell', '50000', '0.5');
    await traders.limit(traders.bob, 'buy', '50000', '0.2');
    await traders.limit(traders.bob, 'buy', '49000.1', '0.25');
    const last = await client.find(
      (frame) => frame.type === 'message' && dataOf(frame)['bestBid'] === '49000.1',
    );
    assert.equal(last.subject, 'trade.ticker');
    const { time, sequence, ...data } = checkData(last);
    assert.equal(typeof time, 'number');
    assert.match(String(sequence), /^\d+$/);
    assert.deepEqual(data, {
      price: '50000',
      size: '0.2',
      bestAsk: '50000',
      bestAskSize: '0.3',
      bestBid: '49000.1',
      bestBidSize: '0.25',
    });
  }));

test('one subscription to many symbols sends messages about single symbols, and `all` about every symbol', () =>
  Traders.run(async (traders) => {
    const many = await traders.listen(undefined, '/market/ticker:BTC-USDT,ETH-USDT');
    await many.message('/market/ticker:BTC-USDT');
    await many.message('/market/ticker:ETH-USDT');
    const all = await traders.listen(undefined, '/market/ticker:all');
    const subjects = new Set<string>();
    const count = traders.server.services.catalogue.symbols().length;
    while (subjects.size < count) subjects.add((await all.message('/market/ticker:all')).subject ?? '');
    await traders.limit(traders.alice, 'sell', '3000', '0.5', { symbol: 'ETH-USDT' });
    const told = await all.find(
      (frame) => frame.subject === 'ETH-USDT' && dataOf(frame)['bestAsk'] === '3000',
    );
    checkData(told);
    checkData(await many.find((frame) => frame.type === 'message' && dataOf(frame)['bestAsk'] === '3000'));
  }));

test('level 1 and both depths show the best prices of each side', () =>
  Traders.run(async (traders) => {
    const topics = ['/spotMarket/level1', '/spotMarket/level2Depth5', '/spotMarket/level2Depth50'];
    for (let i = 0; i < 7; i++) await traders.limit(traders.alice, 'sell', String(50000 + i), '0.5');
    await traders.limit(traders.bob, 'buy', '49000', '1');
    const client = await traders.listen(undefined, ...topics.map((topic) => `${topic}:${BTC}`));
    const [best, five, fifty] = [
      checkData(await client.message(`${topics[0]}:${BTC}`)),
      checkData(await client.message(`${topics[1]}:${BTC}`)),
      checkData(await client.message(`${topics[2]}:${BTC}`)),
    ];
    assert.deepEqual(
      [best['asks'], best['bids']],
      [
        ['50000', '0.5'],
        ['49000', '1'],
      ],
    );
    assert.equal((five['asks'] as unknown[]).length, 5);
    assert.equal((fifty['asks'] as unknown[]).length, 7);
    assert.deepEqual((fifty['asks'] as unknown[]).slice(0, 5), five['asks']);
    assert.deepEqual(fifty['bids'], [['49000', '1']]);
    await traders.limit(traders.bob, 'buy', '49500', '2');
    const isNew = (topic: string, wanted: unknown) =>
      client.find(
        (frame) =>
          frame.topic === `${topic}:${BTC}` &&
          JSON.stringify(dataOf(frame)['bids']) === JSON.stringify(wanted),
      );
    await isNew(topics[0], ['49500', '2']);
    const later = [
      ['49500', '2'],
      ['49000', '1'],
    ];
    // Requested out of order, because messages of different topics are not ordered.
    await isNew(topics[2], later);
    await isNew(topics[1], later);
  }));

test('level 2 begins with messages that change nothing, then publishes each change with its sequence', () =>
  Traders.run(async (traders) => {
    const topic = `/market/level2:${BTC}`;
    const client = await traders.listen(undefined, topic);
    for (let i = 0; i < 6; i++) {
      const { changes, sequenceStart, sequenceEnd } = checkData(await client.message(topic));
      assert.deepEqual(changes, { asks: [['0', '0', String(sequenceStart)]], bids: [] });
      assert.equal(sequenceStart, sequenceEnd);
    }
    await traders.limit(traders.alice, 'sell', '50000.5', '0.5');
    const first = checkData(await client.message(topic));
    assert.deepEqual(first['changes'], { asks: [['50000.5', '0.5', '1']], bids: [] });
    await traders.limit(traders.bob, 'buy', '50000.5', '0.7');
    const second = checkData(await client.message(topic));
    assert.deepEqual(second['changes'], { asks: [['50000.5', '0', '2']], bids: [['50000.5', '0.2', '3']] });
    assert.deepEqual([second['sequenceStart'], second['sequenceEnd'], second['symbol']], [2, 3, BTC]);
  }));

test('every trade is published with both orders, its sequence and the side of the taker', () =>
  Traders.run(async (traders) => {
    const client = await traders.listen(undefined, `/market/match:${BTC}`);
    const maker = await traders.limit(traders.alice, 'sell', '50000', '0.5');
    const taker = await traders.limit(traders.bob, 'buy', '50001', '0.2');
    const frame = await client.message(`/market/match:${BTC}`);
    assert.equal(frame.subject, 'trade.l3match');
    const { time, ...data } = checkData(frame);
    assert.match(String(time), /^\d{13}000000$/);
    assert.deepEqual(data, {
      makerOrderId: maker,
      takerOrderId: taker,
      price: '50000',
      size: '0.2',
      side: 'buy',
      symbol: BTC,
      sequence: '1',
      tradeId: '1',
      type: 'match',
    });
  }));

test('candles follow trades: start, open, close, high, low, volume, turnover', () =>
  Traders.run(async (traders) => {
    const client = await traders.listen(
      undefined,
      `/market/candles:${BTC}_1month`,
      `/market/candles:${BTC}_1min,ETH-USDT_1week`,
    );
    await traders.limit(traders.alice, 'sell', '50000', '0.5');
    await traders.limit(traders.alice, 'sell', '50100', '0.5');
    await traders.limit(traders.bob, 'buy', '50100', '0.6');
    await traders.limit(traders.bob, 'buy', '50100', '0.1');
    const topic = `/market/candles:${BTC}_1month`;
    const last = await client.find(
      (frame) => frame.topic === topic && (dataOf(frame)['candles'] as string[])[5] === '0.7',
    );
    assert.equal(last.subject, 'trade.candles.update');
    const { symbol, candles } = checkData(last);
    assert.equal(symbol, BTC);
    const start = new Date(Number((candles as string[])[0]) * 1000);
    assert.equal(start.getUTCDate(), 1);
    assert.deepEqual((candles as string[]).slice(1), ['50000', '50100', '50100', '50000', '0.7', '35020']);
  }));

test('the snapshot shows at once that a market is halted, and that it is open again', () =>
  Traders.run(async (traders) => {
    const { catalogue } = traders.server.services;
    const { symbol, market } = catalogue.symbol(BTC)!;
    const client = await traders.listen(undefined, `/market/snapshot:${BTC}`, `/market/snapshot:${market}`);
    const states = (topic: string, trading: boolean) =>
      client.find((frame) => {
        const data = dataOf(frame)?.['data'] as Record<string, unknown> | undefined;
        return frame.topic === topic && data?.['symbol'] === BTC && data['trading'] === trading;
      });
    for (const state of ['halted', 'open'] as const) {
      await traders.submit({ kind: 'set-market-state', symbol, state });
      await states(`/market/snapshot:${BTC}`, state === 'open');
      await states(`/market/snapshot:${market}`, state === 'open');
    }
  }));

test('an auction publishes its indicative price and its result', () =>
  Traders.run(async (traders) => {
    const { symbol } = traders.server.services.catalogue.symbol(BTC)!;
    const topic = `/market/auction:${BTC}`;
    const client = await traders.listen(undefined, topic);
    const told = (isIt: (data: Record<string, unknown>) => boolean) =>
      client.find((frame) => frame.topic === topic && frame.type === 'message' && isIt(dataOf(frame)));
    const begin = { kind: 'begin-auction', symbol, endsInMs: 3_600_000, thenState: 'open' } as const;
    await traders.submit(begin);
    const first = checkData(await told(({ endsAt }) => endsAt !== null));
    assert.deepEqual([first['price'], first['size'], first['side']], [null, '0', null]);
    await traders.limit(traders.alice, 'sell', '50000', '0.5');
    await traders.limit(traders.bob, 'buy', '50100', '0.7');
    const frame = await told(({ price }) => price === '50100');
    assert.equal(frame.subject, 'trade.auction');
    const { endsAt, ...data } = checkData(frame);
    assert.equal(typeof endsAt, 'number');
    assert.deepEqual(data, {
      symbol: BTC,
      price: '50100',
      size: '0.5',
      imbalance: '0.2',
      side: 'buy',
      extended: false,
      result: null,
    });
    const late = await traders.listen(undefined, topic);
    assert.equal(checkData(await late.message(topic))['price'], '50100');
    await traders.submit({ kind: 'cancel-auction', symbol });
    const ended = checkData(await told(({ result }) => result !== null));
    assert.deepEqual([ended['result'], ended['endsAt'], ended['price']], ['cancelled', null, null]);
  }));

test('the snapshot has numbers, and the market topic has every symbol of the market', () =>
  Traders.run(async (traders) => {
    await traders.limit(traders.alice, 'sell', '50000', '0.5');
    await traders.limit(traders.bob, 'buy', '50000', '0.2');
    await traders.limit(traders.bob, 'buy', '49000', '0.1');
    const market = traders.server.services.catalogue.symbol(BTC)?.market ?? '';
    const client = await traders.listen(undefined, `/market/snapshot:${BTC}`, `/market/snapshot:${market}`);
    const frame = await client.message(`/market/snapshot:${BTC}`);
    assert.equal(frame.subject, 'trade.snapshot');
    const figures = checkData(frame)['data'] as Record<string, unknown>;
    const { lastTradedPrice, buy, sell, vol, volValue, symbol, trading, high, low } = figures;
    assert.deepEqual(
      { lastTradedPrice, buy, sell, vol, volValue, symbol, trading, high, low },
      {
        lastTradedPrice: 50000,
        buy: 49000,
        sell: 50000,
        vol: 0.2,
        volValue: 10000,
        symbol: BTC,
        trading: true,
        high: 50000,
        low: 50000,
      },
    );
    const seen = new Set<unknown>();
    const wanted = traders.server.services.catalogue
      .symbols()
      .filter((each) => each.market === market).length;
    while (seen.size < wanted) {
      const each = checkData(await client.message(`/market/snapshot:${market}`));
      seen.add((each['data'] as Record<string, unknown>)['symbol']);
    }
    await traders.limit(traders.bob, 'buy', '50000', '0.1');
    await client.find(
      (each) =>
        each.topic === `/market/snapshot:${market}` &&
        (dataOf(each)['data'] as Record<string, unknown>)['vol'] === 0.3,
    );
  }));

test('the document names every topic, with its data', () =>
  Traders.run(async (traders) => {
    const { json } = await traders.alice.get('/asyncapi.json');
    const { asyncapi, channels } = json as unknown as {
      asyncapi: string;
      channels: {
        feed: { messages: Record<string, { title: string; payload: { properties: { data: unknown } } }> };
      };
    };
    assert.equal(asyncapi, '3.0.0');
    const { messages } = channels.feed;
    for (const name of TOPIC_NAMES) {
      const message = Object.values(messages).find(({ title }) => title?.split(':')[0] === name);
      assert.ok(message, name);
      assert.deepEqual(message.payload.properties.data, JSON.parse(JSON.stringify(TOPICS[name].data)));
    }
  }));
