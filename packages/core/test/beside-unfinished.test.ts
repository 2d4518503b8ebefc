/** T3: which commands proceed beside an unfinished order, which wait for it, and its outcome. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command, OrderRequest } from '../src/commands/commands.ts';
import type { Event } from '../src/events/events.ts';
import { RULES_VERSION } from '../src/rules-version.ts';
import { currency, symbol, Venue } from '@bourse/test-kit/venue.ts';

/** A quarter of the steps. */
const MEETINGS = 3;
const [ANN, BOB, CAT, SUB] = [0, 1, 2, 3];
const [SWEPT, OTHER] = [0, 1];
const MONEY = 10n ** 10n;

/** Two symbols of the same currencies, three users and Bob's sub-account. Ann offers at eight prices in the first symbol. */
function openVenue(): Venue {
  const terms = { priceIncrement: '0.01', priceLimitRate: '1000' };
  const venue = new Venue();
  venue.rules = RULES_VERSION;
  venue.do(
    currency('AAA', 4, 4),
    currency('BBB', 4, 4),
    symbol('ONE', 0, 1, terms),
    symbol('TWO', 0, 1, terms),
    ...['ann', 'bob', 'cat'].map((name): Command => ({ kind: 'add-user', name })),
    { kind: 'add-user', name: 'bob-sub', parent: BOB },
    { kind: 'set-limits', stepsPerRecordMax: 4 * MEETINGS },
  );
  for (const user of [ANN, BOB, CAT, SUB]) for (const money of [0, 1]) venue.fund(user, money, MONEY);
  for (let i = 0; i < 8; i++) venue.do(order(ANN, 'sell', 100 + i, 1));
  return venue;
}

const order = (user: number, side: OrderRequest['side'], price: number, size: number, more = {}): Command =>
  ({ kind: 'place-order', user, symbol: SWEPT, type: 'limit', side, price, size, ...more }) as Command;

/** It holds all the money until it is complete. */
const marketBuy = (user: number, size: number): Command => ({
  kind: 'place-order',
  user,
  symbol: SWEPT,
  type: 'market',
  side: 'buy',
  size,
});

/** Applies records without commands while work is left. */
function finish(venue: Venue): Event[] {
  const events: Event[] = [];
  while (venue.exchange.nextDue <= venue.time) events.push(...venue.do().events);
  return events;
}

const stopsDone = (events: readonly Event[]) =>
  events.flatMap((event) => (event.kind === 'stop-done' ? [`${event.reason}${event.rejection}`] : []));
const ended = (events: readonly Event[], why: string) =>
  events.flatMap((event) => (event.kind === 'order-done' && event.reason === why ? [event.symbol] : []));

/** Bob has a stop order in the other symbol, and a trade of others makes it due while his market order is unfinished. */
function stopBesideMarketOrder(): string[] {
  const venue = openVenue();
  const stop = { stop: 'entry', stopPrice: 63, symbol: OTHER };
  venue.do({ ...order(BOB, 'buy', 10, 1, stop), kind: 'place-stop-order' } as Command);
  for (let i = 0; i < MEETINGS + 1; i++) venue.do(order(ANN, 'sell', 60 + i, 1, { symbol: OTHER }));
  // Cat's order is unfinished too, and older: it completes before Bob's.
  const { events } = venue.do(order(CAT, 'buy', 99, 4, { symbol: OTHER }), marketBuy(BOB, 8));
  return stopsDone([...events, ...finish(venue)]);
}

