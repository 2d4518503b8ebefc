import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { SYMBOLS } from '../../../sandbox/src/reference-data.ts';
import { CCXT, ccxtClient, PAIR, type Kucoin } from './ccxt-client.ts';
import { Venue } from './venue.ts';

describe(`${CCXT}, REST: market data`, { timeout: 120_000 }, () => {
  const venue = new Venue();
  let nobody: Kucoin;
  let alice: Kucoin;
  let bob: Kucoin;
  before(async () => {
    nobody = await ccxtClient(venue.url);
    alice = await ccxtClient(venue.url, 'alice');
    bob = await ccxtClient(venue.url, 'bob');
  });

  test('fetchTime: the time of the exchange', async () => {
    const time = await nobody.fetchTime();
    assert.ok(Math.abs(time! - Date.now()) < 60_000);
  });

  test('fetchStatus: ok', async () => {
    const { status } = await nobody.fetchStatus();
    assert.equal(status, 'ok');
  });

  test('loadMarkets: without keys, every symbol with its increments', async () => {
    const markets = await nobody.loadMarkets();
    assert.equal(Object.keys(markets).length, SYMBOLS.length);
    const market = markets[PAIR]!;
    assert.deepEqual(
      [market.id, market.base, market.quote, market.spot, market.active, market.taker, market.maker],
      ['BTC-USDT', 'BTC', 'USDT', true, true, 0.001, 0.001],
    );
    assert.deepEqual([market.precision.amount, market.precision.price], [1e-8, 0.1]);
    assert.deepEqual([market.limits.amount?.min, market.limits.cost?.min], [0.00001, 0.1]);
  });

  test('loadMarkets: with keys, the same markets', async () => {
    const markets = await alice.loadMarkets();
    assert.deepEqual(Object.keys(markets).toSorted(), Object.keys(nobody.markets!).toSorted());
    assert.equal(alice.options['uta'], false);
    await bob.loadMarkets();
  });

  test('loadMigrationStatus: the account is the fast one', async () => {
    await alice.loadMigrationStatus();
    await bob.loadMigrationStatus();
    assert.equal(alice.options['hf'], true);
  });

  test('fetchMarkets: renamed symbols under their codes', async () => {
    const ids = (await nobody.fetchMarkets()).map((market) => market!.id);
    assert.ok(ids.includes('BCHSV-USDT'));
    assert.ok(ids.includes('DADI-ETH'));
  });

  test('fetchCurrencies: with networks, fees and precision', async () => {
    const currencies = await nobody.fetchCurrencies();
    const { BTC: btc, USDT: usdt } = currencies;
    assert.equal(btc!.id, 'BTC');
    assert.equal(btc!.deposit, true);
    assert.ok(Object.keys(usdt!.networks!).length >= 1);
    assert.ok(btc!.precision! > 0);
  });

  test('createOrder: sets up a market', async () => {
    for (const [price, amount] of [
      [20_000, 1],
      [19_999.9, 2],
    ] as const) {
      await alice.createOrder(PAIR, 'limit', 'buy', amount, price);
    }
    await alice.createOrder(PAIR, 'limit', 'sell', 0.5, 20_100);
    await bob.createOrder(PAIR, 'market', 'sell', 0.4);
    await bob.createOrder(PAIR, 'limit', 'buy', 0.1, 20_100);
  });

  test('fetchTicker: last price, best prices, volume', async () => {
    const ticker = await nobody.fetchTicker(PAIR);
    assert.deepEqual(
      [ticker.symbol, ticker.last, ticker.bid, ticker.ask, ticker.baseVolume, ticker.high, ticker.low],
      [PAIR, 20_100, 20_000, 20_100, 0.5, 20_100, 20_000],
    );
    assert.equal(ticker.quoteVolume, 0.4 * 20_000 + 0.1 * 20_100);
  });

  test('fetchTickers: every traded symbol', async () => {
    const tickers = await nobody.fetchTickers();
    assert.deepEqual([tickers[PAIR]!.last, tickers[PAIR]!.bid, tickers[PAIR]!.ask], [20_100, 20_000, 20_100]);
    assert.equal(Object.keys(tickers).length, SYMBOLS.length);
    assert.deepEqual(Object.keys(await nobody.fetchTickers([PAIR])), [PAIR]);
  });

  test('fetchOrderBook: partial and full', async () => {
    const asks = [[20_100, 0.4]];
    const bids = [
      [20_000, 0.6],
      [19_999.9, 2],
    ];
    for (const book of [
      await nobody.fetchOrderBook(PAIR),
      await nobody.fetchOrderBook(PAIR, 20),
      await nobody.fetchOrderBook(PAIR, 100),
      await alice.fetchOrderBook(PAIR),
    ]) {
      assert.deepEqual([book.asks, book.bids], [asks, bids]);
      assert.ok(book.nonce! > 0);
    }
  });

  test('fetchTrades: newest last', async () => {
    const trades = await nobody.fetchTrades(PAIR);
    assert.deepEqual(
      trades.map(({ side, price, amount, symbol }) => [side, price, amount, symbol]),
      [
        ['sell', 20_000, 0.4, PAIR],
        ['buy', 20_100, 0.1, PAIR],
      ],
    );
    assert.ok(Math.abs(trades[0]!.timestamp! - Date.now()) < 120_000);
  });

  test('fetchOHLCV: every interval', async () => {
    for (const timeframe of Object.keys(nobody.timeframes!)) {
      const candles = await nobody.fetchOHLCV(PAIR, timeframe);
      // The trades lie a moment apart: a boundary of the interval may fall between them.
      assert.ok(candles.length === 1 || candles.length === 2, timeframe);
      const last = candles.at(-1)!;
      assert.deepEqual([last[2], last[4]], [20_100, 20_100], timeframe);
      const volume = candles.reduce((sum, candle) => sum + candle[5]!, 0);
      assert.equal(volume, 0.5, timeframe);
    }
  });

  test('fetchOHLCV: since and limit', async () => {
    const hour = 3_600_000;
    assert.ok((await nobody.fetchOHLCV(PAIR, '1h', Date.now() - 5 * hour, 10)).length >= 1);
    assert.deepEqual(await nobody.fetchOHLCV(PAIR, '1h', Date.now() - 50 * hour, 10), []);
  });

  test('fetchTradingFee: by symbol', async () => {
    const fee = await alice.fetchTradingFee(PAIR);
    assert.deepEqual([fee.symbol, fee.maker, fee.taker], [PAIR, 0.001, 0.001]);
    const other = await alice.fetchTradingFee('ETH/BTC');
    assert.deepEqual([other.maker, other.taker], [0.0005, 0.0015]);
  });
});
