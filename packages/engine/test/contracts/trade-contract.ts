/** Single trades in history. */

import assert from 'node:assert/strict';
import { BASE, QUOTE, TradeWriter } from '../history/history-world.ts';
import type { HistoryReader, HistoryWriter } from '../../src/history/history.ts';

interface Both {
  readonly writer: HistoryWriter;
  readonly reader: HistoryReader;
}

export function checkOneTrade({ writer, reader }: Both): void {
  const trades = new TradeWriter();
  const record = trades.trade(25, 4, 3n, 500n, 'my-order');
  writer.write([trades.opening, record]);
  const [resting, incoming] = record.done;
  assert.deepEqual(reader.order(incoming.order), { id: 2, ...incoming });
  assert.deepEqual(reader.orderByClientId(1, 'my-order'), { id: 2, ...incoming });
  assert.equal(reader.orderByClientId(1, 'my-order', record.time + 1), null);
  assert.equal(reader.orderByClientId(2, 'my-order'), null);
  assert.deepEqual(reader.orders({ user: 2, limit: 5 }), [{ id: 1, ...resting }]);
  const common = { seq: 2, time: record.time, symbol: 7, trade: 1 };
  const fill = { ...common, price: 25, size: 4, funds: 100n, fee: 3n };
  assert.deepEqual(reader.fills({ user: 1, order: incoming.order, limit: 5 }), [
    {
      ...fill,
      id: 1,
      order: incoming.order,
      counterOrder: resting.order,
      user: 1,
      side: 'buy',
      type: 'market',
      feeRate: 200_000,
      liquidity: 'taker',
    },
  ]);
  assert.deepEqual(reader.fills({ user: 1, order: resting.order, limit: 5 }), [], "nobody else's fills");
  assert.deepEqual(reader.fills({ user: 2, limit: 5 }), [
    {
      ...fill,
      id: 2,
      order: resting.order,
      counterOrder: incoming.order,
      user: 2,
      side: 'sell',
      type: 'limit',
      feeRate: 100_000,
      liquidity: 'maker',
    },
  ]);
  const entry = { ...common, account: 'trade', cause: 'trade', reference: 0, balance: 500n };
  const bought = { ...entry, user: 1, order: incoming.order };
  const sold = { ...entry, user: 2, order: resting.order };
  assert.deepEqual(reader.ledger({ user: 1, limit: 5, ascending: true }), [
    { ...bought, id: 1, currency: QUOTE, change: -103n, fee: 3n },
    { ...bought, id: 2, currency: BASE, change: 4n, fee: 0n },
  ]);
  assert.deepEqual(reader.ledger({ user: 2, limit: 5, ascending: true }), [
    { ...sold, id: 3, currency: BASE, change: -4n, fee: 0n },
    { ...sold, id: 4, currency: QUOTE, change: 97n, fee: 3n },
  ]);
}

export function checkAmounts({ writer, reader }: Both): void {
  const trades = new TradeWriter();
  const edges = [2n ** 53n, 2n ** 63n - 1n, 2n ** 63n, 2n ** 64n, 2n ** 99n + 1n, 2n ** 100n];
  const size = 2 ** 50 - 1;
  const records = edges.map((edge) => trades.trade(size, size, edge, edge));
  writer.write([trades.opening, ...records]);
  const funds = BigInt(size) ** 2n;
  for (const [at, edge] of edges.entries()) {
    const [resting, incoming] = records[at].done;
    assert.deepEqual(reader.order(resting.order), { id: at * 2 + 1, ...resting });
    assert.deepEqual(reader.order(incoming.order), { id: at * 2 + 2, ...incoming });
    const [fill] = reader.fills({ user: 2, order: resting.order, limit: 1 });
    assert.deepEqual([fill.fee, fill.funds], [edge, funds]);
    const [got] = reader.ledger({ user: 2, currency: QUOTE, limit: 1, after: at * 4 + 5 });
    assert.deepEqual([got.change, got.fee, got.balance], [funds - edge, edge, edge]);
  }
}
