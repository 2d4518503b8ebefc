import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Exchange } from '../src/exchange.ts';
import { currency, symbol, Venue } from '@bourse/test-tools/venue.ts';

/** Two users with money in one market: prices in tenths, sizes in hundredths, quote in 10^-4. */
function openVenue(keepEnded = true): Venue {
  const venue = new Venue();
  venue.exchange.keepEnded = keepEnded;
  venue.do(currency('AAA', 4, 4), currency('BBB', 4, 4), symbol('AAA-BBB', 0, 1));
  for (const name of ['ann', 'bob']) venue.do({ kind: 'add-user', name });
  for (const user of [0, 1]) for (const money of [0, 1]) venue.fund(user, money, 10n ** 12n);
  return venue;
}

const limit = (side: 'buy' | 'sell', price: number, size: number) =>
  ({ symbol: 0, type: 'limit', side, price, size }) as const;

/** Takes the best ask, or bid, with another user's order. */
function fill(venue: Venue, price: number, size: number): { resting: number; incoming: number } {
  const resting = venue.place(0, limit('sell', price, size));
  return { resting, incoming: venue.place(1, limit('buy', price, size)) };
}

describe('an order that ended', () => {
  test('is found as it ended, until it is forgotten', () => {
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
      const ended = exchange.endedOrder(order);
      assert.ok(ended);
      assert.equal(exchange.order(order), null);
      assert.equal(ended.order, order);
      assert.equal(ended.done, 'filled');
      assert.equal(ended.dealSize, 500);
      assert.equal(ended.rested, rested);
      assert.equal(ended.hold, 0n);
      assert.equal(ended.funds, 0n);
      assert.equal(ended.cancelledFunds, 0n);
      assert.equal(ended.seq, seq);
      assert.equal(ended.doneAt, time);
    }
    assert.equal(exchange.endedCount, 2);
    exchange.forgetEnded(seq - 1);
    assert.ok(exchange.endedOrder(resting));
    exchange.forgetEnded(seq);
    assert.equal(exchange.endedOrder(resting), null);
    assert.equal(exchange.endedCount, 0);
  });

  test('by funds keeps its funds and what came back of them', () => {
    const venue = openVenue();
    venue.place(0, limit('sell', 1000, 100));
    const order = venue.place(1, { symbol: 0, type: 'market', side: 'buy', funds: 9_000_000n });
    const [received] = venue.exchange.endedOrders().filter((ended) => ended.order === order);
    venue.do();
    const ended = venue.exchange.endedOrder(order);
    assert.ok(ended);
    assert.deepEqual(ended, received);
    assert.equal(ended.done, 'book-end');
    assert.equal(ended.funds, 9_000_000n);
    assert.equal(ended.cancelledFunds, 9_000_000n - ended.dealFunds - ended.fee);
    assert.ok(ended.dealFunds > 0n && ended.cancelledFunds > 0n);
  });

  test('is found by its client id, the latest that had it', () => {
    const venue = openVenue();
    const order = venue.place(0, { ...limit('sell', 1000, 100), clientId: 'mine', remark: 'words' });
    assert.equal(venue.exchange.endedOrderByClientId(0, 'mine'), null);
    venue.do({ kind: 'cancel-order', user: 0, symbol: 0, clientId: 'mine' });
    venue.do();
    const ended = venue.exchange.endedOrderByClientId(0, 'mine');
    assert.equal(ended?.order, order);
    assert.equal(ended?.done, 'requested');
    assert.equal(ended?.remark, 'words');
    assert.equal(venue.exchange.endedOrderByClientId(1, 'mine'), null);
    assert.equal(venue.exchange.endedOrderByClientId(0, 'other'), null);
  });

  test('is gone with the next record where ended orders are not kept', () => {
    const venue = openVenue(false);
    const { resting } = fill(venue, 1000, 500);
    assert.ok(venue.exchange.endedOrder(resting));
    venue.do();
    assert.equal(venue.exchange.endedOrder(resting), null);
    assert.equal(venue.exchange.endedCount, 0);
  });

  test('stays whole while thousands of others come and go', () => {
    const venue = openVenue();
    const { exchange } = venue;
    const ends: { order: number; price: number; seq: number }[] = [];
    for (let i = 0; i < 40_000; i++) {
      const { resting } = fill(venue, 1000 + (i % 50) * 10, 1 + (i % 7));
      ends.push({ order: resting, price: 1000 + (i % 50) * 10, seq: exchange.seq });
      if (i % 1000 === 999) exchange.forgetEnded(exchange.seq - 3000);
    }
    venue.do();
    const kept = ends.filter(({ seq }) => seq > exchange.seq - 3001);
    assert.ok(kept.length > 1000);
    for (const { order, price, seq } of kept.filter((_, i) => i % 97 === 0)) {
      const ended = exchange.endedOrder(order);
      assert.deepEqual([ended?.price, ended?.seq], [price, seq]);
    }
    assert.equal(exchange.endedOrder(ends[0].order), null);
    assert.ok(exchange.endedCount <= 2 * 3002);
    exchange.forgetEnded(exchange.seq);
    assert.equal(exchange.endedCount, 0);
  });

  test('gives its row back in turn, when so many are forgotten that callers would have to wait', () => {
    const venue = openVenue();
    const { exchange } = venue;
    const ended: number[] = [];
    for (let i = 0; i < 10_000; i++) ended.push(fill(venue, 1000, 1).resting);
    venue.do();
    assert.equal(exchange.endedCount, 20_000);
    exchange.forgetEnded(exchange.seq);
    assert.equal(exchange.endedCount, 0, 'none waits for history any more, whatever rows are left');
    // Two orders ended in each record, and 4,096 rows are given back at a time.
    for (const gone of [2048, 4096, 6144, 8192]) {
      assert.equal(exchange.endedOrder(ended[gone - 1]), null);
      assert.ok(exchange.endedOrder(ended[gone]), `${gone}`);
      venue.do();
    }
    assert.equal(exchange.endedOrder(ended[9999]), null);
    const { resting } = fill(venue, 2000, 7);
    venue.do();
    assert.equal(exchange.endedOrder(resting)?.price, 2000);
  });

  test('changes neither state nor events when it is kept', () => {
    const kept = openVenue(true);
    const plain = openVenue(false);
    for (const venue of [kept, plain]) for (let i = 0; i < 100; i++) fill(venue, 1000 + i * 10, 1 + i);
    assert.equal(kept.exchange.hash(), plain.exchange.hash());
    assert.equal(Exchange.restore(kept.exchange.snapshot()).endedCount, 0);
  });
});
