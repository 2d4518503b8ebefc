// Every row of the table of states and transitions.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { at } from './client.ts';
import { UserClient, limit, market, refusal } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { sub } from './money.ts';

const service = sharedService();
const pair = 'ETH-USDT';
const alice = new UserClient(service, 'alice');
const bob = new UserClient(service, 'bob');
afterEach(async () => {
  await alice.sweep();
  await bob.sweep();
});

test('accepted: the order is active, rests in the book, and can be read as soon as its id is returned', async () => {
  const before = Date.now();
  const id = await alice.place(
    limit(pair, 'buy', '100', '2', { clientOid: 'accepted', tags: 'a tag', remark: 'a remark' }),
  );
  const order = await alice.order(id, pair);
  const { createdAt, lastUpdatedAt, ...rest } = order;
  assert.deepEqual(rest, {
    id,
    clientOid: 'accepted',
    symbol: pair,
    opType: 'DEAL',
    type: 'limit',
    side: 'buy',
    price: '100',
    size: '2',
    funds: '200',
    dealSize: '0',
    dealFunds: '0',
    cancelledSize: '0',
    cancelledFunds: '0',
    remainSize: '2',
    remainFunds: '200',
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
    remark: 'a remark',
    tags: 'a tag',
    active: true,
    inOrderBook: true,
    cancelExist: false,
    tradeType: 'TRADE',
  });
  assert.ok(Math.abs(Number(createdAt) - before) < 3_600_000, 'milliseconds');
  assert.ok(Number(lastUpdatedAt) >= Number(createdAt));
});

test('unset text fields are empty strings', async () => {
  const order = await alice.order(await alice.place(limit(pair, 'buy', '100', '2')), pair);
  for (const field of ['clientOid', 'stp', 'tags', 'remark']) assert.equal(order[field], '', field);
});

test('rejected: the request gets an error, and there is no order', async () => {
  await alice.refused(limit(pair, 'buy', '100', '999999', { clientOid: 'no-money' }), '200004');
  await alice.refused(limit(pair, 'buy', '100.001', '1', { clientOid: 'no-tick' }), '400100');
  for (const oid of ['no-money', 'no-tick']) {
    refusal(await alice.call('GET', `/api/v1/hf/orders/client-order/${oid}?symbol=${pair}`), 404, '400100');
  }
});

test('partially filled: the order stays active, and the rest stays in the book', async () => {
  const id = await alice.place(limit(pair, 'sell', '100', '2'));
  await bob.place(limit(pair, 'buy', '100', '0.5'));
  const order = await alice.order(id, pair);
  assert.equal(order.active, true);
  assert.equal(order.dealSize, '0.5');
  assert.equal(order.dealFunds, '50');
  assert.equal(order.remainSize, '1.5');
  assert.equal(order.remainFunds, '150');
  assert.equal(order.fee, '0.05');
  await bob.place(limit(pair, 'buy', '100', '0.5'));
  assert.equal((await alice.order(id, pair)).dealSize, '1');
});

test('completely filled: the order is done', async () => {
  const id = await alice.place(limit(pair, 'sell', '100', '2'));
  const taker = await bob.placeSync(limit(pair, 'buy', '101', '2'));
  assert.equal(taker.status, 'done');
  assert.equal(taker.dealSize, '2');
  const order = await alice.order(id, pair);
  assert.equal(order.active, false);
  assert.equal(order.remainSize, '0');
  assert.equal(order.cancelExist, false);
  assert.equal(order.inOrderBook, true);
  const bought = await bob.order(taker.orderId, pair);
  assert.equal(bought.inOrderBook, false);
  assert.equal(bought.funds, '202');
  assert.equal(bought.dealFunds, '200');
  assert.equal(bought.remainFunds, '0', 'a better price leaves nothing of an order that is done');
});

