import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Body,
  detail,
  limit,
  market,
  money,
  ORDERS,
  placed,
  refused,
  trading,
} from '@bourse/test-kit/gateway/trading.ts';

const MULTI = `${ORDERS}/multi`;
const SYNC = `${ORDERS}/multi/sync`;
type Entry = Record<string, unknown>;

const many = (count: number, more: Body = {}): Body[] =>
  Array.from({ length: count }, (_, i) => limit('buy', String(20_000 - i), '0.1', more));

describe('place multiple orders', () => {
  test(
    'responds in envelope B with an id for each order, in order',
    trading(async ({ alice }) => {
      const { status, json } = await alice.post(MULTI, { orderList: many(5) });
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(json), ['success', 'code', 'msg', 'retry', 'data']);
      assert.deepEqual(
        [json['success'], json.code, json.msg, json['retry']],
        [true, '200', 'success', false],
      );
      const entries = json.data as Entry[];
      assert.equal(entries.length, 5);
      for (const [i, entry] of entries.entries()) {
        assert.deepEqual(entry, { orderId: entry['orderId'], success: true, status: 'success' });
        assert.equal((await detail(alice, String(entry['orderId'])))['price'], String(20_000 - i));
      }
      // 0.1 * (20000 + 19999 + 19998 + 19997 + 19996) * 1.001
      assert.equal(await money(alice, 'USDT'), '989991.001 + 10008.999');
    }),
  );

  test(
    'responds to the family dialect in envelope A, with clientOid',
    trading(async ({ family }) => {
      const { json } = await family.post(MULTI, {
        orderList: many(1, { clientOid: 'b1' }),
        symbol: 'BTC-USDT',
      });
      assert.deepEqual(Object.keys(json), ['code', 'data']);
      const [entry] = json.data as Entry[];
      assert.deepEqual(entry, {
        orderId: entry['orderId'],
        clientOid: 'b1',
        success: true,
        status: 'success',
      });
    }),
  );

  test(
    'an order that fails has the reason, and the others are placed',
    trading(async ({ alice, family }) => {
      const orderList = [
        limit('buy', '20000.05', '1'),
        limit('buy', '20000', '0.1', { clientOid: 'same' }),
        limit('buy', '20000', '0.1', { clientOid: 'same' }),
        market('buy', { size: '1' }),
        { ...limit('buy', '20000', '1'), price: 5 },
      ];
      const { status, json } = await alice.post(MULTI, { orderList });
      assert.equal(status, 200);
      const entries = json.data as Entry[];
      assert.deepEqual(
        entries.map(({ success }) => success),
        [false, true, false, false, false],
      );
      for (const entry of entries) {
        if (entry['success']) continue;
        assert.deepEqual(Object.keys(entry), ['success', 'status', 'failMsg']);
        assert.equal(entry['status'], 'fail');
      }
      assert.match(
        String(entries[0]['failMsg']),
        /^Price increment invalid\. .*the nearest are 20000 and 20000\.1/,
      );
      assert.match(String(entries[2]['failMsg']), /^validation\.createOrder\.clientOidDuplicated: /);
      assert.match(String(entries[3]['failMsg']), /^Parameter Error: type must be limit/);
      assert.match(
        String(entries[4]['failMsg']),
        /^Parameter Error: price must be a decimal in a JSON string/,
      );
      assert.equal(await money(alice, 'USDT'), '997998 + 2002');

      const other = (await family.post(MULTI, { orderList: orderList.slice(0, 1) })).json.data as Entry[];
      const { failMsg, detail: why } = other[0];
      assert.equal(failMsg, 'Price increment invalid.');
      assert.match(String(why), /20000\.05/);
    }),
  );

  test(
    'entries that are not orders fail individually',
    trading(async ({ alice }) => {
      const { json } = await alice.post(MULTI, {
        orderList: [null, 5, [], {}, limit('buy', '20000', '0.1')],
      });
      const entries = json.data as Entry[];
      assert.deepEqual(
        entries.map(({ success }) => success),
        [false, false, false, false, true],
      );
      assert.match(String(entries[3]['failMsg']), /symbol is required/);
    }),
  );

  test(
    'an unknown pair fails every entry',
    trading(async ({ alice }) => {
      const { status, json } = await alice.post(MULTI, { orderList: many(2, { symbol: 'NO-PAIR' }) });
      assert.equal(status, 200);
      const entries = json.data as Entry[];
      assert.equal(entries.length, 2);
      for (const entry of entries) assert.match(String(entry['failMsg']), /^Unsupported trading pair\./);
    }),
  );

  for (const [path, ordersMax] of [
    [MULTI, 5],
    [SYNC, 20],
  ] as const) {
    test(
      `${path} accepts ${ordersMax} orders, and rejects a longer list as a whole`,
      trading(async ({ alice, family }) => {
        const over = await alice.post(path, { orderList: many(ordersMax + 1) });
        refused(
          over,
          '400100',
          new RegExp(`^Parameter Error: orderList has ${ordersMax + 1} orders; the maximum is ${ordersMax}`),
        );
        assert.deepEqual(Object.keys(over.json), ['success', 'code', 'msg', 'retry', 'data']);
        assert.deepEqual([over.json['success'], over.json['retry'], over.json.data], [false, false, null]);
        refused(
          await family.post(path, { orderList: many(ordersMax + 1) }),
          '400100',
          'Parameter Error',
          200,
        );
        assert.equal(await money(alice, 'USDT'), '1000000 + 0');
        const exact = (await alice.post(path, { orderList: many(ordersMax) })).json.data as Entry[];
        assert.equal(exact.filter(({ success }) => success).length, ordersMax);
      }),
    );

    test(
      `${path} rejects a request with two trading pairs, an empty list or no list as a whole`,
      trading(async ({ alice }) => {
        const two = [limit('buy', '20000', '0.1'), limit('buy', '1000', '0.1', { symbol: 'ETH-USDT' })];
        refused(await alice.post(path, { orderList: two }), '400100', /names 2 trading pairs/);
        refused(await alice.post(path, { orderList: [] }), '400100', /orderList is empty/);
        for (const orderList of [undefined, null, {}, 'x', 5]) {
          refused(await alice.post(path, { orderList }), '400100', /orderList is required/);
        }
        assert.equal(await money(alice, 'USDT'), '1000000 + 0');
      }),
    );
  }
});

