// Order rules 7 and 8: self-trade prevention and time in force.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserClient, type Fields, limit, market } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';

const service = sharedService();
const pair = 'ETH-USDT';
const [alice, bob, child] = ['alice', 'bob', 'alice-sub'].map((name) => new UserClient(service, name));
afterEach(async () => {
  for (const client of [alice, bob, child]) await client.sweep();
});

const sell = (size: string, more: Fields = {}) => limit(pair, 'sell', '100', size, more);
const buy = (size: string, more: Fields = {}) => limit(pair, 'buy', '100', size, more);

/** The fields with the state of an order. */
async function stands(client: UserClient, id: string) {
  const { active, size, dealSize, cancelledSize, remainSize, cancelExist, inOrderBook } = await client.order(
    id,
    pair,
  );
  return { active, size, dealSize, cancelledSize, remainSize, cancelExist, inOrderBook };
}

const resting = (size: string, dealSize = '0', remainSize = size) => ({
  active: true,
  size,
  dealSize,
  cancelledSize: '0',
  remainSize,
  cancelExist: false,
  inOrderBook: true,
});

test('rule 7: CN cancels the new order and leaves the old one', async () => {
  const old = await alice.place(sell('1'));
  const young = await alice.place(buy('1', { stp: 'CN' }));
  assert.deepEqual(await stands(alice, old), resting('1'));
  assert.deepEqual(await stands(alice, young), {
    active: false,
    size: '1',
    dealSize: '0',
    cancelledSize: '1',
    remainSize: '0',
    cancelExist: true,
    inOrderBook: false,
  });
});

test('rule 7: CN first fills against the orders of others, then cancels the rest', async () => {
  const others = await bob.place(sell('0.4'));
  const own = await alice.place(sell('1'));
  const young = await stands(alice, await alice.place(buy('1', { stp: 'CN' })));
  assert.equal(young.dealSize, '0.4');
  assert.equal(young.cancelledSize, '0.6');
  assert.equal(young.active, false);
  assert.equal((await stands(bob, others)).active, false);
  assert.deepEqual(await stands(alice, own), resting('1'));
});

test('rule 7: CO cancels the old order, and the new one continues', async () => {
  const old = await alice.place(sell('1'));
  const others = await bob.place(sell('0.4'));
  const young = await alice.place(buy('1', { stp: 'CO' }));
  const gone = await stands(alice, old);
  assert.equal(gone.active, false);
  assert.equal(gone.cancelledSize, '1');
  assert.equal(gone.inOrderBook, true, 'it stays true once the order has rested');
  assert.equal((await stands(bob, others)).dealSize, '0.4');
  assert.deepEqual(await stands(alice, young), resting('1', '0.4', '0.6'));
});

test('rule 7: CB cancels both', async () => {
  const old = await alice.place(sell('1'));
  const young = await alice.place(buy('0.5', { stp: 'CB' }));
  for (const [id, size] of [
    [old, '1'],
    [young, '0.5'],
  ]) {
    const order = await stands(alice, id);
    assert.equal(order.active, false);
    assert.equal(order.cancelledSize, size);
    assert.equal(order.dealSize, '0');
  }
});

test('rule 7: DC cancels the smaller order and reduces the larger one by its size', async () => {
  const old = await alice.place(sell('1'));
  const young = await stands(alice, await alice.place(buy('0.4', { stp: 'DC' })));
  assert.equal(young.active, false);
  assert.equal(young.cancelledSize, '0.4');
  assert.deepEqual(await stands(alice, old), {
    ...resting('1', '0', '0.6'),
    cancelledSize: '0.4',
    cancelExist: true,
  });
  const larger = await stands(alice, await alice.place(buy('1', { stp: 'DC' })));
  assert.equal((await stands(alice, old)).active, false);
  assert.deepEqual(larger, { ...resting('1', '0', '0.4'), cancelledSize: '0.6', cancelExist: true });
});

test('rule 7: DC of two equal orders cancels both', async () => {
  const old = await alice.place(sell('1'));
  const young = await alice.place(buy('1', { stp: 'DC' }));
  assert.equal((await stands(alice, old)).active, false);
  assert.equal((await stands(alice, young)).active, false);
  assert.equal((await stands(alice, young)).cancelledSize, '1');
});

