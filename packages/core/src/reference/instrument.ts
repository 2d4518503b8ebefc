/** An instrument: a listed symbol with its rules as integers, its state and its book. */

import { Amount, UNITS_END, type Decimal, parseDecimal, toUnits } from '../values/amount.ts';
import type { MarketState, SymbolTerms } from '../commands/commands.ts';
import type { Book } from '../matching/book/book.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import { invalidValue } from '../values/checks.ts';
import type { Currency } from './currencies.ts';

/** Price limit rates are in 10^-6. */
const LIMIT_RATE_ONE = 1_000_000;
const LIMIT_RATE_DECIMALS = 6;
const LIMIT_RATE_MAX = 1000n;
const FUNDS_END = 1n << 100n;
/** A factor of up to 10^18 is multiplied in two steps, each of them exact. */
const FACTOR_STEP = 1e15;

/** The permanent properties of a symbol. */
export interface SymbolIdentity {
  readonly code: string;
  readonly base: Currency;
  readonly quote: Currency;
  readonly baseIncrement: string;
}

/** The symbol's rules as integers: prices and sizes in its units, money in quote units. */
export interface Rules {
  readonly sizeDecimals: number;
  readonly priceDecimals: number;
  readonly priceIncrement: number;
  readonly baseIncrement: number;
  readonly baseMinSize: number;
  readonly baseMaxSize: number;
  readonly quoteIncrement: bigint;
  readonly quoteMinSize: bigint;
  readonly quoteMaxSize: bigint;
  readonly minFunds: Amount;
  readonly priceLimitRate: number;
  /** Base units in one unit of size, as a product of two factors. */
  readonly baseFactor: number;
  readonly baseFactorRest: number;
}

/** A running call auction. */
export interface Auction {
  /** Milliseconds. */
  readonly endsAt: number;
  /** The duration of the call; an extension lasts as long again. */
  readonly durationMs: number;
  /** In units of price; 0 for none. */
  readonly referencePrice: number;
  /** In 10^-6; -1 for none. */
  readonly band: number;
  readonly thenState: MarketState;
  readonly isExtended: boolean;
}

export class Instrument {
  readonly number: number;
  readonly identity: SymbolIdentity;
  readonly book: Book;
  terms: SymbolTerms;
  rules: Rules;
  state: MarketState = 'open';
  /** True while the whole exchange is paused. */
  isPaused = false;
  /** Set only in the state `auction`. */
  auction: Auction | null = null;
  /** Removed, which is possible only if it was never used. Its entry stays, so that numbers stay valid. */
  removed = false;

  constructor(number: number, identity: SymbolIdentity, terms: SymbolTerms, rules: Rules, book: Book) {
    this.number = number;
    this.identity = identity;
    this.terms = terms;
    this.rules = rules;
    this.book = book;
  }

  get isOpen(): boolean {
    return this.state === 'open' && this.terms.enableTrading && !this.isPaused;
  }

  /** The state that orders see: a symbol with trading disabled counts as halted. */
  get effectiveState(): MarketState | 'paused' {
    if (this.isPaused && this.state !== 'delisted') return 'paused';
    const takesOrders = this.state === 'open' || this.state === 'post-only' || this.state === 'auction';
    return takesOrders && !this.terms.enableTrading ? 'halted' : this.state;
  }

  /** Orders cannot be cancelled or reduced. With trading merely disabled they can. */
  get isHalted(): boolean {
    return this.state === 'halted' || this.isPaused;
  }

  /** A size in base units. */
  setBase(into: Amount, size: number): void {
    into.setProduct(size, this.rules.baseFactor);
    if (this.rules.baseFactorRest !== 1) into.multiplyBySmall(this.rules.baseFactorRest);
  }

  /** The same as a bigint, for any size. */
  exactBase(size: number): bigint {
    return BigInt(size) * this.baseUnits;
  }

  /** Base units in one unit of size. */
  get baseUnits(): bigint {
    return BigInt(this.rules.baseFactor) * BigInt(this.rules.baseFactorRest);
  }

  /** The maximum distance from the best price: floor(best * priceLimitRate). */
  deviation(best: number): number {
    return deviationOf(best, this.rules.priceLimitRate);
  }
}

/** floor(price * rate), of a rate in 10^-6. */
export function deviationOf(price: number, rate: number): number {
  const whole = Math.floor(price / LIMIT_RATE_ONE);
  const rest = price - whole * LIMIT_RATE_ONE;
  // It may be inexact only where it is far above every possible price.
  return Math.min(whole * rate + Math.floor((rest * rate) / LIMIT_RATE_ONE), UNITS_END);
}

/** A rate in 10^-6; null for text that is not one. */
export function parseRate(text: string): number | null {
  const decimal = parseDecimal(text);
  const rate = decimal && toUnits(decimal, LIMIT_RATE_DECIMALS);
  return rate !== null && rate <= LIMIT_RATE_MAX * BigInt(LIMIT_RATE_ONE) ? Number(rate) : null;
}

