// Exact decimals: no typed or displayed amount passes through a float.

import { Random } from '@bourse/test-kit/random.ts';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Decimal, formatAt, formatExact, formatRate, formatShort } from '../src/decimal/decimal.ts';

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

describe('what is shown', () => {
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
    [formatShort('0.00001234'), '0.00001234'],
    [formatShort('0.0123456'), '0.0123'],
    [formatShort('12.3456'), '12.34'],
    [formatShort('29103801.36'), '29.10 M'],
    [formatShort('12345'), '12.34 K'],
    [formatShort('1234567890123'), '1.23 T'],
  ];
  for (const [shown, expected] of cases) test(expected, () => assert.equal(shown, expected));
});
