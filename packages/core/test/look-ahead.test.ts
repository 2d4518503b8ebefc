/** The cost of FOK and price protection must not grow with the book, because looking ahead costs the user nothing. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderRequest } from '../src/commands/commands.ts';
import { stepsOf } from '@bourse/test-kit/steps.ts';
import { currency, symbol, Venue } from '@bourse/test-kit/venue.ts';

/**
 * A maker with `levels` levels of sells within the price bound and one past it, and a taker with its own orders on both
 * sides. If none of the sells is visible, the bound is measured from the last trade.
 */
function openVenue(levels: number, make: Partial<OrderRequest> = {}): Venue {
  const venue = new Venue();
  const terms = { priceIncrement: '0.01', priceLimitRate: '0.5' };
  venue.do(currency('AAA', 4, 4), currency('BBB', 4, 4), symbol('AAA-BBB', 0, 1, terms));
  venue.do({ kind: 'set-limits', activeOrdersPerSymbolMax: 100_000, activeOrdersPerUserMax: 100_000 });
  for (const name of ['maker', 'taker']) venue.do({ kind: 'add-user', name });
  for (const user of [0, 1]) for (const money of [0, 1]) venue.fund(user, money, 10n ** 15n);
  venue.place(0, { symbol: 0, type: 'limit', side: 'sell', price: 100_000, size: 1 });
  venue.place(1, { symbol: 0, type: 'limit', side: 'buy', price: 100_000, size: 1 });
  for (let level = 0; level < levels; level++) {
    venue.place(0, { symbol: 0, type: 'limit', side: 'sell', price: 100_000 + level, size: 100, ...make });
  }
  venue.place(0, { symbol: 0, type: 'limit', side: 'sell', price: 200_000, size: 100, ...make });
  venue.place(1, { symbol: 0, type: 'limit', side: 'sell', price: 200_001, size: 100, ...make });
  venue.place(1, { symbol: 0, type: 'limit', side: 'buy', price: 10, size: 1 });
  return venue;
}

/** The work of an order that looks ahead over the complete book and does nothing. */
function stepsFor(venue: Venue, request: Partial<OrderRequest>, done: string): number {
  const order = {
    symbol: 0,
    type: 'limit',
    side: 'buy',
    price: 500_000,
    size: 5_000_000,
    ...request,
  } as const;
  const place = (): void => {
    const [outcome] = venue.do({ kind: 'place-order', user: 1, ...order }).outcomes;
    assert.equal(outcome.kind === 'order' ? outcome.done : outcome.kind, done);
  };
  // The first one may grow a table.
  place();
  return stepsOf(place);
}

const LOOKS: Record<string, { make?: Partial<OrderRequest>; take: Partial<OrderRequest>; done: string }> = {
  'FOK that cannot fill': { take: { timeInForce: 'FOK', price: 149_000 }, done: 'fok' },
  'price protection': { take: { stp: 'DC' }, done: 'price-protection' },
  'price protection, own orders stop it': { take: { stp: 'CN' }, done: 'price-protection' },
  'price protection, own orders are passed over': { take: { stp: 'CO' }, done: 'price-protection' },
  'price protection of a postOnly order': {
    make: { hidden: true },
    take: { postOnly: true },
    done: 'price-protection',
  },
};

const LEVELS = 16_000;

for (const [name, { make, take, done }] of Object.entries(LOOKS)) {
  test(`looking ahead over ${LEVELS} levels takes fewer steps than there are levels: ${name}`, (context) => {
    const few = stepsFor(openVenue(500, make), take, done);
    const many = stepsFor(openVenue(LEVELS, make), take, done);
    context.diagnostic(`${few} steps with 500 levels, ${many} with ${LEVELS}`);
    assert.ok(few > 100 && many < few * 8 && many < LEVELS / 2, `${few} and ${many} steps`);
  });
}
