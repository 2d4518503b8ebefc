/** Groups one side of the book by a price step and accumulates sizes from the best price on. */

import type { Level } from '@bourse/client';
import { Decimal, placesOf } from '../../decimal/decimal.ts';

export interface ShownLevel {
  readonly price: string;
  readonly size: string;
  /** The size of this level and all better ones. */
  readonly sum: string;
  /** The sum as a fraction of the deepest shown sum, from 0 to 1, for the bar behind the row. */
  readonly share: number;
}

export type BookSide = 'bids' | 'asks';

/**
 * `levels` are best first. A group of bids takes its lower end as its price, a group of asks its upper end: an order
 * at that price reaches the complete group.
 */
export function shownLevels(
  levels: readonly Level[],
  side: BookSide,
  step: string,
  count: number,
): ShownLevel[] {
  const stepSize = Decimal.of(step);
  const places = placesOf(step);
  const groups: { price: string; size: Decimal; sum: Decimal }[] = [];
  let sum = Decimal.zero;
  for (const [price, size] of levels) {
    const value = Decimal.of(price);
    const name = (side === 'bids' ? value.floorTo(stepSize) : value.ceilTo(stepSize)).toFixed(places);
    const amount = Decimal.of(size);
    const last = groups.at(-1);
    if (last?.price !== name && groups.length === count) break;
    sum = sum.plus(amount);
    if (last?.price === name) Object.assign(last, { size: last.size.plus(amount), sum });
    else groups.push({ price: name, size: amount, sum });
  }
  const most = groups.at(-1)?.sum ?? Decimal.zero;
  return groups.map((group) => ({
    price: group.price,
    size: group.size.toString(),
    sum: group.sum.toString(),
    share: shareOf(group.sum, most),
  }));
}

/** The group steps to choose from: the increment times 1, 10, 100, 1,000 and 10,000. */
export function groupSteps(increment: string): string[] {
  const one = Decimal.of(increment);
  return Array.from({ length: 5 }, (_, power) => one.times(new Decimal(10n ** BigInt(power), 0)).toString());
}

/** A float, because it is only drawn. */
function shareOf(part: Decimal, whole: Decimal): number {
  return whole.isZero ? 0 : Number(part.dividedBy(whole, 4).toString());
}
