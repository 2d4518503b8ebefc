// Order rule 11: the bound is the best opposite price * (1 +/- priceLimitRate), 0.1 in the sandbox.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { UserClient, limit, market } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';

const service = sharedService();
const pair = 'ETH-USDT';
const alice = new UserClient(service, 'alice');
const bob = new UserClient(service, 'bob');
const zero = { balance: '0', available: '0', holds: '0' };

beforeEach(async () => {
  for (const price of ['100', '110', '110.01']) await bob.place(limit(pair, 'sell', price, '1'));
  for (const price of ['50', '45', '44.99']) await bob.place(limit(pair, 'buy', price, '1'));
});
afterEach(async () => {
  await alice.sweep();
  await bob.sweep();
});

test('a limit order that needs no price beyond the bound fills', async () => {
  const order = await alice.order(await alice.place(limit(pair, 'buy', '200', '2')), pair);
  assert.equal(order.dealSize, '2');
  assert.equal(order.dealFunds, '210');
  const sold = await alice.order(await alice.place(limit(pair, 'sell', '1', '2')), pair);
  assert.equal(sold.dealFunds, '95');
});

test('a limit order that needs a price beyond the bound is cancelled completely', async () => {
  for (const order of [limit(pair, 'buy', '200', '2.5'), limit(pair, 'sell', '1', '2.5')]) {
    const change = await alice.change(['USDT', 'ETH'], async () => {
      const result = await alice.placeSync(order);
      assert.equal(result.status, 'done');
      assert.equal(result.dealSize, '0');
      assert.equal(result.canceledSize, '2.5');
      const detail = await alice.order(result.orderId, pair);
      assert.equal(detail.active, false);
      assert.equal(detail.cancelExist, true);
      assert.equal(detail.inOrderBook, false);
    });
    assert.deepEqual(change, { USDT: zero, ETH: zero });
  }
});

test('a hidden order does not move the bound', async () => {
  await bob.place(limit(pair, 'sell', '60', '1', { hidden: true }));
  const order = await alice.order(await alice.place(limit(pair, 'buy', '200', '3')), pair);
  assert.equal(order.dealSize, '3', 'from the visible 100, up to 110');
  assert.equal(order.dealFunds, '270');
});

test('IOC and FOK orders that need a price beyond the bound are also cancelled completely', async () => {
  for (const timeInForce of ['IOC', 'FOK']) {
    const result = await alice.placeSync(limit(pair, 'buy', '200', '2.5', { timeInForce }));
    assert.equal(result.dealSize, '0', timeInForce);
    assert.equal(result.status, 'done');
  }
});

test('a limit order at the bound fills up to it and rests with the remaining size', async () => {
  const order = await alice.order(await alice.place(limit(pair, 'buy', '110', '5')), pair);
  assert.equal(order.dealSize, '2');
  assert.equal(order.remainSize, '3');
  assert.equal(order.active, true);
});

test('a market order trades up to the bound, and the rest is cancelled', async () => {
  for (const side of ['buy', 'sell'] as const) {
    const id = await alice.place(market(pair, side, { size: '3' }));
    const order = await alice.order(id, pair);
    assert.equal(order.dealSize, '2', side);
    assert.equal(order.cancelledSize, '1');
    assert.equal(order.active, false);
    assert.equal(order.inOrderBook, false);
  }
});

test('a market order by funds trades up to the bound and gets the rest of its funds back', async () => {
  const change = await alice.change(['USDT', 'ETH'], async () => {
    const order = (await alice.order(
      await alice.place(market(pair, 'buy', { funds: '1000' })),
      pair,
    )) as Record<string, string>;
    assert.equal(order.dealFunds, '210');
    assert.equal(order.fee, '0.21');
    assert.equal(order.active, false);
    assert.deepEqual([order.cancelledFunds, order.remainFunds], ['789.79', '0']);
  });
  assert.deepEqual(change.USDT, { balance: '-210.21', available: '-210.21', holds: '0' });
  assert.equal(change.ETH.balance, '2');
});

test('a resting order is not affected, however far its price is from the bound', async () => {
  for (const order of [limit(pair, 'buy', '1', '1'), limit(pair, 'sell', '9000', '1')]) {
    assert.equal((await alice.order(await alice.place(order), pair)).active, true);
  }
});

test('a market order on an empty book is cancelled unfilled', async () => {
  const change = await alice.change(['USDT'], async () => {
    const result = await alice.placeSync(market('KCS-USDT', 'buy', { funds: '10' }));
    assert.equal(result.status, 'done');
    assert.equal(result.dealFunds, '0');
    assert.equal(result.canceledFunds, '10');
  });
  assert.deepEqual(change.USDT, zero);
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
