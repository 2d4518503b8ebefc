/** Decimals as text, and the arithmetic that the other files share. */

/** digits / 10^places, with as few places as the value allows. */
export interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

export function parseDecimal(text: string): Decimal | null {
  if (typeof text !== 'string' || !/^[0-9]+(\.[0-9]+)?$/.test(text)) return null;
  const [whole = '', fraction = ''] = text.split('.');
  const places = fraction.replace(/0+$/, '');
  return { digits: BigInt(whole + places), places: places.length };
}

/** The value in units of 10^-decimals, or null if it is finer than that. */
export function inUnits(value: Decimal, decimals: number): bigint | null {
  if (value.places > decimals) return null;
  return value.digits * power10(decimals - value.places);
}

export function power10(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** Rounds up; for negative numerators bigint division already does. */
export function divideUp(numerator: bigint, denominator: bigint): bigint {
  if (numerator <= 0n) return numerator / denominator;
  return (numerator + denominator - 1n) / denominator;
}

/** A rate (in 10^-8) of an amount, times 10^8, so nothing is rounded yet. */
export const RATE_ONE = 100_000_000n;

export function isMultiple(value: number, increment: number): boolean {
  return Number.isInteger(value) && value > 0 && value % increment === 0;
}

/** The multiples below and above a value; 0 if there is none below. */
export function around(value: number, increment: number): { below: number; above: number } {
  if (!Number.isFinite(value) || value <= 0) return { below: 0, above: increment };
  const { below, above } = aroundAmount(BigInt(Math.floor(value)), BigInt(increment));
  return { below: Number(below), above: Number(above) };
}

export function aroundAmount(value: bigint, increment: bigint): { below: bigint; above: bigint } {
  if (value <= 0n) return { below: 0n, above: increment };
  const below = (value / increment) * increment;
  return { below, above: below + increment };
}

/**
 * The owner with the most entries, where counts with the same number of binary digits are equal; ties go to the
 * lowest number.
 */
export function heaviest(owners: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const owner of owners) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  const weightOf = (owner: number): number => counts.get(owner)!.toString(2).length;
  const [first] = [...counts.keys()].toSorted((one, other) => weightOf(other) - weightOf(one) || one - other);
  return first!;
}
