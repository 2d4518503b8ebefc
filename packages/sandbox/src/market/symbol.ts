/**
 * A symbol as the agents use it: prices and sizes in its units, conversion from values in USDT, and its
 * book.
 */

import { type Exchange, formatUnits, parseDecimal, type Side, type SymbolSet, toUnits } from '@bourse/core';
import { AGENTS, capitalIn } from './agents.ts';
import {
  type BookState,
  type GroupState,
  type SimulationState,
  turnsOf,
  WrittenStates,
} from './market-state.ts';
import { type Preset, type Profile, profileOf } from './presets.ts';
import { exp } from './random.ts';
import { NUMERAIRE, wideningOf } from './values.ts';

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

/** A symbol with the prices of its book and those implied by the latent values. */
export interface LivingBook {
  readonly symbol: LivingSymbol;
  readonly book: BookState;
  readonly profile: Profile;
  /** The unit of distances between prices, as a fraction of the price. In a tight book it widens in volatile times. */
  readonly unit: number;
  /** The latent price, and the one that makers quote around, in units. */
  readonly value: number;
  readonly fair: number;
  /** The makers of a tight book moved to another price in this step. */
  readonly isMoved: boolean;
  /** The value of one base coin in USDT, from the latent values. */
  readonly baseWorth: number;
  /** Time since its last turn, and the number of turns before. */
  readonly seconds: number;
  readonly turns: number;
  readonly bid: number;
  readonly ask: number;
}

/** Makers of a tight book requote once the value is this many units away. */
export const STAY_UNITS = 3;

export function livingBooks(
  surroundings: Surroundings,
  state: SimulationState,
  group: GroupState,
  preset: Preset,
): LivingBook[] {
  const { exchange } = surroundings;
  const [{ currencies: always }] = state.groups;
  const of = (code: string, field: 'value' | 'seen'): number => {
    if (code === NUMERAIRE) return 0;
    const isCode = (currency: { readonly code: string }) => currency.code === code;
    return (always.find(isCode) ?? group.currencies.find(isCode)!)[field];
  };
  const widening = wideningOf(state);
  const seconds = (state.ranMs - group.ranMs) / 1000;
  const turns = turnsOf(group.number, state.step);
  return group.books.map((book) => {
    const symbol = surroundings.symbol(book.code);
    const { baseCode, quoteCode, number } = symbol;
    const best = (side: Side) => exchange.bestPrice(number, side);
    const profile = profileOf(book.code);
    const seen = symbol.priceOf(of(baseCode, 'seen') - of(quoteCode, 'seen'));
    const isTight = profile.isTight && preset.touchTicks > 0;
    const unit = preset.halfSpread * profile.width * (isTight ? widening : 1);
    const isMoved = isTight && Math.abs(seen - book.anchor) > STAY_UNITS * unit * seen;
    if (isMoved) book.anchor = symbol.down(seen);
    return {
      symbol,
      book,
      profile: isTight === profile.isTight ? profile : { ...profile, isTight },
      unit,
      value: symbol.priceOf(of(baseCode, 'value') - of(quoteCode, 'value')),
      fair: isTight ? book.anchor : seen,
      isMoved,
      baseWorth: exp(of(baseCode, 'value')),
      seconds,
      turns,
      bid: best('buy'),
      ask: best('sell'),
    };
  });
}

/**
 * A cache of rarely changing facts for the agents: their user numbers, and the symbols' terms. It
 * is filled once; its owner invalidates it after a change.
 */
export class Surroundings {
  readonly exchange: Exchange;
  readonly written = new WrittenStates();
  #users: ReadonlyMap<string, number> | null = null;
  readonly #symbols = new Map<string, LivingSymbol>();
  readonly #capitals = new Map<string, number>();

  constructor(exchange: Exchange) {
    this.exchange = exchange;
  }

  /** Users or symbols have changed. */
  forget(): void {
    this.#users = null;
    this.#symbols.clear();
  }

  /** The agent's number as a user. */
  user(name: string): number {
    this.#users ??= new Map(this.exchange.reference.users.map((user, number) => [user.name, number]));
    const number = this.#users.get(name);
    if (number === undefined) throw new Error(`there is no user ${name}: the market has not started`);
    return number;
  }

  symbol(code: string): LivingSymbol {
    let symbol = this.#symbols.get(code);
    if (symbol === undefined) {
      symbol = new LivingSymbol(this.exchange, this.exchange.reference.symbolNumber(code));
      this.#symbols.set(code, symbol);
    }
    return symbol;
  }

  /** A maker's initial amount of the currency, in its units. */
  makerCapital(code: string): number {
    let capital = this.#capitals.get(code);
    if (capital === undefined) {
      capital = Number(capitalIn(this.exchange, code, AGENTS[0].capital));
      this.#capitals.set(code, capital);
    }
    return capital;
  }
}
