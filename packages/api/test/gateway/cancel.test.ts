import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { markedId, orderId, parseOrderId } from '../../src/gateway/ids.ts';
import type { Client } from '@bourse/test-kit/server.ts';
import {
  detail,
  limit,
  market,
  matched,
  MISSING_ID,
  money,
  ORDERS,
  placed,
  refused,
  trading,
} from '@bourse/test-kit/gateway/trading.ts';

const TEXT = 'order_not_exist_or_not_allow_to_cancel';
const NOT_THERE = new RegExp(`^${TEXT}: You have no order`);

const byId = (id: string) => `${ORDERS}/${id}?symbol=BTC-USDT`;
const byClientOid = (id: string) => `${ORDERS}/client-order/${id}?symbol=BTC-USDT`;
const syncById = (id: string) => `${ORDERS}/sync/${id}?symbol=BTC-USDT`;
const syncByClientOid = (id: string) => `${ORDERS}/sync/client-order/${id}?symbol=BTC-USDT`;

/** An order of which 0.4 of 1 is filled. */
async function partlyFilled(alice: Client, bob: Client, clientOid: string): Promise<string> {
  const id = await placed(alice, limit('buy', '20000', '1', { clientOid }));
  await matched(bob, market('sell', { size: '0.4' }));
  return id;
}

describe("an id that is not the order's own", () => {
  test(
    "cancels, reduces and alters nothing, though its number is an order's",
    trading(async ({ alice }) => {
      const id = await placed(alice, limit('buy', '20000', '1', { clientOid: 'o' }));
      const { number, seconds } = parseOrderId(id)!;
      // Of a test order, which counts otherwise; of another kind; and of an order with this number in another second.
      const strangers = [
        markedId('test-order', number),
        markedId('stop-order', number),
        orderId(number, (seconds - 1) * 1000),
      ];
      for (const stranger of strangers) {
        refused(await alice.delete(byId(stranger)), '400100', NOT_THERE, 404);
        refused(await alice.delete(syncById(stranger)), '400100', NOT_THERE, 404);
        const part = `${ORDERS}/cancel/${stranger}?symbol=BTC-USDT&cancelSize=0.1`;
        assert.notEqual((await alice.delete(part)).status, 200);
        const change = { symbol: 'BTC-USDT', orderId: stranger, newPrice: '19000' };
        assert.notEqual((await alice.post(`${ORDERS}/alter`, change)).status, 200);
      }
      const order = await detail(alice, id);
      assert.deepEqual([order['active'], order['size'], order['price']], [true, '1', '20000']);
      assert.equal((await alice.delete(byId(id))).status, 200);
    }),
  );
});

describe('the response to a cancel, and the released hold', () => {
  test(
    'by orderId',
    trading(async ({ alice, bob }) => {
      const id = await partlyFilled(alice, bob, 'a');
      const { status, text } = await alice.delete(byId(id));
      assert.equal(status, 200);
      assert.equal(text, `{"code":"200000","data":{"orderId":"${id}"}}`);
      assert.equal(await money(alice, 'USDT'), '991992 + 0');
      const order = await detail(alice, id);
      assert.deepEqual(
        [
          order['active'],
          order['cancelExist'],
          order['inOrderBook'],
          order['dealSize'],
          order['cancelledSize'],
        ],
        [false, true, true, '0.4', '0.6'],
      );
      assert.deepEqual(
        [order['remainSize'], order['cancelledFunds'], order['remainFunds']],
        ['0', '12000', '0'],
      );
    }),
  );

  test(
    'by clientOid',
    trading(async ({ alice, bob }) => {
      await partlyFilled(alice, bob, 'my-order');
      const { status, text } = await alice.delete(byClientOid('my-order'));
      assert.equal(status, 200);
      assert.equal(text, '{"code":"200000","data":{"clientOid":"my-order"}}');
      assert.equal(await money(alice, 'USDT'), '991992 + 0');
    }),
  );

  for (const name of ['orderId', 'clientOid']) {
    test(
      `sync, by ${name}: the bare result`,
      trading(async ({ alice, bob }) => {
        const id = await partlyFilled(alice, bob, 'mine');
        const { status, json } = await alice.delete(
          name === 'orderId' ? syncById(id) : syncByClientOid('mine'),
        );
        assert.equal(status, 200);
        assert.deepEqual(json as object, {
          orderId: id,
          originSize: '1',
          originFunds: '0',
          dealSize: '0.4',
          remainSize: '0',
          canceledSize: '0.6',
          status: 'done',
        });
        assert.equal(await money(alice, 'USDT'), '991992 + 0');
      }),
    );

    test(
      `sync, by ${name}, in the family dialect: wrapped, with both names`,
      trading(async ({ alice, family, bob }) => {
        const id = await partlyFilled(alice, bob, 'mine');
        const { json } = await family.delete(name === 'orderId' ? syncById(id) : syncByClientOid('mine'));
        assert.equal(json.code, '200000');
        const data = json.data as Record<string, unknown>;
        assert.deepEqual([data['orderId'], data['clientOid'], data['status']], [id, 'mine', 'done']);
      }),
    );
  }

  test(
    'sync by clientOid, after the exchange has dropped the order and only history has it',
    trading(
      async ({ alice, bob }) => {
        const id = await partlyFilled(alice, bob, 'mine');
        assert.equal((await alice.delete(syncByClientOid('mine'))).json['orderId'], id);
      },
      { isInHistory: true },
    ),
  );
});

