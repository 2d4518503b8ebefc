/**
 * Decimals of requests and responses. A decimal is converted directly between its text and an integer in the symbol's
 * or currency's units; no float ever holds a fraction. At most 40 digits, one point with digits on both sides; no
 * sign, no exponent, no spaces.
 */

import { formatUnits, parseDecimal, toUnits, UNITS_END } from '@bourse/core';

/** The text is not a decimal. */
export const MALFORMED = -1;
/** A decimal with more places than the unit, or larger than the core's integers. */
export const INEXPRESSIBLE = -2;

const DIGITS_MAX = 40;
/** Money stays below this many units. */
const FUNDS_END = 1n << 100n;
const POWERS = Float64Array.from({ length: 19 }, (_, exponent) => 10 ** exponent);
const ZEROS = '0'.repeat(DIGITS_MAX);

const ZERO = 48;
const NINE = 57;
const POINT = 46;

/** A price or size in units of 10^-decimals, or MALFORMED or INEXPRESSIBLE. */
export function unitsOf(text: string, decimals: number): number {
  const { length } = text;
  let units = 0;
  let point = -1;
  let isFiner = false;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code >= ZERO && code <= NINE) {
      // Beyond 2^53 the sum is inexact, but then it is far above the largest allowed value and stays there.
      if (point < 0 || i - point <= decimals) units = units * 10 + (code - ZERO);
      else if (code !== ZERO) isFiner = true;
    } else if (code === POINT && point < 0 && i > 0 && i < length - 1) point = i;
    else return MALFORMED;
  }
  if (length === 0 || length - (point < 0 ? 0 : 1) > DIGITS_MAX) return MALFORMED;
  const places = point < 0 ? 0 : Math.min(length - 1 - point, decimals);
  units *= POWERS[decimals - places];
  return isFiner || units >= UNITS_END ? INEXPRESSIBLE : units;
}

/** Money in units of 10^-scale, or MALFORMED or INEXPRESSIBLE. */
export function moneyOf(text: string, scale: number): bigint | typeof MALFORMED | typeof INEXPRESSIBLE {
  const small = unitsOf(text, scale);
  if (small >= 0) return BigInt(small);
  if (small === MALFORMED) return MALFORMED;
  const decimal = parseDecimal(text);
  const units = decimal && toUnits(decimal, scale);
  return units === null || units >= FUNDS_END ? INEXPRESSIBLE : units;
}

export const isDecimal = (text: string): boolean => unitsOf(text, 0) !== MALFORMED;

/** Units as people write them: no trailing zeros, no exponent. Below 2^53. */
export function formatSmall(units: number, decimals: number): string {
  if (units === 0) return '0';
  let digits = String(units);
  if (decimals === 0) return digits;
  if (digits.length <= decimals) digits = ZEROS.slice(0, decimals + 1 - digits.length) + digits;
  let end = digits.length;
  const point = end - decimals;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end--;
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
}

export function formatMoney(units: bigint, scale: number): string {
  return units >= 0n && units <= Number.MAX_SAFE_INTEGER
    ? formatSmall(Number(units), scale)
    : formatUnits(units, scale);
}

/** The nearest multiples of an increment around a decimal, as decimals; `below` is '' if only `above` is valid. */
export function nearestMultiples(text: string, increment: string): { below: string; above: string } | null {
  const value = parseDecimal(text);
  const step = parseDecimal(increment);
  if (value === null || step === null) return null;
  const places = Math.max(value.decimals, step.decimals);
  const units = toUnits(value, places) as bigint;
  const stepUnits = toUnits(step, places) as bigint;
  if (units > 0n && units % stepUnits === 0n) return null;
  const below = (units / stepUnits) * stepUnits;
  return {
    below: below === 0n ? '' : formatUnits(below, places),
    above: formatUnits(below + stepUnits, places),
  };
}
