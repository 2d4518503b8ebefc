import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderRequest } from '../src/commands/commands.ts';
import { RULES_VERSION } from '../src/rules-version.ts';
import type { Outcome } from '../src/commands/outcomes.ts';
import { currency, symbol, Venue } from '@bourse/test-kit/venue.ts';

function openVenue(): Venue {
  const venue = new Venue();
  venue.do(currency('A', 2, 2), currency('B', 4, 4), symbol('A-B', 0, 1), { kind: 'add-user', name: 'u' });
  venue.fund(0, 0, 10n ** 12n);
  venue.fund(0, 1, 10n ** 20n);
  return venue;
}

const sell = (price: number, size: number, more: Partial<OrderRequest> = {}): OrderRequest => ({
  symbol: 0,
  type: 'limit',
  side: 'sell',
  price,
  size,
  ...more,
});
const kindsOf = (outcomes: readonly Outcome[]) =>
  outcomes.map((outcome) => (outcome.kind === 'rejected' ? outcome.rejection.code : outcome.kind));

test('one outcome for each command, in order, of every kind', () => {
  const venue = openVenue();
  const { outcomes } = venue.try(
    { kind: 'place-order', user: 0, ...sell(100, 1, { clientId: 'a' }) },
    { kind: 'place-order', user: 0, ...sell(100, 1, { clientId: 'a' }) },
    { kind: 'place-orders', user: 0, orders: [sell(110, 1, { clientId: 'b' }), sell(0, 1), sell(120, 1)] },
    { kind: 'place-orders', user: 0, orders: [] },
    { kind: 'place-orders', user: 7, orders: [sell(1, 1)] },
    { kind: 'alter-order', user: 0, symbol: 0, clientId: 'a', newPrice: 200 },
    { kind: 'test-order', user: 0, ...sell(100, 1) },
    { kind: 'add-user', name: 'v' },
    { kind: 'set-switch', user: 0, timeoutSec: 5, symbols: [] },
    { kind: 'cancel-orders', user: 0 },
  );
  assert.deepEqual(kindsOf(outcomes), [
    'order',
    'client-id-used',
    'orders',
    'orders',
    'user-unknown',
    'altered',
    'accepted',
    'added',
    'switch',
    'cancelled',
  ]);
  const [, , group, none] = outcomes;
  assert.ok(group.kind === 'orders' && none.kind === 'orders');
  assert.deepEqual(kindsOf(group.outcomes), ['order', 'price-increment', 'order']);
  assert.deepEqual(
    group.outcomes.map((outcome) => (outcome.kind === 'order' ? outcome.clientId : null)),
    ['b', null, ''],
  );
  assert.deepEqual(none.outcomes, []);
});

test('altered: the cancelled order, and its replacement if there is one', () => {
  const venue = openVenue();
  const old = venue.place(0, sell(100, 10, { clientId: 'a' }));
  venue.do({ kind: 'add-user', name: 'buyer' });
  venue.fund(1, 1, 10n ** 10n);
  venue.place(1, { ...sell(100, 4), side: 'buy' });
  const alter = { kind: 'alter-order', user: 0, symbol: 0, clientId: 'a' } as const;
  const [first] = venue.do({ ...alter, newPrice: 110, newSize: 9 }).outcomes;
  assert.ok(first.kind === 'altered' && first.replacement !== null);
  assert.equal(first.cancelled, old);
  assert.equal(first.replacement.size, 5);
  assert.equal(first.replacement.clientId, 'a');
  const next = first.replacement.order;
  venue.place(1, { ...sell(110, 2), side: 'buy' });
  const [second] = venue.do({ ...alter, newSize: 2 }).outcomes;
  assert.deepEqual(second, { kind: 'altered', cancelled: next, replacement: null });
});

test('thousands in one record, groups of hundreds: none lost by growing', () => {
  const venue = openVenue();
  venue.do({ kind: 'set-limits', activeOrdersPerSymbolMax: 100_000, activeOrdersPerUserMax: 100_000 });
  const group = Array.from({ length: 300 }, (_, i) =>
    sell(100 + 10 * i, 1, i % 3 === 0 ? { clientId: `g${i}` } : {}),
  );
  const singles = Array.from(
    { length: 3000 },
    (_, i) => ({ kind: 'place-order', user: 0, ...sell(500, 1 + i) }) as const,
  );
  const { outcomes } = venue.try(...singles, { kind: 'place-orders', user: 0, orders: group }, ...singles);
  assert.equal(outcomes.length, 6001);
  let id = 0;
  for (const outcome of outcomes.flatMap((one): Outcome[] =>
    one.kind === 'orders' ? [...one.outcomes] : [one],
  )) {
    assert.ok(outcome.kind === 'order');
    assert.ok(outcome.order > id);
    id = outcome.order;
  }
  const [middle] = outcomes.slice(3000);
  assert.ok(middle.kind === 'orders' && middle.outcomes.length === 300);
  assert.ok(
    middle.outcomes.every((one, i) => one.kind === 'order' && one.clientId === (i % 3 === 0 ? `g${i}` : '')),
  );
  const sizes = outcomes.slice(3001).map((one) => (one.kind === 'order' ? one.size : 0));
  assert.deepEqual(
    sizes,
    singles.map(({ size }) => size),
  );
});

test('reading one by one equals decoding all at once, even with a decode in between', () => {
  const venue = openVenue();
  venue.do({ kind: 'change-symbol', symbol: 0, baseMaxSize: '100000000' });
  const { outcomes } = venue.exchange.apply({
    seq: venue.exchange.seq + 1,
    time: venue.time,
    rules: RULES_VERSION,
    commands: [
      { kind: 'place-order', user: 0, ...sell(100, 1) },
      { kind: 'place-orders', user: 0, orders: [sell(110, 2 ** 33, { clientId: 'b' }), sell(0, 1)] },
      { kind: 'alter-order', user: 0, symbol: 0, clientId: 'b', newPrice: 200 },
      { kind: 'add-user', name: 'v' },
    ],
  });
  const all = outcomes.decode();
  assert.deepEqual(kindsOf(all), ['order', 'orders', 'altered', 'added']);
  const read: Outcome[] = [];
  for (let at = 0; read.length < all.length; ) {
    read.push(outcomes.readAt(at));
    at = outcomes.readEnd;
    assert.deepEqual(outcomes.decode(), all);
  }
  assert.deepEqual(read, all);
  const [, group] = read;
  assert.ok(group.kind === 'orders' && group.outcomes[0].kind === 'order');
  assert.equal(group.outcomes[0].size, 2 ** 33);
});

test('amounts of any size are exact', () => {
  const venue = openVenue();
  venue.do({ kind: 'change-symbol', symbol: 0, quoteMaxSize: '9999999999999999' });
  const funds = 9_999_999_999_999_999_900n;
  const request: OrderRequest = { symbol: 0, type: 'market', side: 'buy', funds };
  const [outcome] = venue.do({ kind: 'place-order', user: 0, ...request }).outcomes;
  assert.ok(outcome.kind === 'order');
  assert.equal(outcome.done, 'book-end');
  assert.equal(outcome.funds, funds);
  assert.equal(outcome.cancelledFunds, funds);
  assert.equal(outcome.dealFunds, 0n);
});
