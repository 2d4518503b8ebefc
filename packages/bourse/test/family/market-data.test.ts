import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INTERVAL_NAMES } from '../../../engine/src/history/candles.ts';
import { Client, startWhole } from '@bourse/test-kit/server.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { limit, market, matched, placed, refused } from '@bourse/test-kit/gateway/trading.ts';

const PAIR = 'symbol=BTC-USDT';

interface Book {
  readonly sequence: string;
  readonly bids: string[][];
  readonly asks: string[][];
}

test('book, tickers, statistics and candles show the same trades, even after a restart', {
  timeout: 120_000,
}, async (context) => {
  const data = makeDirectory(context);
  let running = await startWhole(data);
  const clients = () => {
    const { baseUrl } = running.connection;
    return {
      alice: new Client(baseUrl, 'alice'),
      bob: new Client(baseUrl, 'bob', 'family'),
      nobody: new Client(baseUrl, undefined, 'family'),
    };
  };
  try {
    let { alice, bob, nobody } = clients();
    const ask = async (path: string): Promise<unknown> => {
      const { status, json, text } = await nobody.get(path);
      assert.equal(status, 200, text);
      assert.equal(json.code, '200000', text);
      return json.data;
    };
    const stats = async () => (await ask(`/api/v1/market/stats?${PAIR}`)) as Record<string, unknown>;
    const empty = await stats();
    assert.deepEqual(
      [empty['last'], empty['vol'], empty['changeRate'], empty['buy']],
      [null, '0', null, null],
    );
    assert.deepEqual(await ask(`/api/v1/market/candles?${PAIR}&type=1min`), []);

    await placed(alice, limit('buy', '20000', '1'));
    await placed(alice, limit('buy', '19999.9', '2'));
    await placed(alice, limit('buy', '19000', '5', { hidden: true }));
    await placed(alice, limit('sell', '21000', '0.5'));
    await matched(bob, market('sell', { size: '0.4' }));
    await matched(bob, limit('buy', '21000', '0.1'));

    const book = (await ask(`/api/v1/market/orderbook/level2_20?${PAIR}`)) as Book;
    assert.deepEqual(book.bids, [
      ['20000', '0.6'],
      ['19999.9', '2'],
    ]);
    assert.deepEqual(book.asks, [['21000', '0.4']]);
    assert.equal(book.sequence, '5');
    const whole = (await bob.get(`/api/v3/market/orderbook/level2?${PAIR}`)).json.data as Book;
    assert.deepEqual({ ...whole, time: 0 }, { ...book, time: 0 });
    refused(await nobody.get(`/api/v3/market/orderbook/level2?${PAIR}`), '400001', /KC-API-KEY/);

    const look = async () => {
      const { time: _, ...figures } = await stats();
      const candles = INTERVAL_NAMES.map((type) => ask(`/api/v1/market/candles?${PAIR}&type=${type}`));
      return { figures, candles: (await Promise.all(candles)) as string[][][] };
    };
    const before = await look();
    const { figures } = before;
    assert.deepEqual(
      [
        'last',
        'high',
        'low',
        'vol',
        'volValue',
        'averagePrice',
        'changePrice',
        'changeRate',
        'buy',
        'sell',
      ].map((name) => figures[name]),
      ['21000', '21000', '20000', '0.5', '10100', '20200', '1000', '0.05', '20000', '21000'],
    );
    for (const rows of before.candles) {
      const sum = (column: number) => rows.reduce((total, row) => total + Number(row[column]), 0);
      // The two trades may lie on either side of a minute.
      assert.ok(rows.length === 1 || rows.length === 2);
      assert.equal(rows.at(-1)?.[1], '20000');
      assert.equal(rows[0][2], '21000');
      assert.deepEqual([sum(5), sum(6)], [0.5, 10100]);
    }
    const all = (await ask('/api/v1/market/allTickers')) as { ticker: Record<string, unknown>[] };
    const ticker = all.ticker.find(({ symbol }) => symbol === 'BTC-USDT');
    assert.deepEqual(
      [ticker?.['last'], ticker?.['bestBidSize'], ticker?.['symbolName']],
      ['21000', '0.6', 'BTC-USDT'],
    );
    assert.deepEqual(await ask('/api/v1/prices?currencies=BTC,USDT,ETH'), { BTC: '21000', USDT: '1' });

    await running.close();
    running = await startWhole(data);
    ({ alice, bob, nobody } = clients());
    assert.deepEqual(await look(), before);
  } finally {
    await running.close();
  }
});

test('bounds of candle queries are inclusive and in seconds, and 0 and undefined mean no bound', {
  timeout: 60_000,
}, async (context) => {
  const running = await startWhole(makeDirectory(context));
  try {
    const { baseUrl } = running.connection;
    const alice = new Client(baseUrl, 'alice');
    const nobody = new Client(baseUrl, undefined, 'family');
    await placed(alice, limit('buy', '20000', '1'));
    await matched(alice, market('sell', { size: '0.4' }));
    const ask = async (bounds: string) =>
      (await nobody.get(`/api/v1/market/candles?${PAIR}&type=1day${bounds}`)).json.data as string[][];
    const [[start]] = await ask('');
    assert.equal(Number(start) % 86_400, 0);
    const counts = await Promise.all(
      [
        '&startAt=0&endAt=0',
        '&startAt=undefined',
        `&startAt=${start}&endAt=${start}`,
        `&startAt=${Number(start) + 1}`,
        `&endAt=${Number(start) - 1}`,
      ].map(async (bounds) => (await ask(bounds)).length),
    );
    assert.deepEqual(counts, [1, 1, 1, 0, 0]);
    const wrong = await nobody.get(`/api/v1/market/candles?${PAIR}&type=7min`);
    assert.deepEqual([wrong.status, wrong.json.code], [200, '400100']);
    assert.match(String(wrong.json['detail']), /1min, 3min/);
  } finally {
    await running.close();
  }
});

test('a full book that is read again is up to date', { timeout: 60_000 }, async (context) => {
  const running = await startWhole(makeDirectory(context));
  try {
    const { baseUrl } = running.connection;
    const alice = new Client(baseUrl, 'alice');
    const bob = new Client(baseUrl, 'bob', 'family');
    const read = async (path: string, symbol: string) => {
      const { json } = await bob.get(`/api/${path}?symbol=${symbol}`);
      return { ...(json.data as Book), time: 0 };
    };
    const steps = [
      () => placed(alice, limit('buy', '20000', '1')),
      () => placed(alice, limit('sell', '21000', '0.5')),
      () => placed(alice, limit('buy', '19000', '5', { hidden: true })),
      () => matched(bob, market('sell', { size: '0.4' })),
      () => placed(alice, limit('buy', '20000', '1')),
    ];
    const seen = new Set<string>();
    for (const step of steps) {
      await step();
      const whole = await read('v3/market/orderbook/level2', 'BTC-USDT');
      assert.deepEqual(whole, await read('v1/market/orderbook/level2_100', 'BTC-USDT'));
      assert.deepEqual(await read('v3/market/orderbook/level2', 'BTC-USDT'), whole);
      const other = await read('v3/market/orderbook/level2', 'ETH-USDT');
      assert.deepEqual([other.bids, other.asks], [[], []]);
      seen.add(JSON.stringify([whole.bids, whole.asks]));
    }
    assert.equal(seen.size, 4, 'all but the hidden order are seen');
  } finally {
    await running.close();
  }
});
