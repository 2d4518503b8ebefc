/** T2: timed and triggered events are split over records, and none is lost, repeated or out of order. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stepsOf } from '@bourse/test-kit/steps.ts';
import type { Command } from '../src/commands/commands.ts';
import type { Event } from '../src/events/events.ts';
import { Exchange } from '../src/exchange.ts';
import { DEFAULT_LIMITS } from '../src/reference/limits.ts';
import { applyTo, currency, symbol, tell, Venue } from '@bourse/test-kit/venue.ts';

const { stepsPerRecordMax: STEPS } = DEFAULT_LIMITS;

/** Users with money in one symbol, who may have as many orders as they like. */
function openVenue(users = 2, steps = STEPS): Venue {
  const venue = new Venue();
  venue.do(currency('AAA', 4, 4), currency('BBB', 4, 4), symbol('AAA-BBB', 0, 1, { priceIncrement: '0.01' }));
  const max = 1_000_000;
  venue.do({
    kind: 'set-limits',
    stepsPerRecordMax: steps,
    stopOrdersPerSymbolMax: max,
    activeOrdersPerSymbolMax: max,
    activeOrdersPerUserMax: max,
  });
  for (let user = 0; user < users; user++) venue.do({ kind: 'add-user', name: `user${user}` });
  for (let user = 0; user < users; user++) {
    for (const money of [0, 1]) venue.fund(user, money, 10n ** 14n);
  }
  return venue;
}

function inRecords(venue: Venue, count: number, command: (index: number) => Command): void {
  for (let at = 0; at < count; at += 1000) {
    venue.do(...Array.from({ length: Math.min(1000, count - at) }, (_, i) => command(at + i)));
  }
}

const trade = (venue: Venue, price: number) =>
  venue.do(
    { kind: 'place-order', user: 0, symbol: 0, type: 'limit', side: 'sell', price, size: 1 },
    { kind: 'place-order', user: 1, symbol: 0, type: 'limit', side: 'buy', price, size: 1 },
  );

/** Buy stops that rest far below the market when they have triggered. */
const stopAt = (stopPrice: number): Command => ({
  kind: 'place-stop-order',
  user: 0,
  symbol: 0,
  type: 'limit',
  side: 'buy',
  price: 10,
  size: 1,
  stop: 'entry',
  stopPrice,
});

const triggered = (events: readonly Event[]): number[] =>
  events.flatMap((event) => (event.kind === 'stop-done' ? [event.stopOrder] : []));

/** Applies records without commands while work is left. */
function tick(venue: Venue): Event[][] {
  const ticks: Event[][] = [];
  while (venue.exchange.nextDue <= venue.time) ticks.push(venue.do().events);
  return ticks;
}

describe('promise 19: a cascade of stop orders', () => {
  test('larger than any list of arguments is applied in one record where the limit allows it', () => {
    const venue = openVenue(2, 1_000_000);
    inRecords(venue, 130_000, (index) => stopAt(1000 + index));
    const { events } = trade(venue, 200_000);
    const ids = triggered(events);
    assert.equal(ids.length, 130_000);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal(venue.exchange.nextDue, Infinity);
  });

  test('goes on in the next records, the oldest first, and the same from a snapshot in between', () => {
    const venue = openVenue();
    const count = 3 * STEPS + 50;
    inRecords(venue, count, (index) => stopAt(1000 + (index % 7)));
    const first = triggered(trade(venue, 2000).events);
    assert.equal(first.length, STEPS);
    assert.equal(venue.exchange.nextDue, venue.exchange.time);
    const twin = Exchange.restore(venue.exchange.snapshot());
    const from = venue.records.length;
    const ticks = tick(venue);
    const parts = [first, ...ticks.map(triggered)];
    assert.deepEqual(
      parts.map(({ length }) => length),
      [STEPS, STEPS, STEPS, 50],
    );
    const ids = parts.flat();
    assert.equal(new Set(ids).size, count);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    const told = venue.records.slice(from).map((record) => tell(applyTo(twin, record).events));
    assert.deepEqual(told, ticks.map(tell));
    assert.equal(twin.hash(), venue.exchange.hash());
  });

  test('lets commands in between: a pending stop order can still be cancelled', () => {
    const venue = openVenue();
    inRecords(venue, 2 * STEPS + 2, () => stopAt(1000));
    trade(venue, 2000);
    const [next, last] = venue.exchange.reference.stopOrders().slice(-2);
    const { events } = venue.do({ kind: 'cancel-stop-order', user: 0, symbol: 0, order: last.id });
    assert.equal(triggered(events).length, STEPS + 1);
    assert.deepEqual(tick(venue).map(triggered), [[next.id]]);
  });

  test('waits again if the price moves away before it is placed', () => {
    const venue = openVenue();
    inRecords(venue, STEPS + 5, () => stopAt(1500));
    // The cascade begins with the second trade, and the third, in the same record, moves the price away again.
    const { events } = venue.do(
      ...[2000, 1000].flatMap((price): Command[] => [
        { kind: 'place-order', user: 0, symbol: 0, type: 'limit', side: 'sell', price, size: 1 },
        { kind: 'place-order', user: 1, symbol: 0, type: 'limit', side: 'buy', price, size: 1 },
      ]),
    );
    assert.equal(triggered(events).length, STEPS);
    assert.deepEqual(tick(venue).flatMap(triggered), []);
    assert.equal(venue.exchange.reference.stopOrders().length, 5);
    assert.equal(triggered(trade(venue, 1600).events).length, 5);
  });

  test('costs about the same for each stop order, however many are due and whatever the price does', () => {
    // Each stop order that triggers moves the price away from all others, and the next trade back to them.
    const stepsFor = (count: number): number => {
      const venue = openVenue(2, 1_000_000);
      inRecords(venue, count, (index) => ({ ...stopAt(1000 + index), price: 500_000 }) as Command);
      return stepsOf(() => trade(venue, 400_000)) / count;
    };
    const few = stepsFor(1000);
    const many = stepsFor(20_000);
    assert.ok(few > 10 && many < few * 2, `${many} steps each of 20,000 and ${few} each of 1,000`);
  });
});

