import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Exchange } from '../src/exchange.ts';
import { stepsOf } from '@bourse/test-kit/steps.ts';
import { currency, symbol, Venue } from '@bourse/test-kit/venue.ts';

/** Two users with money in one market: prices in tenths, sizes in hundredths, quote in 10^-4. */
function openVenue(keepDone = true): Venue {
  const venue = new Venue();
  venue.exchange.keepDone = keepDone;
  venue.do(currency('AAA', 4, 4), currency('BBB', 4, 4), symbol('AAA-BBB', 0, 1));
  for (const name of ['ann', 'bob']) venue.do({ kind: 'add-user', name });
  for (const user of [0, 1]) for (const money of [0, 1]) venue.fund(user, money, 10n ** 12n);
  return venue;
}

const limit = (side: 'buy' | 'sell', price: number, size: number) =>
  ({ symbol: 0, type: 'limit', side, price, size }) as const;

/** Trades with the best ask, or bid, by another user's order. */
function fill(venue: Venue, price: number, size: number): { resting: number; incoming: number } {
  const resting = venue.place(0, limit('sell', price, size));
  return { resting, incoming: venue.place(1, limit('buy', price, size)) };
}

describe('a done order', () => {
  test('is found in its final state until it is forgotten', () => {
    const venue = openVenue();
    const { exchange } = venue;
    const { resting, incoming } = fill(venue, 1000, 500);
    const { seq, time } = exchange;
    venue.time += 1000;
    venue.do();
    for (const [order, rested] of [
      [resting, true],
      [incoming, false],
    ] as const) {
      const done = exchange.doneOrder(order);
      assert.ok(done);
      assert.equal(exchange.order(order), null);
      assert.equal(done.order, order);
      assert.equal(done.done, 'filled');
      assert.equal(done.dealSize, 500);
      assert.equal(done.rested, rested);
      assert.equal(done.hold, 0n);
      assert.equal(done.funds, 0n);
      assert.equal(done.cancelledFunds, 0n);
      assert.equal(done.seq, seq);
      assert.equal(done.doneAt, time);
    }
    assert.equal(exchange.doneCount, 2);
    exchange.forgetDone(seq - 1);
    assert.ok(exchange.doneOrder(resting));
    exchange.forgetDone(seq);
    assert.equal(exchange.doneOrder(resting), null);
    assert.equal(exchange.doneCount, 0);
  });

  test('by funds keeps its funds and the returned part', () => {
    const venue = openVenue();
    venue.place(0, limit('sell', 1000, 100));
    const order = venue.place(1, { symbol: 0, type: 'market', side: 'buy', funds: 9_000_000n });
    const [received] = venue.exchange.doneOrders().filter((done) => done.order === order);
    venue.do();
    const done = venue.exchange.doneOrder(order);
    assert.ok(done);
    assert.deepEqual(done, received);
    assert.equal(done.done, 'book-end');
    assert.equal(done.funds, 9_000_000n);
    assert.equal(done.cancelledFunds, 9_000_000n - done.dealFunds - done.fee);
    assert.ok(done.dealFunds > 0n && done.cancelledFunds > 0n);
  });

  test('is found by its client id, the latest that had it', () => {
    const venue = openVenue();
    const order = venue.place(0, { ...limit('sell', 1000, 100), clientId: 'mine', remark: 'words' });
    assert.equal(venue.exchange.doneOrderByClientId(0, 'mine'), null);
    venue.do({ kind: 'cancel-order', user: 0, symbol: 0, clientId: 'mine' });
    venue.do();
    const done = venue.exchange.doneOrderByClientId(0, 'mine');
    assert.equal(done?.order, order);
    assert.equal(done?.done, 'requested');
    assert.equal(done?.remark, 'words');
    assert.equal(venue.exchange.doneOrderByClientId(1, 'mine'), null);
    assert.equal(venue.exchange.doneOrderByClientId(0, 'other'), null);
  });

  test('is gone with the next record if done orders are not kept', () => {
    const venue = openVenue(false);
    const { resting } = fill(venue, 1000, 500);
    assert.ok(venue.exchange.doneOrder(resting));
    venue.do();
    assert.equal(venue.exchange.doneOrder(resting), null);
    assert.equal(venue.exchange.doneCount, 0);
  });

  test('does not change while thousands of others come and go', () => {
    const venue = openVenue();
    const { exchange } = venue;
    const ends: { order: number; price: number; seq: number }[] = [];
    for (let i = 0; i < 40_000; i++) {
      const { resting } = fill(venue, 1000 + (i % 50) * 10, 1 + (i % 7));
      ends.push({ order: resting, price: 1000 + (i % 50) * 10, seq: exchange.seq });
      if (i % 1000 === 999) exchange.forgetDone(exchange.seq - 3000);
    }
    venue.do();
    const kept = ends.filter(({ seq }) => seq > exchange.seq - 3001);
    assert.ok(kept.length > 1000);
    for (const { order, price, seq } of kept.filter((_, i) => i % 97 === 0)) {
      const done = exchange.doneOrder(order);
      assert.deepEqual([done?.price, done?.seq], [price, seq]);
    }
    assert.equal(exchange.doneOrder(ends[0].order), null);
    assert.ok(exchange.doneCount <= 2 * 3002);
    exchange.forgetDone(exchange.seq);
    assert.equal(exchange.doneCount, 0);
  });

  test('frees its row in a later record if too many are forgotten at once', () => {
    const venue = openVenue();
    const { exchange } = venue;
    const done: number[] = [];
    for (let i = 0; i < 10_000; i++) done.push(fill(venue, 1000, 1).resting);
    venue.do();
    assert.equal(exchange.doneCount, 20_000);
    exchange.forgetDone(exchange.seq);
    assert.equal(exchange.doneCount, 0, 'none waits for history any more, whatever rows are left');
    // Two orders are done in each record, and 4,096 rows are freed at a time.
    for (const gone of [2048, 4096, 6144, 8192]) {
      assert.equal(exchange.doneOrder(done[gone - 1]), null);
      assert.ok(exchange.doneOrder(done[gone]), `${gone}`);
      venue.do();
    }
    assert.equal(exchange.doneOrder(done[9999]), null);
    const { resting } = fill(venue, 2000, 7);
    venue.do();
    assert.equal(exchange.doneOrder(resting)?.price, 2000);
  });

  test('is found without a scan, however many were done in its record', (context) => {
    const venue = openVenue();
    const count = 40_000;
    venue.do({ kind: 'set-limits', activeOrdersPerSymbolMax: 100_000, activeOrdersPerUserMax: 100_000 });
    const orders: number[] = [];
    for (let i = 0; i < count; i++) orders.push(venue.place(0, limit('sell', 1000 + 10 * i, 1)));
    venue.do({ kind: 'cancel-orders', user: 0 });
    const some = orders.filter((_, i) => i % 400 === 0 || i === count - 1);
    // In their own record, and among those that are kept.
    for (const kept of ['of the latest record', 'of an earlier record']) {
      const steps = stepsOf(() => {
        for (const order of some) venue.exchange.doneOrder(order);
      });
      context.diagnostic(`${steps} steps for ${some.length} orders ${kept}`);
      assert.ok(steps > some.length && steps < 20_000, `${steps} steps`);
      for (const [i, order] of orders.entries()) {
        if (venue.exchange.doneOrder(order)?.price !== 1000 + 10 * i) assert.fail(`order ${order} ${kept}`);
      }
      venue.do();
    }
  });

  test('changes neither state nor events when it is kept', () => {
    const kept = openVenue(true);
    const plain = openVenue(false);
    for (const venue of [kept, plain]) for (let i = 0; i < 100; i++) fill(venue, 1000 + i * 10, 1 + i);
    assert.equal(kept.exchange.hash(), plain.exchange.hash());
    assert.equal(Exchange.restore(kept.exchange.snapshot()).doneCount, 0);
  });
});
