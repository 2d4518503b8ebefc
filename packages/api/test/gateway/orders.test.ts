import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  detail,
  limit,
  market,
  matched,
  money,
  ORDERS,
  placed,
  trading,
} from '@bourse/test-kit/gateway/trading.ts';

const TICKER = '/api/v1/market/orderbook/level1?symbol=BTC-USDT';

describe('place HF order', () => {
  test(
    'returns exactly the envelope and the id',
    trading(async ({ alice, family }) => {
      const { status, text } = await alice.post(ORDERS, limit('buy', '20000', '1', { clientOid: 'first' }));
      assert.equal(status, 200);
      assert.match(text, /^\{"code":"200000","data":\{"orderId":"[0-9a-f]{24}"\}\}$/);
      const other = await family.post(ORDERS, limit('buy', '20000', '1', { clientOid: 'second' }));
      assert.match(
        other.text,
        /^\{"code":"200000","data":\{"orderId":"[0-9a-f]{24}","clientOid":"second"\}\}$/,
      );
    }),
  );

  test(
    'the id begins with the time in seconds',
    trading(async ({ alice }) => {
      const before = Math.floor(Date.now() / 1000) - 1;
      const seconds = Number.parseInt((await placed(alice, limit('buy', '20000', '1'))).slice(0, 8), 16);
      assert.ok(seconds >= before && seconds <= Date.now() / 1000 + 1);
    }),
  );

  test(
    'undocumented members are ignored',
    trading(async ({ alice }) => {
      await placed(alice, {
        ...limit('buy', '20000', '1'),
        tradeType: 'TRADE',
        clientTimestamp: 5,
        x: { y: [1] },
      });
    }),
  );
});

describe('sync place HF order', () => {
  test(
    'returns the documented fields, with times as strings',
    trading(async ({ alice, bob }) => {
      await placed(bob, limit('sell', '20000', '0.4'));
      const result = await matched(alice, limit('buy', '20000', '1'));
      const { orderId, orderTime, matchTime } = result;
      assert.match(orderTime, /^\d{13}$/);
      assert.deepEqual(result, {
        orderId,
        orderTime,
        originSize: '1',
        originFunds: '0',
        dealSize: '0.4',
        dealFunds: '8000',
        remainSize: '0.6',
        remainFunds: '0',
        canceledSize: '0',
        canceledFunds: '0',
        status: 'open',
        matchTime,
      });
      assert.equal((await detail(alice, orderId))['createdAt'], Number(orderTime));
    }),
  );

  test(
    'returns clientOid in the family dialect, and times as numbers',
    trading(async ({ family }) => {
      const { json } = await family.post(`${ORDERS}/sync`, limit('buy', '20000', '1', { clientOid: 'c1' }));
      const data = json.data as Record<string, unknown>;
      assert.equal(data['clientOid'], 'c1');
      assert.equal(typeof data['orderTime'], 'number');
      assert.equal(typeof data['matchTime'], 'number');
      assert.equal(data['status'], 'open');
    }),
  );
});