const DECIMAL_TERMS = [
  'baseMinSize',
  'baseMaxSize',
  'quoteMinSize',
  'quoteMaxSize',
  'quoteIncrement',
  'priceIncrement',
  'priceLimitRate',
  'minFunds',
] as const;

/** First check: all decimals are well-formed. */
export function checkDecimals(baseIncrement: string, terms: SymbolTerms): Rejection | null {
  if (!parseDecimal(baseIncrement)) return invalidValue('baseIncrement', baseIncrement, 'a decimal');
  for (const field of DECIMAL_TERMS) {
    if (!parseDecimal(terms[field])) return invalidValue(field, terms[field], 'a decimal');
  }
  return null;
}

/** Second check: the decimals are consistent, and amounts are exact. */
export function makeRules(identity: SymbolIdentity, terms: SymbolTerms): Rules | Rejection {
  const { base, quote } = identity;
  const increment = parseDecimal(identity.baseIncrement) as Decimal;
  const sizeDecimals = increment.decimals;
  const priceDecimals = quote.scale - sizeDecimals;
  const inUnits = (field: (typeof DECIMAL_TERMS)[number], places: number) =>
    toUnits(parseDecimal(terms[field]) as Decimal, places) ?? -1n;

  const priceIncrement = priceDecimals < 0 ? -1n : inUnits('priceIncrement', priceDecimals);
  const baseIncrement = increment.digits;
  const quoteIncrement = inUnits('quoteIncrement', quote.scale);
  const baseMinSize = inUnits('baseMinSize', sizeDecimals);
  const baseMaxSize = inUnits('baseMaxSize', sizeDecimals);
  const quoteMinSize = inUnits('quoteMinSize', quote.scale);
  const quoteMaxSize = inUnits('quoteMaxSize', quote.scale);
  const minFunds = inUnits('minFunds', quote.scale);
  const priceLimitRate = inUnits('priceLimitRate', LIMIT_RATE_DECIMALS);
  const end = BigInt(UNITS_END);
  const wrong = (field: string, value: string, expected: string) => invalidValue(field, value, expected);

  if (baseIncrement === 0n || baseIncrement >= end) {
    return wrong('baseIncrement', identity.baseIncrement, 'above 0, below 2^50 units of size');
  }
  if (priceIncrement === 0n || priceIncrement >= end) {
    return wrong('priceIncrement', terms.priceIncrement, 'above 0, below 2^50 units of price');
  }
  if (quoteIncrement <= 0n || quoteIncrement >= FUNDS_END) {
    return wrong('quoteIncrement', terms.quoteIncrement, `above 0, at most ${quote.scale} decimals`);
  }
  if (baseMinSize <= 0n || baseMinSize % baseIncrement !== 0n) {
    return wrong(
      'baseMinSize',
      terms.baseMinSize,
      `a positive multiple of baseIncrement ${identity.baseIncrement}`,
    );
  }
  if (baseMaxSize < baseMinSize || baseMaxSize % baseIncrement !== 0n || baseMaxSize >= end) {
    const expected = `a multiple of baseIncrement ${identity.baseIncrement}, at least baseMinSize, below 2^50 units of size`;
    return wrong('baseMaxSize', terms.baseMaxSize, expected);
  }
  if (quoteMinSize < 0n || quoteMinSize >= FUNDS_END) {
    return wrong('quoteMinSize', terms.quoteMinSize, `at most ${quote.scale} decimals`);
  }
  if (quoteMaxSize < quoteMinSize || quoteMaxSize >= FUNDS_END) {
    return wrong(
      'quoteMaxSize',
      terms.quoteMaxSize,
      `at least quoteMinSize, at most ${quote.scale} decimals`,
    );
  }
  if (minFunds < 0n || minFunds >= FUNDS_END) {
    return wrong('minFunds', terms.minFunds, `at most ${quote.scale} decimals`);
  }
  if (priceLimitRate < 0n || priceLimitRate > LIMIT_RATE_MAX * BigInt(LIMIT_RATE_ONE)) {
    return wrong(
      'priceLimitRate',
      terms.priceLimitRate,
      `at most ${LIMIT_RATE_MAX}, ${LIMIT_RATE_DECIMALS} decimals`,
    );
  }
  if (priceIncrement < 0n || sizeDecimals > base.scale) {
    return reject('amounts-inexact', {
      priceIncrement: terms.priceIncrement,
      baseIncrement: identity.baseIncrement,
      quoteScale: quote.scale,
    });
  }
  const factor = Number(10n ** BigInt(base.scale - sizeDecimals));
  const minFundsAmount = new Amount();
  minFundsAmount.setBigInt(minFunds);
  return {
    sizeDecimals,
    priceDecimals,
    priceIncrement: Number(priceIncrement),
    baseIncrement: Number(baseIncrement),
    baseMinSize: Number(baseMinSize),
    baseMaxSize: Number(baseMaxSize),
    quoteIncrement,
    quoteMinSize,
    quoteMaxSize,
    minFunds: minFundsAmount,
    priceLimitRate: Number(priceLimitRate),
    baseFactor: Math.min(factor, FACTOR_STEP),
    baseFactorRest: factor > FACTOR_STEP ? factor / FACTOR_STEP : 1,
  };
}
