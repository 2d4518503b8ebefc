import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command, OrderRequest } from '../src/commands/commands.ts';
import type { Event, MarketEvent } from '../src/events/events.ts';
import { Exchange } from '../src/exchange.ts';
import { richRecords } from './rich-world.ts';
import { currency, symbol, tell, Venue } from '@bourse/test-kit/venue.ts';

function openVenue(): Venue {
  const venue = new Venue();
  venue.do(
    currency('A', 2, 2),
    currency('B', 4, 4),
    symbol('A-B', 0, 1),
    { kind: 'add-user', name: 'buyer' },
    { kind: 'add-user', name: 'seller' },
  );
  venue.fund(0, 1, 10n ** 20n);
  venue.fund(1, 0, 10n ** 20n);
  return venue;
}

const limit = (side: 'buy' | 'sell', price: number, size: number, more: Partial<OrderRequest> = {}) =>
  ({ symbol: 0, type: 'limit', side, price, size, ...more }) as const;
const place = (user: number, request: OrderRequest): Command => ({ kind: 'place-order', user, ...request });

test('growing for thousands of events loses and changes none', () => {
  const pairs = 2000;
  const commands = Array.from({ length: pairs }, (_, i) => [
    place(1, limit('sell', 100, 1 + (i % 7), { clientId: `s${i}` })),
    place(0, limit('buy', 100, 1 + (i % 7), { tags: `${i}` })),
  ]).flat();
  const together = openVenue();
  const all = together.do(...commands).events;
  const alone = openVenue();
  const oneByOne = commands.flatMap((command) => alone.do(command).events);
  assert.equal(tell(all), tell(oneByOne));
  assert.ok(all.length > 10 * pairs, `${all.length} events`);
  assert.equal(all.filter(({ kind }) => kind === 'trade').length, pairs);
});

test('decoding twice gives the same events, and decoded events do not change', () => {
  const venue = openVenue();
  const record = (...commands: Command[]) => ({ seq: venue.exchange.seq + 1, time: venue.time, commands });
  const { events, outcomes } = venue.exchange.apply(
    record(place(1, limit('sell', 100, 5, { clientId: 'x', tags: 't', remark: 'r' }))),
  );
  const first = events.decode();
  const text = tell(first);
  assert.equal(tell(events.decode()), text);
  assert.equal(tell(outcomes.decode()), tell(outcomes.decode()));
  venue.exchange.apply(record(place(0, limit('buy', 100, 3))));
  assert.equal(tell(first), text);
  assert.notEqual(tell(events.decode()), text, 'the batch belongs to the exchange');
});

/** The public part of a trade: price, size and side. */
function asSeen(event: Event): MarketEvent {
  if (event.kind !== 'trade') return event as MarketEvent;
  const { funds: _, incoming: _incoming, resting: _resting, ...seen } = event;
  return seen;
}

test('market and money events are the matching subsets of all events', () => {
  const exchange = new Exchange();
  const trading = ['order-received', 'order-opened', 'order-reduced', 'order-done', 'trade', 'book-changed'];
  const seen = { market: 0, money: 0, all: 0 };
  for (const record of richRecords().records) {
    const { events } = exchange.apply(record);
    const all = events.decode();
    const market = all.filter(
      ({ kind }) =>
        kind === 'trade' || kind === 'book-changed' || ![...trading, 'balance-changed'].includes(kind),
    );
    const traded = new Set(all.map((event) => (event.kind === 'trade' ? event.incoming.order : 0)));
    const money = all.filter((event) => {
      if (event.kind === 'balance-changed') {
        return event.cause !== 'hold' && event.cause !== 'release';
      }
      if (event.kind === 'order-received') return traded.has(event.order);
      return event.kind === 'trade' || !trading.includes(event.kind);
    });
    assert.equal(tell(events.decodeMarket()), tell(market.map(asSeen)));
    assert.equal(tell(events.decodeMoney()), tell(money));
    seen.all += all.length;
    seen.market += market.length;
    seen.money += money.length;
  }
  assert.ok(0 < seen.market && seen.market < seen.money && seen.money < seen.all, JSON.stringify(seen));
});

test('the outline counts the events and names the orders they change; events decoded later are the same', () => {
  const exchange = new Exchange();
  const kept: { readonly text: string; readonly decode: () => Event[] }[] = [];
  const seen = { count: 0, changed: 0 };
  for (const record of richRecords().records) {
    const { events } = exchange.apply(record);
    const all = events.decode();
    const { count, changed } = events.outline;
    assert.equal(count, all.length);
    const must = all.flatMap((event) => {
      if (event.kind === 'trade') return [event.incoming.order, event.resting.order];
      return event.kind === 'order-reduced' ? [event.order] : [];
    });
    const may = all.flatMap((event) => (event.kind === 'order-opened' ? [event.order] : []));
    assert.deepEqual(
      must.filter((order) => !changed.includes(order)),
      [],
    );
    assert.deepEqual(
      changed.filter((order) => !must.includes(order) && !may.includes(order)),
      [],
    );
    // An order that was there before and rests now: the state before it is computed from its view.
    const received = new Set(all.map((event) => (event.kind === 'order-received' ? event.order : 0)));
    assert.deepEqual(
      may.filter((order) => !received.has(order) && !changed.includes(order)),
      [],
    );
    kept.push({ text: tell(all), decode: events.decodeLater() });
    seen.count += count;
    seen.changed += changed.length;
  }
  for (const { text, decode } of kept) assert.equal(tell(decode()), text);
  assert.ok(0 < seen.changed && seen.changed < seen.count, JSON.stringify(seen));
});

test('a record without events has none, even after one with many', () => {
  const venue = openVenue();
  venue.do(place(1, limit('sell', 100, 5, { clientId: 'x' })));
  assert.deepEqual(venue.try(), { outcomes: [], events: [], finished: [] });
  const refused = venue.try(place(9, limit('sell', 100, 5)));
  assert.deepEqual(refused.events, []);
  assert.equal(refused.outcomes.length, 1);
});

test('each order has its own texts', () => {
  const venue = openVenue();
  const { events } = venue.do(
    place(1, limit('sell', 100, 1, { clientId: 'one' })),
    place(1, limit('sell', 110, 1)),
    place(1, limit('sell', 120, 1, { remark: 'three' })),
    { kind: 'add-user', name: 'between' },
    place(1, limit('sell', 130, 1, { tags: 'four' })),
  );
  const texts = events.flatMap((event) =>
    event.kind === 'order-received' ? [`${event.clientId}|${event.tags}|${event.remark}`] : [],
  );
  assert.deepEqual(texts, ['one||', '||', '||three', '|four|']);
});

/** No -0, undefined or NaN, which a reader might mishandle. */
function checkPlain(value: unknown, path: string): void {
  if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) checkPlain(item, `${path}.${name}`);
    return;
  }
  if (value === undefined) assert.fail(`${path} is undefined`);
  if (typeof value === 'number' && (!Number.isSafeInteger(value) || Object.is(value, -0))) {
    assert.fail(`${path} is ${Object.is(value, -0) ? '-0' : value}`);
  }
}

test('every number of every event and outcome is a plain integer', () => {
  const { records } = richRecords();
  const exchange = new Exchange();
  const kinds = new Set<Event['kind']>();
  for (const record of records) {
    const { outcomes, events } = exchange.apply(record);
    for (const event of events.decode()) {
      kinds.add(event.kind);
      checkPlain(event, event.kind);
    }
    for (const outcome of outcomes.decode()) checkPlain(outcome, outcome.kind);
  }
  assert.equal(kinds.size, 25, [...kinds].join());
});
