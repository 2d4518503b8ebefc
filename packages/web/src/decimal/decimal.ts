/**
 * Exact decimals for what a user types and for previews, and their display. A decimal is an integer in units of
 * 10^-scale; no float ever holds an amount. Figures that the exchange knows (balances, charged fees, sums) are
 * requested, never computed here.
 */

const FORM = /^(?:\d+(?:\.\d*)?|\.\d+)$/;
/** The exchange accepts no more digits. */
const DIGITS_MAX = 40;

export class Decimal {
  static readonly zero = new Decimal(0n, 0);
  readonly units: bigint;
  readonly scale: number;

  constructor(units: bigint, scale: number) {
    this.units = units;
    this.scale = scale;
  }

  /** Null unless it is a plain decimal: like the exchange, rejects signs, exponents, blanks and separators. */
  static parse(text: string): Decimal | null {
    if (!FORM.test(text)) return null;
    const [whole = '', part = ''] = text.split('.');
    if (whole.length + part.length > DIGITS_MAX) return null;
    return new Decimal(BigInt(whole + part), part.length);
  }

  /** From text that the exchange has sent, which may have a sign; empty and null are zero. */
  static of(text: string | null | undefined): Decimal {
    if (text === null || text === undefined || text === '') return Decimal.zero;
    const isNegative = text.startsWith('-');
    const parsed = Decimal.parse(isNegative ? text.slice(1) : text);
    if (parsed === null) return Decimal.zero;
    return isNegative ? new Decimal(-parsed.units, parsed.scale) : parsed;
  }

