/** A symbol with the prices of its book and those implied by the latent values. */

import type { Side } from '@bourse/core';
import { exp } from './arithmetic.ts';
import { NUMERAIRE } from './currencies.ts';
import type { Preset } from './presets.ts';
import { type Profile, profileOf } from './profiles.ts';
import type { LivingSymbol } from './living-symbol.ts';
import { type BookState, type GroupState, type SimulationState, turnsOf } from './market-state.ts';
import { wideningOf } from './values.ts';
import type { Surroundings } from './surroundings.ts';

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
