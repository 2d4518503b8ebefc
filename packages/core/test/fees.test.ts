/** Fees never exceed what was held, and no dust stays held: in numbers alone, then through the exchange. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Amount, RATE_ONE, formatUnits } from '../src/values/amount.ts';
import type { Command, OrderRequest } from '../src/commands/commands.ts';
import type { Event, Trade } from '../src/events/events.ts';
import { setBuyNeed } from '../src/matching/finish.ts';
import { type Random, seeded } from '@bourse/test-kit/random.ts';
import { currency, symbol, Venue } from '@bourse/test-kit/venue.ts';

const CASES = 200_000;
const RATE_ONE_BIG = BigInt(RATE_ONE);
const SPECIAL_RATES = [0, 1, 7, 100_000, 33_333_333, RATE_ONE - 1, RATE_ONE];
const PRECISIONS = Array.from({ length: 19 }, (_, precision) => precision);

const ceil = (exact: bigint) => (exact <= 0n ? 0n : (exact + RATE_ONE_BIG - 1n) / RATE_ONE_BIG);
const drawRate = (random: Random, max: number) => {
  const rate = random.chance(0.4) ? random.pick(SPECIAL_RATES) : random.below(10 ** random.range(1, 8) + 1);
  return Math.min(rate, max);
};

/** Mostly a few fills, now and then hundreds. */
function drawFills(random: Random): number {
  if (random.chance(0.005)) return random.range(100, 1000);
  return random.chance(0.1) ? random.range(6, 40) : random.range(1, 5);
}

/** One limit buy from its hold to its end; the number of fills. */
function live(random: Random): number {
  const taker = drawRate(random, RATE_ONE);
  const maker = drawRate(random, taker);
  // A price of one whole unit at a precision of 0 to 18, as long as it is a price.
  const one = 10 ** random.pick(PRECISIONS);
  const price = Math.min(2 ** 50 - 1, one * random.range(1, 9) + random.below(Math.min(one, 2 ** 50)));
  const size = random.chance(0.3) ? random.range(1, 1000) : Math.max(1, random.units(50));
  const fills = Math.min(size, drawFills(random));
  const what = () => `price ${price}, size ${size}, rates ${maker}/${taker}, ${fills} fills`;

  const fee = new Amount();
  const funds = new Amount();
  const held = new Amount();
  const need = new Amount();
  setBuyNeed(held, price, size, taker, 0);
  const atFirst = held.toBigInt();
  const cost = BigInt(price) * BigInt(size);
  if (atFirst !== cost + ceil(cost * BigInt(taker))) assert.fail(`${what()}: holds ${atFirst}`);

  let remaining = size;
  let slack = 0;
  let exact = 0n;
  let charged = 0n;
  let spent = 0n;
  let released = 0n;
  for (let left = fills; left > 0; left--) {
    const part =
      left === 1 ? remaining : random.range(1, Math.max(1, Math.floor((remaining - left) / left) * 2));
    const dealt = Math.min(part, remaining - left + 1);
    // A small part is cancelled instead, as by a reduction; its share of the hold is released too.
    const isReduction = left > 1 && random.chance(0.05);
    if (!isReduction) {
      const dealPrice = random.chance(0.7) ? price : random.range(1, price);
      const rate = random.chance(0.5) ? taker : maker;
      funds.setProduct(dealPrice, dealt);
      slack = fee.setFee(funds, rate, slack);
      const paid = BigInt(dealPrice) * BigInt(dealt);
      exact += paid * BigInt(rate);
      charged += fee.toBigInt();
      spent += paid + fee.toBigInt();
      held.subtract(funds);
      held.subtract(fee);
      if (charged !== ceil(exact)) assert.fail(`${what()}: charged ${charged}, exactly ${exact}`);
      if (BigInt(slack) !== charged * RATE_ONE_BIG - exact) assert.fail(`${what()}: slack ${slack}`);
    }
    remaining -= dealt;
    setBuyNeed(need, price, remaining, taker, slack);
    if (need.isAbove(held)) assert.fail(`${what()}: ${held.toBigInt()} held, ${need.toBigInt()} needed`);
    held.subtract(need);
    released += held.toBigInt();
    held.copy(need);
  }
  if (!held.isZero()) assert.fail(`${what()}: ${held.toBigInt()} stay held`);
  if (spent + released !== atFirst)
    assert.fail(`${what()}: ${spent} spent, ${released} released of ${atFirst}`);
  return fills;
}

test('promise 8: fees stay within the hold and nothing stays held: 200,000 orders of 1 to 1,000 fills', (context) => {
  const random = seeded(context, 301);
  let fills = 0;
  let most = 0;
  for (let i = 0; i < CASES; i++) {
    const count = live(random);
    fills += count;
    most = Math.max(most, count);
  }
  context.diagnostic(`${fills} fills, at most ${most} of one order`);
  assert.ok(fills > 3 * CASES && most > 900, 'idle');
});

const BUYER = 0;
const SELLER = 1;
const tradesOf = (events: readonly Event[]) =>
  events.filter((event): event is Trade => event.kind === 'trade');

