/** T3: an order that matches more others than one record allows continues in the next, and nothing overtakes it. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Command, OrderRequest } from '../src/commands/commands.ts';
import type { Event } from '../src/events/events.ts';
import { Exchange } from '../src/exchange.ts';
import { applyTo, currency, type Said, symbol, tell, Venue } from '@bourse/test-kit/venue.ts';

/** A quarter of the steps. */
const MEETINGS = 3;
const [ANN, BOB, CAT] = [0, 1, 2];

/** Two symbols, and three users with money. */
function openVenue(meetings = MEETINGS, priceLimitRate = '1000'): Venue {
  const terms = { priceIncrement: '0.01', priceLimitRate };
  const venue = new Venue();
  venue.do(
    currency('AAA', 4, 4),
    currency('BBB', 4, 4),
    symbol('AAA-BBB', 0, 1, terms),
    symbol('BBB-AAA', 1, 0, terms),
    ...['ann', 'bob', 'cat'].map((name): Command => ({ kind: 'add-user', name })),
    { kind: 'set-limits', stepsPerRecordMax: 4 * meetings },
  );
  for (const user of [ANN, BOB, CAT]) for (const money of [0, 1]) venue.fund(user, money, 10n ** 10n);
  return venue;
}

const order = (user: number, side: OrderRequest['side'], price: number, size: number, more = {}): Command =>
  ({ kind: 'place-order', user, symbol: 0, type: 'limit', side, price, size, ...more }) as Command;

/** Ann offers one at each of `count` prices from 100 on, in the first symbol. */
function offer(venue: Venue, count: number): void {
  for (let i = 0; i < count; i++) venue.do(order(ANN, 'sell', 100 + i, 1));
}

const tradesOf = ({ events }: { readonly events: readonly Event[] }): number =>
  events.filter(({ kind }) => kind === 'trade').length;

/** Applies records without commands while work is left. */
function tick(venue: Venue): Said[] {
  const ticks: Said[] = [];
  while (venue.exchange.nextDue <= venue.time) ticks.push(venue.do());
  return ticks;
}

const [kindOf, kindsOf] = [
  ({ kind }: { kind: string }) => kind,
  (said: Said) => said.outcomes.map(({ kind }) => kind),
];

