// Combinations of two rules.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { at } from './client.ts';
import { UserClient, limit, market } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { add, mul, sub } from './money.ts';
import { exactly, syncResult } from './shapes.ts';

const service = sharedService();
const pair = 'ETH-BTC';
const [alice, bob, carol, child] = ['alice', 'bob', 'carol', 'alice-sub'].map(
  (name) => new UserClient(service, name),
);
afterEach(async () => {
  for (const client of [alice, bob, carol]) await client.sweep();
});

const dealt = async (client: UserClient, id: string) => (await client.order(id, pair)).dealSize;

test('the sync result of a market order has every field, and its sizes and funds add up', async () => {
  await bob.place(limit(pair, 'sell', '0.05', '10'));
  for (const more of [{ funds: '0.01' }, { size: '0.2' }]) {
    const answer = await alice.ask(market(pair, 'buy', more), '/api/v1/hf/orders/sync');
    exactly(answer.body, { code: 'digits', data: syncResult });
    const result = at(answer.body, 'data') as Record<string, string>;
    const order = (await alice.order(result.orderId, pair)) as Record<string, string>;
    assert.equal(result.status, 'done');
    assert.equal(result.dealSize, order.dealSize);
    assert.equal(result.dealFunds, order.dealFunds);
    if ('funds' in more) {
      assert.equal(result.originFunds, '0.01');
      assert.equal(result.remainFunds, '0', 'what was released does not remain');
      assert.ok(Number(result.dealFunds) > 0.0099 && Number(result.dealFunds) <= 0.01, result.dealFunds);
    } else {
      assert.equal(result.originSize, '0.2');
      assert.equal(add(result.dealSize, result.remainSize, result.canceledSize), '0.2');
    }
  }
});

test('trailing zeros of a value are accepted and not shown', async () => {
  const id = await alice.place(limit(pair, 'buy', '0.0100000000', '2.0000000000'));
  const order = await alice.order(id, pair);
  assert.deepEqual([order.price, order.size, order.funds], ['0.01', '2', '0.02']);
});

test('a trade happens at the price of the resting order', async () => {
  await bob.place(limit(pair, 'sell', '0.049', '1', { hidden: true }));
  const post = await alice.order(
    await alice.place(limit(pair, 'buy', '0.05', '1', { postOnly: true })),
    pair,
  );
  assert.equal(post.dealFunds, '0.049');
  await carol.place(limit(pair, 'buy', '0.05', '1'));
  const sold = await bob.order(await bob.place(limit(pair, 'sell', '0.047', '1')), pair);
  assert.equal(sold.dealFunds, '0.05');
});

test('a FOK order counts hidden size as available', async () => {
  await bob.place(limit(pair, 'sell', '0.05', '0.5', { hidden: true }));
  await carol.place(limit(pair, 'sell', '0.05', '1', { iceberg: true, visibleSize: '0.1' }));
  const order = await alice.order(
    await alice.place(limit(pair, 'buy', '0.05', '1.5', { timeInForce: 'FOK' })),
    pair,
  );
  assert.equal(order.dealSize, '1.5');
});

test('a FOK order does not count size behind an order of the same user', async () => {
  const theirs = await bob.place(limit(pair, 'sell', '0.05', '1'));
  const own = await alice.place(limit(pair, 'sell', '0.051', '1'));
  await bob.place(limit(pair, 'sell', '0.052', '1'));
  const order = await alice.order(
    await alice.place(limit(pair, 'buy', '0.052', '2', { timeInForce: 'FOK' })),
    pair,
  );
  assert.equal(order.dealSize, '0');
  assert.equal(order.active, false);
  assert.equal(await dealt(bob, theirs), '0');
  assert.equal((await alice.order(own, pair)).active, true);
});

test('an incoming order with CO cancels every order of the same user that it would match', async () => {
  const own = [];
  for (const price of ['0.05', '0.0501', '0.0502'])
    own.push(await alice.place(limit(pair, 'sell', price, '1')));
  const theirs = await bob.place(limit(pair, 'sell', '0.0503', '1'));
  await alice.place(limit(pair, 'buy', '0.0503', '1', { stp: 'CO' }));
  for (const id of own) assert.equal((await alice.order(id, pair)).active, false);
  assert.equal(await dealt(bob, theirs), '1');
});

