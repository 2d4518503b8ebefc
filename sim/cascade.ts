/**
 * A trade that makes 130,000 stop orders due at once, as an old log may have it: more than a call takes arguments, and
 * more than anything that looks at all of them for each of them gets through.
 */

import { type Command, type Event, Exchange } from '@bourse/core';
import { currency, symbol, Venue } from '@bourse/test-tools/venue.ts';

const STOPS = 130_000;
const STOPS_PER_RECORD = 1000;

/** Throws where not all of them trigger, the oldest first. */
export function runCascade(): void {
  const venue = new Venue(new Exchange());
  venue.do(
    currency('AAA', 4, 4),
    currency('BBB', 4, 4),
    symbol('AAA-BBB', 0, 1, { priceIncrement: '0.01' }),
    {
      kind: 'set-limits',
      stopOrdersPerSymbolMax: 1e6,
      activeOrdersPerSymbolMax: 1e6,
      activeOrdersPerUserMax: 1e6,
    },
    { kind: 'add-user', name: 'ann' },
    { kind: 'add-user', name: 'bob' },
  );
  for (const user of [0, 1]) for (const money of [0, 1]) venue.fund(user, money, 10n ** 14n);
  for (let at = 0; at < STOPS; at += STOPS_PER_RECORD) {
    venue.do(...Array.from({ length: STOPS_PER_RECORD }, (_, i) => stop(1000 + at + i)));
  }
  const price = 1000 + STOPS;
  const { events } = venue.do(
    { kind: 'place-order', user: 0, symbol: 0, type: 'limit', side: 'sell', price, size: 1 },
    { kind: 'place-order', user: 1, symbol: 0, type: 'limit', side: 'buy', price, size: 1 },
  );
  check(events);
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