describe('an order that cannot be cancelled', () => {
  for (const isInHistory of [false, true]) {
    test(
      `is done: the reason is given (${isInHistory ? 'from history' : 'from memory'})`,
      trading(
        async ({ alice, bob, family }) => {
          const cancelled = await placed(alice, limit('buy', '20000', '1', { clientOid: 'c' }));
          await alice.delete(byId(cancelled));
          const filled = await placed(alice, limit('buy', '20000', '0.1', { clientOid: 'f' }));
          await matched(bob, market('sell', { size: '0.1' }));
          for (const path of [byId(cancelled), byClientOid('c'), syncById(cancelled), syncByClientOid('c')]) {
            refused(await alice.delete(path), '400100', `${TEXT}: The order is cancelled (as requested).`);
          }
          for (const path of [byId(filled), byClientOid('f'), syncById(filled), syncByClientOid('f')]) {
            refused(await alice.delete(path), '400100', `${TEXT}: The order is completely filled.`);
          }
          const reply = await family.delete(byId(filled));
          refused(reply, '400100', TEXT, 200);
          assert.equal(reply.json['detail'], 'The order is completely filled.');
        },
        { isInHistory },
      ),
    );
  }

  test(
    'does not exist',
    trading(async ({ alice, family }) => {
      const missing = orderId(999_999, Date.now());
      for (const id of [missing, MISSING_ID, 'x', 'sync', '%20', 'a'.repeat(500)]) {
        refused(await alice.delete(byId(id)), '400100', NOT_THERE, 404);
        refused(await alice.delete(syncById(id)), '400100', NOT_THERE, 404);
      }
      for (const id of ['none', '%00', 'é', '-', 'a'.repeat(41)]) {
        refused(await alice.delete(byClientOid(encodeURI(id))), '400100', NOT_THERE, 404);
        refused(await alice.delete(syncByClientOid(encodeURI(id))), '400100', NOT_THERE, 404);
      }
      refused(await family.delete(byId(missing)), '400100', TEXT, 200);
    }),
  );

  test(
    'belongs to another user',
    trading(async ({ alice, bob }) => {
      const id = await placed(alice, limit('buy', '20000', '1', { clientOid: 'hers' }));
      for (const path of [byId(id), byClientOid('hers'), syncById(id), syncByClientOid('hers')]) {
        refused(await bob.delete(path), '400100', NOT_THERE, 404);
      }
      assert.equal((await detail(alice, id))['active'], true);
    }),
  );

  test(
    'is of another symbol',
    trading(async ({ alice }) => {
      const id = await placed(alice, limit('buy', '20000', '1', { clientOid: 'o' }));
      for (const path of [byId(id), byClientOid('o'), syncById(id), syncByClientOid('o')]) {
        refused(await alice.delete(path.replace('BTC-USDT', 'ETH-USDT')), '400100', /ETH-USDT/, 404);
      }
      assert.equal((await detail(alice, id))['active'], true);
    }),
  );

  test(
    'has the same number but another creation time',
    trading(async ({ alice }) => {
      const id = await placed(alice, limit('buy', '20000', '1'));
      const { number, seconds } = parseOrderId(id)!;
      const later = orderId(number, (seconds + 1) * 1000);
      assert.notEqual(later, id);
      const wrong = `${later.slice(0, 20)}${id.slice(20)}`;
      refused(await alice.delete(byId(wrong)), '400100', NOT_THERE, 404);
      assert.equal((await detail(alice, id))['active'], true);
    }),
  );
});

describe('the symbol', () => {
  test(
    'is required, and must exist',
    trading(async ({ alice, family }) => {
      const id = await placed(alice, limit('buy', '20000', '1', { clientOid: 'o' }));
      for (const path of [byId(id), byClientOid('o'), syncById(id), syncByClientOid('o')]) {
        const bare = path.slice(0, path.indexOf('?'));
        refused(await alice.delete(bare), '400100', /^Parameter Error: .*symbol/);
        refused(await alice.delete(`${bare}?symbol=`), '400100', /^Parameter Error: .*symbol/);
        refused(
          await alice.delete(`${bare}?symbol=NO-PAIR`),
          '900001',
          /^Unsupported trading pair\. .*NO-PAIR/,
        );
        refused(await family.delete(`${bare}?symbol=undefined`), '400100', 'Parameter Error', 200);
        refused(await alice.delete(`${path}&symbol=BTC-USDT`), '400100', /Duplicate query parameter/);
      }
      assert.equal((await detail(alice, id))['active'], true);
    }),
  );

  test(
    'is halted, so nothing is cancelled',
    trading(async (t) => {
      const id = await placed(t.alice, limit('buy', '20000', '1'));
      await t.command({ kind: 'set-market-state', symbol: 0, state: 'halted' });
      refused(
        await t.alice.delete(byId(id)),
        '200002',
        /^Order cancel for this pair suspended: BTC-USDT is halted/,
      );
      refused(await t.family.delete(syncById(id)), '200002', 'Order cancel for this pair suspended', 200);
      await t.command({ kind: 'set-market-state', symbol: 0, state: 'cancel-only' });
      assert.equal((await t.alice.delete(byId(id))).status, 200);
    }),
  );
});