describe('beside an unfinished order', () => {
  test("a stop order of its user waits until it is complete, because it holds the user's money", () => {
    assert.deepEqual(stopBesideMarketOrder(), ['triggered']);
  });

  test('an order of its user that a delisting cancels does not expire later', () => {
    const venue = openVenue();
    const [second, at] = [1000, venue.time + 1000];
    const resting = { symbol: OTHER, timeInForce: 'GTT', cancelAfterSec: 1 };
    venue.do(
      order(BOB, 'buy', 10, 1, resting),
      {
        kind: 'schedule-call',
        at,
        scheduled: 'delisting',
        command: { kind: 'set-market-state', symbol: OTHER, state: 'delisted' },
      },
      marketBuy(BOB, 8),
    );
    venue.time += second;
    // A record with a command has meetings left for the delisting.
    const { events } = venue.do({ kind: 'add-user', name: 'dan' });
    assert.ok(venue.exchange.hasUnfinished);
    assert.deepEqual(ended(events, 'delisted'), [OTHER]);
    assert.deepEqual(ended(finish(venue), 'expired'), []);
    assert.equal(venue.exchange.nextDue, Infinity);
  });

  test("a master's transfer to or from its user waits; other transfers do not", () => {
    const transfers = (['sub-to-parent', 'parent-to-sub'] as const).map(
      (type): Command => ({
        kind: 'transfer',
        user: BOB,
        type,
        clientId: type,
        currency: 1,
        amount: 1n,
        from: 'trade',
        to: 'trade',
        ...(type === 'sub-to-parent' ? { fromUser: SUB } : { toUser: SUB }),
      }),
    );
    for (const transfer of transfers) {
      const venue = openVenue();
      const { outcomes } = venue.do(marketBuy(SUB, 8), transfer);
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['unfinished', 'waits'],
      );
      assert.ok(venue.exchange.mustWait(transfer));
      finish(venue);
      assert.equal(venue.do(transfer).outcomes[0].kind, 'added');
      venue.do(...Array.from({ length: 8 }, (_, i) => order(ANN, 'sell', 100 + i, 1)));
      const beside = venue.do(marketBuy(CAT, 8), { ...transfer, clientId: 'again' } as Command);
      assert.equal(beside.outcomes[1].kind, 'added');
    }
  });

  test('orders and switches elsewhere expire in time; anything that would overtake it waits', () => {
    const due = () => {
      const venue = openVenue();
      const gtt = { timeInForce: 'GTT', cancelAfterSec: 5 };
      venue.do(
        order(CAT, 'buy', 10, 1, { ...gtt, symbol: OTHER }),
        order(CAT, 'buy', 10, 1, gtt),
        order(BOB, 'buy', 10, 1, { ...gtt, symbol: OTHER }),
        order(ANN, 'buy', 10, 1, { symbol: OTHER }),
        { kind: 'set-switch', user: ANN, timeoutSec: 5, symbols: [OTHER] },
      );
      venue.do(marketBuy(BOB, 8));
      venue.time += 5000;
      const beside = venue.do(order(SUB, 'sell', 10, 1, { symbol: OTHER })).events;
      assert.ok(venue.exchange.hasUnfinished);
      const after = finish(venue);
      return {
        expired: [ended(beside, 'expired'), ended(after, 'expired')],
        switched: [ended(beside, 'switch'), ended(after, 'switch')],
        trades: beside.filter((event) => event.kind === 'trade' && event.symbol === OTHER).length,
      };
    };
    assert.deepEqual(due(), {
      expired: [[OTHER], [SWEPT]],
      switched: [[OTHER], []],
      // Bob's own order there has to wait for his unfinished one.
      trades: 1,
    });
  });

  test('a switch with an order in the symbol waits as a whole; one for other symbols does not', () => {
    for (const [symbols, now, later] of [
      [[], [], [OTHER]],
      [[SWEPT, OTHER], [], [OTHER]],
      [[OTHER], [OTHER], []],
    ] as const) {
      const venue = openVenue();
      venue.do(order(ANN, 'buy', 10, 1, { symbol: OTHER }), {
        kind: 'set-switch',
        user: ANN,
        timeoutSec: 5,
        symbols: [...symbols],
      });
      venue.do(marketBuy(BOB, 8));
      venue.time += 5000;
      assert.deepEqual(ended(venue.do().events, 'switch'), now);
      assert.deepEqual(ended(finish(venue), 'switch'), later);
    }
  });

  test('deferred entries cost steps, so that one record does not visit all of them', () => {
    const venue = openVenue();
    const gtt = { timeInForce: 'GTT', cancelAfterSec: 5 };
    for (let i = 0; i < 4 * MEETINGS; i++) venue.do(order(CAT, 'buy', 10 + i, 1, gtt));
    venue.do(order(CAT, 'buy', 10, 1, { ...gtt, symbol: OTHER }));
    venue.do(marketBuy(BOB, 8));
    venue.time += 5000;
    assert.deepEqual(ended(venue.do().events, 'expired'), []);
    const expired = ended(finish(venue), 'expired');
    assert.deepEqual(
      [expired.filter((each) => each === SWEPT).length, expired.at(-1)],
      [4 * MEETINGS, OTHER],
    );
  });
});

