/** Candles in every history: folded from the trades, however they were batched. */

import assert from 'node:assert/strict';
import type { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { INTERVAL_NAMES, type Interval } from '../../src/history/candles.ts';
import type { HistoryReader, HistoryWriter } from '../../src/history/history.ts';
import { TradeWriter } from '../history/history-world.ts';

interface Reopenable {
  readonly writer: HistoryWriter;
  readonly reader: HistoryReader;
  reopen(): Reopenable;
}

export function checkCandles(reader: HistoryReader, model: MemoryHistory): void {
  for (const symbol of new Set(model.tradeRows.map((row) => row.symbol))) {
    for (const interval of INTERVAL_NAMES) {
      const filter = { symbol, interval, from: 0, until: 1e15, limit: 20 };
      assert.deepEqual(reader.candles(filter), model.candles(filter), `symbol ${symbol}, ${interval}`);
    }
  }
}

/** Even across writes and a restart; daily candles stay when minutes are pruned. */
export function checkFolding(first: Reopenable): void {
  const trades = new TradeWriter();
  const records = [trades.opening, ...Array.from({ length: 40 }, (_, i) => trades.trade(10 + i, 10, 1n, 1n))];
  first.writer.write(records.slice(0, 17));
  for (const record of records.slice(17)) first.writer.write([record]);
  const { reader, writer } = first.reopen();
  const ask = (interval: Interval) =>
    reader.candles({ symbol: 7, interval, from: 0, until: 1e15, limit: 100 });
  const [month] = ask('1month');
  assert.deepEqual([month.open, month.close, month.high, month.low, month.volume], [10, 49, 49, 10, 400n]);
  assert.equal(
    ask('1min').reduce((sum, candle) => sum + candle.volume, 0n),
    400n,
  );
  assert.equal(
    month.turnover,
    ask('1min').reduce((sum, candle) => sum + candle.turnover, 0n),
  );
  while (writer.prune(1e15));
  assert.deepEqual(ask('1month'), [month]);
  assert.deepEqual(ask('1min'), []);
}
