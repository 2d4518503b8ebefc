/**
 * Exact decimals for what a user types and is shown before sending: an integer in units of 10^-scale. No float ever
 * holds an amount. What the exchange knows (balances, fees charged, sums) is never computed here but asked for.
 */

const FORM = /^(?:\d+(?:\.\d*)?|\.\d+)$/;
/** The exchange takes no longer ones. */
const DIGITS_MAX = 40;

export class Decimal {
  static readonly zero = new Decimal(0n, 0);
  readonly units: bigint;
  readonly scale: number;

  constructor(units: bigint, scale: number) {
    this.units = units;
    this.scale = scale;
  }

  /** Null for what is no plain decimal: signs, exponents, blanks and separators are refused, as by the exchange. */
  static parse(text: string): Decimal | null {
    if (!FORM.test(text)) return null;
    const [whole = '', part = ''] = text.split('.');
    if (whole.length + part.length > DIGITS_MAX) return null;
    return new Decimal(BigInt(whole + part), part.length);
  }

  /** Of a text that the exchange has sent; empty and null are zero. A sign may stand before it. */
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

  /** The largest multiple of `step` that is not above it. */
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

  /** Without zeros at the end. */
  toString(): string {
    const text = this.toFixed(this.scale);
    return this.scale === 0 ? text : text.replace(/\.?0+$/, '');
  }

  /** With so many places, what is beyond them cut off. */
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

  /** With so many places, rounded half away from zero. */
  rounded(places: number): string {
    if (places >= this.scale) return this.toFixed(places);
    const half = 5n * 10n ** BigInt(this.scale - places - 1);
    return new Decimal(this.units < 0n ? this.units - half : this.units + half, this.scale).toFixed(places);
  }

  #unitsAt(scale: number): bigint {
    return this.units * 10n ** BigInt(scale - this.scale);
  }
}
