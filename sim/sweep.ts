/**
 * Orders that match more orders than one record allows: split over records they must trade as in one, whatever their
 * kind, and nobody can cancel the orders that they would match next.
 */

import type { Command, Event } from '@bourse/core';
import { currency, symbol, tell, Venue } from '@bourse/test-kit/venue.ts';

const [MAKER, TAKER, OTHER] = [0, 1, 2];
const OFFERS = 9;
const FIRST_PRICE = 100;

const market = (more: { readonly size?: number; readonly funds?: bigint }): Command => ({
  kind: 'place-order',
  user: TAKER,
  symbol: 0,
  type: 'market',
  side: 'buy',
  ...more,
});

/** The second is stopped by the price bound, the third and fourth by their funds, including fees. */
const ORDERS: readonly Command[] = [
  market({ size: 7 }),
  market({ size: 20 }),
  market({ funds: 447n }),
  market({ funds: 446n }),
];

/** Two meetings per record. */
const CUT_STEPS = 8;

/** Throws if the two exchanges differ, or nothing was split. */
export function runSweep(): void {
  for (const order of ORDERS) {
    const whole = eventsOf(4000, order);
    const cut = eventsOf(CUT_STEPS, order);
    if (whole.records > 1) throw new Error(`one record was not enough for ${tell(order)}`);
    if (cut.records < 2) throw new Error(`one record was enough for ${tell(order)}`);
    if (tell(cut.events) !== tell(whole.events))
      throw new Error(`cut into records, ${tell(order)} came to another end`);
  }
  runCancelAll();
}

function eventsOf(
  steps: number,
  order: Command,
): { readonly events: readonly Event[]; readonly records: number } {
  const venue = openVenue(steps);
  const events = [...venue.do(order).events];
  let records = 1;
  for (; venue.exchange.nextDue <= venue.time; records++) events.push(...venue.do().events);
  return { events, records };
}

/** The maker cancels all its orders in the middle, without naming the symbol. */
function runCancelAll(): void {
  const venue = openVenue(CUT_STEPS);
  venue.do(market({ size: 5 }));
  const [outcome] = venue.do({ kind: 'cancel-orders', user: MAKER }).outcomes;
  if (outcome.kind !== 'waits')
    throw new Error(`to cancel all came to '${outcome.kind}' in the middle of an order`);
  const [other] = venue.do({ kind: 'cancel-orders', user: OTHER }).outcomes;
  if (other.kind !== 'cancelled') throw new Error(`to cancel all, elsewhere, came to '${other.kind}'`);
}

/** Offers at rising prices, of which the first seven are within the bound. */
function openVenue(stepsPerRecordMax: number): Venue {
  const venue = new Venue();
  const terms = { priceIncrement: '0.01', quoteMinSize: '0.01', priceLimitRate: '0.06' };
  venue.do(
    currency('AAA', 4, 4),
    currency('BBB', 4, 4),
    symbol('AAA-BBB', 0, 1, { ...terms, quoteIncrement: '0.0001' }),
    ...['ann', 'bob', 'cat'].map((name): Command => ({ kind: 'add-user', name })),
    { kind: 'set-fees', maker: '0.001', taker: '0.1' },
    { kind: 'set-limits', stepsPerRecordMax },
  );
  for (const user of [MAKER, TAKER, OTHER]) for (const money of [0, 1]) venue.fund(user, money, 10n ** 10n);
  for (let i = 0; i < OFFERS; i++) {
    const offer = { symbol: 0, type: 'limit', side: 'sell', price: FIRST_PRICE + i, size: 1 } as const;
    venue.do({ kind: 'place-order', user: MAKER, ...offer });
  }
  return venue;
}
