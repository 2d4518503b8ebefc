/** Decimals as they are shown: the same digits, with separators between thousands. And as people type and paste them. */

import { Decimal } from './decimal.ts';

/** Every digit that came. */
export function formatExact(text: string | null | undefined): string {
  if (text === null || text === undefined || text === '') return '–';
  return separate(text);
}

/** With as many places as `increment` has, so that a column lines up. */
export function formatAt(text: string | null | undefined, increment: string): string {
  if (text === null || text === undefined || text === '') return '–';
  return separate(Decimal.of(text).toFixed(placesOf(increment)));
}

/** Money rounded for the eye to the places of `increment`, at least two; half away from zero. Exact figures stand beside. */
export function formatMoney(text: string | null | undefined, increment: string): string {
  if (text === null || text === undefined || text === '') return '–';
  return separate(Decimal.of(text).rounded(Math.max(2, placesOf(increment))));
}

/** A rate such as 0.0123 as +1.23 %. */
export function formatRate(text: string | null | undefined): string {
  if (text === null || text === undefined || text === '') return '–';
  const percent = Decimal.of(text).times(new Decimal(100n, 0));
  return `${percent.units > 0n ? '+' : ''}${percent.toFixed(2).replace('-', '−')} %`;
}

const steps = [
  [12, 'T'],
  [9, 'B'],
  [6, 'M'],
  [3, 'K'],
] as const;

/** Short, for figures whose last digits nobody needs: 12.34 M. Cut off, never rounded up. */
export function formatShort(text: string | null | undefined): string {
  if (text === null || text === undefined || text === '') return '–';
  const value = Decimal.of(text);
  const whole = value.toFixed(0).replace('-', '').length;
  const step = steps.find(([power]) => whole > power);
  // A size of a few millionths is not 0.
  const isTiny = !value.isZero && value.compare(new Decimal(1n, 3)) < 0;
  if (step === undefined || whole <= 4) {
    return separate(value.toFixed(isTiny ? 8 : whole >= 4 ? 1 : whole >= 2 ? 2 : 4));
  }
  return `${new Decimal(value.units, value.scale + step[0]).toFixed(2)} ${step[1]}`;
}

const SIZE_PLACES = 5;

/** A size in a narrow column: as formatShort, and never longer than the column; what is smaller still is not 0. */
export function formatSize(text: string): string {
  const value = Decimal.of(text);
  const least = new Decimal(1n, SIZE_PLACES);
  if (value.isZero || value.compare(new Decimal(1n, 3)) >= 0) return formatShort(text);
  return value.compare(least) < 0 ? `<${least.toString()}` : value.toFixed(SIZE_PLACES);
}

export function placesOf(increment: string): number {
  const point = increment.indexOf('.');
  return point < 0 ? 0 : increment.length - point - 1;
}

function separate(text: string): string {
  const [whole = '', part] = text.split('.');
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return part === undefined ? grouped : `${grouped}.${part}`;
}

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

/** The next multiple of `step` above or below, `by` times; the smallest is one step. Null where `text` is not a decimal. */
export function stepped(text: string, step: string, by: number): string | null {
  const value = Decimal.parse(text);
  if (value === null) return null;
  const one = Decimal.of(step);
  const near = by > 0 ? value.floorTo(one) : value.ceilTo(one);
  const next = near.plus(one.times(new Decimal(BigInt(by), 0)));
  return (next.compare(one) < 0 ? one : next).toString();
}
