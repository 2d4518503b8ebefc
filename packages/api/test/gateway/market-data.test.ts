import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Exchange, type LogRecord } from '@bourse/core';
import type { TradeRow } from '../../../engine/src/history/history.ts';
import { MarketView } from '../../src/views/market.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import {
  limit,
  market,
  matched,
  ORDERS,
  placed,
  refused,
  trading,
} from '@bourse/test-kit/gateway/trading.ts';

const HISTORIES = '/api/v1/market/histories?symbol=';
const TICKER = '/api/v1/market/orderbook/level1?symbol=';

describe('trade histories', () => {
  test(
    'are a bare array, with times in exact nanoseconds',
    trading(async ({ alice, bob, nobody, server }) => {
      assert.equal((await nobody.get(`${HISTORIES}BTC-USDT`)).text, '[]');
      await placed(alice, limit('buy', '20000', '1'));
      const first = await matched(bob, market('sell', { size: '0.1' }));
      await placed(bob, limit('sell', '20000.5', '1'));
      const second = await matched(alice, limit('buy', '20001', '0.25'));
      const { status, text } = await nobody.get(`${HISTORIES}BTC-USDT`);
      assert.equal(status, 200);
      assert.equal(
        text,
        `[{"sequence":"1","price":"20000","size":"0.1","side":"sell","time":${first.orderTime}000000},` +
          `{"sequence":"2","price":"20000.5","size":"0.25","side":"buy","time":${second.orderTime}000000}]`,
      );
      const family = new Client(server.url, undefined, 'family');
      assert.equal((await family.get(`${HISTORIES}BTC-USDT`)).text, `{"code":"200000","data":${text}}`);
    }),
  );

  test(
    'return the last 100 trades',
    trading(async ({ alice, bob, nobody }) => {
      await placed(bob, limit('sell', '20000', '10'));
      for (let i = 0; i < 13; i++) {
        const orderList = Array.from({ length: 20 }, () => limit('buy', '20000', '0.001'));
        assert.equal((await alice.post(`${ORDERS}/multi/sync`, { orderList })).status, 200);
      }
      const { json } = await nobody.get(`${HISTORIES}BTC-USDT`);
      const sequences = (json as unknown as { sequence: string }[]).map(({ sequence }) => Number(sequence));
      assert.deepEqual(
        sequences,
        Array.from({ length: 100 }, (_, i) => 161 + i),
      );
    }),
  );

  test(
    'show a postOnly order that filled against a hidden one as the incoming side',
    trading(async ({ alice, bob, nobody }) => {
      await placed(bob, limit('sell', '20000', '1', { hidden: true }));
      await placed(alice, limit('buy', '20000', '0.5', { postOnly: true }));
      const { json } = await nobody.get(`${HISTORIES}BTC-USDT`);
      assert.equal((json as unknown as { side: string }[])[0].side, 'buy');
    }),
  );
});

describe('the ticker', () => {
  test(
    'is a bare object, with empty strings for an empty book',
    trading(async ({ alice, bob, nobody, server }) => {
      const empty = await nobody.get(`${TICKER}BTC-USDT`);
      const { time } = empty.json;
      assert.equal(typeof time, 'number');
      const none = { price: '', size: '', bestAsk: '', bestAskSize: '', bestBid: '', bestBidSize: '' };
      assert.deepEqual(empty.json as object, { sequence: '0', ...none, time });

      await placed(alice, limit('buy', '20000', '1'));
      await placed(alice, limit('buy', '20000', '0.5'));
      await placed(alice, limit('buy', '19999', '7'));
      await placed(bob, limit('sell', '20001', '2'));
      const sold = await matched(bob, market('sell', { size: '0.1' }));
      const { json } = await nobody.get(`${TICKER}BTC-USDT`);
      assert.deepEqual(json as object, {
        sequence: '5',
        price: '20000',
        size: '0.1',
        bestAsk: '20001',
        bestAskSize: '2',
        bestBid: '20000',
        bestBidSize: '1.4',
        time: Number(sold.matchTime),
      });
      const family = await new Client(server.url, undefined, 'family').get(`${TICKER}BTC-USDT`);
      assert.deepEqual(family.json.data, json);
    }),
  );

  test(
    'follows the book when the best level is removed',
    trading(async ({ alice, nobody }) => {
      const best = await placed(alice, limit('buy', '20000', '1'));
      await placed(alice, limit('buy', '19000', '3'));
      await alice.delete(`${ORDERS}/${best}?symbol=BTC-USDT`);
      const { json } = await nobody.get(`${TICKER}BTC-USDT`);
      assert.deepEqual([json['bestBid'], json['bestBidSize']], ['19000', '3']);
    }),
  );
});

test(
  'market data needs an existing symbol, and no key',
  trading(async ({ nobody, server }) => {
    for (const path of [HISTORIES, TICKER]) {
      refused(await nobody.get(path), '400100', /^Parameter Error: .*symbol/);
      refused(await nobody.get(path.replace('?symbol=', '')), '400100', /^Parameter Error: .*symbol/);
      refused(await nobody.get(`${path}NO-PAIR`), '900001', /^Unsupported trading pair\./);
      const family = new Client(server.url, undefined, 'family');
      refused(await family.get(`${path}NO-PAIR`), '900001', 'Unsupported trading pair.', 200);
      refused(await family.get(`${path}undefined`), '400100', 'Parameter Error', 200);
    }
  }),
);

describe('the view of a market', () => {
  const seed = 20_261_115;

  test(`agrees with the book after every record (seed ${seed})`, () => {
    const exchange = new Exchange();
    let seq = 0;
    const apply = (commands: LogRecord['commands']) => {
      const { events } = exchange.apply({ seq: ++seq, time: 1000 + seq, commands });
      return {
        seq,
        time: exchange.time,
        events: events.decode(),
        marketEvents: events.decodeMarket(),
        done: [],
      };
    };
    apply(openMarket());
    const view = new MarketView(exchange, new MemoryHistory());
    const trades: TradeRow[] = [];
    const flow = [...orderFlow(seed, 6000)];
    let emptied = 0;
    for (let at = 0; at < flow.length; at += 1 + (at % 5)) {
      const published = apply(flow.slice(at, at + 1 + (at % 5)));
      view.apply(published, exchange);
      for (const event of published.events) {
        if (event.kind === 'trade') trades.unshift({ ...pick(event), time: published.time });
      }
      const ticker = view.ticker(0);
      assert.deepEqual(ticker.bestBid, exchange.depth(0, 'buy', 1)[0], `seed ${seed}, record ${seq}`);
      assert.deepEqual(ticker.bestAsk, exchange.depth(0, 'sell', 1)[0], `seed ${seed}, record ${seq}`);
      assert.equal(ticker.sequence, exchange.bookSequence(0));
      if (!ticker.bestBid || !ticker.bestAsk) emptied += 1;
    }
    assert.deepEqual(view.trades(0), trades.slice(0, 100));
    assert.ok(
      trades.length > 1000 && emptied > 50,
      `${trades.length} trades, ${emptied} times an empty side`,
    );

    const restarted = new MarketView(exchange, { lastTrades: () => trades.slice(0, 100) });
    assert.deepEqual(restarted.trades(0), view.trades(0));
    const { time: _, ...now } = restarted.ticker(0);
    const { time: __, ...before } = view.ticker(0);
    assert.deepEqual(now, before);
  });

  const pick = ({ symbol, trade, price, size, side }: Omit<TradeRow, 'time'>) => ({
    symbol,
    trade,
    price,
    size,
    side,
  });
});
