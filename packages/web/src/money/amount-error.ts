/** Amounts that move are multiples of the currency's precision: what is wrong with one, and the largest that passes. */

import { Decimal } from '../decimal/decimal.ts';

export function amountError(
  text: string,
  precision: number,
  most: string | undefined,
  least: string = '0',
): string | undefined {
  if (text === '') return undefined;
  const amount = Decimal.parse(text);
  if (amount === null) return 'A plain decimal such as 1.5: no sign, exponent or separator.';
  if (amount.isZero) return 'More than 0.';
  const step = new Decimal(1n, precision);
  if (!amount.isMultipleOf(step)) {
    return `At most ${precision} places: ${amount.floorTo(step).toString()} would be right.`;
  }
  if (amount.compare(Decimal.of(least)) < 0) return `At least ${least}.`;
  if (most !== undefined && amount.compare(Decimal.of(most)) > 0) return `At most ${most} are available.`;
  return undefined;
}

/** A trade can leave more decimals than a transfer takes; the rest stays where it is. */
export function transferable(available: string, precision: number): string {
  return Decimal.of(available).floorTo(new Decimal(1n, precision)).toString();
}
