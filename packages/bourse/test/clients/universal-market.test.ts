import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { Account, Spot } from 'kucoin-universal-sdk';
import { INTERVAL_NAMES } from '../../../engine/src/history/candles.ts';
import { CURRENCIES, SYMBOLS } from '../../../sandbox/src/reference-data.ts';
import { limit, market, PAIR, UNIVERSAL, universalClient, words } from './universal-client.ts';
import { Venue } from './venue.ts';

const { Market, Order } = Spot;

describe(`${UNIVERSAL}, REST: market data`, { timeout: 120_000 }, () => {
  const venue = new Venue();
  let api: Spot.MarketAPI;
  let signed: Spot.MarketAPI;
  before(async () => {
    api = universalClient(venue.url).restService().getSpotService().getMarketApi();
    const alice = universalClient(venue.url, 'alice').restService().getSpotService();
    const bob = universalClient(venue.url, 'bob').restService().getSpotService();
    signed = alice.getMarketApi();
    await alice.getOrderApi().addOrder(Order.AddOrderReq.create(limit('buy', '20000', '1')));
    await alice.getOrderApi().addOrder(Order.AddOrderReq.create(limit('sell', '20100', '1')));
    await bob.getOrderApi().addOrder(Order.AddOrderReq.create(market('sell', { size: '0.4' })));
  });

  test('getServerTime', async () => {
    assert.ok(Math.abs((await api.getServerTime()).data - Date.now()) < 60_000);
  });

  test('getServiceStatus', async () => {
    assert.equal(String((await api.getServiceStatus()).status), 'open');
  });

  test('getClientIPAddress', async () => {
    assert.equal((await api.getClientIPAddress()).data, '127.0.0.1');
  });

  test('getAnnouncements: none', async () => {
    const answer = await api.getAnnouncements(Market.GetAnnouncementsReq.create({}));
    assert.deepEqual([answer.totalNum, answer.items], [0, []]);
  });

  test('getAllCurrencies, getCurrency', async () => {
    assert.equal((await api.getAllCurrencies()).data.length, CURRENCIES.length);
    const one = await api.getCurrency(Market.GetCurrencyReq.create({ currency: 'BTC' }));
    assert.equal(one.currency, 'BTC');
    assert.ok(one.chains.length > 0);
  });

  test('getAllSymbols, getSymbol', async () => {
    assert.equal((await api.getAllSymbols(Market.GetAllSymbolsReq.create({}))).data.length, SYMBOLS.length);
    const btc = await api.getAllSymbols(Market.GetAllSymbolsReq.create({ market: 'BTC' }));
    assert.deepEqual([...new Set(btc.data.map(({ market: of }) => of))], ['BTC']);
    const one = await api.getSymbol(Market.GetSymbolReq.create({ symbol: PAIR }));
    assert.deepEqual([one.symbol, one.priceIncrement, one.enableTrading], [PAIR, '0.1', true]);
  });

  test('getMarketList', async () => {
    assert.ok((await api.getMarketList()).data.includes('USDS'));
  });

  test('getTicker, getAllTickers, get24hrStats', async () => {
    const ticker = await api.getTicker(Market.GetTickerReq.create({ symbol: PAIR }));
    assert.deepEqual(
      [ticker.price, ticker.size, ticker.bestBid, ticker.bestBidSize, ticker.bestAsk],
      ['20000', '0.4', '20000', '0.6', '20100'],
    );
    const all = await api.getAllTickers();
    assert.equal(all.ticker.find(({ symbol }) => symbol === PAIR)!.last, '20000');
    const stats = await api.get24hrStats(Market.Get24hrStatsReq.create({ symbol: PAIR }));
    assert.deepEqual([stats.last, stats.vol, stats.volValue], ['20000', '0.4', '8000']);
  });

  test('getTradeHistory', async () => {
    const { data } = await api.getTradeHistory(Market.GetTradeHistoryReq.create({ symbol: PAIR }));
    assert.deepEqual(
      data.map(({ price, size, side }) => [price, size, String(side)]),
      [['20000', '0.4', 'sell']],
    );
  });

  test('getKlines: every interval', async () => {
    for (const type of INTERVAL_NAMES) {
      const { data } = await api.getKlines(Market.GetKlinesReq.create(words({ symbol: PAIR, type })));
      assert.deepEqual(
        data.map((candle) => candle.slice(1)),
        [['20000', '20000', '20000', '20000', '0.4', '8000']],
      );
    }
  });

  test('getPartOrderBook, getFullOrderBook', async () => {
    for (const size of ['20', '100']) {
      const part = await api.getPartOrderBook(Market.GetPartOrderBookReq.create({ symbol: PAIR, size }));
      assert.deepEqual([part.bids, part.asks], [[['20000', '0.6']], [['20100', '1']]]);
    }
    const full = await signed.getFullOrderBook(Market.GetFullOrderBookReq.create({ symbol: PAIR }));
    assert.deepEqual([full.bids, full.asks], [[['20000', '0.6']], [['20100', '1']]]);
  });

  test('getFiatPrice', async () => {
    const prices = await api.getFiatPrice(
      Market.GetFiatPriceReq.create({ base: 'USD', currencies: 'BTC,USDT' }),
    );
    assert.equal(Number(prices.BTC), 20_000);
  });

  test('getPublicToken, getPrivateToken', async () => {
    for (const answer of [await api.getPublicToken(), await signed.getPrivateToken()]) {
      assert.ok(answer.token.length > 20);
      assert.ok(answer.instanceServers[0]!.endpoint.startsWith('ws://'));
    }
  });

  test('getBasicFee, getSpotActualFee', async () => {
    const fees = universalClient(venue.url, 'alice').restService().getAccountService().getFeeApi();
    const basic = await fees.getBasicFee(Account.Fee.GetBasicFeeReq.create({}));
    assert.deepEqual([basic.makerFeeRate, basic.takerFeeRate], ['0.001', '0.001']);
    const actual = await fees.getSpotActualFee(
      Account.Fee.GetSpotActualFeeReq.create({ symbols: 'BTC-USDT,ETH-BTC' }),
    );
    assert.deepEqual(
      actual.data.map(({ symbol, takerFeeRate, makerFeeRate }) => [symbol, takerFeeRate, makerFeeRate]),
      [
        ['BTC-USDT', '0.001', '0.001'],
        ['ETH-BTC', '0.0015', '0.0005'],
      ],
    );
  });
});
