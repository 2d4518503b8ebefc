import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { orderId, parseOrderId } from '../../src/gateway/ids.ts';
import { ORDER_SCHEMA } from '../../src/gateway/orders/order-detail.ts';
import { Client } from '@bourse/test-kit/server.ts';
import {
  detail,
  limit,
  market,
  matched,
  MISSING_ID,
  ORDERS,
  placed,
  refused,
  trading,
} from '@bourse/test-kit/gateway/trading.ts';

const NOT_FOUND = /^The order does not exist\. You have no order with the /;
const byId = (id: string) => `${ORDERS}/${id}?symbol=BTC-USDT`;
const byClientOid = (id: string) => `${ORDERS}/client-order/${id}?symbol=BTC-USDT`;

describe('a look-up of an order', () => {
  test(
    'returns exactly the documented fields, unset ones empty or zero',
    trading(async ({ alice, family }) => {
      const id = await placed(alice, limit('buy', '20000.1', '1.5'));
      const { json } = await alice.get(byId(id));
      assert.deepEqual(Object.keys(json), ['code', 'data']);
      const order = json.data as Record<string, unknown>;
      const { createdAt } = order;
      assert.equal(typeof createdAt, 'number');
      assert.deepEqual(order, {
        id,
        clientOid: '',
        symbol: 'BTC-USDT',
        opType: 'DEAL',
        type: 'limit',
        side: 'buy',
        price: '20000.1',
        size: '1.5',
        funds: '30000.15',
        dealSize: '0',
        dealFunds: '0',
        cancelledSize: '0',
        cancelledFunds: '0',
        remainSize: '1.5',
        remainFunds: '30000.15',
        fee: '0',
        feeCurrency: 'USDT',
        stp: '',
        timeInForce: 'GTC',
        postOnly: false,
        hidden: false,
        iceberg: false,
        visibleSize: '0',
        cancelAfter: 0,
        channel: 'API',
        remark: '',
        tags: '',
        active: true,
        inOrderBook: true,
        cancelExist: false,
        createdAt,
        lastUpdatedAt: createdAt,
        tradeType: 'TRADE',
      });
      assert.deepEqual(Object.keys(order).toSorted(), Object.keys(ORDER_SCHEMA.properties).toSorted());
      const other = (await family.get(byId(id))).json.data as Record<string, unknown>;
      assert.deepEqual(other, { ...order, tax: '0' });
    }),
  );

  test(
    'returns the fields that the order was placed with',
    trading(async ({ alice }) => {
      const more = {
        clientOid: 'c-1',
        stp: 'CO',
        tags: 't',
        remark: 'r',
        postOnly: true,
        timeInForce: 'GTT',
        cancelAfter: 90,
      };
      await placed(alice, limit('sell', '30000', '1', more));
      const { json } = await alice.get(byClientOid('c-1'));
      const order = json.data as Record<string, unknown>;
      for (const [name, value] of Object.entries(more)) assert.equal(order[name], value, name);
      assert.equal(order['side'], 'sell');
    }),
  );

  test(
    'returns the executed size and funds, even if filled at a better price',
    trading(async ({ alice, bob }) => {
      await placed(bob, limit('sell', '19000', '0.5'));
      const bought = await placed(alice, limit('buy', '20000', '0.5'));
      const order = await detail(alice, bought);
      assert.deepEqual(
        [
          order['funds'],
          order['dealFunds'],
          order['remainFunds'],
          order['remainSize'],
          order['fee'],
          order['active'],
        ],
        ['10000', '9500', '0', '0', '9.5', false],
      );
      await placed(bob, limit('buy', '21000', '0.5'));
      const sold = await detail(alice, await placed(alice, limit('sell', '20000', '0.5')));
      assert.deepEqual([sold['funds'], sold['dealFunds'], sold['remainFunds']], ['10000', '10500', '0']);
    }),
  );

  test(
    'says that the order was in the book once it has rested, even if it is done',
    trading(async ({ alice, bob }) => {
      const rested = await placed(alice, limit('buy', '20000', '0.5'));
      const taker = await placed(bob, limit('sell', '20000', '0.5'));
      const first = await detail(alice, rested);
      const second = await detail(bob, taker);
      assert.deepEqual([first['inOrderBook'], first['active'], first['cancelExist']], [true, false, false]);
      assert.deepEqual(
        [second['inOrderBook'], second['active'], second['cancelExist']],
        [false, false, false],
      );
    }),
  );

  test(
    'works as soon as the id was returned, filled or not',
    trading(async ({ alice, bob }) => {
      await placed(bob, limit('sell', '20000', '50'));
      for (let i = 0; i < 40; i++) {
        const id = await placed(
          alice,
          i % 2 ? market('buy', { size: '0.01' }) : limit('buy', '10000', '0.01'),
        );
        assert.equal((await detail(alice, id))['active'], i % 2 === 0);
      }
    }),
  );
});

