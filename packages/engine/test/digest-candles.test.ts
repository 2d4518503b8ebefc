/** Imported candles are digested as rows: every bit of every member counts. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Applied, CandlesImported, ImportedCandle } from '@bourse/core';
import { Digest } from '../src/digest.ts';

const CANDLE: ImportedCandle = {
  start: 60_000,
  open: 5,
  close: 6,
  high: 7,
  low: 4,
  volume: 2n ** 70n + 1n,
  turnover: 5n * 2n ** 70n,
};

const NOTHING = { rows: new Float64Array(0), objects: [] };

function digestOf(...events: readonly CandlesImported[]): string {
  const digest = new Digest();
  const applied = { events: { written: { ...NOTHING, objects: events } }, outcomes: { written: NOTHING } };
  digest.add(1, { ...applied, finished: [] } as unknown as Applied);
  return digest.text;
}

const event = (candles: readonly ImportedCandle[], more: Partial<CandlesImported> = {}): CandlesImported => ({
  kind: 'candles-imported',
  symbol: 1,
  interval: '1min',
  candles,
  ...more,
});

test('a difference in one member of one candle, however small, gives another digest', () => {
  const changed: readonly ImportedCandle[] = [
    { ...CANDLE, start: 120_000 },
    { ...CANDLE, open: 4 },
    { ...CANDLE, close: 5 },
    { ...CANDLE, high: 8 },
    { ...CANDLE, low: 3 },
    { ...CANDLE, volume: CANDLE.volume + 1n },
    { ...CANDLE, volume: CANDLE.volume + 2n ** 72n },
    { ...CANDLE, turnover: CANDLE.turnover - 1n },
    { ...CANDLE, turnover: CANDLE.turnover + 2n ** 64n },
  ];
  const digests = [
    digestOf(event([CANDLE])),
    digestOf(event([CANDLE, CANDLE])),
    digestOf(event([])),
    digestOf(event([CANDLE], { symbol: 2 })),
    digestOf(event([CANDLE], { interval: '1hour' })),
    digestOf(event([CANDLE]), event([CANDLE])),
    ...changed.map((candle) => digestOf(event([candle]))),
  ];
  assert.equal(new Set(digests).size, digests.length);
});

test('the order of members, which depends on the caller, does not change the digest', () => {
  const { turnover, volume, low, high, close, open, start } = CANDLE;
  const other = { turnover, volume, low, high, close, open, start };
  assert.equal(digestOf(event([other])), digestOf(event([CANDLE])));
});