/** A venue whose quote currency counts in 10^-precision, with a pair of users rich in both. */
function openVenue(random: Random, precision: number): Venue {
  const sizeDecimals = random.range(0, precision);
  const baseScale = random.range(sizeDecimals, 18);
  const venue = new Venue();
  const one = (places: number) => formatUnits(1n, places);
  venue.do(
    currency('BASE', baseScale, baseScale),
    currency('QUOTE', precision, precision),
    symbol('BASE-QUOTE', 0, 1, {
      baseIncrement: one(sizeDecimals),
      baseMinSize: one(sizeDecimals),
      baseMaxSize: formatUnits(2n ** 40n, sizeDecimals),
      quoteIncrement: one(precision),
      quoteMinSize: one(precision),
      quoteMaxSize: formatUnits(2n ** 95n, precision),
      priceIncrement: one(precision - sizeDecimals),
    }),
    { kind: 'add-user', name: 'buyer' },
    { kind: 'add-user', name: 'seller' },
    {
      kind: 'set-limits',
      activeOrdersPerSymbolMax: 10_000,
      activeOrdersPerUserMax: 10_000,
      stepsPerRecordMax: 10_000,
    },
  );
  venue.fund(BUYER, 1, 2n ** 98n);
  venue.fund(SELLER, 0, 2n ** 98n);
  return venue;
}

class Life {
  readonly #venue: Venue;
  #exact = 0n;
  #charged = 0n;

  constructor(venue: Venue) {
    this.#venue = venue;
  }

  /** Applies it, and checks the fees of the buyer and the hold of the order. */
  apply(order: number, makerRate: number, takerRate: number, command: Command): void {
    const { events } = this.#venue.do(command);
    for (const { incoming, resting, funds } of tradesOf(events)) {
      const fill = incoming.user === BUYER ? incoming : resting;
      this.#exact += funds * BigInt(fill.rate === 'taker' ? takerRate : makerRate);
      this.#charged += fill.fee;
      assert.equal(this.#charged, ceil(this.#exact));
    }
    const view = order === 0 ? null : this.#venue.exchange.order(order);
    if (view === null) return;
    const cost = BigInt(view.price) * BigInt(view.remaining);
    assert.equal(view.hold, cost + ceil(cost * BigInt(takerRate) - BigInt(view.feeSlack)));
    assert.equal(this.#venue.exchange.balance(BUYER, 'trade', 1).hold, view.hold);
  }
}

const limit = (side: 'buy' | 'sell', price: number, size: number): OrderRequest => ({
  symbol: 0,
  type: 'limit',
  side,
  price,
  size,
});

/** Resting and filled piece by piece, or sweeping a book of that many orders, by limit, size or funds. */
function trade(random: Random, venue: Venue, fills: number): number {
  const taker = drawRate(random, RATE_ONE);
  const maker = drawRate(random, taker);
  const text = (rate: number) => formatUnits(BigInt(rate), 8);
  venue.do({ kind: 'set-fees', maker: text(maker), taker: text(taker) });
  const price = random.range(1, 2 ** random.range(1, 36));
  const piece = random.range(1, 2 ** random.range(1, 20));
  const size = piece * fills;
  const life = new Life(venue);
  const before = venue.exchange.balance(BUYER, 'trade', 1).available;
  const apply = (order: number, command: Command) => life.apply(order, maker, taker, command);
  const way = random.below(4);
  if (way === 0) {
    const hidden = random.chance(0.3);
    const order = venue.place(BUYER, { ...limit('buy', price, size), hidden });
    for (let left = fills; left > 0; left--) {
      if (left > 1 && random.chance(0.1)) {
        apply(order, { kind: 'reduce-order', user: BUYER, symbol: 0, order, size: piece });
      } else apply(order, { kind: 'place-order', user: SELLER, ...limit('sell', price, piece) });
    }
  } else {
    for (let i = 0; i < fills; i++) venue.place(SELLER, limit('sell', random.range(1, price), piece));
    const sweep: OrderRequest =
      way === 1
        ? limit('buy', price, size)
        : way === 2
          ? { symbol: 0, type: 'market', side: 'buy', size }
          : { symbol: 0, type: 'market', side: 'buy', funds: BigInt(price) * BigInt(size) };
    apply(0, { kind: 'place-order', user: BUYER, ...sweep });
    venue.do({ kind: 'cancel-orders', user: SELLER }, { kind: 'cancel-orders', user: BUYER });
  }
  const after = venue.exchange.balance(BUYER, 'trade', 1);
  assert.equal(after.hold, 0n, 'dust stays held');
  assert.equal(venue.exchange.balance(SELLER, 'trade', 0).hold, 0n, 'dust stays held by the seller');
  assert.ok(after.available <= before);
  return way;
}

test('the same through the exchange, for quote precisions 0 to 18', (context) => {
  const random = seeded(context, 302);
  const ways = [0, 0, 0, 0];
  for (const precision of PRECISIONS) {
    const venue = openVenue(random, precision);
    for (const fills of [1, 1, 2, 2, 3, 5, 8, 20, 50, precision % 6 === 0 ? 1000 : 100]) {
      ways[trade(random, venue, fills)]++;
    }
  }
  context.diagnostic(`resting ${ways[0]}, limit ${ways[1]}, market by size ${ways[2]}, by funds ${ways[3]}`);
  assert.ok(
    ways.every((count) => count > 20),
    'idle',
  );
});
