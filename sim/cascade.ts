/**
 * A trade that triggers 130,000 stop orders at once, as an old log may contain: more than a call takes arguments, and
 * too many for any quadratic algorithm. Also a cascade that continues over several records, with a snapshot in
 * between.
 */

import { type Command, type Event, Exchange } from '@bourse/core';
import { applyTo, currency, symbol, Venue } from '@bourse/test-kit/venue.ts';

const STOPS = 130_000;
const STOPS_PER_RECORD = 1000;

/** Throws unless all of them trigger, oldest first, and a restored exchange continues correctly. */
export function runCascade(): void {
  const venue = openVenue(1_000_000);
  placeStops(venue, STOPS);
  check(trade(venue).events);
  runOverRecords();
  runSwitches();
}

/** Continuing from a snapshot in the middle gives the same result. */
function runOverRecords(): void {
  const venue = openVenue(STOPS_PER_RECORD);
  placeStops(venue, 3 * STOPS_PER_RECORD);
  trade(venue);
  const twin = Exchange.restore(venue.exchange.snapshot());
  const from = venue.records.length;
  while (venue.exchange.nextDue <= venue.time) venue.do();
  for (const record of venue.records.slice(from)) applyTo(twin, record);
  if (venue.records.length === from) throw new Error('nothing was left for another record');
  if (twin.hash() !== venue.exchange.hash()) throw new Error('the restored exchange went on otherwise');
}

/**
 * Dead man's switches of both users, who have more orders than one record may cancel, so the second fires in the next
 * record.
 */
function runSwitches(): void {
  const venue = openVenue(STOPS_PER_RECORD);
  for (const user of [0, 1]) {
    venue.do(...Array.from({ length: STOPS_PER_RECORD }, (_, i) => sell(user, 1000 + i)));
    venue.do({ kind: 'set-switch', user, timeoutSec: 5, symbols: [] });
  }
  venue.time += 5000;
  venue.do();
  const left = venue.exchange.counts.orders;
  if (left !== STOPS_PER_RECORD) throw new Error(`${left} orders are left after the first record`);
}

function sell(user: number, price: number): Command {
  return { kind: 'place-order', user, symbol: 0, type: 'limit', side: 'sell', price, size: 1 };
}

function openVenue(stepsPerRecordMax: number): Venue {
  const venue = new Venue(new Exchange());
  venue.do(
    currency('AAA', 4, 4),
    currency('BBB', 4, 4),
    symbol('AAA-BBB', 0, 1, { priceIncrement: '0.01' }),
    {
      kind: 'set-limits',
      stepsPerRecordMax,
      stopOrdersPerSymbolMax: 1e6,
      activeOrdersPerSymbolMax: 1e6,
      activeOrdersPerUserMax: 1e6,
    },
    { kind: 'add-user', name: 'ann' },
    { kind: 'add-user', name: 'bob' },
  );
  for (const user of [0, 1]) for (const money of [0, 1]) venue.fund(user, money, 10n ** 14n);
  return venue;
}

function placeStops(venue: Venue, count: number): void {
  for (let at = 0; at < count; at += STOPS_PER_RECORD) {
    venue.do(...Array.from({ length: STOPS_PER_RECORD }, (_, i) => stop(1000 + at + i)));
  }
}

/** A trade at the trigger price of all stop orders. */
function trade(venue: Venue): { readonly events: readonly Event[] } {
  const price = 1000 + STOPS;
  return venue.do(
    { kind: 'place-order', user: 0, symbol: 0, type: 'limit', side: 'sell', price, size: 1 },
    { kind: 'place-order', user: 1, symbol: 0, type: 'limit', side: 'buy', price, size: 1 },
  );
}

function stop(stopPrice: number): Command {
  const order = { symbol: 0, type: 'limit', side: 'buy', price: 10, size: 1 } as const;
  return { kind: 'place-stop-order', user: 0, ...order, stop: 'entry', stopPrice };
}

function check(events: readonly Event[]): void {
  let last = 0;
  let count = 0;
  for (const event of events) {
    if (event.kind !== 'stop-done') continue;
    if (event.stopOrder < last) throw new Error(`stop order ${event.stopOrder} came after ${last}`);
    last = event.stopOrder;
    count += 1;
  }
  if (count !== STOPS) throw new Error(`${count} of ${STOPS} stop orders triggered`);
}
