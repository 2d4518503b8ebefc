// The chart's indicators against values computed by hand.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Candle } from '@bourse/client';
import { olderThan } from '../src/terminal/chart/chart-types.ts';
import {
  bollinger,
  ema,
  macd,
  rsi,
  sessionOf,
  sma,
  volumeProfile,
  vwap,
} from '../src/terminal/chart/tools/indicators.ts';

test('older candles that were loaded twice appear once', () => {
  const candle = (start: number): Candle => [String(start), '1', '1', '1', '1', '1', '1'];
  assert.deepEqual(olderThan([1, 2, 3].map(candle), [2, 3, 4].map(candle)), [candle(1)]);
  assert.deepEqual(olderThan([1, 2].map(candle), []), [1, 2].map(candle));
});

const rounded = (values: readonly (number | null)[]): (number | null)[] =>
  values.map((value) => (value === null ? null : Math.round(value * 1e6) / 1e6));

const bar = (time: number, open: number, high: number, low: number, close: number, volume: number) => ({
  time,
  open,
  high,
  low,
  close,
  volume,
});

test('a simple average covers the last values, and is missing if there are too few', () => {
  assert.deepEqual(sma([2, 4, 6, 8, 4], 3), [null, null, 4, 6, 6]);
  assert.deepEqual(sma([1], 3), [null]);
  assert.deepEqual(sma([], 3), []);
});

test('an exponential average begins with the simple one', () => {
  // Weight 1/2: (2 + 4 + 6) / 3 = 4; 4 + (8 - 4) / 2 = 6; 6 + (4 - 6) / 2 = 5.
  assert.deepEqual(rounded(ema([2, 4, 6, 8, 4], 3)), [null, null, 4, 6, 5]);
  assert.deepEqual(rounded(ema([null, 2, 4, 6, 8], 3)), [null, null, null, 4, 6]);
});

test('Bollinger bands are standard deviations of the population around the average', () => {
  // Of 2, 4, 6: mean 4, variance (4 + 0 + 4) / 3, twice its root 3.265986.
  const { middle, upper, lower } = bollinger([2, 4, 6, 6, 6], 3, 2);
  assert.deepEqual(rounded(middle), [null, null, 4, 5.333333, 6]);
  assert.deepEqual(rounded(upper), [null, null, 7.265986, 7.218951, 6]);
  assert.deepEqual(rounded(lower), [null, null, 0.734014, 3.447715, 6]);
});

test('the relative strength index after Wilder', () => {
  // Changes +1, +1, -1, +2 with period 2: averages of gain 1 and loss 0: 100; then 0.5 and 0.5: 50; then 1.25 and
  // 0.25: 83.333333.
  assert.deepEqual(rounded(rsi([10, 11, 12, 11, 13], 2)), [null, null, 100, 50, 83.333333]);
  assert.deepEqual(rsi([5, 5, 5], 2), [null, null, 50]);
});

test('MACD is the difference of two averages, and its signal their average', () => {
  // EMA 2: 1.5, 2.5, 3.5, then 3.5 + (1 - 3.5) * 2/3 = 1.833333. EMA 3: 2, 3, 2. Difference: 0.5, 0.5, -0.166667.
  // Signal of 2: 0.5, then 0.5 + (-0.166667 - 0.5) * 2/3 = 0.055556.
  const { line, signal, histogram } = macd([1, 2, 3, 4, 1], 2, 3, 2);
  assert.deepEqual(rounded(line), [null, null, 0.5, 0.5, -0.166667]);
  assert.deepEqual(rounded(signal), [null, null, null, 0.5, 0.055556]);
  assert.deepEqual(rounded(histogram), [null, null, null, 0, -0.222222]);
});

test('the volume-weighted average restarts with each session', () => {
  const day = 86_400;
  const bars = [
    bar(day, 9, 12, 9, 9, 1), // typical price 10
    bar(day + 60, 15, 21, 18, 21, 3), // 20: (10 + 60) / 4
    bar(2 * day, 5, 6, 3, 6, 0), // no trades yet in the new session
    bar(2 * day + 60, 5, 6, 3, 6, 2), // 5
  ];
  assert.deepEqual(vwap(bars, sessionOf(60)), [10, 17.5, null, 5]);
  assert.deepEqual(rounded(vwap(bars, sessionOf(day))), [10, 17.5, 17.5, 13.333333]);
});

test('a volume profile spreads each candle over the prices that it reached', () => {
  const bars = [
    bar(0, 0, 4, 0, 4, 8), // up, two of each unit of price
    bar(60, 3, 3, 1, 1, 6), // down, three of each unit of price
    bar(120, 2, 2, 2, 2, 5), // one price only
  ];
  assert.deepEqual(volumeProfile(bars, 4), [
    { from: 0, to: 1, up: 2, down: 0 },
    { from: 1, to: 2, up: 2, down: 3 },
    { from: 2, to: 3, up: 7, down: 3 },
    { from: 3, to: 4, up: 2, down: 0 },
  ]);
  assert.deepEqual(volumeProfile([bar(0, 5, 5, 5, 5, 2)], 4), [{ from: 5, to: 5, up: 2, down: 0 }]);
  assert.deepEqual(volumeProfile([], 4), []);
});
