/**
 * Decimals that do not fit into the symbol's integer units: too many places, or too large. Such an order is never
 * valid, because increments and bounds do fit. The core cannot check such values, so the violated rule is determined
 * here, in the core's order of checks, with exact values.
 */

import { formatUnits, parseDecimal, type SymbolSet, toUnits, UNITS_END } from '@bourse/core';
import { nearestMultiples } from '../decimals.ts';
import { badVisibleSize, offGrid, tooLarge } from './explain.ts';
import { Refusal } from './refusal.ts';

/** The decimals as sent; they are well-formed. */
export interface OrderDecimals {
  readonly price: string | undefined;
  readonly size: string | undefined;
  readonly visibleSize: string | undefined;
  readonly funds: string | undefined;
}

/** The visible size of an iceberg is at least a twentieth of its size. */
const VISIBLE_SHARE = 20n;

export function refuseInexpressible(
  { price, size, visibleSize, funds }: OrderDecimals,
  symbol: SymbolSet,
): Refusal {
  const { priceIncrement, baseIncrement, quoteIncrement } = symbol;
  return (
    check('price', price, priceIncrement, largestPrice(symbol), 'price-increment', 'price-above-max') ??
    check('size', size, baseIncrement, symbol.baseMaxSize, 'size-increment', 'size-above-max') ??
    checkVisible(visibleSize, size, baseIncrement) ??
    check('funds', funds, quoteIncrement, symbol.quoteMaxSize, 'funds-increment', 'funds-above-max') ??
    new Refusal('parameter-invalid')
  );
}

/** Null if the value is a multiple of the increment and at most the largest. */
function check(
  field: string,
  value: string | undefined,
  increment: string,
  max: string,
  offGridError: 'price-increment' | 'size-increment' | 'funds-increment',
  tooLargeError: 'price-above-max' | 'size-above-max' | 'funds-above-max',
): Refusal | null {
  if (value === undefined) return null;
  const nearest = nearestMultiples(value, increment);
  if (nearest) {
    return new Refusal(offGridError, offGrid(field, value, increment, nearest.below, nearest.above));
  }
  return isAbove(value, max) ? new Refusal(tooLargeError, tooLarge(field, value, max)) : null;
}

function checkVisible(
  value: string | undefined,
  size: string | undefined,
  increment: string,
): Refusal | null {
  if (value === undefined || size === undefined) return null;
  if (!nearestMultiples(value, increment) && !isAbove(value, size)) return null;
  return new Refusal('visible-size', badVisibleSize(value, leastVisible(size, increment), size, increment));
}

/** The largest multiple of the increment that the core counts. */
function largestPrice({ priceIncrement, priceDecimals }: SymbolSet): string {
  const step = unitsAt(priceIncrement, priceDecimals);
  const end = BigInt(UNITS_END) - 1n;
  return formatUnits(end - (end % step), priceDecimals);
}

/** A twentieth of the size, rounded up to the increment. */
function leastVisible(size: string, increment: string): string {
  const places = placesOf(size, increment);
  const step = unitsAt(increment, places);
  const share = step * VISIBLE_SHARE;
  return formatUnits(((unitsAt(size, places) + share - 1n) / share) * step, places);
}

function isAbove(a: string, b: string): boolean {
  const places = placesOf(a, b);
  return unitsAt(a, places) > unitsAt(b, places);
}

const placesOf = (a: string, b: string): number =>
  Math.max(parseDecimal(a)?.decimals ?? 0, parseDecimal(b)?.decimals ?? 0);

function unitsAt(text: string, places: number): bigint {
  const decimal = parseDecimal(text);
  return (decimal && toUnits(decimal, places)) ?? 0n;
}
