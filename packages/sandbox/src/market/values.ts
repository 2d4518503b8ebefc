/**
 * The latent values: what each currency would be worth with full information. They are correlated, more in volatile
 * times than in calm ones, and jump now and then, farther in volatile times. Makers see them with a delay.
 */

import { exp, type Random } from './random.ts';
import type { GroupState, SimulationState } from './market-state.ts';
import { crashAfter, type Preset } from './presets.ts';

const DAY_S = 86_400;
/** The common share of a currency's movement. */
export const COMMON = 0.7;
/** The share of its own. */
export const OWN = Math.sqrt(1 - COMMON * COMMON);
/** The time in which volatility reverts to its mean, and its deviation. */
const FAST = { seconds: 1200, deviation: 0.35 };
const SLOW = { seconds: 3 * 3600, deviation: 0.65 };
/** Normalises the volatility, so that a preset's days have the stated average. */
const MEAN_WILDNESS = FAST.deviation * FAST.deviation + SLOW.deviation * SLOW.deviation;
/** The share that makers do not know yet after a second, 0.35, as a logarithm. */
const LOG_UNSEEN = -1.0498221244986778;
/** Makers see a move of at least this size at once, smaller ones with a delay. */
const NEWS = 0.01;

/** The current volatility, and the common movement. */
export function moveTogether(state: SimulationState, preset: Preset, random: Random): void {
  const seconds = (state.ranMs - state.groups[0].ranMs) / 1000;
  state.fastWildness = drift(state.fastWildness, FAST, seconds, random);
  state.slowWildness = drift(state.slowWildness, SLOW, seconds, random);
  state.common += deviationOf(state, preset, seconds) * random.normal();
}

/** Updates the values of the group's currencies over the time since its last turn. */
export function moveGroup(state: SimulationState, group: GroupState, preset: Preset, random: Random): void {
  const seconds = (state.ranMs - group.ranMs) / 1000;
  const together = COMMON * (state.common - group.common);
  const own = OWN * deviationOf(state, preset, seconds);
  const crash = preset.isCrash ? crashStep(state, seconds) : 0;
  for (const currency of group.currencies) {
    const { dailyDeviation } = livingCurrency(currency.code)!;
    currency.value += dailyDeviation * (together + own * random.normal()) + crash;
    if (random.chance((preset.jumpsPerDay * seconds) / DAY_S))
      currency.value += preset.jump * wildnessOf(state) * random.normal();
    const unseen = currency.value - currency.seen;
    currency.seen =
      Math.abs(unseen) > NEWS ? currency.value : currency.value - unseen * exp(seconds * LOG_UNSEEN);
  }
}

/** The deviation of a value's logarithm over this many seconds, if its daily deviation is 1. */
const deviationOf = (state: SimulationState, { volatility }: Preset, seconds: number): number =>
  volatility * wildnessOf(state) * Math.sqrt(seconds / DAY_S);

/** Current volatility relative to the mean: squared, 1 on average. */
function wildnessOf({ fastWildness, slowWildness }: SimulationState): number {
  return exp(fastWildness + slowWildness - MEAN_WILDNESS);
}

/** In volatile times distances between prices widen up to this factor. */
const WIDENING_MAX = 6;

export const wideningOf = (state: SimulationState): number =>
  Math.min(WIDENING_MAX, Math.max(1, wildnessOf(state)));

function drift(value: number, back: typeof FAST, seconds: number, random: Random): number {
  const share = Math.min(1, seconds / back.seconds);
  return value * (1 - share) + back.deviation * Math.sqrt(2 * share) * random.normal();
}

/** The crash's move over the last `seconds`. */
function crashStep({ nextAt, since }: SimulationState, seconds: number): number {
  const now = (nextAt - since) / 1000;
  return crashAfter(now) - crashAfter(now - seconds);
}

/** Initial values of currencies in USDT, and their volatility: the basis of the agents' prices. */
export interface LivingCurrency {
  readonly code: string;
  readonly value: number;
  /** Daily deviation of the logarithm of the value in the preset `calm`. */
  readonly dailyDeviation: number;
}

/** The unit of all values, which never changes. */
export const NUMERAIRE = 'USDT';

const CURRENCIES: readonly LivingCurrency[] = [
  { code: 'BTC', value: 100_000, dailyDeviation: 0.025 },
  { code: 'ETH', value: 3500, dailyDeviation: 0.032 },
  { code: 'KCS', value: 12, dailyDeviation: 0.036 },
  { code: 'LTC', value: 90, dailyDeviation: 0.03 },
  { code: 'XRP', value: 2, dailyDeviation: 0.035 },
  { code: 'EOS', value: 0.8, dailyDeviation: 0.035 },
  { code: 'ADA', value: 0.7, dailyDeviation: 0.035 },
  { code: 'DOGE', value: 0.2, dailyDeviation: 0.04 },
  { code: 'TRX', value: 0.25, dailyDeviation: 0.025 },
  { code: 'XLM', value: 0.3, dailyDeviation: 0.035 },
  { code: 'GALAX', value: 0.02, dailyDeviation: 0.045 },
  { code: 'BCHSV', value: 40, dailyDeviation: 0.035 },
  { code: 'EDGE', value: 0.05, dailyDeviation: 0.045 },
  { code: 'REQ', value: 0.12, dailyDeviation: 0.04 },
];

const byCode = new Map(CURRENCIES.map((currency) => [currency.code, currency]));

export function livingCurrency(code: string): LivingCurrency | undefined {
  return byCode.get(code);
}

/** Whether agents can trade a symbol of these two currencies, which requires a value of both. */
export function canLive(base: string, quote: string): boolean {
  return (
    base !== quote &&
    [base, quote].every((code) => code === NUMERAIRE || byCode.has(code)) &&
    base !== NUMERAIRE
  );
}