describe('a done order', () => {
  for (const isInHistory of [false, true]) {
    test(
      `is found by orderId and by clientOid ${isInHistory ? 'in history' : 'before history has it'}`,
      trading(
        async ({ alice }) => {
          const id = await placed(
            alice,
            limit('buy', '20000', '1', { clientOid: 'x', tags: 't', stp: 'CN' }),
          );
          await alice.delete(byId(id));
          await placed(alice, limit('buy', '20000', '1', { clientOid: 'y' }));
          const first = await alice.get(byId(id));
          const second = await alice.get(byClientOid('x'));
          assert.equal(first.status, 200, first.text);
          assert.equal(first.text, second.text);
          const order = first.json.data as Record<string, unknown>;
          assert.deepEqual(
            [order['active'], order['tags'], order['stp'], order['clientOid']],
            [false, 't', 'CN', 'x'],
          );
        },
        { isInHistory },
      ),
    );

    test(
      `is not found after the look-up window (${isInHistory ? 'history' : 'memory'}), but an active one is`,
      trading(
        async ({ alice }) => {
          const done = await matched(alice, market('sell', { size: '1', clientOid: 'd' }));
          const active = await placed(alice, limit('buy', '20000', '1', { clientOid: 'a' }));
          refused(await alice.get(byId(done.orderId)), '400100', NOT_FOUND, 404);
          refused(await alice.get(byClientOid('d')), '400100', NOT_FOUND, 404);
          refused(await alice.delete(byId(done.orderId)), '400100', /You have no order/, 404);
          assert.equal((await alice.get(byId(active))).status, 200);
          assert.equal((await alice.get(byClientOid('a'))).status, 200);
        },
        { isInHistory, lookupWindowMs: -60_000 },
      ),
    );
  }
});

describe('an order that cannot be looked up', () => {
  test(
    'does not exist',
    trading(async ({ alice, family }) => {
      const missing = orderId(999_999, Date.now());
      const edges = [0, 2 ** 32, 2 ** 48 - 1].map((number) => orderId(number, Date.now()));
      for (const id of [missing, ...edges, MISSING_ID, 'x', 'a'.repeat(300)])
        refused(await alice.get(byId(id)), '400100', NOT_FOUND, 404);
      for (const id of ['none', '%00', '%C3%A9', 'a'.repeat(41)]) {
        refused(await alice.get(byClientOid(id)), '400100', NOT_FOUND, 404);
      }
      refused(await family.get(byId(missing)), '400100', 'The order does not exist.', 200);
      refused(await family.get(byClientOid('none')), '400100', 'The order does not exist.', 200);
    }),
  );

  test(
    'belongs to another user, even to the master of a sub-account',
    trading(async ({ alice, bob, server }) => {
      const id = await placed(alice, limit('buy', '20000', '1', { clientOid: 'hers' }));
      for (const other of [bob, new Client(server.url, 'alice-sub')]) {
        refused(await other.get(byId(id)), '400100', NOT_FOUND, 404);
        refused(await other.get(byClientOid('hers')), '400100', NOT_FOUND, 404);
      }
      await alice.delete(byId(id));
      refused(await bob.get(byId(id)), '400100', NOT_FOUND, 404);
    }),
  );

  test(
    'is of another symbol',
    trading(async ({ alice }) => {
      const id = await placed(alice, limit('buy', '20000', '1', { clientOid: 'o' }));
      for (const path of [byId(id), byClientOid('o')]) {
        refused(
          await alice.get(path.replace('BTC-USDT', 'ETH-USDT')),
          '400100',
          /^The order does not exist\. .*ETH-USDT/,
          404,
        );
      }
    }),
  );

  test(
    'has the same number but another creation time',
    trading(async ({ alice }) => {
      const { number, seconds } = parseOrderId(await placed(alice, limit('buy', '20000', '1')))!;
      refused(await alice.get(byId(orderId(number, (seconds - 1) * 1000))), '400100', NOT_FOUND, 404);
    }),
  );

  test(
    'is requested without a symbol, or with an unknown one',
    trading(async ({ alice, family }) => {
      const id = await placed(alice, limit('buy', '20000', '1', { clientOid: 'o' }));
      for (const path of [`${ORDERS}/${id}`, `${ORDERS}/client-order/o`]) {
        refused(await alice.get(path), '400100', /^Parameter Error: .*symbol/);
        refused(await alice.get(`${path}?symbol=`), '400100', /^Parameter Error: .*symbol/);
        refused(await family.get(`${path}?symbol=undefined`), '400100', 'Parameter Error', 200);
        refused(await alice.get(`${path}?symbol=NO-PAIR`), '900001', /^Unsupported trading pair\./);
      }
    }),
  );
});
