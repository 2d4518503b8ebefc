// Exact decimals: no typed or displayed amount passes through a float.

import { Random } from '@bourse/test-kit/random.ts';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  Decimal,
  formatAt,
  formatExact,
  formatFeeRate,
  formatRate,
  formatShort,
  readPasted,
} from '../src/decimal/decimal.ts';
import { candleStart } from '../src/terminal/chart/chart-types.ts';

const decimal = (text: string): Decimal => Decimal.of(text);

test('a text that the exchange rejects is not a decimal', () => {
  for (const text of ['', '.', '-1', '+1', '1e3', ' 1', '1 ', '1,000', '0x1', '1.2.3', '9'.repeat(41)]) {
    assert.equal(Decimal.parse(text), null, text);
  }
  for (const text of ['0', '1', '1.', '.5', '0.00000001', '9'.repeat(40)]) {
    assert.notEqual(Decimal.parse(text), null, text);
  }
});

test('sums and products are exact where a float is not', () => {
  assert.equal(decimal('0.1').plus(decimal('0.2')).toString(), '0.3');
  assert.equal(decimal('0.1').minus(decimal('0.3')).toString(), '-0.2');
  assert.equal(decimal('99999999.99999999').times(decimal('1.001')).toString(), '100099999.99999998999');
  assert.equal(decimal('1').dividedBy(decimal('3'), 8).toString(), '0.33333333');
  assert.equal(decimal('10').dividedBy(decimal('0.004'), 0).toString(), '2500');
});

test('random decimals keep the laws of arithmetic', (context) => {
  const seed = 20_261_116;
  context.diagnostic(`seed ${seed}`);
  const random = new Random(seed);
  const some = (): Decimal => new Decimal(random.big(90), random.below(13));
  const step = (): Decimal => new Decimal(random.big(40) + 1n, random.below(9));
  for (let round = 0; round < 2_000; round++) {
    const [a, b, c] = [some(), some(), step()];
    assert.equal(a.plus(b).minus(b).compare(a), 0);
    assert.equal(Decimal.of(a.toString()).compare(a), 0);
    assert.equal(a.times(c).dividedBy(c, a.scale).compare(a), 0);
    const [floor, ceil] = [a.floorTo(c), a.ceilTo(c)];
    assert.ok(floor.isMultipleOf(c) && ceil.isMultipleOf(c));
    assert.ok(floor.compare(a) <= 0 && a.compare(ceil) <= 0);
    assert.ok(ceil.minus(floor).compare(c) <= 0);
  }
});

describe('formatting', () => {
  const cases: readonly (readonly [shown: string, expected: string])[] = [
    [formatExact('1234567.000100'), '1,234,567.000100'],
    [formatExact('-1234.5'), '-1,234.5'],
    [formatExact('999'), '999'],
    [formatExact(''), '–'],
    [formatExact(null), '–'],
    [formatAt('100.1', '0.01'), '100.10'],
    [formatAt('100.129', '0.01'), '100.12'],
    [formatRate('0.0123'), '+1.23 %'],
    [formatRate('-0.012'), '−1.20 %'],
    [formatRate('0'), '0.00 %'],
    [formatFeeRate('0.00075'), '0.075 %'],
    [formatFeeRate('0.001'), '0.1 %'],
    [formatFeeRate('0.00004'), '0.004 %'],
    [formatShort('0.00001234'), '0.00001234'],
    [formatShort('0.0123456'), '0.0123'],
    [formatShort('12.3456'), '12.34'],
    [formatShort('29103801.36'), '29.10 M'],
    [formatShort('12345'), '12.34 K'],
    [formatShort('1234567890123'), '1.23 T'],
  ];
  for (const [shown, expected] of cases) test(expected, () => assert.equal(shown, expected));
});

describe('parsing of pasted text', () => {
  const cases: readonly (readonly [pasted: string, read: string])[] = [
    ['90,000.5', '90000.5'],
    ['90.000,5', '90000.5'],
    ['1,234,567', '1234567'],
    ['1 234', '1234'],
    [' 12.5 ', '12.5'],
    // These have two readings, or one that is a thousand times too large.
    ['0,125', '0,125'],
    ['1,234', '1,234'],
    ['0.001,5', '0.001,5'],
  ];
  for (const [pasted, read] of cases) test(pasted, () => assert.equal(readPasted(pasted), read));
});

test('a fill belongs to the candle that contains it; weeks begin on Monday', () => {
  const at = (iso: string): number => Date.parse(iso) / 1000;
  const [hour, week] = [3_600, 7 * 86_400];
  assert.equal(candleStart(at('2026-11-19T13:59:59Z'), hour), at('2026-11-19T13:00:00Z'));
  for (const day of ['2026-11-16T00:00:00Z', '2026-11-19T12:00:00Z', '2026-11-22T23:59:59Z']) {
    assert.equal(candleStart(at(day), week), at('2026-11-16T00:00:00Z'), day);
  }
});
