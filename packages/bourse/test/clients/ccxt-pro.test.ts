import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CCXT, ccxtClient, ccxtProClient, PAIR, place, type Kucoin, type KucoinPro } from './ccxt-client.ts';
import { until, Venue, within } from './venue.ts';

const BID = 20_000;
const ASK = 20_100;

interface Book {
  readonly bids: readonly unknown[][];
  readonly asks: readonly unknown[][];
}

/** Only prices and sizes: a level from a delta has its sequence too. */
const levels = ({ bids, asks }: Book): string =>
  JSON.stringify([bids, asks].map((side) => side.map(([price, size]) => [price, size])));

describe(`${CCXT}, pro`, { timeout: 240_000 }, () => {
  const venue = new Venue();
  let alice: Kucoin;
  let bob: Kucoin;
  const watchers: KucoinPro[] = [];
  before(async () => {
    alice = await ccxtClient(venue.url, 'alice');
    bob = await ccxtClient(venue.url, 'bob');
    for (const client of [alice, bob]) {
      await client.loadMarkets();
      await client.loadMigrationStatus();
    }
    await alice.createOrder(PAIR, 'limit', 'buy', 10, BID);
    await alice.createOrder(PAIR, 'limit', 'sell', 10, ASK);
    await trade();
  });
  after(async () => {
    for (const watcher of watchers) await watcher.close();
  });

  const trade = () => bob.createOrder(PAIR, 'market', 'sell', 0.01);
  const watcher = async (user?: string, options: object = {}): Promise<KucoinPro> => {
    const client = await ccxtProClient(venue.url, user, options);
    await client.loadMarkets();
    watchers.push(client);
    return client;
  };

  /** The result of `watch`; repeats `happen` until it resolves. */
  const seen = async <T>(
    watch: () => Promise<T>,
    happen: () => Promise<unknown>,
    holds: (answer: T) => boolean = () => true,
  ): Promise<T> => {
    const done = new AbortController();
    const busy = (async () => {
      for (let turn = 0; turn < 150 && !done.signal.aborted; turn += 1) {
        await happen();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })();
    try {
      return await within(
        (async () => {
          for (;;) {
            const answer = await watch();
            if (holds(answer)) return answer;
          }
        })(),
        'watch',
      );
    } finally {
      done.abort();
      await busy;
    }
  };

  test('watchTicker: the snapshot topic', async () => {
    const client = await watcher();
    const ticker = await seen(
      () => client.watchTicker(PAIR),
      trade,
      ({ last }) => last === BID,
    );
    assert.deepEqual([ticker.symbol, ticker.bid, ticker.ask, ticker.high], [PAIR, BID, ASK, BID]);
  });

  test('watchTickers: chosen symbols, and all', async () => {
    const client = await watcher();
    const tickers = await seen(() => client.watchTickers([PAIR, 'ETH/USDT']), trade);
    const ticker = tickers[PAIR]!;
    assert.deepEqual([ticker.last, ticker.bid, ticker.ask], [BID, BID, ASK]);
    const all = await watcher();
    const [symbol] = Object.keys(await seen(() => all.watchTickers(), trade));
    assert.equal(symbol, PAIR);
  });

  test('watchTickers: symbols that always change together are all seen', async () => {
    const other = 'ETH/USDT';
    await alice.createOrder(other, 'limit', 'buy', 10, 1000);
    await alice.createOrder(other, 'limit', 'sell', 10, 1001);
    const both = () =>
      Promise.all([trade(), bob.createOrder(other, 'market', 'buy', 0.01), alice.fetchTime()]);
    for (const symbols of [[PAIR, other], undefined]) {
      const client = await watcher();
      const met = new Set<string>();
      // The initial message has every symbol, so only later messages count.
      await seen(() => client.watchTickers(symbols), both);
      await seen(
        () => client.watchTickers(symbols),
        both,
        (tickers) => {
          for (const symbol of Object.keys(tickers)) met.add(symbol);
          return met.has(PAIR) && met.has(other);
        },
      );
    }
  });

  test('watchBidsAsks: best prices', async () => {
    const client = await watcher();
    const best = await seen(() => client.watchBidsAsks([PAIR]), trade);
    assert.deepEqual([best[PAIR]!.bid, best[PAIR]!.ask], [BID, ASK]);
  });

  test('watchTrades: with the ids of the takers’ own trades', async () => {
    const client = await watcher();
    const trades = await seen(() => client.watchTrades(PAIR), trade);
    const [last] = trades.slice(-1);
    assert.deepEqual([last!.symbol, last!.side, last!.price, last!.amount], [PAIR, 'sell', BID, 0.01]);
    const mine = await until(
      () => bob.fetchMyTrades(PAIR, undefined, 100),
      (list) => list.some(({ id }) => id === last!.id),
      'the same trade',
    );
    assert.ok(mine.length > 0);
  });

  test('watchTradesForSymbols', async () => {
    const client = await watcher();
    const trades = await seen(() => client.watchTradesForSymbols([PAIR, 'ETH/USDT']), trade);
    assert.equal(trades[0]!.symbol, PAIR);
  });

  test('watchOHLCV: candles of a minute and of an hour', async () => {
    const client = await watcher();
    for (const timeframe of ['1m', '1h']) {
      const candles = await seen(() => client.watchOHLCV(PAIR, timeframe), trade);
      const [time, open, high, low, close, volume] = candles.at(-1)!;
      assert.deepEqual([open, high, low, close], [BID, BID, BID, BID]);
      assert.ok(volume! > 0 && Math.abs(time! - Date.now()) < 4_000_000);
    }
  });

  test('watchOrderBook: five and fifty levels', async () => {
    const client = await watcher();
    for (const limit of [5, 50]) {
      const book = await seen(() => client.watchOrderBook(PAIR, limit), trade);
      assert.deepEqual([...book.asks], [[ASK, 10]]);
      assert.equal(book.bids[0]![0], BID);
    }
  });

  for (const user of [undefined, 'carol']) {
    const keys = user === undefined ? 'without keys' : 'with keys';
    test(`watchOrderBook: deltas, equal to the snapshot after bursts, ${keys}`, async () => {
      const client = await watcher(user);
      const ids: string[] = [];
      let turn = 0;
      const burst = async (): Promise<void> => {
        turn += 1;
        const placed = await Promise.all(
          [1, 2, 3, 4].map((step) =>
            step % 2 === 0
              ? place(alice, PAIR, 'limit', 'buy', 0.5 + turn / 1000, BID - step * ((turn % 7) + 1))
              : place(alice, PAIR, 'limit', 'sell', 0.5 + turn / 1000, ASK + step * ((turn % 7) + 1)),
          ),
        );
        ids.push(...placed);
        await trade();
        if (turn % 2 === 0) await Promise.all(ids.splice(0, 3).map((id) => alice.cancelOrder(id, PAIR)));
      };
      await seen(() => client.watchOrderBook(PAIR), burst);
      for (let round = 0; round < 5; round += 1) await burst();
      const snapshot = levels((await alice.fetchOrderBook(PAIR)) as Book);
      await until(
        async () => levels(client.orderbooks[PAIR] as Book),
        (now) => now === snapshot,
        `${snapshot}, but the watched book`,
      );
      for (const id of ids) await alice.cancelOrder(id, PAIR);
    });
  }

  test('watchOrders, watchMyTrades: the maker’s stream, in order', async () => {
    const client = await watcher('carol');
    const carol = await ccxtClient(venue.url, 'carol');
    await carol.loadMarkets();
    await carol.loadMigrationStatus();
    const states: string[] = [];
    const probe = async (): Promise<void> => {
      const id = await place(carol, PAIR, 'limit', 'buy', 0.1, 19_000);
      await carol.cancelOrder(id, PAIR);
    };
    await seen(() => client.watchOrders(PAIR), probe);
    await seen(
      () => client.watchMyTrades(PAIR),
      async () => {
        await carol.createOrder(PAIR, 'limit', 'buy', 0.01, BID + 1);
        await bob.createOrder(PAIR, 'market', 'sell', 0.01);
      },
    );
    const id = await place(carol, PAIR, 'limit', 'buy', 0.2, BID + 2);
    await bob.createOrder(PAIR, 'market', 'sell', 0.05);
    await bob.createOrder(PAIR, 'market', 'sell', 0.15);
    await within(
      (async () => {
        for (;;) {
          for (const order of await client.watchOrders(PAIR)) {
            if (order.id === id) states.push(`${order.status} ${order.filled}`);
          }
          if (states.at(-1) === 'closed 0.2') return;
        }
      })(),
      'the order’s end',
    );
    const distinct = states.filter((state, at) => state !== states[at - 1]);
    const expected = ['open 0', 'open 0.05', 'open 0.2', 'closed 0.2'];
    // ccxt merges two pushes of one event loop iteration: some may be missing, but none may be out of order.
    let at = 0;
    for (const state of distinct) {
      at = expected.indexOf(state, at);
      assert.ok(at >= 0, distinct.join(', '));
    }
    const kept = [...(client.myTrades as { order: string; amount: number; takerOrMaker: string }[])];
    const trades = kept.filter(({ order }) => order === id);
    assert.deepEqual(
      trades.map(({ amount, takerOrMaker }) => [amount, takerOrMaker]),
      [
        [0.05, 'maker'],
        [0.15, 'maker'],
      ],
    );
  });

  test('watchOrders: stop orders', async () => {
    const client = await watcher('bob');
    const orders = await seen(
      () => client.watchOrders(PAIR, undefined, undefined, { trigger: true }),
      async () => {
        const id = await place(bob, PAIR, 'limit', 'sell', 0.1, 18_000, { stopLossPrice: 18_000 });
        await bob.cancelOrder(id, PAIR, { trigger: true });
      },
    );
    assert.equal(orders[0]!.triggerPrice, 18_000);
  });

  test('watchMyTrades: by the topic of fills', async () => {
    const client = await watcher('bob');
    const [mine] = await seen(
      () => client.watchMyTrades(PAIR, undefined, undefined, { spotMethod: '/spot/tradeFills' }),
      trade,
    );
    assert.deepEqual([mine!.symbol, mine!.side, mine!.amount, mine!.price], [PAIR, 'sell', 0.01, BID]);
    assert.deepEqual(mine!.fee, { cost: 0.2, currency: 'USDT', rate: 0.001 });
  });

  test('watchBalance: the fast account, equal to what is fetched', async () => {
    const client = await watcher('bob');
    await client.loadMigrationStatus();
    for (let turn = 0; turn < 2; turn += 1) await seen(() => client.watchBalance(), trade);
    const fetched = await bob.fetchBalance();
    const held = await until(
      async () => (client.balance as Record<string, Record<string, { total: number }>>)['trade']!['USDT']!,
      ({ total }) => total === fetched['USDT']!.total,
      'balance',
    );
    assert.equal(held.total, fetched['USDT']!.total);
  });

  test('unWatchTicker, unWatchTrades, unWatchOrderBook, unWatchOHLCV', async () => {
    const client = await watcher();
    await seen(() => client.watchTicker(PAIR), trade);
    await within(client.unWatchTicker(PAIR), 'unWatchTicker');
    await seen(() => client.watchTrades(PAIR), trade);
    await within(client.unWatchTrades(PAIR), 'unWatchTrades');
    await seen(() => client.watchOrderBook(PAIR, 5), trade);
    await within(client.unWatchOrderBook(PAIR, { method: '/spotMarket/level2Depth5' }), 'unWatchOrderBook');
    await seen(() => client.watchOHLCV(PAIR, '1m'), trade);
    await within(client.unWatchOHLCV(PAIR, '1m'), 'unWatchOHLCV');
  });
});
