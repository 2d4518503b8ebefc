// Random commands of every kind: a book built from level-3 messages alone equals the visible book, and the number of
// messages equals the core's sequence.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Exchange, type SymbolSet } from '@bourse/core';
import { Flow } from '@bourse/test-kit/flow/flow.ts';
import { Level3Book, type Level3Message } from '@bourse/test-kit/level3-book.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { PublishedRecord } from '../../../engine/src/exchange-port.ts';
import { level3Messages } from '../../src/feed/topics/level3-topic.ts';
import { RecordOrders } from '../../src/feed/topics/record-orders.ts';
import { formatSmall } from '../../src/gateway/decimals.ts';
import { orderId } from '../../src/gateway/ids.ts';

const FIRST_SEED = 1;
const worlds = ofSize(12, 200);
const RECORDS = 600;

function shownOrders(exchange: Exchange, { symbol, priceDecimals, sizeDecimals }: SymbolSet) {
  const rows = (side: 'buy' | 'sell') =>
    exchange.level3
      .orders(symbol, side)
      .map(({ order, price, size, createdAt }) => [
        orderId(order, createdAt),
        formatSmall(price, priceDecimals),
        formatSmall(size, sizeDecimals),
      ]);
  return { bids: rows('buy'), asks: rows('sell') };
}

function runWorld(seed: number, kinds: Map<string, number>): void {
  const flow = new Flow(seed);
  const exchange = new Exchange();
  const books = new Map<number, Level3Book>();
  for (let at = 0; at < RECORDS && !flow.isOver; at++) {
    const record = flow.next();
    const applied = exchange.apply(record);
    const published = new PublishedRecord(exchange, applied);
    const { events } = published;
    flow.observe([...events]);
    const orders = new RecordOrders(published, exchange);
    for (const event of events) if (event.kind === 'order-received') orders.receive(event);
    const messages = level3Messages(events, orders, {
      isWatched: () => true,
      termsOf: (symbol) => exchange.reference.symbol(symbol),
      fundsScaleOf: ({ quote }) => exchange.reference.currencies[quote].scale,
    });
    for (const symbol of exchange.reference.symbols()) {
      const { symbol: number, sizeDecimals } = symbol;
      const told = messages.get(number) ?? [];
      let book = books.get(number);
      if (book === undefined) {
        book = new Level3Book(sizeDecimals, { sequence: '0', bids: [], asks: [] });
        books.set(number, book);
      }
      for (const [type, members] of told) {
        kinds.set(type, (kinds.get(type) ?? 0) + 1);
        const own = JSON.parse(`{${members}}`) as Omit<Level3Message, 'type' | 'sequence'>;
        book.apply({ ...own, type, sequence: String(book.sequence + 1) });
      }
      assert.equal(book.sequence, exchange.level3.sequence(number), `seed ${seed}, record ${record.seq}`);
      const expected = shownOrders(exchange, symbol);
      assert.deepEqual(
        { bids: book.rows('buy'), asks: book.rows('sell') },
        expected,
        `seed ${seed}, record ${record.seq}, symbol ${symbol.code}`,
      );
      for (const side of ['buy', 'sell'] as const) {
        const sums = new Map<number, number>();
        for (const { price, size } of exchange.level3.orders(number, side)) {
          sums.set(price, (sums.get(price) ?? 0) + size);
        }
        const levels = exchange.depth(number, side, Infinity).map(({ price, size }) => [price, size]);
        assert.deepEqual([...sums], levels, 'orders that show sum up to the levels');
      }
    }
  }
}

test('a book built from level-3 messages equals the visible book after every record', (context) => {
  const kinds = new Map<string, number>();
  for (let seed = FIRST_SEED; seed < FIRST_SEED + worlds; seed++) runWorld(seed, kinds);
  context.diagnostic(JSON.stringify(Object.fromEntries(kinds)));
  for (const kind of ['received', 'open', 'match', 'change', 'done']) {
    assert.ok((kinds.get(kind) ?? 0) > 20, `too few of ${kind} to prove anything`);
  }
});