describe('sync place multiple orders', () => {
  test(
    'returns the result of matching for each order, with times as numbers',
    trading(async ({ alice, bob }) => {
      await placed(bob, limit('sell', '20000', '0.15'));
      const orderList = [
        limit('buy', '20000', '0.1'),
        limit('buy', '20000', '0.1'),
        limit('buy', '20000', '0.1', { timeInForce: 'IOC' }),
        limit('buy', '20000', '60'),
      ];
      const { json } = await alice.post(SYNC, { orderList });
      assert.deepEqual([json['success'], json.code], [true, '200']);
      const entries = json.data as Entry[];
      const time = entries[0]['orderTime'];
      assert.equal(typeof time, 'number');
      const expected = [
        ['0.1', '0.1', '0', '0', 'done'],
        ['0.1', '0.05', '0.05', '0', 'open'],
        ['0.1', '0', '0', '0.1', 'done'],
      ];
      for (const [i, [originSize, dealSize, remainSize, canceledSize, status]] of expected.entries()) {
        const { orderId } = entries[i];
        const rest = { orderTime: time, matchTime: time, success: true };
        assert.deepEqual(entries[i], {
          orderId,
          originSize,
          dealSize,
          remainSize,
          canceledSize,
          status,
          ...rest,
        });
      }
      assert.deepEqual(Object.keys(entries[3]), ['success', 'status', 'failMsg']);
      assert.match(String(entries[3]['failMsg']), /^Balance insufficient! .*TRADE account has 995996 USDT/);
      // 0.15 bought for 3000 and 3, and 0.05 resting.
      assert.equal(await money(alice, 'USDT'), '995996 + 1001');
    }),
  );

  test(
    'the orders are placed one after the other: a later one may trade with an earlier one',
    trading(async ({ alice }) => {
      const orderList = [limit('sell', '20000', '0.1'), limit('buy', '20000', '0.1')];
      const [first, second] = (await alice.post(SYNC, { orderList })).json.data as Entry[];
      assert.deepEqual([first['status'], second['status'], second['dealSize']], ['open', 'done', '0.1']);
      assert.equal((await detail(alice, String(first['orderId'])))['active'], false);
    }),
  );

  test(
    'in the family dialect, numbers inside the list keep all their digits',
    trading(async ({ family }) => {
      const entry = '{"symbol":"BTC-USDT","type":"limit","side":"buy","price":20000.1,"size":0.00001}';
      const fine = entry.replace('20000.1', '20000.1000000000000000001');
      const { json } = await family.send('POST', SYNC, `{"orderList":[${entry},${fine}]}`);
      const [good, bad] = json.data as Entry[];
      assert.deepEqual([good['success'], good['originSize']], [true, '0.00001']);
      assert.equal(bad['failMsg'], 'Price increment invalid.');
    }),
  );
});
