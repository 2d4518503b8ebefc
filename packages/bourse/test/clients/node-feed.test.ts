import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { NODE_SDK, ok, PAIR, sdk, signAs } from './node-client.ts';
import { until, Venue } from './venue.ts';

const { Orders } = sdk.rest.Trade;
const READER = fileURLToPath(new URL('./node-feed-reader.ts', import.meta.url));

interface Message {
  readonly topic: string;
  readonly subject: string;
  readonly data: Record<string, unknown>;
}

interface Book {
  readonly dirty: boolean;
  readonly sequence: number;
  readonly bids: string[][];
  readonly asks: string[][];
}

describe(`${NODE_SDK}, websockets`, { timeout: 120_000 }, () => {
  const venue = new Venue();
  let reader: ChildProcess;
  const heard: Message[] = [];
  let book: Book | undefined;
  let count = 0;

  before(async () => {
    await post('alice', 'buy', { price: '20000', size: '10' });
    await post('alice', 'sell', { price: '20100', size: '10' });
    reader = spawn(process.execPath, [READER, venue.url, 'bob'], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: reader.stdout! }).on('line', (line) => {
      const message = JSON.parse(line) as Message;
      if (message.topic === 'book') book = message.data as unknown as Book;
      else heard.push(message);
    });
  });
  after(async () => {
    const ended = new Promise((resolve) => reader.once('exit', resolve));
    reader.stdin!.end();
    await ended;
  });

  const post = async (user: string, side: string, fields: Record<string, string>): Promise<string> => {
    signAs(venue.url, user);
    count += 1;
    const type = 'price' in fields ? 'limit' : 'market';
    const order = Orders['postOrder']!({ clientOid: `feed-${count}`, symbol: PAIR, side, type }, fields);
    return (await ok<{ orderId: string }>(order)).orderId;
  };
  const trade = () => post('bob', 'sell', { size: '0.01' });
  const first = async (topic: string): Promise<Message> => {
    await until(trade, () => heard.some((message) => message.topic === topic), topic);
    return heard.find((message) => message.topic === topic)!;
  };

  test('Datafeed: ticker, match, snapshot, candles, depth', async () => {
    const ticker = await first(`/market/ticker:${PAIR}`);
    assert.deepEqual([ticker.subject, ticker.data['bestAsk']], ['trade.ticker', '20100']);
    const match = await first(`/market/match:${PAIR}`);
    assert.deepEqual(
      [match.data['price'], match.data['size'], match.data['side']],
      ['20000', '0.01', 'sell'],
    );
    await first(`/market/snapshot:${PAIR}`);
    const candle = await first(`/market/candles:${PAIR}_1hour`);
    assert.equal((candle.data['candles'] as string[])[1], '20000');
    const depth = await first(`/spotMarket/level2Depth5:${PAIR}`);
    assert.deepEqual(depth.data['asks'], [['20100', '10']]);
  });

  test('Datafeed: own orders and balances', async () => {
    await first('/account/balance');
    const orderId = await post('bob', 'buy', { price: '20001', size: '0.1' });
    await post('alice', 'sell', { size: '0.1' });
    const types = () =>
      heard
        .filter(({ topic, data }) => topic === '/spotMarket/tradeOrders' && data['orderId'] === orderId)
        .map(({ data }) => data['type']);
    await until(
      async () => types(),
      (list) => list.at(-1) === 'filled',
      'the order’s end',
    );
    assert.deepEqual(types(), ['open', 'match', 'filled']);
  });

  test('Level2: the book from deltas, equal to the snapshot after bursts', async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      await post('alice', 'buy', { price: String(19_990 - turn), size: '0.5' });
      await post('alice', 'sell', { price: String(20_110 + (turn % 4)), size: '0.5' });
      await trade();
    }
    // The SDK waits five seconds before it asks for the snapshot, and again after each failure.
    await until(
      async () => book,
      (now) => now?.dirty === false,
      'a book',
    );
    for (let turn = 0; turn < 10; turn += 1)
      await post('alice', 'buy', { price: String(19_980 + turn), size: '0.1' });
    await trade();
    signAs(venue.url, 'bob');
    const snapshot = await ok<Book & { sequence: string }>(
      sdk.rest.Market.OrderBook['getLevel2_full']!(PAIR),
    );
    await until(
      async () => book,
      (now) => now?.sequence === Number(snapshot.sequence),
      'the last change',
    );
    assert.deepEqual([book!.dirty, book!.bids, book!.asks], [false, snapshot.bids, snapshot.asks]);
  });
});
