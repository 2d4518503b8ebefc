import assert from 'node:assert/strict';
import { test } from 'node:test';
import { INTERVAL_NAMES, startOf, withTrade } from '../../../engine/src/history/candles.ts';
import { StatisticsView } from '../../src/views/market.ts';
import type { Published } from '../../../engine/src/exchange-port.ts';

const at = (text: string): number => Date.parse(text);

test('an interval begins at a round time in UTC, a week on Monday, and a month on its first day', () => {
  const time = at('2026-11-15T07:38:59.123Z');
  const starts = Object.fromEntries(
    INTERVAL_NAMES.map((name) => [name, new Date(startOf(name, time)).toISOString().slice(0, 16)]),
  );
  assert.deepEqual(starts, {
    '1min': '2026-11-15T07:38',
    '3min': '2026-11-15T07:36',
    '5min': '2026-11-15T07:35',
    '15min': '2026-11-15T07:30',
    '30min': '2026-11-15T07:30',
    '1hour': '2026-11-15T07:00',
    '2hour': '2026-11-15T06:00',
    '4hour': '2026-11-15T04:00',
    '6hour': '2026-11-15T06:00',
    '8hour': '2026-11-15T00:00',
    '12hour': '2026-11-15T00:00',
    '1day': '2026-11-15T00:00',
    '1week': '2026-11-09T00:00',
    '1month': '2026-11-01T00:00',
  });
  for (const name of INTERVAL_NAMES) {
    assert.equal(startOf(name, startOf(name, time)), startOf(name, time));
    assert.ok(startOf(name, startOf(name, time) - 1) < startOf(name, time));
  }
});

test('a trade opens a candle, moves its close, widens its range and adds to its volume', () => {
  const trades = [10, 14, 8, 12].map((price) => ({ price, size: 3 }));
  const candle = trades.reduce<ReturnType<typeof withTrade> | undefined>(
    (before, trade) => withTrade(before, 60_000, trade),
    undefined,
  );
  assert.deepEqual(candle, {
    start: 60_000,
    open: 10,
    close: 12,
    high: 14,
    low: 8,
    volume: 12n,
    turnover: 132n,
  });
  assert.deepEqual(withTrade(candle, 120_000, { price: 9, size: 1 }).open, 9);
});

test('statistics cover the last 24 hours to the minute, even after a long time without trades', () => {
  const view = new StatisticsView();
  const trade = (time: string, price: number) => {
    const event = { kind: 'trade', symbol: 2, price, size: 5 };
    view.apply({ seq: 1, time: at(time), marketEvents: [event] } as unknown as Published);
  };
  const of = (time: string) => {
    const { open, last, high, low, volume } = view.of(2, at(time));
    return [open, last, high, low, Number(volume)];
  };
  assert.deepEqual(of('2026-01-01T00:00Z'), [0, 0, 0, 0, 0]);
  trade('2026-01-01T00:00:10Z', 100);
  assert.deepEqual(of('2026-01-01T00:00:20Z'), [100, 100, 100, 100, 5]);
  trade('2026-01-01T12:00:00Z', 130);
  trade('2026-01-01T12:00:30Z', 90);
  assert.deepEqual(of('2026-01-01T13:00Z'), [100, 90, 130, 90, 15]);
  // A day after the first minute it counts as the price before, and no longer as traded.
  assert.deepEqual(of('2026-01-02T00:01Z'), [100, 90, 130, 90, 10]);
  trade('2026-01-02T00:02:00Z', 120);
  assert.deepEqual(of('2026-01-02T00:02:30Z'), [100, 120, 130, 90, 15]);
  assert.deepEqual(of('2026-01-02T12:30Z'), [90, 120, 120, 120, 5]);
  assert.deepEqual(of('2026-02-01T00:00Z'), [120, 120, 0, 0, 0]);
  trade('2026-02-01T00:00:00Z', 150);
  assert.deepEqual(of('2026-02-01T00:00Z'), [120, 150, 150, 150, 5]);
  // Slots are overwritten out of the order their minutes had.
  trade('2026-03-01T09:00:00Z', 7);
  trade('2026-03-02T08:00:00Z', 8);
  trade('2026-03-03T08:00:00Z', 9);
  trade('2026-03-03T09:00:00Z', 10);
  assert.deepEqual(of('2026-03-03T10:00Z'), [8, 10, 10, 9, 10]);
});