describe('promise 19: an order that matches very many others', () => {
  test('continues in the next records, and its caller gets the outcome when it is complete', () => {
    const venue = openVenue();
    offer(venue, 8);
    const first = venue.do(order(BOB, 'buy', 200, 10));
    const [{ kind, order: id }] = first.outcomes as [{ kind: string; order: number }];
    assert.equal(kind, 'unfinished');
    assert.equal(venue.exchange.order(id)?.remaining, 7);
    assert.equal(
      venue.exchange.bestPrice(0, 'buy'),
      0,
      'it is not in the book while offers are within its price',
    );
    const rest = tick(venue);
    assert.deepEqual([first, ...rest].map(tradesOf), [3, 3, 2]);
    assert.deepEqual(rest[0].finished, []);
    const [{ ticket, outcome }] = rest[1].finished;
    assert.equal(ticket, id);
    assert.ok(outcome.kind === 'order' && outcome.dealSize === 8 && outcome.remaining === 2);
    assert.equal(venue.exchange.bestPrice(0, 'buy'), 200, 'what is left rests');
    assert.equal(venue.exchange.hasUnfinished, false);
  });

  test('ends as it would in one record, whatever kind of order it is', () => {
    const orders: Partial<OrderRequest>[] = [
      { price: 200, size: 10 },
      { price: 200, size: 10, timeInForce: 'IOC' },
      { price: 200, size: 5, timeInForce: 'FOK' },
      { price: 105, size: 8, timeInForce: 'GTT', cancelAfterSec: 5 },
      { price: 200, size: 10, iceberg: true, visibleSize: 1 },
      { type: 'market', size: 7 },
      { type: 'market', size: 20 },
      { type: 'market', funds: 77_000n },
      { type: 'market', funds: 900_000_000n },
      { price: 200, size: 10, stp: 'CO' },
      { price: 200, size: 10, stp: 'DC' },
      { price: 200, size: 10, stp: 'CB' },
    ];
    for (const asked of orders) {
      const ends = [1000, MEETINGS].map((meetings) => {
        const venue = openVenue(meetings);
        for (let i = 0; i < 8; i++) venue.do(order(i === 5 ? BOB : ANN, 'sell', 100 + i, 1));
        const command = { ...order(BOB, 'buy', 200, 10), ...asked } as Record<string, unknown>;
        if (asked.type === 'market') {
          delete command.price;
          if (asked.funds !== undefined) delete command.size;
        }
        const said = venue.do(command as unknown as Command);
        const rest = tick(venue);
        const outcome =
          said.outcomes[0].kind === 'unfinished' ? rest.at(-1)?.finished[0]?.outcome : said.outcomes[0];
        const events = [said, ...rest].flatMap((each) => each.events);
        const timeless = { ...outcome, createdAt: undefined, matchedAt: undefined };
        return { outcome: tell(timeless), events: tell(events), cut: said.outcomes[0].kind === 'unfinished' };
      });
      assert.equal(ends[1].outcome, ends[0].outcome, tell(asked));
      assert.equal(ends[1].events, ends[0].events, tell(asked));
      assert.deepEqual([ends[0].cut, ends[1].cut], [false, true], tell(asked));
    }
  });

  test('keeps its original price bound', () => {
    const venue = openVenue(MEETINGS, '0.05');
    offer(venue, 8);
    venue.do({ kind: 'place-order', user: BOB, symbol: 0, type: 'market', side: 'buy', size: 8 });
    const { outcome } = tick(venue).at(-1)!.finished[0];
    assert.ok(outcome.kind === 'order' && outcome.done === 'price-protection' && outcome.dealSize === 6);
  });

  test('is not overtaken: commands of its symbol and of its user wait, others do not', () => {
    const venue = openVenue();
    offer(venue, 8);
    const cancelled = venue.exchange.openOrders(ANN, 0).at(-1)!.order;
    const said = venue.do(order(BOB, 'buy', 200, 8), order(CAT, 'buy', 50, 1, { symbol: 1 }));
    assert.deepEqual(kindsOf(said), ['unfinished', 'order']);
    const waiting: Command[] = [
      { kind: 'cancel-order', user: ANN, symbol: 0, order: cancelled },
      { kind: 'cancel-orders', user: ANN },
      { kind: 'cancel-orders', user: CAT, symbol: 0 },
      order(CAT, 'buy', 1, 1),
      order(BOB, 'buy', 1, 1, { symbol: 1 }),
      { kind: 'place-orders', user: CAT, orders: [request(1), request(0)] },
      { kind: 'set-market-state', symbol: 0, state: 'halted' },
    ];
    const free: Command[] = [{ kind: 'cancel-orders', user: CAT }, order(CAT, 'buy', 1, 1, { symbol: 1 })];
    assert.deepEqual(
      waiting.map((command) => venue.exchange.mustWait(command)),
      waiting.map(() => true),
    );
    assert.deepEqual(
      free.map((command) => venue.exchange.mustWait(command)),
      free.map(() => false),
    );
    // The record first continues the order, and does not complete it: commands behind a waiting one wait too.
    const next = venue.do(free[1], waiting[0], free[0]);
    assert.deepEqual(kindsOf(next), ['order', 'waits', 'waits']);
    assert.equal(tradesOf(next), 2, 'the commands have a share');
    assert.equal(tradesOf(venue.do()), 3);
    assert.deepEqual(
      kindsOf(venue.try(waiting[0])),
      ['rejected'],
      'when it is through, all others act: this one was traded before',
    );
  });

  test('blocks its batch, which gets one outcome', () => {
    const venue = openVenue();
    offer(venue, 8);
    const orders = [
      request(1),
      { ...request(0), price: 200, size: 7 },
      request(1),
      { ...request(0), price: 200 },
    ];
    const said = venue.do({ kind: 'place-orders', user: BOB, orders });
    assert.deepEqual(kindsOf(said), ['unfinished']);
    assert.ok(venue.exchange.mustWait(order(CAT, 'buy', 1, 1, { symbol: 1 })), 'a symbol of the rest waits');
    const { outcome } = tick(venue).at(-1)!.finished[0];
    assert.ok(outcome.kind === 'orders');
    assert.deepEqual(outcome.outcomes.map(kindOf), ['order', 'order', 'order', 'order']);
    assert.deepEqual(
      outcome.outcomes.map((each) => (each.kind === 'order' ? each.dealSize : -1)),
      [0, 7, 0, 1],
    );
  });

  test('does not arise from ordinary batches: each order of a batch may meet one other', () => {
    const venue = openVenue();
    offer(venue, 10);
    const buys = Array.from({ length: MEETINGS + 1 }, () => ({ ...request(0), price: 200 }));
    const batch = (user: number): Command => ({ kind: 'place-orders', user, orders: buys });
    const said = venue.do(batch(BOB), batch(CAT));
    assert.deepEqual(kindsOf(said), ['orders', 'orders']);
    assert.equal(tradesOf(said), 2 * buys.length);
  });

  /** Larger than the maximum length of an array. */
  const HUGE = 5e9;

  /** The first symbol accepts such sizes, and Ann and Bob have the money. */
  function openHugeVenue(): Venue {
    const venue = openVenue();
    venue.do({ kind: 'change-symbol', symbol: 0, baseMaxSize: '1000000000' });
    for (const user of [ANN, BOB]) for (const money of [0, 1]) venue.fund(user, money, 10n ** 14n);
    return venue;
  }

  test('is split in a batch, whatever the previous record left in memory', () => {
    const venue = openHugeVenue();
    const large = venue.place(BOB, { ...request(0), price: 1, size: HUGE + 2 });
    offer(venue, 5);
    // At the position of the second outcome there are old numbers, which would be read as the length of a list.
    venue.do({ kind: 'reduce-order', user: BOB, symbol: 0, order: large, size: HUGE });
    const said = venue.do({
      kind: 'place-orders',
      user: CAT,
      orders: [
        { ...request(0), size: 0 },
        { ...request(0), price: 200, size: 5 },
      ],
    });
    assert.deepEqual(kindsOf(said), ['unfinished']);
    const [{ outcome }] = tick(venue).flatMap(({ finished }) => finished);
    assert.ok(outcome.kind === 'orders');
    assert.deepEqual(outcome.outcomes.map(kindOf), ['rejected', 'order']);
  });

  test('is split as a replacement, whatever the previous record left in memory', () => {
    const venue = openHugeVenue();
    const old = venue.place(CAT, { ...request(0), price: 1, size: 5 });
    offer(venue, 5);
    venue.do(order(ANN, 'sell', 10, HUGE));
    // At the position of the replacement's outcome there are old numbers.
    const sweep = venue.do(order(BOB, 'buy', 10, HUGE + 2, { timeInForce: 'IOC' }));
    assert.equal(tradesOf(sweep), 1);
    const said = venue.try(order(CAT, 'buy', 1, 0), {
      kind: 'alter-order',
      user: CAT,
      symbol: 0,
      order: old,
      newPrice: 200,
    });
    assert.deepEqual(kindsOf(said), ['rejected', 'unfinished']);
    const [{ outcome }] = tick(venue).flatMap(({ finished }) => finished);
    assert.ok(outcome.kind === 'altered' && outcome.replacement?.dealSize === 5);
  });

  test('that replaces another has both in its outcome', () => {
    const venue = openVenue();
    offer(venue, 5);
    const old = venue.place(BOB, {
      symbol: 0,
      type: 'limit',
      side: 'buy',
      price: 1,
      size: 5,
      clientId: 'mine',
    });
    const said = venue.do({ kind: 'alter-order', user: BOB, symbol: 0, order: old, newPrice: 200 });
    assert.deepEqual(kindsOf(said), ['unfinished']);
    const { outcome } = tick(venue).at(-1)!.finished[0];
    assert.ok(outcome.kind === 'altered' && outcome.cancelled === old);
    assert.deepEqual([outcome.replacement?.dealSize, outcome.replacement?.clientId], [5, 'mine']);
  });

  test('defers stop orders and expiries until it is complete', () => {
    const venue = openVenue();
    venue.do(order(CAT, 'sell', 107, 1, { timeInForce: 'GTT', cancelAfterSec: 1 }));
    offer(venue, 7);
    venue.do({
      ...order(CAT, 'buy', 1, 1),
      kind: 'place-stop-order',
      stop: 'entry',
      stopPrice: 101,
    } as Command);
    const first = venue.do(order(BOB, 'buy', 200, 8));
    venue.time += 1000;
    const [second, third, ...more] = tick(venue);
    const late = ({ events }: Said) =>
      events.filter(
        (event) => event.kind === 'stop-done' || (event.kind === 'order-done' && event.reason === 'expired'),
      ).length;
    assert.deepEqual([first, second].map(late), [0, 0]);
    assert.deepEqual([tradesOf(second), tradesOf(third), late(third)], [3, 2, 1]);
    assert.deepEqual(more, []);
  });

  test('may be a triggered stop order, and the others of the symbol wait for it', () => {
    const venue = openVenue();
    offer(venue, 8);
    for (const stopPrice of [90, 90]) {
      venue.do({
        ...order(BOB, 'buy', 200, 4),
        kind: 'place-stop-order',
        stop: 'entry',
        stopPrice,
      } as Command);
    }
    venue.do(order(CAT, 'sell', 95, 1));
    const triggered = ({ events }: Said) => events.filter(({ kind }) => kind === 'stop-done').length;
    const said = venue.do(order(CAT, 'buy', 95, 1));
    const rest = tick(venue);
    assert.deepEqual([said, ...rest].map(tradesOf), [3, 3, 3]);
    assert.deepEqual([said, ...rest].map(triggered), [1, 1, 0]);
  });

  test('continues alike from a snapshot taken in its middle', () => {
    for (const kind of ['limit', 'funds', 'batch'] as const) {
      const venue = openVenue();
      offer(venue, 8);
      const commands: Record<typeof kind, Command> = {
        limit: order(BOB, 'buy', 200, 10, {
          clientId: 'mine',
          tags: 'a',
          timeInForce: 'GTT',
          cancelAfterSec: 9,
        }),
        funds: { kind: 'place-order', user: BOB, symbol: 0, type: 'market', side: 'buy', funds: 77_000n },
        batch: {
          kind: 'place-orders',
          user: BOB,
          orders: [{ ...request(0), price: 200, size: 6 }, request(1), request(-1)],
        },
      };
      venue.do(commands[kind]);
      const bytes = venue.exchange.snapshot();
      const twin = Exchange.restore(bytes, [7, 11]);
      assert.deepEqual(Buffer.compare(bytes, twin.snapshot()), 0);
      const from = venue.records.length;
      const ticks = tick(venue);
      assert.ok(ticks.length > 0);
      assert.deepEqual(
        venue.records.slice(from).map((record) => tell(applyTo(twin, record))),
        ticks.map(tell),
      );
      assert.equal(twin.hash(), venue.exchange.hash());
    }
  });
});

function request(number: number): OrderRequest {
  return { symbol: number, type: 'limit', side: 'buy', price: 1, size: 1 };
}
