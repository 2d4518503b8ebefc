/** A symbol with the prices of its book and those implied by the latent values. */

import type { Side, Exchange } from '@bourse/core';
import { exp } from './random.ts';
import { NUMERAIRE, wideningOf } from './values.ts';
import type { Preset } from './presets.ts';
import { type Profile, profileOf } from './profiles.ts';
import { LivingSymbol } from './living-symbol.ts';
import {
  type BookState,
  type GroupState,
  type SimulationState,
  turnsOf,
  WrittenStates,
} from './market-state.ts';
import { AGENTS, capitalIn } from './agents.ts';

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
    if (number === undefined) throw new Error(`there is no user ${name}: the market has not begun`);
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
