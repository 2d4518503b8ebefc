/**
 * Exact integers of up to 101 bits, for money.
 *
 * A balance of a million at 12 decimals is already 10^18, so neither a double (53 bits) nor a 64-bit integer is
 * enough, and bigint allocates on every operation. An Amount is two whole doubles, `hi * 2^48 + lo` with
 * 0 <= lo < 2^48; a negative amount has a negative `hi`. It is mutable: hot code keeps a few and reuses them.
 */

const LIMB = 2 ** 48;
const PER_LIMB = 2 ** -48;
const HALF = 2 ** 24;
const PER_HALF = 2 ** -24;
const SAFE = Number.MAX_SAFE_INTEGER;
const LIMB_BITS = 48n;
const LIMB_MASK = (1n << LIMB_BITS) - 1n;

/** Prices and sizes stay below this, so that their product is exact in the halves below. */
export const UNITS_END = 2 ** 50;

/** The bound on the total supply of a currency. */
export const AMOUNT_MAX = 1n << 100n;

/** Fee rates count in 10^-8. */
export const RATE_DECIMALS = 8;
export const RATE_ONE = 100_000_000;
/** A copy that is not exported: V8 compiles such constants into the code, but loads exported ones at every use. */
const UNIT = RATE_ONE;
const RATE_ONE_BIG = BigInt(RATE_ONE);
/** Up to here `hi * rate` is exact for every rate. */
const HI_EXACT_END = 2 ** 26;

export class Amount {
  // If a field begins as a small integer and becomes a double later, the object changes its shape, and V8 discards the
  // code that was compiled for the first one. NaN makes it a double from the beginning.
  hi = Number.NaN;
  lo = Number.NaN;

  constructor() {
    this.hi = 0;
    this.lo = 0;
  }

  clear(): void {
    this.hi = 0;
    this.lo = 0;
  }

  copy(from: Amount): void {
    this.hi = from.hi;
    this.lo = from.lo;
  }

  load(from: Float64Array, at: number): void {
    this.hi = from[at];
    this.lo = from[at + 1];
  }

  store(to: Float64Array, at: number): void {
    to[at] = this.hi;
    to[at + 1] = this.lo;
  }

  /** Adds this amount to the one at `at` in an array. */
  addTo(array: Float64Array, at: number): void {
    const lo = array[at + 1] + this.lo;
    const carries = lo >= LIMB;
    array[at] += carries ? this.hi + 1 : this.hi;
    array[at + 1] = carries ? lo - LIMB : lo;
  }

  /** Subtracts this amount from the one at `at` in an array. */
  subtractFrom(array: Float64Array, at: number): void {
    const lo = array[at + 1] - this.lo;
    const borrows = lo < 0;
    array[at] -= borrows ? this.hi + 1 : this.hi;
    array[at + 1] = borrows ? lo + LIMB : lo;
  }

  isZero(): boolean {
    return this.hi === 0 && this.lo === 0;
  }

  isAbove(other: Amount): boolean {
    return this.hi > other.hi || (this.hi === other.hi && this.lo > other.lo);
  }

  add(other: Amount): void {
    this.hi += other.hi;
    this.lo += other.lo;
    if (this.lo >= LIMB) {
      this.lo -= LIMB;
      this.hi += 1;
    }
  }

  subtract(other: Amount): void {
    this.hi -= other.hi;
    this.lo -= other.lo;
    if (this.lo < 0) {
      this.lo += LIMB;
      this.hi -= 1;
    }
  }

  /** a * b for whole 0 <= a, b < 2^50. */
  setProduct(a: number, b: number): void {
    const product = a * b;
    if (product > SAFE) {
      this.#setLargeProduct(a, b);
      return;
    }
    const hi = Math.floor(product * PER_LIMB);
    this.hi = hi;
    this.lo = product - hi * LIMB;
  }