describe('holds, fees and balances', () => {
  test(
    'a limit buy holds price times size plus the taker fee, and a limit sell holds its size',
    trading(async ({ alice }) => {
      await placed(alice, limit('buy', '20000', '1'));
      await placed(alice, limit('sell', '30000', '0.5'));
      assert.equal(await money(alice, 'USDT'), '979980 + 20020');
      assert.equal(await money(alice, 'BTC'), '99.5 + 0.5');
    }),
  );

  test(
    'a fill pays both sides, and releases the part of the hold that a maker fill does not need',
    trading(async ({ alice, bob }) => {
      const pair = { symbol: 'ETH-BTC' };
      const id = await placed(alice, limit('buy', '0.05', '10', pair));
      assert.equal(await money(alice, 'BTC'), '99.49925 + 0.50075');
      const sold = await matched(bob, market('sell', { ...pair, size: '4' }));
      assert.equal(sold.dealFunds, '0.2');
      assert.equal(await money(bob, 'BTC'), '100.1997 + 0');
      assert.equal(await money(bob, 'ETH'), '996 + 0');
      assert.equal(await money(alice, 'BTC'), '99.49945 + 0.30045');
      assert.equal(await money(alice, 'ETH'), '1004 + 0');
      const order = await detail(alice, id, 'ETH-BTC');
      assert.deepEqual([order['fee'], order['feeCurrency']], ['0.0001', 'BTC']);
    }),
  );

  test(
    'an order that fills at a better price than its limit pays that price, and the rest of the hold is released',
    trading(async ({ alice, bob }) => {
      await placed(bob, limit('sell', '19000', '1'));
      const bought = await matched(alice, limit('buy', '20000', '1'));
      assert.deepEqual([bought.status, bought.dealFunds, bought.remainSize], ['done', '19000', '0']);
      assert.equal(await money(alice, 'USDT'), '980981 + 0');
      assert.equal(await money(bob, 'USDT'), '1018981 + 0');
    }),
  );

  test(
    'a market buy by funds has its fee inside the funds',
    trading(async ({ alice, bob }) => {
      await placed(bob, limit('sell', '20000', '1'));
      const bought = await matched(alice, market('buy', { funds: '1000' }));
      assert.deepEqual(
        [bought.originSize, bought.originFunds, bought.dealSize, bought.dealFunds, bought.status],
        ['0', '1000', '0.04995004', '999.0008', 'done'],
      );
      assert.deepEqual([bought.remainFunds, bought.canceledFunds, bought.canceledSize], ['0', '0', '0']);
      assert.equal(await money(alice, 'USDT'), '999000.0001992 + 0');
      assert.equal(await money(alice, 'BTC'), '100.04995004 + 0');
      const order = await detail(alice, bought.orderId);
      assert.deepEqual(
        [
          order['price'],
          order['size'],
          order['funds'],
          order['remainFunds'],
          order['cancelExist'],
          order['fee'],
        ],
        ['0', '0', '1000', '0', false, '0.9990008'],
      );
      assert.deepEqual([order['timeInForce'], order['inOrderBook'], order['active']], ['GTC', false, false]);
    }),
  );

  test(
    'a market buy by size and market sells pay the prices they trade at',
    trading(async ({ alice, bob, carol }) => {
      await placed(bob, limit('sell', '20000', '1'));
      const bought = await matched(alice, market('buy', { size: '0.1' }));
      assert.deepEqual([bought.dealSize, bought.dealFunds, bought.originFunds], ['0.1', '2000', '0']);
      assert.equal(await money(alice, 'USDT'), '997998 + 0');
      const order = await detail(alice, bought.orderId);
      assert.deepEqual([order['funds'], order['remainFunds'], order['cancelledFunds']], ['0', '0', '0']);

      await placed(bob, limit('buy', '19000', '1'));
      await matched(carol, market('sell', { size: '0.1' }));
      assert.equal(await money(carol, 'USDT'), '1001898.1 + 0');
      assert.equal(await money(carol, 'BTC'), '99.9 + 0');
      const sold = await matched(carol, market('sell', { funds: '950' }));
      assert.deepEqual([sold.originFunds, sold.dealSize, sold.dealFunds], ['950', '0.05', '950']);
      assert.equal(await money(carol, 'USDT'), '1002847.15 + 0');
      assert.equal(await money(carol, 'BTC'), '99.85 + 0');
    }),
  );

  test(
    'a market order on an empty book is done, and its whole hold is released',
    trading(async ({ alice }) => {
      const bought = await matched(alice, market('buy', { funds: '1000' }));
      assert.deepEqual([bought.status, bought.canceledFunds, bought.remainFunds], ['done', '1000', '0']);
      const sold = await matched(alice, market('sell', { size: '1' }));
      assert.deepEqual([sold.status, sold.canceledSize, sold.remainSize], ['done', '1', '0']);
      assert.equal(await money(alice, 'USDT'), '1000000 + 0');
      assert.equal(await money(alice, 'BTC'), '100 + 0');
      assert.equal((await detail(alice, bought.orderId))['cancelExist'], true);
    }),
  );
});

