import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatUnits, parseDecimal, toUnits } from '@bourse/core';
import {
  formatMoney,
  formatSmall,
  INEXPRESSIBLE,
  isDecimal,
  MALFORMED,
  moneyOf,
  nearestMultiples,
  unitsOf,
} from '../../src/gateway/decimals.ts';

test('a decimal is digits, with at most one point that has digits on both sides', () => {
  for (const text of ['0', '1', '007', '0.1', '10.0', '0.0000001', '9'.repeat(40), `0.${'1'.repeat(39)}`]) {
    assert.ok(isDecimal(text), text);
  }
  const wrong = [
    '',
    '.',
    '1.',
    '.5',
    '1..2',
    '1.2.3',
    '-1',
    '+1',
    '1e5',
    '1E5',
    ' 1',
    '1 ',
    '1,5',
    '0x1',
    'NaN',
  ];
  wrong.push(
    'Infinity',
    '１',
    '1_000',
    '\u00001',
    '9'.repeat(41),
    `0.${'1'.repeat(40)}`,
    `${'0'.repeat(41)}`,
  );
  for (const text of wrong) {
    assert.equal(unitsOf(text, 8), MALFORMED, text);
    assert.equal(moneyOf(text, 8), MALFORMED, text);
  }
});

test('a value finer than the unit, or of 2^50 units, is rejected', () => {
  assert.equal(unitsOf('0.1', 1), 1);
  assert.equal(unitsOf('0.10000', 1), 1);
  assert.equal(unitsOf('0.11', 1), INEXPRESSIBLE);
  assert.equal(unitsOf('1.00000000000000000001', 8), INEXPRESSIBLE);
  assert.equal(unitsOf(String(2 ** 50 - 1), 0), 2 ** 50 - 1);
  assert.equal(unitsOf(String(2 ** 50), 0), INEXPRESSIBLE);
  assert.equal(unitsOf('112589990684.2623', 4), 2 ** 50 - 1);
  assert.equal(unitsOf('112589990684.2624', 4), INEXPRESSIBLE);
  assert.equal(unitsOf('9'.repeat(40), 18), INEXPRESSIBLE);
  assert.equal(moneyOf('0.0000000000001', 12), INEXPRESSIBLE);
  assert.equal(moneyOf('9'.repeat(40), 0), INEXPRESSIBLE);
  assert.equal(moneyOf('1267650600228229401496703205375', 0), 2n ** 100n - 1n);
  assert.equal(moneyOf('1267650600228229401496703205376', 0), INEXPRESSIBLE);
});

test('text to units and back is exact for every number of decimals', () => {
  let state = 12_345;
  const below = (end: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
  let expressible = 0;
  for (let i = 0; i < 50_000; i++) {
    const whole =
      String(below(10) < 3 ? 0 : below(10 ** (1 + below(9)))) + (below(4) ? '' : String(below(10 ** 8)));
    const fraction = Array.from({ length: below(20) }, () => (below(3) ? below(10) : 0)).join('');
    const text = fraction ? `${whole}.${fraction}` : whole;
    const decimals = below(19);
    const exact = toUnits(parseDecimal(text)!, decimals);
    const units = unitsOf(text, decimals);
    if (exact === null || exact >= 2n ** 50n) assert.equal(units, INEXPRESSIBLE, `${text} ${decimals}`);
    else {
      expressible += 1;
      assert.equal(BigInt(units), exact, `${text} ${decimals}`);
      assert.equal(formatSmall(units, decimals), formatUnits(exact, decimals), `${text} ${decimals}`);
    }
    const money = moneyOf(text, decimals);
    assert.equal(money, exact === null || exact >= 2n ** 100n ? INEXPRESSIBLE : exact, `${text} ${decimals}`);
    if (typeof money === 'bigint') assert.equal(formatMoney(money, decimals), formatUnits(money, decimals));
  }
  assert.ok(expressible > 5000, `only ${expressible}`);
});

test('the nearest multiples are exact, and there is none below the first', () => {
  assert.deepEqual(nearestMultiples('100.05', '0.1'), { below: '100', above: '100.1' });
  assert.deepEqual(nearestMultiples('0.05', '0.1'), { below: '', above: '0.1' });
  assert.deepEqual(nearestMultiples('0', '0.1'), { below: '', above: '0.1' });
  assert.deepEqual(nearestMultiples('0.00000000000000000001', '10'), { below: '', above: '10' });
  assert.deepEqual(nearestMultiples('15', '10'), { below: '10', above: '20' });
  assert.equal(nearestMultiples('20.00', '10'), null);
  const large = '1234567890123456789012345678901234567.5';
  assert.deepEqual(nearestMultiples(large, '1'), {
    below: large.slice(0, -2),
    above: `${large.slice(0, -3)}8`,
  });
});
