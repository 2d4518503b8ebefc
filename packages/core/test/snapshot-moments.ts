/** Moments after which a restored exchange might differ from one that kept running; each ends with commands that show it. */

import { currency, symbol, Venue } from '@bourse/test-kit/venue.ts';
import type { Command, OrderRequest } from '../src/commands/commands.ts';
import { RULES_VERSION } from '../src/rules-version.ts';

const [USER, OTHER] = [0, 1];
const BUY: OrderRequest = { symbol: 0, type: 'limit', side: 'buy', price: 100, size: 10 };
const SELL: OrderRequest = { ...BUY, side: 'sell', price: 150, size: 1 };

function openVenue(): Venue {
  const venue = new Venue();
  venue.rules = RULES_VERSION;
  venue.do(
    currency('AAA', 4, 4),
    currency('BBB', 4, 4),
    symbol('ONE', 0, 1, { priceIncrement: '0.01' }),
    { kind: 'add-user', name: 'user' },
    { kind: 'add-user', name: 'other' },
  );
  for (const user of [USER, OTHER]) for (const money of [0, 1]) venue.fund(user, money, 10n ** 10n);
  return venue;
}

/** An order that is reduced in the millisecond of its arrival, and then cancelled: its times look unchanged. */
function reducedAtOnce(): Venue {
  const venue = openVenue();
  const named = { user: USER, symbol: 0, order: venue.place(USER, BUY) };
  venue.do({ kind: 'reduce-order', ...named, size: 3 });
  venue.time += 1000;
  venue.do({ kind: 'cancel-order', ...named });
  return venue;
}

/**
 * An order of a user who has none: a restored exchange does not know that the user has traded before. And one after fees
 * have changed: a restored exchange knows the new rates of those who have orders, and looks up those of the other users later.
 */
function ordersAnew(): Venue {
  const venue = openVenue();
  venue.place(USER, BUY);
  venue.do({ kind: 'cancel-orders', user: USER });
  venue.place(USER, BUY);
  venue.do({ kind: 'set-fees', maker: '0.001', taker: '0.002' });
  venue.place(USER, BUY);
  return venue;
}

/** Leftover stop orders, of which one trades, and then two orders that are due to expire. */
function leftOverWithDue(): Venue {
  const venue = openVenue();
  const steps = 8;
  venue.do({ kind: 'set-limits', stepsPerRecordMax: steps });
  const expiring = { ...SELL, price: 160, timeInForce: 'GTT', cancelAfterSec: 5 } as const;
  for (const offer of [SELL, { ...SELL, price: 155 }, expiring, expiring]) venue.place(OTHER, offer);
  const terms = {
    ...BUY,
    size: 1,
    kind: 'place-stop-order',
    user: USER,
    stop: 'entry',
    stopPrice: 150,
  } as const;
  const resting = (count: number): Command[] =>
    Array.from({ length: count }, () => ({ ...terms, price: 10 }));
  const trading: Command = { ...terms, price: 160 };
  // The first of them take all steps of the record that triggers them, the next those of the record after it, where the
  // trade is a step as well. The last one would trade with an order that expires before its turn.
  venue.do(...resting(steps), trading, ...resting(steps - 2), trading);
  venue.place(USER, { ...BUY, price: 150, size: 1 });
  venue.do();
  venue.time += 5000;
  venue.do();
  return venue;
}

/** An expired request id that another request uses before it is forgotten. */
function idTakenAgain(): Venue {
  const venue = openVenue();
  const placeUntil = (until: number): Command => ({
    kind: 'place-order',
    user: USER,
    ...BUY,
    once: { id: 'request', until },
  });
  venue.do(placeUntil(venue.time));
  venue.time += 1;
  venue.do(placeUntil(venue.time + 1000));
  venue.time += 500;
  venue.try(placeUntil(venue.time + 1000));
  return venue;
}

export const MOMENTS: Readonly<Record<string, () => Venue>> = {
  reducedAtOnce,
  ordersAnew,
  leftOverWithDue,
  idTakenAgain,
};