test('orders in other symbols trade in their own record', () => {
  const venue = openVenue();
  venue.do(order(ANN, 'sell', 60, 5, { symbol: OTHER }));
  venue.do(marketBuy(BOB, 8));
  const commands = [CAT, CAT, SUB].map((user) => order(user, 'buy', 60, 1, { symbol: OTHER }));
  const { outcomes } = venue.do(...commands);
  assert.ok(venue.exchange.hasUnfinished);
  assert.deepEqual(
    outcomes.map(({ kind }) => kind),
    ['order', 'order', 'order'],
  );
});

test('two unfinished orders share a record; a single one without commands uses all of it', () => {
  const venue = openVenue();
  for (let i = 0; i < 8; i++) venue.do(order(ANN, 'sell', 100 + i, 1, { symbol: OTHER }));
  venue.do(order(BOB, 'buy', 200, 8), order(CAT, 'buy', 200, 8, { symbol: OTHER }));
  const trades = (...commands: Command[]) => {
    const { events } = venue.do(...commands);
    return [SWEPT, OTHER].map(
      (each) => events.filter((event) => event.kind === 'trade' && event.symbol === each).length,
    );
  };
  assert.deepEqual(trades(), [2, 1]);
  assert.deepEqual(trades({ kind: 'cancel-orders', user: SUB }), [1, 1]);
  assert.deepEqual(
    [trades(), trades()],
    [
      [2, 1],
      [0, 3],
    ],
  );
});

describe('the outcome of an unfinished order', () => {
  /** Applies the command, and one record per second until it is complete. */
  function answerOf(command: Command) {
    const venue = openVenue();
    venue.do(order(BOB, 'buy', 10, 8, { clientId: 'mine' }));
    const begunAt = venue.time;
    assert.equal(venue.do(command).outcomes[0].kind, 'unfinished');
    for (;;) {
      venue.time += 1000;
      const { finished } = venue.do();
      if (finished.length > 0) return { outcome: finished[0].outcome, begunAt, endedAt: venue.time };
    }
  }

  test('has the times when the order arrived and when it was complete', () => {
    const single = answerOf(order(BOB, 'buy', 200, 8));
    const altered = answerOf({
      kind: 'alter-order',
      user: BOB,
      symbol: SWEPT,
      clientId: 'mine',
      newPrice: 200,
    });
    assert.ok(single.outcome.kind === 'order' && altered.outcome.kind === 'altered');
    for (const [told, { begunAt, endedAt }] of [
      [single.outcome, single],
      [altered.outcome.replacement!, altered],
    ] as const) {
      assert.deepEqual([told.createdAt, told.matchedAt], [begunAt, endedAt]);
      assert.ok(endedAt > begunAt);
    }
  });

  test('has both times for each order of its batch', () => {
    const one = { symbol: SWEPT, type: 'limit', side: 'buy' } as const;
    const orders: OrderRequest[] = [
      { ...one, price: 100, size: 1 },
      { ...one, price: 200, size: 5 },
      { ...one, price: 9, size: 1 },
    ];
    const { outcome, begunAt, endedAt } = answerOf({ kind: 'place-orders', user: BOB, orders });
    assert.ok(outcome.kind === 'orders');
    const times = outcome.outcomes.map((each) => each.kind === 'order' && [each.createdAt, each.matchedAt]);
    assert.deepEqual(times, [
      [begunAt, begunAt],
      [begunAt, endedAt],
      [endedAt, endedAt],
    ]);
  });

  test('has no times if the order was not split', () => {
    const [outcome] = openVenue().do(order(BOB, 'buy', 100, 1)).outcomes;
    assert.equal('createdAt' in outcome, false);
  });
});
