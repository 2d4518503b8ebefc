/** Which of several rejections wins, and how a market order ends, computed by hand. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command, OrderRequest } from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import { ann, bob, BTC, cat, P, symbolTerms, USDT, World } from './test-world.ts';

/** The code, and the field if the rejection names one. */
function why(outcome: Outcome): string {
  if (outcome.kind !== 'rejected') return outcome.kind;
  const { rejection } = outcome;
  return 'field' in rejection ? `${rejection.code} ${rejection.field}` : rejection.code;
}

function endOf(world: World): string {
  return world.of('order-done').at(-1)!.reason;
}

test('missing fields are reported before unexpected ones', () => {
  const world = new World();
  const limit = { kind: 'test-order', user: bob, symbol: 0, type: 'limit', side: 'buy' } as const;
  const ask = (more: Partial<OrderRequest>) => why(world.run({ ...limit, price: P, size: 10, ...more }));
  assert.equal(ask({ funds: 1n, timeInForce: 'GTT' }), 'field-missing cancelAfterSec');
  assert.equal(ask({ cancelAfterSec: 1, iceberg: true }), 'field-missing visibleSize');
  assert.equal(ask({ funds: 1n, cancelAfterSec: 1 }), 'field-not-allowed funds');
  assert.equal(why(world.run({ ...limit, type: 'market', price: P })), 'field-missing size');
  const stop = { ...limit, kind: 'place-stop-order', stopPrice: 1, stop: 'up' as 'loss' } as const;
  assert.equal(why(world.run(stop)), 'value-invalid stop');
  assert.equal(why(world.run({ ...stop, stp: 'XX' as 'CN' })), 'value-invalid stp');
});

test('the increments of both prices of a stop order come before their maximum', () => {
  const world = new World();
  const stop = { kind: 'place-stop-order', user: bob, symbol: 0, type: 'limit', side: 'buy' } as const;
  const outcome = world.run({ ...stop, stop: 'loss', stopPrice: 2 ** 50 * 1000, price: 1, size: 10 });
  assert.equal(why(outcome), 'price-increment');
});

test('errors of names and fields are reported before those of the market and the order', () => {
  const world = new World();
  world.run({ kind: 'set-market-state', symbol: 0, state: 'halted' });
  const alter = { kind: 'alter-order', user: bob, symbol: 0 } as const;
  assert.equal(why(world.run({ ...alter, order: 99 })), 'field-missing newPrice');
  assert.equal(why(world.run({ ...alter, order: 99, newSize: 1 })), 'market-closed');
  assert.equal(why(world.run({ ...alter, clientId: '', newSize: 1 })), 'field-missing order');
  world.run({ kind: 'set-market-state', symbol: 0, state: 'open' });
  assert.equal(why(world.run({ ...alter, order: 99, newSize: 0.5 })), 'order-unknown');
  const order = world.idOf(world.limit(bob, 'buy', 10, 90 * P));
  const cancel = { kind: 'cancel-order', user: bob, symbol: 0, clientId: '' } as const;
  assert.equal(why(world.run(cancel)), 'field-missing order');
  assert.equal(why(world.run({ ...cancel, order })), 'order');
});

test('users and symbols: what is taken comes before relations and exactness', () => {
  const world = new World();
  world.run({ kind: 'add-user', name: 'sub', parent: ann });
  const taken = world.run({ kind: 'add-user', name: 'bob', parent: 3 });
  assert.deepEqual(taken, { kind: 'rejected', rejection: { code: 'code-taken', taken: 'bob' } });
  assert.equal(why(world.run({ kind: 'add-user', name: 'new', parent: 3 })), 'not-a-master');

  const symbol = { kind: 'add-symbol', base: BTC, quote: USDT, ...symbolTerms } as const;
  const fine = { ...symbol, code: 'BTC-USDT', baseIncrement: '0.01', priceIncrement: '0.00001' };
  assert.equal(why(world.run({ ...fine, minFunds: '0.0000001' })), 'value-invalid minFunds');
  assert.equal(why(world.run(fine)), 'code-taken');
  assert.equal(why(world.run({ ...fine, code: 'NEW' })), 'amounts-inexact');
  const coarse = { ...fine, code: 'NEW', baseIncrement: '0.0000001', priceIncrement: '1' };
  assert.equal(why(world.run(coarse)), 'amounts-inexact');
  const large = { ...coarse, priceIncrement: String(2n ** 50n * 10n) };
  assert.equal(why(world.run(large)), 'value-invalid priceIncrement');
});

