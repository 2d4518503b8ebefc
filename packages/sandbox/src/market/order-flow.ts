/**
 * Market orders: sizes follow a power law and prefer round numbers; sides have a long memory,
 * because large orders are sent in many pieces (Lillo, Mike and Farmer): if their lengths follow a power law, the
 * memory of sides fades as slowly as in real markets.
 */

import type { Side } from '@bourse/core';
import { exp, log } from './arithmetic.ts';
import { type BookState, PARENTS } from './market-state.ts';
import type { Random } from './random.ts';

/** P(size > x) falls with this power of x. */
const SIZE_EXPONENT = 1.5;
/** Ratio of the median of such a distribution to its minimum. */
const MEDIAN = exp(log(2) / SIZE_EXPONENT);
const SIZE_FACTOR_MAX = 500;
/** One digit, two digits, or unrounded. */
const ROUND_ONE = 0.35;
const ROUND_TWO = 0.65;

const LENGTH_EXPONENT = 1.5;
const LENGTH_MAX = 3000;
/** The share of orders that are not part of a parent order. */
const ALONE = 0.35;

/** A size in coins with this median. */
export function drawSize(median: number, random: Random): number {
  const size = (median / MEDIAN) * drawPower(SIZE_EXPONENT, SIZE_FACTOR_MAX, random);
  const liking = random.fraction();
  if (liking < ROUND_ONE) return rounded(size, 1);
  return liking < ROUND_TWO ? rounded(size, 10) : size;
}

/** At least 1, power-law distributed. */
function drawPower(exponent: number, max: number, random: Random): number {
  const rest = Math.max(1 - random.fraction(), 1e-12);
  return Math.min(max, exp(-log(rest) / exponent));
}

/** Written with an integer from `least` to below ten times that, and zeros. */
function rounded(size: number, least: number): number {
  let unit = 1;
  let scaled = size;
  for (; scaled >= 10 * least; scaled /= 10) unit *= 10;
  for (; scaled < least; scaled *= 10) unit /= 10;
  return Math.round(scaled) * unit;
}

/** `sellShare`: the probability that a new parent order sells. */
export function drawSide(book: BookState, sellShare: number, random: Random): Side {
  const draw = (): -1 | 1 => (random.chance(sellShare) ? -1 : 1);
  if (random.chance(ALONE)) return draw() > 0 ? 'buy' : 'sell';
  const at = random.below(PARENTS);
  if (book.parents[at] === 0)
    book.parents[at] = draw() * Math.round(drawPower(LENGTH_EXPONENT, LENGTH_MAX, random));
  const left = book.parents[at];
  book.parents[at] = left > 0 ? left - 1 : left + 1;
  return left > 0 ? 'buy' : 'sell';
}
