// Order rules 9 and 10: post-only, hidden and iceberg orders, their visible size and their fees.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { at } from './client.ts';
import { UserClient, type Fields, limit } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { mul } from './money.ts';

// ETH-BTC in the sandbox: maker 0.0005, taker 0.0015.
const pair = 'ETH-BTC';
const service = sharedService();
const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => new UserClient(service, name));
afterEach(async () => {
  for (const client of [alice, bob, carol]) await client.sweep();
});

const sell = (size: string, more: Fields = {}) => limit(pair, 'sell', '0.05', size, more);
const buy = (size: string, more: Fields = {}) => limit(pair, 'buy', '0.05', size, more);

async function ask(): Promise<[price: unknown, size: unknown]> {
  const ticker = await alice.public(`/api/v1/market/orderbook/level1?symbol=${pair}`);
  return [at(ticker.body, 'bestAsk'), at(ticker.body, 'bestAskSize')];
}

const dealt = async (client: UserClient, id: string) => (await client.order(id, pair)).dealSize;

test('rule 9: a postOnly order that would fill at once is cancelled unfilled', async () => {
  const old = await bob.place(sell('1'));
  const id = await alice.place(buy('1', { postOnly: true }));
  const order = await alice.order(id, pair);
  assert.equal(order.active, false);
  assert.equal(order.dealSize, '0');
  assert.equal(order.cancelledSize, '1');
  assert.equal(order.cancelExist, true);
  assert.equal(order.postOnly, true);
  assert.equal(await dealt(bob, old), '0');
});

test('rule 9: a postOnly order that does not meet anything rests', async () => {
  const id = await alice.place(buy('1', { postOnly: true }));
  assert.equal((await alice.order(id, pair)).active, true);
});

test('postOnly is ignored with IOC and FOK', async () => {
  await bob.place(sell('1'));
  const ioc = await alice.place(buy('0.5', { postOnly: true, timeInForce: 'IOC' }));
  assert.equal(await dealt(alice, ioc), '0.5');
  const fok = await alice.place(buy('0.5', { postOnly: true, timeInForce: 'FOK' }));
  assert.equal(await dealt(alice, fok), '0.5');
});

test('rule 9: a postOnly order fills as maker against a hidden or iceberg order, which pays the taker fee', async () => {
  for (const more of [{ hidden: true }, { iceberg: true, visibleSize: '0.1' }]) {
    const theirs = await bob.place(sell('1', more));
    const mine = await alice.place(buy('1', { postOnly: true }));
    const [maker, taker] = [await alice.order(mine, pair), await bob.order(theirs, pair)];
    assert.equal(maker.dealSize, '1', JSON.stringify(more));
    assert.equal(maker.fee, mul('0.05', '0.0005'));
    assert.equal(taker.fee, mul('0.05', '0.0015'));
    assert.equal(maker.feeCurrency, 'BTC');
  }
});

test('a postOnly order stops where the next order is an ordinary one', async () => {
  await bob.place(limit(pair, 'sell', '0.049', '0.4', { hidden: true }));
  const ordinary = await carol.place(sell('1'));
  const order = await alice.order(await alice.place(buy('1', { postOnly: true })), pair);
  assert.equal(order.dealSize, '0.4');
  assert.equal(order.cancelledSize, '0.6');
  assert.equal(order.active, false);
  assert.equal(await dealt(carol, ordinary), '0');
});

test('a postOnly order that has filled all hidden size rests with the remaining size', async () => {
  await bob.place(sell('0.4', { hidden: true }));
  const order = await alice.order(await alice.place(buy('1', { postOnly: true })), pair);
  assert.equal(order.dealSize, '0.4');
  assert.equal(order.remainSize, '0.6');
  assert.equal(order.active, true);
});

test('rule 10: a hidden order is not shown, and pays the taker fee even when it rests', async () => {
  const before = await ask();
  const theirs = await bob.place(sell('1', { hidden: true }));
  assert.equal((await bob.order(theirs, pair)).hidden, true);
  assert.deepEqual(await ask(), before);
  const mine = await alice.place(buy('1'));
  assert.equal((await bob.order(theirs, pair)).fee, mul('0.05', '0.0015'));
  assert.equal((await alice.order(mine, pair)).fee, mul('0.05', '0.0015'));
});

test('rule 10: an ordinary resting order pays the maker fee', async () => {
  const theirs = await bob.place(sell('1'));
  await alice.place(buy('1'));
  assert.equal((await bob.order(theirs, pair)).fee, mul('0.05', '0.0005'));
});

test('rule 10: an iceberg order shows only its visible size, slice after slice, and pays the taker fee', async () => {
  const theirs = await bob.place(sell('1', { iceberg: true, visibleSize: '0.4' }));
  const order = await bob.order(theirs, pair);
  assert.equal(order.iceberg, true);
  assert.equal(order.visibleSize, '0.4');
  assert.deepEqual(await ask(), ['0.05', '0.4']);
  await alice.place(buy('0.4'));
  assert.deepEqual(await ask(), ['0.05', '0.4']);
  await alice.place(buy('0.4'));
  assert.deepEqual(await ask(), ['0.05', '0.2']);
  await alice.place(buy('0.2'));
  const done = await bob.order(theirs, pair);
  assert.equal(done.active, false);
  assert.equal(done.fee, mul('0.05', '0.0015'));
});

test('rule 10: an order that is both hidden and iceberg executes as iceberg', async () => {
  await bob.place(sell('1', { hidden: true, iceberg: true, visibleSize: '0.3' }));
  assert.deepEqual(await ask(), ['0.05', '0.3']);
});

test('rule 10: the visible size must be at least a twentieth of the size', async () => {
  await bob.refused(sell('1', { iceberg: true, visibleSize: '0.049999' }), '400100', /visibleSize/);
  await bob.refused(sell('1', { iceberg: true }), '400100', /visibleSize/);
  await bob.refused(sell('1', { iceberg: true, visibleSize: '0.1000001' }), /^(400100|600100)$/);
  await bob.place(sell('1', { iceberg: true, visibleSize: '0.05' }));
});

test('rule 10: at one price, visible size trades before hidden size, even if the hidden size is older', async () => {
  const hidden = await bob.place(sell('1', { hidden: true }));
  const shownOne = await carol.place(sell('1'));
  await alice.place(buy('1.2'));
  assert.equal(await dealt(carol, shownOne), '1');
  assert.equal(await dealt(bob, hidden), '0.2');
});

test('rule 10: a new slice of an iceberg joins the end of the queue', async () => {
  const iceberg = await bob.place(sell('1', { iceberg: true, visibleSize: '0.2' }));
  const other = await carol.place(sell('1'));
  await alice.place(buy('0.2'));
  assert.equal(await dealt(bob, iceberg), '0.2');
  await alice.place(buy('1.1'));
  assert.equal(await dealt(carol, other), '1');
  assert.equal(await dealt(bob, iceberg), '0.3');
});

test('orders at the same price trade first in, first out', async () => {
  const first = await bob.place(sell('1'));
  const second = await carol.place(sell('1'));
  const better = await carol.place(limit(pair, 'sell', '0.049', '0.5'));
  await alice.place(buy('1'));
  assert.deepEqual(
    [await dealt(carol, better), await dealt(bob, first), await dealt(carol, second)],
    ['0.5', '0.5', '0'],
  );
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