test('a repeated deposit returns its current state', () => {
  const world = new World();
  const report = { kind: 'report-deposit', user: bob, currency: USDT, chain: 'main' } as const;
  const deposit = { ...report, amount: 1_000000n, txId: 'tx', travelRule: true };
  const first = world.run(deposit);
  assert.equal(first.kind === 'deposit' && first.state, 'waiting');
  const travelRuleId = first.kind === 'deposit' ? first.travelRuleId : 0;
  const answer = { kind: 'submit-questionnaire', user: bob, travelRuleId } as const;
  const wrong = { ...answer, senderType: 'dog' as 'company', info: '' };
  assert.equal(why(world.run(wrong)), 'text-invalid info');
  const asked = world.run({ ...answer, senderType: 'company', info: 'us' });
  const decide = { kind: 'decide-questionnaire', accepted: false, failureCode: '' } as const;
  assert.equal(why(world.run({ ...decide, questionnaire: 999 })), 'text-invalid failureCode');
  const questionnaire = asked.kind === 'added' ? asked.id : 0;
  assert.equal(why(world.run({ ...decide, accepted: true, questionnaire })), 'accepted');
  assert.deepEqual(world.run(deposit), { ...first, state: 'done' });
  assert.equal(world.events.length, 0);
});

test('a switch keeps its symbols ascending and each once, and names none when off', () => {
  const world = new World();
  world.addSymbol('B');
  const set = { kind: 'set-switch', user: bob, symbols: [1, 0, 1] } as const;
  assert.equal(why(world.run({ ...set, timeoutSec: 1, symbols: [9] })), 'symbol-unknown');
  world.run({ ...set, timeoutSec: 10 });
  assert.deepEqual(world.of('switch-set')[0]!.symbols, [0, 1]);
  world.run({ ...set, timeoutSec: -1 });
  assert.deepEqual(world.of('switch-set')[0]!.symbols, []);
});

test('one side of a book stays below 2^53 units', () => {
  const world = new World();
  const sizeMax = 2 ** 50 - 1;
  const hundredths = (units: number) => `${Math.floor(units / 100)}.${String(units % 100).padStart(2, '0')}`;
  world.run({ kind: 'change-symbol', symbol: 0, baseMaxSize: hundredths(sizeMax) });
  world.fund(ann, BTC, BigInt(2 ** 50) * 10_000000n);
  const ids = Array.from({ length: 8 }, () => world.idOf(world.limit(ann, 'sell', sizeMax, 100 * P)));
  // 8 * (2^50 - 1) = 2^53 - 8 rest.
  const refusal = { code: 'size-above-max', value: 8, max: 7 };
  const iceberg = { iceberg: true, visibleSize: 9 };
  assert.deepEqual(world.limit(ann, 'sell', 8, 100 * P), { kind: 'rejected', rejection: refusal });
  assert.deepEqual(world.limit(ann, 'sell', 8, 100 * P, iceberg), { kind: 'rejected', rejection: refusal });
  assert.equal(world.limit(ann, 'sell', 8, 100 * P, { timeInForce: 'IOC' }).kind, 'order');
  const alter: Command = { kind: 'alter-order', user: ann, symbol: 0, order: ids[0]!, newPrice: 99 * P };
  assert.equal(world.run(alter).kind, 'altered');
  assert.equal(world.limit(ann, 'sell', 7, 100 * P, { hidden: true }).kind, 'order');
  assert.equal(why(world.limit(ann, 'sell', 1, 100 * P)), 'size-above-max');
});

test('the end of funds comes before the bound and before the own order', () => {
  const world = new World();
  world.run({ kind: 'set-fees', maker: '0', taker: '0' });
  world.limit(ann, 'sell', 10, 100 * P);
  world.limit(ann, 'sell', 10, 120 * P);
  world.market(bob, 'buy', { funds: 10_000000n });
  assert.equal(endOf(world), 'filled');
  world.limit(ann, 'sell', 10, 100 * P);
  world.market(bob, 'buy', { funds: 11_000000n });
  assert.equal(endOf(world), 'filled', '1 USDT does not buy 0.01 at 120, so the bound does not matter');
  world.limit(ann, 'sell', 10, 100 * P);
  world.market(bob, 'buy', { funds: 12_000000n });
  assert.equal(endOf(world), 'price-protection');
  world.market(ann, 'buy', { funds: 1_000000n, stp: 'CB' });
  assert.equal(endOf(world), 'funds-end', 'nothing traded, and the own order was not looked at');
  assert.equal(world.exchange.openOrders().length, 1);
  world.market(ann, 'buy', { size: 10, stp: 'CN' });
  assert.equal(endOf(world), 'self-trade');
});

test('a sell by funds ends with its funds, its hold or the book', () => {
  const world = new World();
  world.run({ kind: 'set-fees', maker: '0', taker: '0' });
  world.limit(bob, 'buy', 10, 100 * P);
  world.market(cat, 'sell', { funds: 500000n });
  assert.equal(endOf(world), 'funds-end');
  world.market(cat, 'sell', { funds: 10_000000n });
  assert.equal(endOf(world), 'filled', 'before the empty book');
  world.limit(bob, 'buy', 10, 100 * P);
  world.market(cat, 'sell', { funds: 10_500000n });
  assert.equal(endOf(world), 'book-end');
  world.limit(bob, 'buy', 100, 100 * P);
  world.limit(cat, 'sell', 9_970, 200 * P);
  world.market(cat, 'sell', { funds: 50_000000n });
  const done = world.of('order-done').at(-1)!;
  assert.deepEqual([done.reason, done.dealSize, done.cancelledFunds], ['funds-end', 10, 40_000000n]);
});
