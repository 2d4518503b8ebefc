import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatUnits, parseDecimal, toUnits } from '../src/values/amount.ts';
import { seeded } from '@bourse/test-kit/random.ts';

const CASES = 50_000;

test('parseDecimal: digits, and a point with digits on both sides', () => {
  const known: [text: string, digits: bigint, decimals: number][] = [
    ['0', 0n, 0],
    ['7', 7n, 0],
    ['10', 10n, 0],
    ['10.0', 10n, 0],
    ['0.50', 5n, 1],
    ['0.001', 1n, 3],
    ['007', 7n, 0],
    ['00.10', 1n, 1],
    ['0.000', 0n, 0],
    ['123.456', 123456n, 3],
    [`0.${'0'.repeat(39)}1`, 1n, 40],
    ['9'.repeat(40), 10n ** 40n - 1n, 0],
  ];
  for (const [text, digits, decimals] of known)
    assert.deepEqual(parseDecimal(text), { digits, decimals }, text);
});

test('parseDecimal: nothing else is a decimal', () => {
  const refused = [
    '',
    '.',
    '.5',
    '5.',
    '-1',
    '+1',
    '1e3',
    '1E3',
    ' 1',
    '1 ',
    '1\n',
    '\n1',
    '1.2.3',
    '1,5',
    '1_000',
  ];
  const strange = [
    '0x10',
    'NaN',
    'Infinity',
    'null',
    '１',
    '٣',
    '1.-5',
    '--1',
    '1..2',
    '0b1',
    '1n',
    '½',
    '1\u0000',
  ];
  const long = ['1'.repeat(41), `1.${'1'.repeat(41)}`, '1'.repeat(100_000)];
  for (const text of [...refused, ...strange, ...long]) {
    assert.equal(parseDecimal(text), null, JSON.stringify(text.slice(0, 50)));
  }
});

test('toUnits: exact, or null if the value has more decimals', () => {
  const units = (text: string, places: number) => {
    const decimal = parseDecimal(text);
    assert.ok(decimal !== null);
    return toUnits(decimal, places);
  };
  assert.equal(units('1.5', 8), 150_000_000n);
  assert.equal(units('1.50', 1), 15n);
  assert.equal(units('1.5', 0), null);
  assert.equal(units('0.001', 2), null);
  assert.equal(units('0.000', 0), 0n);
  assert.equal(units('1000000', 18), 10n ** 24n);
});

test('formatUnits: no trailing zeros, no exponent, a sign only below zero', () => {
  assert.equal(formatUnits(0n, 0), '0');
  assert.equal(formatUnits(0n, 18), '0');
  assert.equal(formatUnits(1n, 18), '0.000000000000000001');
  assert.equal(formatUnits(-1n, 2), '-0.01');
  assert.equal(formatUnits(-1200n, 2), '-12');
  assert.equal(formatUnits(1200n, 0), '1200');
  assert.equal(formatUnits(10n ** 30n, 2), `1${'0'.repeat(28)}`);
  assert.equal(formatUnits(105n, 1), '10.5');
});

test('units to text to units, for every number of places', (context) => {
  const random = seeded(context, 201);
  for (let i = 0; i < CASES; i++) {
    const places = random.below(19);
    const units = random.big(100);
    const text = formatUnits(units, places);
    const decimal = parseDecimal(text);
    if (decimal === null || toUnits(decimal, places) !== units) assert.fail(`${units} at ${places}: ${text}`);
    if (text.includes('.') && /[.0]$/.test(text)) assert.fail(`${text} has trailing zeros`);
    assert.equal(formatUnits(-units, places), units === 0n ? text : `-${text}`);
  }
});

test('leading and trailing zeros change nothing', (context) => {
  const random = seeded(context, 202);
  for (let i = 0; i < CASES; i++) {
    const whole = String(random.below(10 ** random.below(10)));
    const fraction = String(random.below(10 ** random.below(10)));
    const padded = `${'0'.repeat(random.below(5))}${whole}.${fraction}${'0'.repeat(random.below(5))}`;
    assert.deepEqual(parseDecimal(padded), parseDecimal(`${whole}.${fraction}`), padded);
  }
});
