/**
 * npm run bench:auction [-- --orders N] [-- --turns N] [-- --json]
 *
 * A call auction with many orders that all trade: the indicative price, the uncross as a whole, and its longest record.
 * Once with few prices and many orders at each, once with a price for every order.
 */

import { parseArgs } from 'node:util';
import { RULES_VERSION } from '@bourse/core';
import { limitOrder, Venue } from '../core/venue.ts';

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '100000' },
    turns: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
  },
});
const orders = Number(values.orders);
const PER_USER = 100;
const CALL_MS = 10_000_000;
const MIDDLE = 1_000_000;

interface Figures {
  readonly priceMs: number;
  readonly uncrossMs: number;
  readonly longestMs: number;
  readonly records: number;
  readonly trades: number;
}

function run(prices: number): Figures {
  const users = Math.ceil(orders / PER_USER);
  const venue = new Venue(users, 1);
  let seq = venue.next([]).seq - 1;
  let time = venue.exchange.time;
  const apply = (commands: Parameters<Venue['apply']>[0]) =>
    venue.exchange.apply({ seq: ++seq, time, rules: RULES_VERSION, commands });
  apply([{ kind: 'begin-auction', symbol: 0, endsInMs: CALL_MS, thenState: 'open' }]);
  for (let at = 0; at < orders; at += 1) {
    // Half of the users buy above the mid price and half sell below it, so all orders cross.
    const user = at % users;
    const isBuy = user % 2 === 0;
    const away = Math.floor((at * prices) / orders);
    const price = isBuy ? MIDDLE + away : MIDDLE - 1 - away;
    const outcome = apply([limitOrder(user, 0, isBuy ? 0 : 1, price, 1 + (at % 7), 'GTC')]);
    const [placed] = outcome.outcomes.decode();
    if (placed?.kind !== 'order') throw new Error(JSON.stringify(placed));
  }
  const asked = process.hrtime.bigint();
  venue.exchange.reference.auction(0);
  const priceMs = Number(process.hrtime.bigint() - asked) / 1e6;
  time += CALL_MS;
  let uncrossMs = 0;
  let longestMs = 0;
  let records = 0;
  let trades = 0;
  do {
    const began = process.hrtime.bigint();
    const applied = apply([]);
    const ms = Number(process.hrtime.bigint() - began) / 1e6;
    uncrossMs += ms;
    longestMs = Math.max(longestMs, ms);
    records += 1;
    trades += applied.events.decodeMarket().filter(({ kind }) => kind === 'trade').length;
  } while (venue.exchange.hasUnfinished);
  return { priceMs, uncrossMs, longestMs, records, trades };
}

const report: Record<string, Figures> = {};
for (const [name, prices] of [
  ['1,000 prices', 1000],
  ['a price for every order', orders],
] as const) {
  const turns = Array.from({ length: Number(values.turns) }, () => run(prices));
  const figures = turns.toSorted((a, b) => a.uncrossMs - b.uncrossMs)[turns.length >> 1]!;
  report[name] = figures;
  console.log(
    `${orders} orders, ${name}: indicative price ${figures.priceMs.toFixed(2)} ms; uncross ${figures.uncrossMs.toFixed(0)} ms, ` +
      `${figures.trades} trades in ${figures.records} records, the longest ${figures.longestMs.toFixed(2)} ms`,
  );
}
if (values.json) console.log(JSON.stringify(report));
