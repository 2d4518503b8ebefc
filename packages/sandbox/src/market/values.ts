/**
 * The latent values: what each currency would be worth if everybody knew everything. They move together in part, more
 * in wild times than in calm ones, and now and then they jump, in wild times farther. Makers see them a little late.
 */

import { exp } from './arithmetic.ts';
import { livingCurrency } from './currencies.ts';
import type { MarketState } from './market-state.ts';
import { crashAfter, type Preset } from './presets.ts';
import type { Random } from './random.ts';

const DAY_S = 86_400;
/** How much of a currency's movement is everybody's. */
const COMMON = 0.7;
const OWN = Math.sqrt(1 - COMMON * COMMON);
/** Wildness goes back to 0 in about this time, and spreads this far. */
const FAST = { seconds: 1200, deviation: 0.35 };
const SLOW = { seconds: 3 * 3600, deviation: 0.65 };
/** So that the days of a preset are as wild as it says, on average. */
const MEAN_WILDNESS = FAST.deviation * FAST.deviation + SLOW.deviation * SLOW.deviation;
/** What makers still do not know after a second, 0.35, as a logarithm. */
const LOG_UNSEEN = -1.0498221244986778;
/** Makers see a move of at least this size at once, smaller ones late. */
const NEWS = 0.01;

export function moveValues(state: MarketState, preset: Preset, random: Random): void {
  const seconds = state.gapMs / 1000;
  state.fastWildness = drift(state.fastWildness, FAST, seconds, random);
  state.slowWildness = drift(state.slowWildness, SLOW, seconds, random);
  const level = wildnessOf(state);
  const wildness = preset.volatility * level * Math.sqrt(seconds / DAY_S);
  const common = random.normal();
  const crash = preset.isCrash ? crashStep(state) : 0;
  for (const currency of state.currencies) {
    const { dailyDeviation } = livingCurrency(currency.code)!;
    const shock = COMMON * common + OWN * random.normal();
    currency.value += dailyDeviation * wildness * shock + crash;
    if (random.chance((preset.jumpsPerDay * seconds) / DAY_S))
      currency.value += preset.jump * level * random.normal();
    const unseen = currency.value - currency.seen;
    currency.seen =
      Math.abs(unseen) > NEWS ? currency.value : currency.value - unseen * exp(seconds * LOG_UNSEEN);
  }
}

/** How much livelier than usual it is: 1 on average, squared. */
function wildnessOf({ fastWildness, slowWildness }: MarketState): number {
  return exp(fastWildness + slowWildness - MEAN_WILDNESS);
}

/** In wild times distances between prices widen up to this factor. */
const WIDENING_MAX = 6;

export const wideningOf = (state: MarketState): number =>
  Math.min(WIDENING_MAX, Math.max(1, wildnessOf(state)));

function drift(value: number, back: typeof FAST, seconds: number, random: Random): number {
  const share = Math.min(1, seconds / back.seconds);
  return value * (1 - share) + back.deviation * Math.sqrt(2 * share) * random.normal();
}

/** What the timetable of the crash adds in this step. */
function crashStep({ nextAt, since, gapMs }: MarketState): number {
  return crashAfter((nextAt - since) / 1000) - crashAfter((nextAt - gapMs - since) / 1000);
}
