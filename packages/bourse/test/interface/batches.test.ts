// Place multiple orders, and its synchronous sister: envelope B.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type Answer, at } from './client.ts';
import { UserClient, limit, market } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { batchSyncEntry, errorB, exactly } from './shapes.ts';

const service = sharedService();
const pair = 'ETH-USDT';
const alice = new UserClient(service, 'alice');
const bob = new UserClient(service, 'bob');
const ids: string[] = [];
afterEach(async () => {
  for (const id of ids.splice(0)) await alice.cancel(id, pair);
  await bob.sweep();
});

const multi = '/api/v1/hf/orders/multi';
const sync = '/api/v1/hf/orders/multi/sync';

async function batch(path: string, orderList: unknown): Promise<Answer> {
  const answer = await alice.call('POST', path, { orderList });
  const data = at(answer.body, 'data');
  for (const entry of Array.isArray(data) ? data : []) {
    if (typeof entry.orderId === 'string') ids.push(entry.orderId);
  }
  return answer;
}

async function entries(path: string, orderList: unknown): Promise<Record<string, unknown>[]> {
  const answer = await batch(path, orderList);
  assert.equal(answer.status, 200, answer.text);
  const { data, ...envelope } = answer.body as Record<string, unknown>;
  assert.deepEqual(envelope, { success: true, code: '200', msg: 'success', retry: false });
  assert.ok(Array.isArray(data));
  return data as Record<string, unknown>[];
}

async function refusedWhole(path: string, orderList: unknown, code: string | RegExp): Promise<void> {
  const before = await alice.purse('USDT');
  const answer = await batch(path, orderList);
  assert.equal(answer.status, 400, answer.text);
  exactly(answer.body, errorB);
  assert.equal(at(answer.body, 'success'), false);
  assert.match(String(at(answer.body, 'code')), new RegExp(code));
  assert.deepEqual(await alice.purse('USDT'), before, 'nothing placed');
}

const buys = (count: number) =>
  Array.from({ length: count }, (_, index) => limit(pair, 'buy', `${100 - index}`, '1'));

test('one request places five orders and returns an id and success for each', async () => {
  const list = await entries(multi, buys(5));
  assert.equal(list.length, 5);
  for (const [index, entry] of list.entries()) {
    exactly(entry, { orderId: 'string', success: 'boolean', status: 'string' });
    assert.equal(entry.success, true);
    assert.equal(entry.status, 'success');
    const order = await alice.order(String(entry.orderId), pair);
    assert.equal(order.price, `${100 - index}`, 'entries stand in the order of the request');
    assert.equal(order.active, true);
  }
});

test('one sync request places twenty orders and returns a synchronous result for each', async () => {
  const list = await entries(sync, buys(20));
  assert.equal(list.length, 20);
  for (const entry of list) {
    exactly(entry, batchSyncEntry);
    assert.equal(entry.status, 'open');
    assert.equal(entry.success, true);
    assert.equal(entry.remainSize, '1');
  }
});

test('a request with too many orders is rejected as a whole, and places nothing', async () => {
  await refusedWhole(multi, buys(6), '400100');
  await refusedWhole(sync, buys(21), '400100');
});

test('a request without a list, or with an empty one, is rejected', async () => {
  await refusedWhole(multi, [], '400100');
  await refusedWhole(sync, [], '400100');
  await refusedWhole(multi, undefined, '400100');
  await refusedWhole(multi, 'x', '400100');
});

test('a request with orders of two pairs is rejected as a whole, and places nothing', async () => {
  const mixed = [limit(pair, 'buy', '100', '1'), limit('BTC-USDT', 'buy', '100', '1')];
  await refusedWhole(multi, mixed, '400100');
  await refusedWhole(sync, mixed, '400100');
});

for (const path of [multi, sync]) {
  test(`a failed entry has the reason, and the others are placed: ${path}`, async () => {
    const list = await entries(path, [
      limit(pair, 'buy', '100', '1'),
      limit(pair, 'buy', '100.001', '1'),
      limit(pair, 'buy', '100', '99999999'),
      limit(pair, 'buy', '99', '1'),
      market(pair, 'buy', { size: '1' }),
    ]);
    assert.deepEqual(
      list.map((entry) => entry.success),
      [true, false, false, true, false],
    );
    for (const index of [1, 2, 4]) {
      exactly(list[index], { success: 'boolean', status: 'string', failMsg: 'string' });
      assert.equal(list[index].status, 'fail');
    }
    assert.match(String(list[1].failMsg), /^Price increment invalid\./);
    assert.match(String(list[2].failMsg), /^Balance insufficient!/);
    assert.match(String(list[4].failMsg), /market|limit/);
  });

  test(`a clientOid twice in one request fails the second entry: ${path}`, async () => {
    const twice = limit(pair, 'buy', '100', '1', { clientOid: `twice${path.length}` });
    const list = await entries(path, [twice, twice]);
    assert.deepEqual(
      list.map((entry) => entry.success),
      [true, false],
    );
  });

  test(`orders are placed in sequence: the first takes the size that the second then misses: ${path}`, async () => {
    await bob.place(limit(pair, 'sell', '150', '1'));
    const list = await entries(path, [limit(pair, 'buy', '150', '1'), limit(pair, 'buy', '150', '1')]);
    const [first, second] = await Promise.all(list.map((entry) => alice.order(String(entry.orderId), pair)));
    assert.equal(first.dealSize, '1');
    assert.equal(first.active, false);
    assert.equal(second.dealSize, '0');
    assert.equal(second.active, true);
    if (path === sync) {
      assert.deepEqual(
        list.map((entry) => entry.status),
        ['done', 'open'],
      );
      assert.equal(list[0].dealSize, '1');
    }
  });
}

test('a batch takes every option of a single limit order', async () => {
  const [gtt, iceberg, post] = await entries(multi, [
    limit(pair, 'buy', '100', '1', { timeInForce: 'GTT', cancelAfter: 3600, clientOid: 'b-gtt', tags: 't' }),
    limit(pair, 'buy', '100', '1', { iceberg: true, visibleSize: '0.1', remark: 'r' }),
    limit(pair, 'buy', '100', '1', { postOnly: true, stp: 'CO' }),
  ]);
  const first = await alice.order(String(gtt.orderId), pair);
  assert.deepEqual(
    [first.timeInForce, first.cancelAfter, first.clientOid, first.tags],
    ['GTT', 3600, 'b-gtt', 't'],
  );
  const second = await alice.order(String(iceberg.orderId), pair);
  assert.deepEqual([second.iceberg, second.visibleSize, second.remark], [true, '0.1', 'r']);
  const third = await alice.order(String(post.orderId), pair);
  assert.deepEqual([third.postOnly, third.stp], [true, 'CO']);
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