describe('timeInForce', () => {
  test(
    'IOC fills what it can at once, and the rest is cancelled',
    trading(async ({ alice, bob }) => {
      await placed(bob, limit('sell', '20000', '0.4'));
      const result = await matched(alice, limit('buy', '20000', '1', { timeInForce: 'IOC' }));
      assert.deepEqual([result.status, result.dealSize, result.canceledSize], ['done', '0.4', '0.6']);
      assert.equal(await money(alice, 'USDT'), '991992 + 0');
      const order = await detail(alice, result.orderId);
      assert.deepEqual(
        [order['cancelledFunds'], order['remainFunds'], order['inOrderBook']],
        ['12000', '0', false],
      );
    }),
  );

  test(
    'FOK is filled completely or not at all, and shows stp CN',
    trading(async ({ alice, bob }) => {
      await placed(bob, limit('sell', '20000', '0.4'));
      const not = await matched(alice, limit('buy', '20000', '1', { timeInForce: 'FOK', stp: 'CO' }));
      assert.deepEqual([not.status, not.dealSize, not.canceledSize], ['done', '0', '1']);
      assert.equal((await detail(alice, not.orderId))['stp'], 'CN');
      const whole = await matched(alice, limit('buy', '20000', '0.4', { timeInForce: 'FOK' }));
      assert.deepEqual([whole.status, whole.dealSize], ['done', '0.4']);
    }),
  );

  test(
    'GTT expires after cancelAfter seconds',
    trading(async ({ alice }) => {
      const id = await placed(alice, limit('buy', '20000', '1', { timeInForce: 'GTT', cancelAfter: 1 }));
      let order = await detail(alice, id);
      assert.deepEqual([order['active'], order['cancelAfter'], order['timeInForce']], [true, 1, 'GTT']);
      for (const end = Date.now() + 30_000; order['active'] && Date.now() < end; ) {
        await sleep(100);
        order = await detail(alice, id);
      }
      assert.deepEqual([order['active'], order['cancelExist'], order['inOrderBook']], [false, true, true]);
      const lived = (order['lastUpdatedAt'] as number) - (order['createdAt'] as number);
      assert.ok(lived >= 1000, `expired after ${lived} ms`);
      assert.equal(await money(alice, 'USDT'), '1000000 + 0');
    }),
  );

  test(
    'postOnly is cancelled where it would be filled, and ignored with IOC',
    trading(async ({ alice, bob }) => {
      await placed(bob, limit('sell', '20000', '0.4'));
      const result = await matched(alice, limit('buy', '20000', '1', { postOnly: true }));
      assert.deepEqual([result.status, result.dealSize, result.canceledSize], ['done', '0', '1']);
      const order = await detail(alice, result.orderId);
      assert.deepEqual([order['postOnly'], order['cancelExist'], order['inOrderBook']], [true, true, false]);
      const ignored = await matched(
        alice,
        limit('buy', '20000', '0.1', { postOnly: true, timeInForce: 'IOC' }),
      );
      assert.equal(ignored.dealSize, '0.1');
      const rests = await matched(alice, limit('buy', '19000', '0.1', { postOnly: true }));
      assert.equal(rests.status, 'open');
    }),
  );

  test(
    'postOnly fills against a hidden order as maker, and the hidden one pays the taker fee',
    trading(async ({ alice, bob }) => {
      const pair = { symbol: 'ETH-BTC' };
      await placed(bob, limit('sell', '0.05', '4', { ...pair, hidden: true }));
      await matched(alice, limit('buy', '0.05', '4', { ...pair, postOnly: true }));
      assert.equal(await money(alice, 'BTC'), '99.7999 + 0');
      assert.equal(await money(bob, 'BTC'), '100.1997 + 0');
    }),
  );
});

