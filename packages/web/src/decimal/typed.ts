/** Decimals as people type and paste them, before the rules look at them. */

import { Decimal } from './decimal.ts';

const THOUSANDS = /^\d{1,3}(?:[,_ \u00a0\u202f]\d{3})+(?:\.\d*)?$/;
const CONTINENTAL = /^\d{1,3}(?:\.\d{3})+,\d+$/;
const SEPARATORS = /[,_ \u00a0\u202f]/g;

/**
 * `90,000.5` and `90.000,5` become 90000.5: only where the places of the separators leave one reading. Anything else
 * stays as it is, and the rules say what is wrong with it.
 */
export function readPasted(text: string): string {
  const trimmed = text.trim();
  if (THOUSANDS.test(trimmed)) return trimmed.replaceAll(SEPARATORS, '');
  if (CONTINENTAL.test(trimmed)) return trimmed.replaceAll('.', '').replace(',', '.');
  return trimmed;
}

/** The next multiple of `step` above or below; the smallest is one step. Null where `text` is not a decimal. */
export function stepped(text: string, step: string, steps: number): string | null {
  const value = Decimal.parse(text);
  if (value === null) return null;
  const one = Decimal.of(step);
  const near = steps > 0 ? value.floorTo(one) : value.ceilTo(one);
  const next = near.plus(one.times(new Decimal(BigInt(steps), 0)));
  return (next.compare(one) < 0 ? one : next).toString();
}
