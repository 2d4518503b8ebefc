/**
 * Commands beside an order that is split over records (T3), and beside stop orders left for the next record (T2):
 * situations too rare for random commands. The core and the naive exchange must agree on them.
 */

import { type Command, Exchange, type LogRecord, RULES_VERSION } from '@bourse/core';
import { applyTo, currency, symbol } from '@bourse/test-kit/venue.ts';
import { describeDifference, isSame } from './compare.ts';
import { NaiveExchange } from './naive/exchange.ts';

const [MAKER, TAKER, OTHER, SUB] = [0, 1, 2, 3];
const [SWEPT, ELSEWHERE] = [0, 1];
/** An order may match three others per record. */
const STEPS = 12;
const OFFERS = 8;
const DUE_MS = 5000;

/** A record: the time since the previous one, and its commands. */
export type Step = readonly [ms: number, ...commands: Command[]];

export const order = (user: number, side: string, price: number, size: number, more = {}): Command =>
  ({ kind: 'place-order', user, symbol: SWEPT, type: 'limit', side, price, size, ...more }) as Command;
const marketBuy = (user: number): Command => ({
  kind: 'place-order',
  user,
  symbol: SWEPT,
  type: 'market',
  side: 'buy',
  size: OFFERS,
});
/** Each order matches one of the offers. */
const batch = (user: number, count: number): Command => ({
  kind: 'place-orders',
  user,
  orders: Array.from({ length: count }, () => ({
    symbol: SWEPT,
    type: 'limit',
    side: 'buy',
    price: 200,
    size: 1,
  })),
});
const elsewhere = { symbol: ELSEWHERE };
const expiring = { timeInForce: 'GTT', cancelAfterSec: DUE_MS / 1000 };
const transfer = (clientId: string, users: { fromUser: number } | { toUser: number }): Command => ({
  kind: 'transfer',
  user: TAKER,
  type: 'fromUser' in users ? 'sub-to-parent' : 'parent-to-sub',
  clientId,
  currency: 1,
  amount: 1n,
  from: 'trade',
  to: 'trade',
  ...users,
});
const stop = (user: number, price: number): Command =>
  ({
    ...order(user, 'buy', price, 1, elsewhere),
    kind: 'place-stop-order',
    stop: 'entry',
    stopPrice: 60,
  }) as Command;
const stops = (user: number, count: number): Command[] => Array.from({ length: count }, () => stop(user, 10));
const setSwitch = (user: number, symbols: number[]): Command => ({
  kind: 'set-switch',
  user,
  timeoutSec: DUE_MS / 1000,
  symbols,
});

