import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { CURRENCIES, SYMBOLS } from '../../../sandbox/src/reference-data.ts';
import { NODE_SDK, ok, PAIR, sdk, signAs } from './node-client.ts';
import { Venue } from './venue.ts';

const { Symbols, OrderBook, Histories, Currencies } = sdk.rest.Market;
type Row = Record<string, string>;
interface Book {
  readonly bids: string[][];
  readonly asks: string[][];
}

describe(`${NODE_SDK}, REST: market data`, { timeout: 120_000 }, () => {
  const venue = new Venue();
  before(async () => {
    const order = { symbol: PAIR, type: 'limit' };
    signAs(venue.url, 'alice');
    const { Orders } = sdk.rest.Trade;
    await ok(Orders['postOrder']!({ ...order, clientOid: '1', side: 'buy' }, { price: '20000', size: '1' }));
    await ok(Orders['postOrder']!({ ...order, clientOid: '2', side: 'sell' }, { price: '20100', size: '1' }));
    signAs(venue.url, 'bob');
    await ok(
      Orders['postOrder']!({ ...order, clientOid: '3', side: 'sell', type: 'market' }, { size: '0.4' }),
    );
  });

  test('getTimestamp, getStatus, getAnnouncements', async () => {
    assert.ok(Math.abs((await ok<number>(sdk.rest.Others['getTimestamp']!())) - Date.now()) < 60_000);
    assert.equal((await ok(sdk.rest.Others['getStatus']!()))['status'], 'open');
    assert.equal((await ok(sdk.rest.Others['getAnnouncements']!()))['totalNum'], 0);
  });

  test('getSymbolsList, getSymbolDetail, getMarketList', async () => {
    assert.equal((await ok<Row[]>(Symbols['getSymbolsList']!())).length, SYMBOLS.length);
    assert.ok(
      (await ok<Row[]>(Symbols['getSymbolsList']!({ market: 'BTC' }))).every(
        (row) => row['market'] === 'BTC',
      ),
    );
    assert.equal((await ok(Symbols['getSymbolDetail']!(PAIR)))['symbol'], PAIR);
    assert.ok((await ok<string[]>(Symbols['getMarketList']!())).includes('USDS'));
  });

  test('getTicker, getAllTickers, get24hrStats', async () => {
    assert.equal((await ok(Symbols['getTicker']!(PAIR)))['price'], '20000');
    const { ticker } = await ok<{ ticker: Row[] }>(Symbols['getAllTickers']!());
    assert.equal(ticker.find((row) => row['symbol'] === PAIR)!['last'], '20000');
    assert.equal((await ok(Symbols['get24hrStats']!(PAIR)))['vol'], '0.4');
  });

  test('getLevel2_20, getLevel2_100, getLevel2_full', async () => {
    for (const name of ['getLevel2_20', 'getLevel2_100', 'getLevel2_full']) {
      const { bids, asks } = await ok<Book>(OrderBook[name]!(PAIR));
      assert.deepEqual([bids, asks], [[['20000', '0.6']], [['20100', '1']]]);
    }
  });

  test('getLevel3_full', async () => {
    const { bids, asks } = await ok<Book>(OrderBook['getLevel3_full']!(PAIR));
    const placesOf = (rows: readonly (readonly unknown[])[]) => rows.map(([, price, size]) => [price, size]);
    assert.deepEqual([placesOf(bids), placesOf(asks)], [[['20000', '0.6']], [['20100', '1']]]);
  });

  test('getMarketHistories, getMarketCandles', async () => {
    const [trade] = await ok<Row[]>(Histories['getMarketHistories']!(PAIR));
    assert.deepEqual([trade!['price'], trade!['size'], trade!['side']], ['20000', '0.4', 'sell']);
    const [candle] = await ok<string[][]>(Histories['getMarketCandles']!(PAIR, '1hour'));
    assert.deepEqual(candle!.slice(1), ['20000', '20000', '20000', '20000', '0.4', '8000']);
  });

  test('getCurrencies, getCurrencyDetail, getCurrencyDetail_V3, getFiatPrice', async () => {
    assert.equal((await ok<Row[]>(Currencies['getCurrencies']!())).length, CURRENCIES.length);
    for (const name of ['getCurrencyDetail', 'getCurrencyDetail_V3']) {
      const detail = await ok<{ currency: string; chains: unknown[] }>(
        Currencies[name]!({ currency: 'BTC' }),
      );
      assert.deepEqual([detail.currency, detail.chains.length > 0], ['BTC', true]);
    }
    assert.equal(
      Number((await ok(Currencies['getFiatPrice']!({ base: 'USD', currencies: 'BTC' })))['BTC']),
      20_000,
    );
  });
});
