/** The naive exchange against results computed by hand. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ann, bob, cat, P, USDT, World } from './test-world.ts';

test('a trade at the resting price, with fees and release', () => {
  const world = new World();
  world.limit(ann, 'sell', 100, 100 * P);
  world.limit(bob, 'buy', 100, 101 * P);
  assert.equal(
    world.kinds(),
    'order-received hold:1:trade trade trade:1:trade trade:1:trade trade:0:trade trade:0:trade ' +
      'trade:-1:fees book-changed done:filled done:filled',
  );
  const [hold, quote, base, sold, proceeds, fees] = world.of('balance-changed');
  assert.deepEqual([hold!.holdChange, hold!.availableChange], [101_101000n, -101_101000n]);
  assert.deepEqual([quote!.holdChange, quote!.availableChange], [-101_101000n, 1_001000n]);
  assert.deepEqual([base!.holdChange, base!.availableChange], [0n, 1_00000000n]);
  assert.deepEqual([sold!.holdChange, sold!.availableChange], [-1_00000000n, 0n]);
  assert.deepEqual([proceeds!.holdChange, proceeds!.availableChange], [0n, 99_900000n]);
  assert.equal(fees!.availableChange, 200000n);
  assert.deepEqual(world.exchange.balance(bob, 'trade', USDT), { available: 9_899_900000n, hold: 0n });
});

test('a partial fill rests with exactly what it still needs', () => {
  const world = new World();
  world.limit(ann, 'sell', 100, 100 * P);
  const outcome = world.limit(bob, 'buy', 250, 100 * P);
  assert.deepEqual(outcome, {
    kind: 'order',
    order: world.idOf(outcome),
    clientId: '',
    done: '',
    size: 250,
    funds: 0n,
    dealSize: 100,
    dealFunds: 100_000000n,
    remaining: 150,
    cancelledSize: 0,
    cancelledFunds: 0n,
  });
  assert.equal(world.exchange.balance(bob, 'trade', USDT).hold, 150_150000n);
  assert.equal(world.of('book-changed').at(-1)!.size, 150);
});

test('fees are rounded up once per order', () => {
  const world = new World();
  world.run({ kind: 'set-fees', maker: '0.0005', taker: '0.0015' });
  world.limit(ann, 'sell', 1, 1000);
  world.limit(ann, 'sell', 1, 1000);
  world.limit(bob, 'buy', 2, 1000);
  assert.equal(world.of('balance-changed')[0]!.holdChange, 2003n);
  assert.deepEqual(
    world.of('trade').map((trade) => [trade.incoming.fee, trade.resting.fee]),
    [
      [2n, 1n],
      [1n, 1n],
    ],
  );
  assert.equal(world.exchange.balance(bob, 'trade', USDT).hold, 0n);
});

test('an iceberg order shows its slices before hidden size trades', () => {
  const world = new World();
  const iceberg = world.idOf(
    world.limit(ann, 'sell', 300, 100 * P, { iceberg: true, visibleSize: 100, hidden: true }),
  );
  const hidden = world.idOf(world.limit(cat, 'sell', 100, 100 * P, { hidden: true }));
  const plain = world.idOf(world.limit(cat, 'sell', 100, 100 * P));
  world.limit(bob, 'buy', 450, 100 * P);
  const expected = [`${iceberg}x100`, `${plain}x100`, `${iceberg}x100`, `${iceberg}x100`, `${hidden}x50`];
  assert.equal(world.trades(), expected.map((each) => `${each}@100`).join(' '));
  assert.deepEqual(
    world.of('book-changed').map((change) => change.size),
    [100, 200, 100, 0, 100, 0],
  );
  assert.deepEqual(
    world.of('trade').map((trade) => trade.resting.rate),
    ['taker', 'maker', 'taker', 'taker', 'taker'],
  );
});

test('DC cancels the smaller order and reduces the larger one', () => {
  const world = new World();
  world.limit(bob, 'sell', 100, 100 * P);
  world.limit(bob, 'buy', 250, 100 * P, { stp: 'DC' });
  assert.equal(
    world.kinds(),
    'order-received hold:1:trade book-changed release:1:trade done:self-trade release:1:trade ' +
      'order-reduced order-opened book-changed',
  );
  assert.equal(world.exchange.balance(bob, 'trade', USDT).hold, 150_150000n);
  world.limit(bob, 'sell', 50, 100 * P, { stp: 'DC' });
  assert.equal(
    world.kinds(),
    'order-received hold:1:trade book-changed release:1:trade order-reduced release:1:trade done:self-trade',
  );
  assert.equal(world.of('order-reduced')[0]!.remaining, 100);
  world.limit(bob, 'sell', 100, 100 * P, { stp: 'DC' });
  assert.deepEqual(world.exchange.openOrders(), []);
});

test('FOK fills completely or not at all, and own orders in its way cancel it', () => {
  const world = new World();
  world.limit(ann, 'sell', 100, 100 * P);
  world.limit(bob, 'buy', 101, 100 * P, { timeInForce: 'FOK' });
  assert.equal(world.kinds(), 'order-received hold:1:trade release:1:trade done:fok');
  assert.equal(world.of('order-received')[0]!.stp, 'CN');
  world.limit(bob, 'sell', 100, 100 * P);
  world.limit(bob, 'buy', 101, 100 * P, { timeInForce: 'FOK' });
  assert.equal(world.of('order-done')[0]!.reason, 'fok');
  world.limit(bob, 'buy', 100, 100 * P, { timeInForce: 'FOK' });
  assert.equal(world.of('order-done').at(-1)!.reason, 'filled');
});

test('postOnly trades with hidden orders as the maker, and stops at an ordinary order', () => {
  const world = new World();
  world.run({ kind: 'set-fees', maker: '0.0005', taker: '0.0015' });
  world.limit(ann, 'sell', 100, 100 * P, { hidden: true });
  world.limit(cat, 'sell', 100, 101 * P);
  world.limit(bob, 'buy', 150, 101 * P, { postOnly: true });
  const [trade] = world.of('trade');
  assert.deepEqual(
    [trade!.incoming.rate, trade!.incoming.liquidity, trade!.incoming.fee],
    ['maker', 'maker', 50000n],
  );
  assert.deepEqual(
    [trade!.resting.rate, trade!.resting.liquidity, trade!.resting.fee],
    ['taker', 'taker', 150000n],
  );
  assert.equal(world.of('order-done').at(-1)!.reason, 'post-only');
  assert.equal(world.of('order-done').at(-1)!.cancelledSize, 50);
});

test('price protection cancels a limit order completely, and stops a market order at the bound', () => {
  const world = new World();
  world.limit(ann, 'sell', 100, 100 * P);
  world.limit(ann, 'sell', 100, 110 * P);
  world.limit(ann, 'sell', 100, 111 * P);
  world.limit(bob, 'buy', 201, 120 * P);
  assert.equal(world.kinds(), 'order-received hold:1:trade release:1:trade done:price-protection');
  world.limit(bob, 'buy', 100, 120 * P, { timeInForce: 'IOC' });
  assert.equal(world.of('order-done').at(-1)!.reason, 'filled');
  world.limit(ann, 'sell', 100, 100 * P);
  world.market(bob, 'buy', { size: 250 });
  assert.deepEqual(
    world.of('trade').map((trade) => trade.price / P),
    [100, 110],
  );
  const done = world.of('order-done').at(-1)!;
  assert.deepEqual([done.reason, done.dealSize, done.cancelledSize], ['price-protection', 200, 50]);
});

test('a market buy by funds pays its fee from the funds', () => {
  const world = new World();
  world.limit(ann, 'sell', 1000, 100 * P);
  // 100.09 / 1.001 = 99.99 of deals, in steps of 1 USDT: 99, fee 0.099.
  world.market(bob, 'buy', { funds: 100_090000n });
  const done = world.of('order-done').at(-1)!;
  assert.deepEqual([done.reason, done.dealSize, done.fee, done.cancelledFunds], ['filled', 99, 99000n, 0n]);
  assert.equal(world.of('balance-changed').at(-1)!.availableChange, 991000n);
});

test('market orders end when their money or the book is used up', () => {
  const world = new World();
  world.limit(ann, 'sell', 10_000, 101 * P);
  world.market(bob, 'buy', { size: 10_000 });
  // 10000 / 101.101 = 98.911, which is 9891 steps.
  const [end] = world.of('order-done');
  assert.deepEqual([end!.reason, end!.dealSize, end!.cancelledSize], ['funds-end', 9891, 109]);
  world.limit(cat, 'buy', 50, 90 * P);
  world.market(bob, 'sell', { funds: 100_000000n });
  const done = world.of('order-done').at(-1)!;
  assert.deepEqual([done.reason, done.dealFunds, done.cancelledFunds], ['book-end', 45_000000n, 55_000000n]);
});

test('a repeated transfer has no further effect, and a different one with its name is rejected', () => {
  const world = new World();
  const command = {
    kind: 'transfer',
    user: bob,
    type: 'internal',
    clientId: 'once',
    currency: USDT,
    amount: 5_000000n,
    from: 'trade',
    to: 'main',
  } as const;
  const first = world.run(command);
  assert.equal(world.kinds(), 'transfer-made transfer:1:trade transfer:1:main');
  assert.deepEqual(world.run({ ...command }), first);
  assert.equal(world.events.length, 0);
  assert.equal(world.rejection(world.run({ ...command, amount: 6_000000n })), 'transfer-conflict');
  assert.equal(world.rejection(world.run({ ...command, clientId: 'x', amount: 1n })), 'amount-increment');
});

test('a stop order triggers on the last price and can trigger the next one', () => {
  const world = new World();
  const stop = { kind: 'place-stop-order', symbol: 0, type: 'limit', side: 'sell', stop: 'loss' } as const;
  const first = world.run({ ...stop, user: cat, stopPrice: 95 * P, size: 10, price: 90 * P });
  const second = world.run({ ...stop, user: ann, stopPrice: 91 * P, size: 10, price: 80 * P });
  world.limit(bob, 'buy', 10, 95 * P);
  world.limit(bob, 'buy', 10, 91 * P);
  world.limit(ann, 'sell', 10, 95 * P);
  assert.deepEqual(
    world.of('stop-done').map((done) => [done.stopOrder, done.reason]),
    [first, second].map((outcome) => [outcome.kind === 'added' ? outcome.id : 0, 'triggered']),
  );
  assert.deepEqual(
    world.of('trade').map((trade) => trade.price / P),
    [95, 91],
  );
  assert.equal(world.exchange.openOrders().length, 1);
  const late = world.run({ ...stop, user: cat, stopPrice: 95 * P, size: 10_000, price: 90 * P });
  assert.equal(late.kind, 'added');
  assert.deepEqual(
    world.of('stop-done').map((done) => [done.reason, done.rejection]),
    [['rejected', 'funds-insufficient']],
  );
});

test('expiries and switches happen by time, expiries first', () => {
  const world = new World();
  world.limit(bob, 'buy', 10, 90 * P);
  const expiring = { timeInForce: 'GTT', cancelAfterSec: 10, clientId: 'mine' } as const;
  world.limit(ann, 'buy', 10, 90 * P, expiring);
  world.run({ kind: 'set-switch', user: bob, timeoutSec: 10, symbols: [] });
  assert.equal(world.pass(9_999).length, 0);
  world.pass(1);
  assert.equal(
    world.kinds(),
    'book-changed release:0:trade done:expired switch-set book-changed release:1:trade done:switch',
  );
  assert.equal(world.rejection(world.limit(ann, 'buy', 10, 90 * P, expiring)), 'client-id-used');
  world.pass(3 * 24 * 60 * 60 * 1000);
  assert.equal(world.limit(ann, 'buy', 10, 90 * P, expiring).kind, 'order');
});

test('alter replaces an order with the money of the old one, or leaves it unchanged', () => {
  const world = new World();
  const old = world.idOf(world.limit(bob, 'buy', 9_000, 100 * P, { clientId: 'mine' }));
  world.limit(ann, 'sell', 100, 100 * P);
  const alter = { kind: 'alter-order', user: bob, symbol: 0, order: old } as const;
  assert.equal(world.rejection(world.run({ ...alter, newPrice: 120 * P })), 'funds-insufficient');
  assert.equal(world.exchange.openOrders()[0]!.id, old);
  const outcome = world.run({ ...alter, newPrice: 101 * P, newSize: 9_100 });
  assert.equal(outcome.kind, 'altered');
  assert.equal(
    world.kinds(),
    'book-changed release:1:trade done:altered order-received hold:1:trade order-opened book-changed',
  );
  const [order] = world.exchange.openOrders();
  assert.deepEqual([order!.remaining, order!.held], [9_000, 9_099_090000n]);
});

test('a withdrawal holds amount and fee until it is settled', () => {
  const world = new World();
  world.run({
    kind: 'transfer',
    user: bob,
    type: 'internal',
    clientId: 'out',
    amount: 200_000000n,
    currency: USDT,
    from: 'trade',
    to: 'main',
  });
  const ask = { kind: 'request-withdrawal', user: bob, currency: USDT, chain: 'main' } as const;
  const asked = world.run({ ...ask, amount: 100_000000n, address: 'there', memo: '' });
  assert.deepEqual(world.exchange.balance(bob, 'main', USDT), { available: 99_000000n, hold: 101_000000n });
  const withdrawal = asked.kind === 'added' ? asked.id : 0;
  world.run({ kind: 'claim-withdrawal', withdrawal });
  world.run({ kind: 'settle-withdrawal', withdrawal, sent: true, txId: 'paid' });
  assert.equal(world.kinds(), 'withdrawal-set withdrawal:1:main withdrawal:-1:fees withdrawal:-1:outside');
  assert.equal(
    world.rejection(world.run({ kind: 'cancel-withdrawal', user: bob, withdrawal })),
    'withdrawal-closed',
  );
});
