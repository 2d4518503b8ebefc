/** A symbol as the agents use it: prices and sizes in its units, and conversion from values in USDT. */

import { type Exchange, formatUnits, parseDecimal, type SymbolSet, toUnits } from '@bourse/core';
import { exp } from './random.ts';

type Decimal = NonNullable<ReturnType<typeof parseDecimal>>;

export class LivingSymbol {
  readonly number: number;
  readonly code: string;
  readonly baseCode: string;
  readonly quoteCode: string;
  readonly base: number;
  readonly quote: number;
  readonly state: SymbolSet['state'];
  /** In units of price and size. */
  readonly increment: number;
  readonly sizeIncrement: number;
  readonly sizeMin: number;
  readonly #priceDecimals: number;
  readonly #sizeDecimals: number;
  readonly #priceUnit: number;
  readonly #sizeUnit: number;
  /** Units of the base currency in one unit of size. */
  readonly baseFactor: bigint;
  readonly minFunds: bigint;

  constructor({ reference }: Exchange, number: number) {
    const terms = reference.symbol(number);
    const { sizeDecimals, priceDecimals } = terms;
    const [base, quote] = [reference.currencies[terms.base], reference.currencies[terms.quote]];
    const units = (decimal: string, places: number) => toUnits(parseDecimal(decimal)!, places)!;
    this.number = number;
    this.code = terms.code;
    this.base = terms.base;
    this.quote = terms.quote;
    this.baseCode = base.code;
    this.quoteCode = quote.code;
    this.state = terms.enableTrading ? terms.state : 'halted';
    this.increment = Number(units(terms.priceIncrement, priceDecimals));
    this.sizeIncrement = Number(units(terms.baseIncrement, sizeDecimals));
    this.sizeMin = Number(units(terms.baseMinSize, sizeDecimals));
    this.minFunds = units(terms.minFunds, quote.scale);
    this.baseFactor = 10n ** BigInt(base.scale - sizeDecimals);
    this.#priceDecimals = priceDecimals;
    this.#sizeDecimals = sizeDecimals;
    this.#priceUnit = Number(10n ** BigInt(priceDecimals));
    this.#sizeUnit = Number(10n ** BigInt(sizeDecimals));
  }

  /** Converts the logarithm of a price into units, not rounded to the increment. */
  priceOf(logarithm: number): number {
    return this.priceAt(exp(logarithm));
  }

  /** The same for a price that is already in the quote currency. */
  priceAt(price: number): number {
    return price * this.#priceUnit;
  }

  /** The same as a decimal, with all decimals of a price. */
  decimalOf(logarithm: number): string {
    return formatUnits(BigInt(this.down(this.priceOf(logarithm))), this.#priceDecimals);
  }

  down(price: number): number {
    return Math.max(1, Math.floor(price / this.increment)) * this.increment;
  }

  up(price: number): number {
    return Math.max(1, Math.ceil(price / this.increment)) * this.increment;
  }

  /** Converts an external decimal into a price of this symbol: a multiple of the increment, at least one. */
  priceUnits({ digits, decimals }: Decimal, isUp: boolean): number {
    const units = Number(digits * 10n ** BigInt(this.#priceDecimals)) / Number(10n ** BigInt(decimals));
    return isUp ? this.up(units) : this.down(units);
  }

  /** The same for a size: rounded down to a multiple of the increment. */
  sizeUnits({ digits, decimals }: Decimal): number {
    const units = (digits * 10n ** BigInt(this.#sizeDecimals)) / 10n ** BigInt(decimals);
    return this.onGrid(Number(units));
  }

  onGrid(size: number): number {
    return Math.floor(size / this.sizeIncrement) * this.sizeIncrement;
  }

  /** Converts an amount of the base currency into units of size, at least the minimum order size. */
  sizeOf(baseAmount: number): number {
    const size = Math.floor((baseAmount * this.#sizeUnit) / this.sizeIncrement) * this.sizeIncrement;
    return Math.max(this.sizeMin, size);
  }

  /** Units of price and size are such that their product is in units of the quote currency. */
  isWorthwhile(price: number, size: number): boolean {
    return BigInt(price) * BigInt(size) >= this.minFunds;
  }
}