describe('visibility of orders', () => {
  test(
    'a hidden order is not in the ticker, an iceberg shows its visible size',
    trading(async ({ alice, nobody }) => {
      const hidden = await placed(alice, limit('buy', '20000', '1', { hidden: true }));
      assert.deepEqual((await nobody.get(TICKER)).json['bestBid'], '');
      const iceberg = await placed(alice, limit('buy', '19000', '1', { iceberg: true, visibleSize: '0.05' }));
      const { json } = await nobody.get(TICKER);
      assert.deepEqual([json['bestBid'], json['bestBidSize']], ['19000', '0.05']);
      const first = await detail(alice, hidden);
      const second = await detail(alice, iceberg);
      assert.deepEqual([first['hidden'], first['iceberg'], first['visibleSize']], [true, false, '0']);
      assert.deepEqual([second['hidden'], second['iceberg'], second['visibleSize']], [false, true, '0.05']);
    }),
  );

  test(
    'an order that is hidden and iceberg is an iceberg',
    trading(async ({ alice }) => {
      const flags = { hidden: true, iceberg: true, visibleSize: '0.5' };
      const order = await detail(alice, await placed(alice, limit('buy', '20000', '1', flags)));
      assert.deepEqual([order['hidden'], order['iceberg']], [false, true]);
    }),
  );
});

describe('self-trade prevention', () => {
  const outcomes = {
    CN: { mine: '1', incoming: ['done', '0', '0.4'] },
    CO: { mine: 'gone', incoming: ['open', '0.4', '0'] },
    CB: { mine: 'gone', incoming: ['done', '0', '0.4'] },
    DC: { mine: '0.6', incoming: ['done', '0', '0.4'] },
  };
  for (const [stp, { mine, incoming }] of Object.entries(outcomes)) {
    test(
      `${stp} keeps a user from trading with themselves`,
      trading(async ({ alice }) => {
        const id = await placed(alice, limit('sell', '20000', '1'));
        const result = await matched(alice, limit('buy', '20000', '0.4', { stp }));
        assert.deepEqual([result.status, result.remainSize, result.canceledSize], incoming);
        const resting = await detail(alice, id);
        assert.equal(resting['active'] ? resting['remainSize'] : 'gone', mine);
        if (stp === 'DC') {
          assert.deepEqual(
            [resting['size'], resting['cancelledSize'], resting['cancelExist'], resting['active']],
            ['1', '0.4', true, true],
          );
          assert.equal(await money(alice, 'BTC'), '99.4 + 0.6');
        }
      }),
    );
  }

  test(
    'without stp a user fills their own orders',
    trading(async ({ alice }) => {
      await placed(alice, limit('sell', '20000', '1'));
      assert.equal((await matched(alice, limit('buy', '20000', '0.4'))).dealSize, '0.4');
      assert.equal(await money(alice, 'USDT'), '999984 + 0');
    }),
  );
});

test(
  'price protection cancels a limit order that would trade past the bound, and stops a market order there',
  trading(async ({ alice, bob }) => {
    await placed(bob, limit('sell', '20000', '0.1'));
    await placed(bob, limit('sell', '23000', '0.1'));
    const whole = await matched(alice, limit('buy', '23000', '0.2'));
    assert.deepEqual([whole.status, whole.dealSize, whole.canceledSize], ['done', '0', '0.2']);
    const part = await matched(alice, market('buy', { size: '0.2' }));
    assert.deepEqual([part.status, part.dealSize, part.canceledSize], ['done', '0.1', '0.1']);
    assert.equal(await money(alice, 'USDT'), '997998 + 0');
  }),
);