  /** A separate method, so that V8 inlines the common case everywhere. */
  #setLargeProduct(a: number, b: number): void {
    const aHi = Math.floor(a * PER_HALF);
    const aLo = a - aHi * HALF;
    const bHi = Math.floor(b * PER_HALF);
    const bLo = b - bHi * HALF;
    const middle = aHi * bLo + aLo * bHi;
    const carry = Math.floor(middle * PER_HALF);
    this.hi = aHi * bHi + carry;
    this.lo = (middle - carry * HALF) * HALF + aLo * bLo;
    if (this.lo >= LIMB) {
      this.lo -= LIMB;
      this.hi += 1;
    }
  }

  /** Multiplies by a whole 0 <= factor <= 1000; exact while the result is below 2^101. */
  multiplyBySmall(factor: number): void {
    const top = Math.floor(this.lo * PER_HALF);
    const low = (this.lo - top * HALF) * factor;
    const lowCarry = Math.floor(low * PER_HALF);
    const middle = top * factor + lowCarry;
    const carry = Math.floor(middle * PER_HALF);
    this.hi = this.hi * factor + carry;
    this.lo = (middle - carry * HALF) * HALF + (low - lowCarry * HALF);
  }

  /**
   * The fee on `funds` at `rate`, rounded up once for the whole life of an order: sets this to
   * ceil((rate * funds - slack) / RATE_ONE) and returns the new slack, the amount that rounding up has overcharged
   * so far, in 10^-8 units. Long division in base 2^24 keeps every step within 53 bits.
   */
  setFee(funds: Amount, rate: number, slack: number): number {
    if (funds.hi >= HI_EXACT_END) return this.#setFeeSlowly(funds, rate, slack);
    const top = funds.hi * rate;
    // Most funds are below 2^48, where the division can be skipped.
    const topQuotient = top === 0 ? 0 : Math.floor(top / UNIT);
    const fundsMiddle = Math.floor(funds.lo * PER_HALF);
    const middle = (top - topQuotient * UNIT) * HALF + fundsMiddle * rate;
    const middleQuotient = Math.floor(middle / UNIT);
    const low = (middle - middleQuotient * UNIT) * HALF + (funds.lo - fundsMiddle * HALF) * rate - slack;
    const lowQuotient = Math.ceil(low / UNIT) + 0;
    this.hi = topQuotient;
    this.lo = middleQuotient * HALF + lowQuotient;
    if (this.lo >= LIMB) {
      this.lo -= LIMB;
      this.hi += 1;
    }
    return lowQuotient * UNIT - low;
  }

  #setFeeSlowly(funds: Amount, rate: number, slack: number): number {
    const exact = funds.toBigInt() * BigInt(rate) - BigInt(slack);
    const fee = (exact + RATE_ONE_BIG - 1n) / RATE_ONE_BIG;
    this.setBigInt(fee);
    return Number(fee * RATE_ONE_BIG - exact);
  }

  /** floor(this / divisor) for 1 <= divisor < 2^50, at most UNITS_END. */
  divideFloor(divisor: number): number {
    if (this.hi === 0) {
      const quotient = Math.floor(this.lo / divisor);
      return quotient * divisor > this.lo ? quotient - 1 : quotient;
    }
    const quotient = this.toBigInt() / BigInt(divisor);
    return quotient > BigInt(UNITS_END) ? UNITS_END : Number(quotient);
  }

  setBigInt(value: bigint): void {
    this.hi = Number(value >> LIMB_BITS);
    this.lo = Number(value & LIMB_MASK);
  }

  toBigInt(): bigint {
    return toBigInt(this.hi, this.lo);
  }
}

/** Below this `hi`, the upper 16 bits, an amount fits 64 bits. */
const HI_OF_64_BITS_END = 2 ** 15;
const HALF_WORD = 2 ** 16;
const PER_WORD = 2 ** -32;

/** One 64-bit integer, low word first: V8 makes a bigint of it in place, while `BigInt(number)` is a call into C++. */
const words = new Int32Array(2);
const whole = new BigInt64Array(words.buffer);

export function toBigInt(hi: number, lo: number): bigint {
  // Most amounts in an outcome are 0; avoid allocating a bigint for them.
  if (hi === 0 && lo === 0) return 0n;
  if (hi >= HI_OF_64_BITS_END || hi < -HI_OF_64_BITS_END) return (BigInt(hi) << LIMB_BITS) + BigInt(lo);
  const upper = Math.floor(lo * PER_WORD);
  words[0] = lo | 0;
  words[1] = hi * HALF_WORD + upper;
  return whole[0];
}

// Decimals of reference data: text in, exact integers out.

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

/** The value in units of 10^-places; null if it has more decimals. */
export function toUnits(value: Decimal, places: number): bigint | null {
  return value.decimals > places ? null : value.digits * 10n ** BigInt(places - value.decimals);
}

/** The inverse of toUnits, as text without trailing zeros and exponent. */
export function formatUnits(units: bigint, places: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0');
  const integer = digits.slice(0, digits.length - places);
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '');
  return sign + integer + (fraction ? `.${fraction}` : '');
}