test('rule 7: DC releases the hold of what it reduces', async () => {
  const change = await alice.change(['ETH', 'USDT'], async () => {
    await alice.place(sell('1'));
    await alice.place(buy('0.4', { stp: 'DC' }));
  });
  assert.deepEqual(change.ETH, { balance: '0', available: '-0.6', holds: '0.6' });
  assert.deepEqual(change.USDT, { balance: '0', available: '0', holds: '0' });
});

test('rule 7: market orders accept every strategy except DC', async () => {
  const old = await alice.place(sell('1'));
  await alice.refused(market(pair, 'buy', { size: '0.1', stp: 'DC' }), '400100', /stp|DC/);
  const young = await alice.place(market(pair, 'buy', { size: '0.1', stp: 'CN' }));
  assert.equal((await alice.order(young, pair)).dealSize, '0');
  assert.deepEqual(await stands(alice, old), resting('1'));
});

test('rule 7: a FOK order has and shows stp CN, regardless of the requested stp', async () => {
  const old = await alice.place(sell('1'));
  for (const more of [{}, { stp: 'CO' }]) {
    const id = await alice.place(buy('0.5', { timeInForce: 'FOK', ...more }));
    const young = await alice.order(id, pair);
    assert.equal(young.stp, 'CN');
    assert.equal(young.dealSize, '0');
    assert.equal(young.active, false);
  }
  assert.deepEqual(await stands(alice, old), resting('1'));
});

test('rule 7: without stp an order fills against an order of the same user, even if that one has an stp', async () => {
  const old = await alice.place(sell('1', { stp: 'CB' }));
  assert.equal((await alice.order(old, pair)).stp, 'CB');
  const young = await alice.place(buy('1'));
  assert.equal((await alice.order(young, pair)).stp, '');
  assert.equal((await stands(alice, old)).dealSize, '1');
  assert.equal((await stands(alice, young)).dealSize, '1');
});

test('rule 7: a sub-account counts as another user', async () => {
  await alice.place(sell('1'));
  const young = await child.place(buy('1', { stp: 'CN' }));
  assert.equal((await stands(child, young)).dealSize, '1');
});

test('rule 8: GTC is the default, and its order rests in the book', async () => {
  const id = await alice.place(buy('1'));
  assert.equal((await alice.order(id, pair)).timeInForce, 'GTC');
  assert.deepEqual(await stands(alice, id), resting('1'));
});

test('rule 8: a GTT order expires after its seconds and releases its hold', async () => {
  const change = await alice.change(['USDT'], async () => {
    const id = await alice.place(buy('1', { timeInForce: 'GTT', cancelAfter: 1 }));
    const first = await alice.order(id, pair);
    assert.equal(first.timeInForce, 'GTT');
    assert.equal(first.cancelAfter, 1);
    let order = first;
    for (let wait = 0; order.active === true && wait < 300; wait++) {
      await sleep(100);
      order = await alice.order(id, pair);
    }
    assert.equal(order.active, false, 'expired');
    assert.equal(order.cancelExist, true);
    assert.equal(order.cancelledSize, '1');
    assert.ok(Number(order.lastUpdatedAt) - Number(order.createdAt) >= 1000);
  });
  assert.deepEqual(change.USDT, { balance: '0', available: '0', holds: '0' });
});

test('rule 8: an IOC order fills what it can and never rests in the book', async () => {
  await bob.place(sell('0.4'));
  const some = await stands(alice, await alice.place(buy('1', { timeInForce: 'IOC' })));
  assert.deepEqual(some, {
    active: false,
    size: '1',
    dealSize: '0.4',
    cancelledSize: '0.6',
    remainSize: '0',
    cancelExist: true,
    inOrderBook: false,
  });
  const none = await stands(alice, await alice.place(buy('1', { timeInForce: 'IOC' })));
  assert.equal(none.dealSize, '0');
  assert.equal(none.active, false);
});

test('rule 8: a FOK order fills completely or not at all', async () => {
  const old = await bob.place(sell('1'));
  const none = await stands(alice, await alice.place(buy('1.1', { timeInForce: 'FOK' })));
  assert.equal(none.active, false);
  assert.equal(none.dealSize, '0');
  assert.equal(none.cancelledSize, '1.1');
  assert.deepEqual(await stands(bob, old), resting('1'));
  const whole = await stands(alice, await alice.place(buy('1', { timeInForce: 'FOK' })));
  assert.equal(whole.dealSize, '1');
  assert.equal(whole.cancelExist, false);
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
