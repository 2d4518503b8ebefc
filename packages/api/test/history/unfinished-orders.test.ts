/** History and the feed show an order that is split over several records like one that is not. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Command } from '@bourse/core';
import { currency, symbol, Venue } from '@bourse/test-kit/venue.ts';
import { PublishedRecord } from '../../../engine/src/exchange-port.ts';
import { RecordOrders } from '../../src/feed/topics/record-orders.ts';
import { historyRecordOf } from '../../../engine/src/history/history-record.ts';

const OFFERS = 7;
const FUNDS = 561n;

/** The first user offers at seven prices, and the second buys for funds that are enough for five. */
function openVenue(stepsPerRecordMax: number): Venue {
  const venue = new Venue();
  const terms = { priceIncrement: '0.01', quoteMinSize: '0.01', quoteIncrement: '0.0001' };
  venue.do(
    currency('AAA', 4, 4),
    currency('BBB', 4, 4),
    symbol('AAA-BBB', 0, 1, terms),
    { kind: 'add-user', name: 'ann' },
    { kind: 'add-user', name: 'bob' },
    { kind: 'set-fees', maker: '0.001', taker: '0.1' },
    { kind: 'set-limits', stepsPerRecordMax },
  );
  for (const user of [0, 1]) for (const money of [0, 1]) venue.fund(user, money, 10n ** 10n);
  for (let i = 0; i < OFFERS; i++) {
    const offer = { symbol: 0, type: 'limit', side: 'sell', price: 100 + i, size: 1 } as const;
    venue.do({ kind: 'place-order', user: 0, ...offer });
  }
  return venue;
}

const buy: Command = {
  kind: 'place-order',
  user: 1,
  symbol: 0,
  type: 'market',
  side: 'buy',
  funds: FUNDS,
  clientId: 'mine',
};

/** The rows of history, and before each record the remaining size of the order in the feed. */
function run(steps: number) {
  const { exchange, time } = openVenue(steps);
  const rows: { trades: unknown[]; done: unknown[] } = { trades: [], done: [] };
  const left: bigint[] = [];
  let order = 0;
  for (
    let commands: readonly Command[] = [buy];
    commands.length > 0 || exchange.nextDue <= time;
    commands = []
  ) {
    const record = { seq: exchange.seq + 1, time, commands };
    const applied = exchange.apply(record);
    const { trades, done } = historyRecordOf(exchange, applied, record);
    for (const { entriesBefore: _, ...trade } of trades) rows.trades.push(trade);
    for (const { seq: _, ...each } of done) rows.done.push(each);
    const published = new PublishedRecord(exchange, applied);
    const orders = new RecordOrders(published, exchange);
    for (const event of published.events) {
      if (event.kind !== 'order-received') continue;
      orders.receive(event);
      order = event.order;
    }
    const { facts, filled, reduced, fundsLeft } = orders.progressOf(order);
    assert.deepEqual([facts.type, facts.clientId, facts.funds, reduced], ['market', 'mine', FUNDS, 0]);
    assert.equal(filled, 2 * left.length);
    left.push(fundsLeft);
  }
  return { rows, left };
}

test('history has the same trades and the same order, and the feed has the remaining size', () => {
  const [whole, cut] = [run(1000), run(8)];
  assert.deepEqual(cut.rows, whole.rows);
  assert.equal(whole.left.length, 1);
  // 100 and 101 with their fee of a tenth, rounded up once over both, then 102 and 103.
  assert.deepEqual(cut.left, [FUNDS, FUNDS - 201n - 21n, FUNDS - 201n - 205n - 41n]);
});
