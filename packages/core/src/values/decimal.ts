/** Decimals of reference data: text in, exact integers out. */

const DECIMAL = /^(\d{1,40})(?:\.(\d{1,40}))?$/;

export interface Decimal {
  readonly digits: bigint;
  /** Without trailing zeros; `10` and `10.0` have none. */
  readonly decimals: number;
}

/** Digits, at most one point with digits on both sides; no sign, no exponent, no blanks. */
export function parseDecimal(text: string): Decimal | null {
  const parts = DECIMAL.exec(text);
  if (!parts) return null;
  const fraction = (parts[2] ?? '').replace(/0+$/, '');
  return { digits: BigInt(parts[1] + fraction), decimals: fraction.length };
}

/** The value in units of 10^-places, or null when it is finer than that. */
export function toUnits(value: Decimal, places: number): bigint | null {
  return value.decimals > places ? null : value.digits * 10n ** BigInt(places - value.decimals);
}

/** The inverse of toUnits, as text without trailing zeros and exponent. */
export function formatUnits(units: bigint, places: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  return sign + whole + (fraction ? `.${fraction}` : '');
}
