/** Grids of valid values: whether a value is on the grid, and if not, its nearest neighbours. */

import { UNITS_END } from '../values/amount.ts';
import { type Rejection, reject } from '../commands/rejections.ts';

/** An iceberg shows at least one twentieth of itself. */
const VISIBLE_SHARE = 20;
/** Local copy of an imported constant: see event-batch.ts. */
const PRICE_END = UNITS_END;

/** Divides, because % is slow for doubles. The quotient of an exact multiple needs no rounding. */
export function isPositiveMultiple(units: number, increment: number): boolean {
  if (!Number.isInteger(units) || units <= 0) return false;
  if (increment === 1) return true;
  if (units >= PRICE_END) return units % increment === 0;
  return Math.floor(units / increment) * increment === units;
}

export function checkPrice(price: number, increment: number): Rejection | null {
  if (!isPositiveMultiple(price, increment)) {
    return reject('price-increment', { value: price, ...neighbours(price, increment) });
  }
  return price < PRICE_END ? null : reject('price-above-max', { value: price, max: PRICE_END - 1 });
}

/** A twentieth of the size, rounded up to the increment. */
export function leastVisible(size: number, increment: number): number {
  return Math.ceil(Math.ceil(size / VISIBLE_SHARE) / increment) * increment;
}

interface Neighbours<T> {
  readonly increment: T;
  readonly below: T;
  readonly above: T;
}

/** The nearest valid values around an invalid one, exact for any size. */
export function neighbours(units: number, increment: number): Neighbours<number> {
  if (!Number.isFinite(units) || units <= 0) return { increment, below: 0, above: increment };
  const { below, above } = bigNeighbours(BigInt(Math.floor(units)), BigInt(increment));
  return { increment, below: Number(below), above: Number(above) };
}

export function bigNeighbours(units: bigint, increment: bigint): Neighbours<bigint> {
  if (units <= 0n) return { increment, below: 0n, above: increment };
  const below = (units / increment) * increment;
  return { increment, below, above: below + increment };
}