  plus(other: Decimal): Decimal {
    const scale = Math.max(this.scale, other.scale);
    return new Decimal(this.#unitsAt(scale) + other.#unitsAt(scale), scale);
  }

  minus(other: Decimal): Decimal {
    return this.plus(new Decimal(-other.units, other.scale));
  }

  times(other: Decimal): Decimal {
    return new Decimal(this.units * other.units, this.scale + other.scale);
  }

  /** Rounded towards zero at `scale` places. */
  dividedBy(other: Decimal, scale: number): Decimal {
    const shift = scale + other.scale - this.scale;
    const [above, below] =
      shift >= 0
        ? [this.units * 10n ** BigInt(shift), other.units]
        : [this.units, other.units * 10n ** BigInt(-shift)];
    return new Decimal(above / below, scale);
  }

  compare(other: Decimal): number {
    const scale = Math.max(this.scale, other.scale);
    const [a, b] = [this.#unitsAt(scale), other.#unitsAt(scale)];
    return a < b ? -1 : a > b ? 1 : 0;
  }

  get isZero(): boolean {
    return this.units === 0n;
  }

  isMultipleOf(step: Decimal): boolean {
    const scale = Math.max(this.scale, step.scale);
    return step.isZero || this.#unitsAt(scale) % step.#unitsAt(scale) === 0n;
  }

  /** Rounded down to a multiple of `step`. */
  floorTo(step: Decimal): Decimal {
    if (step.isZero) return this;
    const scale = Math.max(this.scale, step.scale);
    const [units, stepUnits] = [this.#unitsAt(scale), step.#unitsAt(scale)];
    const rest = units % stepUnits;
    return new Decimal(units - (rest < 0n ? rest + stepUnits : rest), scale);
  }

  ceilTo(step: Decimal): Decimal {
    const floor = this.floorTo(step);
    return floor.compare(this) === 0 ? floor : floor.plus(step);
  }

  /** Rounded up at `scale` places. */
  ceilAt(scale: number): Decimal {
    return this.ceilTo(new Decimal(1n, scale));
  }

  /** Without trailing zeros. */
  toString(): string {
    const text = this.toFixed(this.scale);
    return this.scale === 0 ? text : text.replace(/\.?0+$/, '');
  }

  /** With this many decimal places, truncated. */
  toFixed(places: number): string {
    const isNegative = this.units < 0n;
    const units = isNegative ? -this.units : this.units;
    const cut =
      places >= this.scale
        ? units * 10n ** BigInt(places - this.scale)
        : units / 10n ** BigInt(this.scale - places);
    const digits = cut.toString().padStart(places + 1, '0');
    const text = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
    return isNegative && cut !== 0n ? `-${text}` : text;
  }

  /** With this many decimal places, rounded half away from zero. */
  rounded(places: number): string {
    if (places >= this.scale) return this.toFixed(places);
    const half = 5n * 10n ** BigInt(this.scale - places - 1);
    return new Decimal(this.units < 0n ? this.units - half : this.units + half, this.scale).toFixed(places);
  }

  #unitsAt(scale: number): bigint {
    return this.units * 10n ** BigInt(scale - this.scale);
  }
}

/** A fee rate such as 0.00075 as 0.075 %, with every digit. */
export const formatFeeRate = (text: string): string =>
  `${Decimal.of(text).times(new Decimal(100n, 0)).toString()} %`;

/** With thousands separators and every digit that the exchange sent. */
export function formatExact(text: string | null | undefined): string {
  if (text === null || text === undefined || text === '') return '–';
  return separate(text);
}

/** With as many decimal places as `increment` has, so that a column aligns. */
export function formatAt(text: string | null | undefined, increment: string): string {
  if (text === null || text === undefined || text === '') return '–';
  return separate(Decimal.of(text).toFixed(placesOf(increment)));
}

/**
 * Money rounded to the decimal places of `increment`, at least two, half away from zero. For display beside the exact
 * figure.
 */
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

/** Short, for figures whose last digits do not matter: 12.34 M. Truncated, never rounded up. */
export function formatShort(text: string | null | undefined): string {
  if (text === null || text === undefined || text === '') return '–';
  const value = Decimal.of(text);
  const whole = value.toFixed(0).replace('-', '').length;
  const step = steps.find(([power]) => whole > power);
  // Do not show a size of a few millionths as 0.
  const isTiny = !value.isZero && value.compare(new Decimal(1n, 3)) < 0;
  if (step === undefined || whole <= 4) {
    return separate(value.toFixed(isTiny ? 8 : whole >= 4 ? 1 : whole >= 2 ? 2 : 4));
  }
  return `${new Decimal(value.units, value.scale + step[0]).toFixed(2)} ${step[1]}`;
}

const SIZE_PLACES = 5;

/**
 * A size in a narrow column: like formatShort, but never wider than the column; a smaller value is not shown as 0.
 */
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

const THOUSANDS = /^[1-9]\d{0,2}(?:[,_ \u00a0\u202f]\d{3})+(?:\.\d*)?$/;
const CONTINENTAL = /^[1-9]\d{0,2}(?:\.\d{3})+,\d+$/;
/** 1234, or 1.234 where the comma is the decimal point. */
const AMBIGUOUS = /^\d+,\d{3}$/;
const SEPARATORS = /[,_ \u00a0\u202f]/g;

/**
 * `90,000.5` and `90.000,5` become 90000.5, if the separators allow only one reading. Anything else stays unchanged
 * for the rules to report.
 */
export function readPasted(text: string): string {
  const trimmed = text.trim();
  if (THOUSANDS.test(trimmed) && !AMBIGUOUS.test(trimmed)) return trimmed.replaceAll(SEPARATORS, '');
  if (CONTINENTAL.test(trimmed)) return trimmed.replaceAll('.', '').replace(',', '.');
  return trimmed;
}

/** The value moved by `by` steps to a multiple of `step`, at least one step. Null if `text` is not a decimal. */
export function stepped(text: string, step: string, by: number): string | null {
  const value = Decimal.parse(text);
  if (value === null) return null;
  const one = Decimal.of(step);
  const near = by > 0 ? value.floorTo(one) : value.ceilTo(one);
  const next = near.plus(one.times(new Decimal(BigInt(by), 0)));
  return (next.compare(one) < 0 ? one : next).toString();
}
