import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Amount, AMOUNT_MAX, RATE_ONE, toBigInt, UNITS_END } from '../src/values/amount.ts';
import { type Random, seeded } from '@bourse/test-kit/random.ts';

const CASES = 200_000;
const LIMB = 2 ** 48;
const RATE_ONE_BIG = BigInt(RATE_ONE);

const amountOf = (value: bigint): Amount => {
  const amount = new Amount();
  amount.setBigInt(value);
  return amount;
};

/** The value is as expected, in its canonical form: equal amounts have equal numbers. */
function check(amount: Amount, expected: bigint, what: () => string): void {
  const { hi, lo } = amount;
  const value = (BigInt(hi) << 48n) + BigInt(lo);
  if (value !== expected) assert.fail(`${what()}: ${value} and not ${expected}`);
  const isWritten = Number.isInteger(hi) && Number.isInteger(lo) && lo >= 0 && lo < LIMB;
  if (!isWritten || Object.is(hi, -0) || Object.is(lo, -0)) assert.fail(`${what()}: hi ${hi}, lo ${lo}`);
}

const signed = (random: Random, bits: number): bigint => {
  const value = random.big(bits);
  return random.chance(0.4) ? -value : value;
};

test('bigint in and out, load and store, copy and clear', (context) => {
  const random = seeded(context, 101);
  const row = new Float64Array(8);
  for (let i = 0; i < CASES; i++) {
    const value = signed(random, 100);
    const what = () => `${value}`;
    const amount = amountOf(value);
    check(amount, value, what);
    if (amount.toBigInt() !== value || toBigInt(amount.hi, amount.lo) !== value) assert.fail(what());
    if (amount.isZero() !== (value === 0n)) assert.fail(`${value} is zero: ${amount.isZero()}`);
    const at = random.below(7);
    amount.store(row, at);
    const other = new Amount();
    other.load(row, at);
    check(other, value, what);
    other.clear();
    check(other, 0n, what);
    other.copy(amount);
    amount.clear();
    check(other, value, what);
  }
});

test('bigints around the bounds of 64 and 32 bits are exact', () => {
  const edges = [15, 16, 31, 32, 33, 47, 48, 49, 62, 63, 64, 79, 80, 99].map((bits) => 1n << BigInt(bits));
  for (const edge of edges) {
    for (const value of [edge - 2n, edge - 1n, edge, edge + 1n, edge + 2n]) {
      for (const either of [value, -value]) {
        const { hi, lo } = amountOf(either);
        assert.equal(toBigInt(hi, lo), either);
      }
    }
  }
});

test('add and subtract, of either sign', (context) => {
  const random = seeded(context, 102);
  let carried = 0;
  for (let i = 0; i < CASES; i++) {
    const a = signed(random, 100);
    // Sometimes the exact opposite, so that sums of zero and borrows across the limb happen.
    const near = a + BigInt(random.range(-2, 2));
    const isNear = near <= AMOUNT_MAX && near >= -AMOUNT_MAX && random.chance(0.1);
    const b = random.chance(0.1) ? -a : isNear ? near : signed(random, 100);
    const amount = amountOf(a);
    const other = amountOf(b);
    if (amount.lo + other.lo >= LIMB) carried++;
    amount.add(other);
    check(amount, a + b, () => `${a} + ${b}`);
    check(other, b, () => 'the other stays');
    amount.subtract(other);
    check(amount, a, () => `${a} + ${b} - ${b}`);
    amount.subtract(other);
    check(amount, a - b, () => `${a} - ${b}`);
  }
  assert.ok(carried > CASES / 100, `only ${carried} carries`);
});

test('an amount can be added to and subtracted from itself', () => {
  for (const value of [0n, 1n, -1n, 2n ** 47n, 2n ** 48n - 1n, 2n ** 99n - 1n, -(2n ** 99n) + 1n]) {
    const amount = amountOf(value);
    amount.add(amount);
    check(amount, 2n * value, () => `${value} doubled`);
    amount.subtract(amount);
    check(amount, 0n, () => `${value} less itself`);
  }
});

test('addTo and subtractFrom change an amount in an array, and never produce -0', (context) => {
  const random = seeded(context, 103);
  const array = new Float64Array(4);
  const there = new Amount();
  for (let i = 0; i < CASES; i++) {
    const a = signed(random, 99);
    const b = random.chance(0.1) ? a : signed(random, 99);
    const amount = amountOf(b);
    amountOf(a).store(array, 1);
    amount.subtractFrom(array, 1);
    there.load(array, 1);
    check(there, a - b, () => `${a} - ${b}`);
    amount.addTo(array, 1);
    there.load(array, 1);
    check(there, a, () => `${a} - ${b} + ${b}`);
    check(amount, b, () => 'the amount stays');
  }
  assert.deepEqual([array[0], array[3]], [0, 0]);
});

test('compare: above is above, and the order is total', (context) => {
  const random = seeded(context, 104);
  let equal = 0;
  for (let i = 0; i < CASES; i++) {
    const a = signed(random, 100);
    const b = random.chance(0.3) ? a + BigInt(random.range(-1, 1)) : signed(random, 100);
    if (a === b) equal++;
    const left = amountOf(a);
    const right = amountOf(b);
    if (left.isAbove(right) !== a > b || right.isAbove(left) !== b > a) assert.fail(`${a} above ${b}`);
  }
  assert.ok(equal > CASES / 100, `only ${equal} equal pairs`);
});