describe('entries that are due at one instant', () => {
  test('expire in parts, by id, even with commands in between', () => {
    const venue = openVenue();
    const count = 2 * STEPS + 10;
    inRecords(venue, count, (index) => ({
      kind: 'place-order',
      user: 0,
      symbol: 0,
      type: 'limit',
      side: 'sell',
      price: 1000 + index,
      size: 1,
      timeInForce: 'GTT',
      cancelAfterSec: 10,
    }));
    venue.time += 10_000;
    const expired = (events: readonly Event[]) =>
      events.flatMap((event) =>
        event.kind === 'order-done' && event.reason === 'expired' ? [event.order] : [],
      );
    const parts = [venue.do({ kind: 'cancel-orders', user: 1 }).events, ...tick(venue)].map(expired);
    assert.deepEqual(
      parts.map(({ length }) => length),
      [STEPS, STEPS, 10],
    );
    const ids = parts.flat();
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal(venue.exchange.counts.orders, 0);
  });

  test("dead man's switches fire one after the other, each with all orders of its user", () => {
    const users = 5;
    const venue = openVenue(users);
    const each = STEPS / 2;
    for (let user = 0; user < users; user++) {
      inRecords(venue, each, (index) => ({
        kind: 'place-order',
        user,
        symbol: 0,
        type: 'limit',
        side: 'sell',
        price: 1000 + index,
        size: 1,
      }));
      venue.do({ kind: 'set-switch', user, timeoutSec: 5, symbols: [] });
    }
    venue.time += 5000;
    const off = (events: readonly Event[]) =>
      events.flatMap((event) => (event.kind === 'switch-set' ? [event.user] : []));
    assert.deepEqual([venue.do().events, ...tick(venue)].map(off), [[0, 1], [2, 3], [4]]);
    assert.equal(venue.exchange.counts.orders, 0);
  });

  test('client ids become free in parts after a long pause, the oldest first', () => {
    const venue = openVenue();
    const count = 5 * STEPS;
    inRecords(venue, count, (index) => ({
      kind: 'place-order',
      user: 0,
      symbol: 0,
      type: 'limit',
      side: 'buy',
      price: 10,
      size: 1,
      timeInForce: 'IOC',
      clientId: `id-${index}`,
    }));
    venue.time += 4 * 24 * 3_600_000;
    venue.do();
    const again = (index: number) =>
      venue.try({
        kind: 'place-order',
        user: 0,
        symbol: 0,
        type: 'limit',
        side: 'buy',
        price: 10,
        size: 1,
        timeInForce: 'IOC',
        clientId: `id-${index}`,
      }).outcomes[0].kind;
    // 4,000 with the record without commands, and 32 more for each command of those that follow.
    assert.equal(venue.exchange.doneOrderByClientId(0, `id-${4 * STEPS - 1}`), null);
    assert.equal(again(0), 'order');
    assert.equal(again(count - 1), 'order');
  });
});
