/** A side of the book as it is shown: prices grouped by a step, sizes summed from the best price on. */

import type { Level } from '@bourse/client';
import { Decimal } from '../../decimal/decimal.ts';
import { placesOf } from '../../decimal/format.ts';

export interface ShownLevel {
  readonly price: string;
  readonly size: string;
  /** Of this level and all better ones. */
  readonly sum: string;
  /** The sum as a part of the deepest shown one, from 0 to 1, for the bar behind it. */
  readonly share: number;
}

export type BookSide = 'bids' | 'asks';

/** `levels` best first. A bid's group is named by its lower end and an ask's by its upper, where it surely is reached. */
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

/** Steps to choose from: the increment, and up to five times ten of it. */
export function groupSteps(increment: string): string[] {
  const one = Decimal.of(increment);
  return Array.from({ length: 5 }, (_, power) => one.times(new Decimal(10n ** BigInt(power), 0)).toString());
}

/** For drawing only, so a float does. */
function shareOf(part: Decimal, whole: Decimal): number {
  return whole.isZero ? 0 : Number(part.dividedBy(whole, 4).toString());
}