test('setProduct: every product of two numbers below 2^50', (context) => {
  const random = seeded(context, 105);
  const amount = new Amount();
  let wide = 0;
  for (let i = 0; i < CASES; i++) {
    const a = random.units(50);
    // Half of the time so that the product is close to the end of what a double holds.
    const near = a > 8 && random.chance(0.5) ? Math.floor(2 ** 53 / a) + random.range(-1, 1) : UNITS_END;
    const b = near < UNITS_END ? Math.max(near, 0) : random.units(50);
    if (a * b > Number.MAX_SAFE_INTEGER) wide++;
    amount.setProduct(a, b);
    check(amount, BigInt(a) * BigInt(b), () => `${a} * ${b}`);
  }
  assert.ok(wide > CASES / 5, `only ${wide} wide products`);
  amount.setProduct(UNITS_END - 1, UNITS_END - 1);
  check(amount, (2n ** 50n - 1n) ** 2n, () => 'the largest product');
  assert.ok(amount.toBigInt() < AMOUNT_MAX);
});

test('multiplyBySmall: factors 0 to 1000, even of negative amounts', (context) => {
  const random = seeded(context, 106);
  const end = 1n << 101n;
  let large = 0;
  for (let i = 0; i < CASES; i++) {
    const factor = random.chance(0.3) ? random.pick([0, 1, 2, 10, 100, 999, 1000]) : random.below(1001);
    const value = signed(random, random.pick([20, 50, 90, 100]));
    const product = value * BigInt(factor);
    if (product >= end || product <= -end) continue;
    if (product > 1n << 90n) large++;
    const amount = amountOf(value);
    amount.multiplyBySmall(factor);
    // A negative `hi` must not leave -0 behind.
    check(amount, product, () => `${value} * ${factor}`);
  }
  assert.ok(large > CASES / 50, `only ${large} large products`);
});

test('divideFloor: rounds down, and stops at the end of the units', (context) => {
  const random = seeded(context, 107);
  let stopped = 0;
  for (let i = 0; i < CASES; i++) {
    const divisor = Math.max(1, random.units(50));
    const quotient = BigInt(random.units(random.pick([20, 50])));
    // Around a multiple of the divisor, where a wrong rounding would show.
    const near = quotient * BigInt(divisor) + BigInt(random.range(-1, 1));
    const value = random.chance(0.6) && near >= 0n ? near : random.big(100);
    const exact = value / BigInt(divisor);
    const expected = exact > BigInt(UNITS_END) ? UNITS_END : Number(exact);
    if (expected === UNITS_END) stopped++;
    const amount = amountOf(value);
    const found = amount.divideFloor(divisor);
    if (found !== expected) assert.fail(`${value} / ${divisor}: ${found} and not ${expected}`);
    check(amount, value, () => 'what is divided stays');
  }
  assert.ok(stopped > CASES / 100, `only ${stopped} beyond the end`);
});

const SPECIAL_RATES = [
  0,
  1,
  2,
  3,
  99_999,
  100_000,
  333_333,
  2 ** 24,
  2 ** 26,
  RATE_ONE / 2,
  RATE_ONE - 1,
  RATE_ONE,
];
const SPECIAL_SLACKS = [0, 1, 2, RATE_ONE / 2, RATE_ONE - 2, RATE_ONE - 1];

test('setFee: rounded up once, for every rate and slack', (context) => {
  const random = seeded(context, 108);
  const fee = new Amount();
  let slow = 0;
  let free = 0;
  for (let i = 0; i < CASES; i++) {
    const value = random.big(random.pick([10, 40, 60, 76, 100]));
    const rate = random.chance(0.5) ? random.pick(SPECIAL_RATES) : random.below(RATE_ONE + 1);
    const slack = random.chance(0.5) ? random.pick(SPECIAL_SLACKS) : random.below(RATE_ONE);
    const funds = amountOf(value);
    const left = fee.setFee(funds, rate, slack);
    const exact = value * BigInt(rate) - BigInt(slack);
    // The fee would be negative: nothing is charged, and the slack shrinks.
    const expected = exact <= 0n ? 0n : (exact + RATE_ONE_BIG - 1n) / RATE_ONE_BIG;
    const what = () => `fee on ${value} at ${rate} with slack ${slack}`;
    check(fee, expected, what);
    const expectedLeft = Number(expected * RATE_ONE_BIG - exact);
    if (left !== expectedLeft || Object.is(left, -0))
      assert.fail(`${what()}: slack ${left}, not ${expectedLeft}`);
    if (left < 0 || left >= RATE_ONE) assert.fail(`${what()}: slack ${left} is no slack`);
    if (value >= 1n << 74n) slow++;
    if (exact < 0n) free++;
  }
  assert.ok(slow > CASES / 20 && free > CASES / 50, `${slow} large funds, ${free} paid by the slack alone`);
});

test('setFee: funds and rates around every edge of the long division', () => {
  const fee = new Amount();
  const edges = [0n, 24n, 26n, 27n, 48n, 53n, 72n, 73n, 74n, 75n, 99n].map((bits) => 1n << bits);
  let cases = 0;
  for (const edge of edges) {
    for (const rate of SPECIAL_RATES) {
      // Funds whose exact fee is closest to an integer, from both sides.
      const step = rate === 0 ? 1n : RATE_ONE_BIG / BigInt(rate) + 1n;
      for (const value of [edge - 1n, edge, edge + 1n, edge + step - 1n, edge + step, edge + step + 1n]) {
        for (const slack of SPECIAL_SLACKS) {
          const left = fee.setFee(amountOf(value), rate, slack);
          const exact = value * BigInt(rate) - BigInt(slack);
          const expected = exact <= 0n ? 0n : (exact + RATE_ONE_BIG - 1n) / RATE_ONE_BIG;
          check(fee, expected, () => `fee on ${value} at ${rate} with slack ${slack}`);
          assert.equal(BigInt(left), expected * RATE_ONE_BIG - exact);
          cases++;
        }
      }
    }
  }
  assert.ok(cases > 4000, `${cases} cases`);
});