const MOMENTS: Readonly<Record<string, readonly Step[]>> = {
  "a stop order of the taker's comes due elsewhere": [
    [
      0,
      {
        ...order(TAKER, 'buy', 10, 1, elsewhere),
        kind: 'place-stop-order',
        stop: 'entry',
        stopPrice: 63,
      } as Command,
      ...[60, 61, 62, 63].map((price) => order(MAKER, 'sell', price, 1, elsewhere)),
    ],
    [0, order(OTHER, 'buy', 99, 4, elsewhere), marketBuy(TAKER)],
  ],
  'a master takes and gives money': [
    [0, marketBuy(SUB)],
    [0, transfer('a', { fromUser: SUB })],
    [0, transfer('b', { toUser: SUB })],
  ],
  'orders trade elsewhere': [
    [0, order(MAKER, 'sell', 60, 9, elsewhere), marketBuy(TAKER)],
    [0, ...[1, 2, 3, 4].map(() => order(OTHER, 'buy', 60, 1, elsewhere))],
  ],
  'batches have more orders than a record has meetings': [[0, batch(TAKER, 4), batch(OTHER, 4)]],
  'two orders are cut': [
    [0, ...Array.from({ length: OFFERS }, (_, i) => order(MAKER, 'sell', 100 + i, 1, elsewhere))],
    [0, marketBuy(TAKER), order(OTHER, 'buy', 200, OFFERS, elsewhere)],
    [0],
    [0, { kind: 'cancel-orders', user: SUB }],
  ],
  'orders expire': [
    [
      0,
      order(OTHER, 'buy', 10, 1, { ...expiring, ...elsewhere }),
      order(OTHER, 'buy', 10, 1, expiring),
      order(TAKER, 'buy', 10, 1, { ...expiring, ...elsewhere }),
      marketBuy(TAKER),
    ],
    [DUE_MS, order(SUB, 'sell', 10, 1, elsewhere)],
  ],
  'more orders wait than a record has steps': [
    [0, ...Array.from({ length: STEPS }, (_, i) => order(OTHER, 'buy', 10 + i, 1, expiring))],
    [0, order(OTHER, 'buy', 10, 1, { ...expiring, ...elsewhere }), marketBuy(TAKER)],
    [DUE_MS],
  ],
  'stop orders that were left over trade, and then orders expire': [
    [
      0,
      ...[60, 61].map((price) => order(MAKER, 'sell', price, 1, elsewhere)),
      ...[62, 62].map((price) => order(MAKER, 'sell', price, 1, { ...expiring, ...elsewhere })),
    ],
    // Enough that two records run out of steps; the last order matches one that has just expired.
    [0, ...stops(TAKER, STEPS), stop(OTHER, 62), ...stops(OTHER, STEPS - 2), stop(OTHER, 62)],
    [0, order(SUB, 'buy', 60, 1, elsewhere)],
    [0],
    [DUE_MS],
  ],
  ...Object.fromEntries(
    [[], [SWEPT], [ELSEWHERE]].flatMap((symbols) =>
      [MAKER, TAKER, OTHER].map((user) => [
        `the switch of user ${user} for symbols ${symbols.join()} fires`,
        [
          [0, order(user, 'buy', 10, 1, elsewhere), setSwitch(user, symbols), marketBuy(TAKER)],
          [DUE_MS],
        ] satisfies Step[],
      ]),
    ),
  ),
};

/** Throws if the two exchanges differ. */
export function runBeside(): void {
  for (const [moment, steps] of Object.entries(MOMENTS)) compare(moment, steps);
}

/** Runs both through these records, and further records until no work is left. */
export function compare(moment: string, steps: readonly Step[]): void {
  const [core, naive] = [new Exchange(), new NaiveExchange()];
  let time = 1_700_000_000_000;
  const apply = (commands: readonly Command[]) => {
    const record: LogRecord = { seq: core.seq + 1, time, rules: RULES_VERSION, commands };
    const [one, other] = [applyTo(core, record), naive.apply(record)];
    for (const part of ['outcomes', 'finished', 'events'] as const) {
      if (isSame(one[part], other[part])) continue;
      throw new Error(`${moment}, record ${record.seq}: ${describeDifference(part, one[part], other[part])}`);
    }
    return one.outcomes;
  };
  for (const commands of opening()) {
    if (apply(commands).some(({ kind }) => kind === 'rejected')) throw new Error('the opening is refused');
  }
  for (const [ms, ...commands] of steps) {
    time += ms;
    apply(commands);
  }
  while (core.nextDue <= time) apply([]);
}

function opening(): Command[][] {
  const terms = { priceIncrement: '0.01', priceLimitRate: '1000' };
  const fund = (user: number, money: number): Command[] => {
    const moved = { user, currency: money, amount: 10n ** 10n };
    const name = `${user}-${money}`;
    return [
      { kind: 'report-deposit', ...moved, chain: 'net', txId: name, travelRule: false },
      { kind: 'transfer', ...moved, type: 'internal', clientId: name, from: 'main', to: 'trade' },
    ];
  };
  return [
    [currency('AAA', 4, 4), currency('BBB', 4, 4), symbol('ONE', 0, 1, terms), symbol('TWO', 0, 1, terms)],
    ['ann', 'bob', 'cat'].map((name) => ({ kind: 'add-user', name })),
    [
      { kind: 'add-user', name: 'sub', parent: TAKER },
      { kind: 'set-limits', stepsPerRecordMax: STEPS },
    ],
    [MAKER, TAKER, OTHER, SUB].flatMap((user) => [0, 1].flatMap((money) => fund(user, money))),
    Array.from({ length: OFFERS }, (_, i) => order(MAKER, 'sell', 100 + i, 1)),
  ];
}