const cancels: [string, (id: string, oid: string) => string][] = [
  ['orderId', (id) => `/api/v1/hf/orders/${id}?symbol=${pair}`],
  ['clientOid', (_, oid) => `/api/v1/hf/orders/client-order/${oid}?symbol=${pair}`],
  ['orderId, sync', (id) => `/api/v1/hf/orders/sync/${id}?symbol=${pair}`],
  ['clientOid, sync', (_, oid) => `/api/v1/hf/orders/sync/client-order/${oid}?symbol=${pair}`],
];

for (const [index, [by, path]] of cancels.entries()) {
  test(`cancelled by ${by}: the order is done, and the hold of the unfilled size is released`, async () => {
    const oid = `cancel-${index}`;
    const change = await alice.change(['USDT', 'ETH'], async () => {
      const id = await alice.place(limit(pair, 'buy', '100', '2', { clientOid: oid }));
      await bob.place(limit(pair, 'sell', '100', '0.5'));
      const answer = await alice.call('DELETE', path(id, oid));
      assert.equal(answer.status, 200, answer.text);
      const order = await alice.order(id, pair);
      assert.equal(order.active, false);
      assert.equal(order.dealSize, '0.5');
      assert.equal(order.cancelledSize, '1.5');
      assert.equal(order.cancelledFunds, '150');
      assert.equal(order.remainSize, '0');
      assert.equal(order.remainFunds, '0');
      assert.equal(order.cancelExist, true);
    });
    const paid = sub('0', '50.05');
    assert.deepEqual(change.USDT, { balance: paid, available: paid, holds: '0' });
  });

  test(`done, then cancelled by ${by}: the cancel gets an error with the reason, and the order does not change`, async () => {
    for (const how of ['filled', 'cancelled']) {
      const oid = `late-${index}-${how}`;
      const id = await alice.place(limit(pair, 'buy', '100', '1', { clientOid: oid }));
      if (how === 'filled') await bob.place(limit(pair, 'sell', '100', '1'));
      else assert.equal((await alice.cancel(id, pair)).status, 200);
      const before = await alice.order(id, pair);
      const answer = await alice.call('DELETE', path(id, oid));
      assert.ok(answer.status >= 400 && answer.status < 500, answer.text);
      const said = refusal(answer, answer.status, '400100', /^order_not_exist_or_not_allow_to_cancel/);
      assert.match(said, new RegExp(how === 'filled' ? 'fill' : 'cancel(l?)ed', 'i'), 'the reason');
      assert.deepEqual(await alice.order(id, pair), before);
    }
  });
}

test('IOC, postOnly, FOK and price protection end orders as done, and the sync result shows it', async () => {
  await bob.place(limit(pair, 'sell', '100', '1'));
  await bob.place(limit(pair, 'sell', '120', '1'));
  const cases: [object, string][] = [
    [limit(pair, 'buy', '100', '3', { timeInForce: 'FOK' }), '0'],
    [limit(pair, 'buy', '100', '3', { postOnly: true }), '0'],
    [limit(pair, 'buy', '130', '2'), '0'],
    [limit(pair, 'buy', '100', '3', { timeInForce: 'IOC' }), '1'],
  ];
  for (const [order, dealt] of cases) {
    const result = await alice.placeSync(order as Record<string, unknown>);
    assert.equal(result.status, 'done', JSON.stringify(order));
    assert.equal(result.dealSize, dealt, JSON.stringify(order));
    assert.equal(result.remainSize, '0', JSON.stringify(order));
  }
});

test('a market order is filled at once and never enters the book', async () => {
  await bob.place(limit(pair, 'sell', '100', '1'));
  const result = await alice.placeSync(market(pair, 'buy', { size: '1' }));
  assert.equal(result.status, 'done');
  const order = await alice.order(result.orderId, pair);
  assert.equal(order.inOrderBook, false);
  assert.equal(order.dealSize, '1');
  assert.equal(order.price, '0');
  assert.equal(order.funds, '0');
  assert.equal(order.type, 'market');
  const late = await alice.call('DELETE', `/api/v1/hf/orders/${result.orderId}?symbol=${pair}`);
  assert.notEqual(late.status, 200);
  assert.equal(at(late.body, 'code'), '400100');
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
