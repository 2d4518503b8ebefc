import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { addToCandles, CandleReader, putCandles } from '../../../src/history/sqlite/candles.ts';
import { openForWriting } from '../../../src/history/sqlite/database.ts';

const START = 1_767_225_600_000;
const MINUTE_MS = 60_000;
const FILTER = { symbol: 3, interval: '1min', from: 0, until: START + MINUTE_MS, limit: 10 } as const;

test('amounts of candles are exact at any size, when imported and after trades are added', (context) => {
  const db = openForWriting(`${makeDirectory(context)}/history.db`, (each) => each);
  context.after(() => db.close());
  const prices = { open: 2 ** 49, close: 2 ** 49 + 1, high: 2 ** 49 + 3, low: 2 ** 49 - 1 };
  const small = { start: START, ...prices, volume: 7n, turnover: 2n ** 63n - 1n };
  const large = { start: START + MINUTE_MS, ...prices, volume: 2n ** 79n + 1n, turnover: 2n ** 129n + 1n };
  putCandles(db, { kind: 'candles-imported', symbol: 3, interval: '1min', candles: [small, large] });
  const reader = new CandleReader(db);
  assert.deepEqual(reader.candles(FILTER), [large, small]);
  const price = 2 ** 49 + 2;
  addToCandles(db, [{ symbol: 3, trade: 1, price, size: 5, side: 'buy', time: large.start + 1 }]);
  assert.deepEqual(reader.candles({ ...FILTER, limit: 1 }), [
    { ...large, close: price, volume: large.volume + 5n, turnover: large.turnover + 5n * BigInt(price) },
  ]);
});
