/** What a market order would come to against the book as it is: an estimate, because the book moves. */

import type { Level } from '@bourse/client';
import { Decimal } from '../../decimal/decimal.ts';

export interface Estimate {
  readonly size: Decimal;
  readonly funds: Decimal;
  readonly average: Decimal;
  readonly worst: string;
  /** How far the average is from the best price, such as 0.0123. */
  readonly slippage: Decimal;
  /** Whether the book has enough. */
  readonly isFilled: boolean;
}

const PLACES = 18;
const RATE_PLACES = 6;

/** `levels` of the side that is taken, best first; `amount` is a size, or funds without the fee. */
export function estimateFill(levels: readonly Level[], amount: Decimal, isByFunds: boolean): Estimate | null {
  let [left, size, funds] = [amount, Decimal.zero, Decimal.zero];
  let worst = '';
  for (const [price, available] of levels) {
    if (left.units <= 0n) break;
    const [at, most] = [Decimal.of(price), Decimal.of(available)];
    const wanted = isByFunds ? left.dividedBy(at, PLACES) : left;
    const taken = wanted.compare(most) < 0 ? wanted : most;
    size = size.plus(taken);
    funds = funds.plus(taken.times(at));
    left = left.minus(isByFunds ? (taken === most ? most.times(at) : left) : taken);
    worst = price;
  }
  if (size.isZero) return null;
  const average = funds.dividedBy(size, PLACES);
  const best = Decimal.of(levels[0]![0]);
  const apart = average.compare(best) < 0 ? best.minus(average) : average.minus(best);
  return {
    size,
    funds,
    average,
    worst,
    slippage: apart.dividedBy(best, RATE_PLACES),
    isFilled: left.units <= 0n,
  };
}