test('a self-fill charges both sides their fee and moves nothing else', async () => {
  const change = await alice.change(['BTC', 'ETH'], async () => {
    await alice.place(limit(pair, 'sell', '0.05', '1'));
    await alice.place(limit(pair, 'buy', '0.05', '1'));
  });
  const fees = sub('0', mul('0.05', '0.002'));
  assert.deepEqual(change, {
    BTC: { balance: fees, available: fees, holds: '0' },
    ETH: { balance: '0', available: '0', holds: '0' },
  });
});

test('an incoming hidden order pays the taker fee on its fills as taker and later as maker', async () => {
  await bob.place(limit(pair, 'sell', '0.05', '1'));
  const id = await alice.place(limit(pair, 'buy', '0.05', '2', { hidden: true }));
  await carol.place(limit(pair, 'sell', '0.05', '1'));
  const order = await alice.order(id, pair);
  assert.equal(order.dealSize, '2');
  assert.equal(order.fee, mul('0.1', '0.0015'));
});

test('an order that first takes and then rests pays each part at its own rate', async () => {
  await bob.place(limit(pair, 'sell', '0.05', '1'));
  const id = await alice.place(limit(pair, 'buy', '0.05', '2'));
  assert.equal((await alice.order(id, pair)).fee, mul('0.05', '0.0015'));
  await carol.place(limit(pair, 'sell', '0.05', '1'));
  assert.equal((await alice.order(id, pair)).fee, add(mul('0.05', '0.0015'), mul('0.05', '0.0005')));
});

test('an iceberg and a hidden order hold their whole size', async () => {
  const change = await alice.change(['ETH'], async () => {
    await alice.place(limit(pair, 'sell', '0.05', '3', { iceberg: true, visibleSize: '0.5' }));
    await alice.place(limit(pair, 'sell', '0.05', '2', { hidden: true }));
  });
  assert.equal(change.ETH.holds, '5');
});

test('an expired GTT order does not trade with an order that would match it', async () => {
  const id = await bob.place(limit(pair, 'sell', '0.05', '1', { timeInForce: 'GTT', cancelAfter: 1 }));
  for (let tries = 0; (await bob.order(id, pair)).active === true; tries++) {
    assert.ok(tries < 3000, 'expired');
  }
  const order = await alice.order(
    await alice.place(limit(pair, 'buy', '0.05', '1', { timeInForce: 'IOC' })),
    pair,
  );
  assert.equal(order.dealSize, '0');
  assert.equal(await dealt(bob, id), '0');
});

test('a market sell by funds with too little to sell ends when the balance is sold', async () => {
  await child.fund('XRP', 'xrp', '20');
  await bob.place(limit('XRP-USDT', 'buy', '1', '100'));
  const answer = await child.ask(market('XRP-USDT', 'sell', { funds: '50' }));
  if (answer.status === 200) {
    const order = await child.order(String(at(answer.body, 'data.orderId')), 'XRP-USDT');
    assert.equal(order.dealSize, '20');
    assert.equal(order.active, false);
  } else assert.equal(at(answer.body, 'code'), '200004');
  assert.equal((await child.purse('XRP')).holds, '0');
});

test('a market order by size on a pair without trades and orders is cancelled unfilled', async () => {
  const answer = await alice.ask(market('EOS-USDT', 'buy', { size: '10' }));
  assert.equal(answer.status, 200, answer.text);
  const order = await alice.order(String(at(answer.body, 'data.orderId')), 'EOS-USDT');
  assert.deepEqual([order.active, order.dealSize, order.cancelledSize], [false, '0', '10']);
});

test('concurrency: the same clientOid sent ten times in parallel places one order', async () => {
  const order = limit(pair, 'buy', '0.01', '1', { clientOid: 'parallel' });
  const change = await alice.change(['BTC'], async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => alice.ask(order)));
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1);
  });
  assert.equal(change.BTC.holds, mul('0.01', '1.0015'));
});

test('concurrency: parallel orders never hold more than the balance', async () => {
  const { available } = await carol.purse('ETH');
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => carol.ask(limit(pair, 'sell', '0.9', '300'))),
  );
  const accepted = answers.filter((answer) => answer.status === 200).length;
  assert.equal(accepted, 3);
  for (const answer of answers) if (answer.status !== 200) assert.equal(at(answer.body, 'code'), '200004');
  assert.equal((await carol.purse('ETH')).available, sub(available, '900'));
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
