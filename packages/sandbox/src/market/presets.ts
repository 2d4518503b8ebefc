/**
 * The parameters of the market: presets, and the liquidity of symbols. Amounts are in USDT, times in
 * seconds, prices as fractions of the price.
 */

import { HOUR_MS } from '@bourse/core';

/** The liquidity of a symbol: factors for the figures of a preset. */
export interface Profile {
  /** Its agents do not act in every step (market-state.ts). */
  readonly isSmall: boolean;
  /** Arrivals of noise traders per second. */
  readonly activity: number;
  /** The size of their orders, and of the makers' orders. */
  readonly tradeSize: number;
  readonly depth: number;
  /** Distances between the makers' prices. */
  readonly width: number;
  /** Makers queue at best prices that are a few increments apart, and stay there while the value moves little. */
  readonly isTight: boolean;
  /** How many of the makers quote, and how many of their prices, relative to the preset. */
  readonly makers: number;
  readonly levels: number;
  /** The daily turnover of past candles, and how many there are. */
  readonly turnover: number;
  readonly past: number;
  /** After this long without a noise trader, one arrives. */
  readonly idleMsMax: number;
}

const TIGHT: Profile = {
  isSmall: false,
  activity: 2,
  tradeSize: 3,
  depth: 2,
  width: 1,
  isTight: true,
  makers: 3,
  levels: 1,
  turnover: 1,
  past: 1,
  idleMsMax: 25_000,
};
const ORDINARY: Profile = {
  isSmall: false,
  activity: 1,
  tradeSize: 1,
  depth: 1,
  width: 1,
  isTight: false,
  makers: 3,
  levels: 1,
  turnover: 1,
  past: 1,
  idleMsMax: 25_000,
};
/** Small symbols are traded, but thinly: wide spreads, little depth, one or two trades a minute. */
export const SMALL: Profile = {
  isSmall: true,
  activity: 0.06,
  tradeSize: 0.4,
  depth: 0.12,
  width: 12,
  isTight: false,
  makers: 2,
  levels: 0.5,
  turnover: 0.02,
  past: 1 / 15,
  idleMsMax: 240_000,
};

const PROFILES: ReadonlyMap<string, Profile> = new Map([
  ['BTC-USDT', TIGHT],
  ['ETH-USDT', { ...TIGHT, activity: 1.5 }],
  ['ETH-BTC', ORDINARY],
  ['KCS-USDT', ORDINARY],
]);

export const profileOf = (symbol: string): Profile => PROFILES.get(symbol) ?? SMALL;

/**
 * The activity of each hour of the day relative to the mean: quiet at night in Europe and America, busiest in the afternoon,
 * when both are awake. Hours are in UTC.
 */
const HOURS = [
  0.85, 0.8, 0.72, 0.65, 0.6, 0.6, 0.65, 0.75, 0.88, 1.0, 1.05, 1.08, 1.15, 1.35, 1.55, 1.6, 1.5, 1.35, 1.2,
  1.12, 1.05, 1.0, 0.95, 0.9,
];
const MEAN = HOURS.reduce((sum, hour) => sum + hour, 0) / HOURS.length;

/** Interpolated at that time between two hours; 1 on average. */
export function busynessAt(time: number): number {
  const hours = time / HOUR_MS;
  const whole = Math.floor(hours);
  const part = hours - whole;
  const at = (hour: number) => HOURS[hour % HOURS.length];
  return (at(whole) * (1 - part) + at(whole + 1) * part) / MEAN;
}

export interface Preset {
  /** Mean time between two market steps, in milliseconds. */
  readonly gapMs: number;
  /** Volatility relative to `calm`. */
  readonly volatility: number;
  /** Jumps of a value per day, and their deviation. */
  readonly jumpsPerDay: number;
  readonly jump: number;
  /** Half the spread of the makers that quote closest. */
  readonly halfSpread: number;
  /** Increments between the best prices of a tight book; 0 if no book is tight. */
  readonly touchTicks: number;
  /** The size of the makers' orders, and how many prices each quotes on a side. */
  readonly depth: number;
  readonly levels: number;
  /** Spontaneous arrivals of noise traders per second and symbol, and how many more each one triggers. */
  readonly arrivals: number;
  readonly excitement: number;
  /** The median size of their orders. */
  readonly tradeSize: number;
  /** For some minutes only bids, or only asks, are quoted. */
  readonly isOneSided: boolean;
  readonly isCrash: boolean;
}

const CALM: Preset = {
  gapMs: 1000,
  volatility: 1,
  jumpsPerDay: 8,
  jump: 0.002,
  halfSpread: 0.00005,
  touchTicks: 2,
  depth: 1,
  levels: 6,
  arrivals: 0.16,
  excitement: 0.5,
  tradeSize: 400,
  isOneSided: false,
  isCrash: false,
};

export const PRESETS = {
  calm: CALM,
  busy: {
    ...CALM,
    gapMs: 300,
    arrivals: 1.2,
    excitement: 0.7,
    depth: 2,
    halfSpread: 0.00004,
    touchTicks: 1,
    volatility: 1.5,
  },
  thin: {
    ...CALM,
    gapMs: 1500,
    arrivals: 0.06,
    depth: 0.08,
    levels: 3,
    halfSpread: 0.0012,
    touchTicks: 0,
    tradeSize: 150,
  },
  wild: {
    ...CALM,
    gapMs: 600,
    volatility: 4,
    jumpsPerDay: 30,
    jump: 0.006,
    halfSpread: 0.00015,
    touchTicks: 8,
    arrivals: 0.4,
    excitement: 0.7,
    tradeSize: 800,
  },
  'one-sided': { ...CALM, isOneSided: true },
  crash: {
    ...CALM,
    volatility: 2,
    halfSpread: 0.0002,
    touchTicks: 10,
    isCrash: true,
  },
} as const satisfies Record<string, Preset>;

export type LivingPreset = keyof typeof PRESETS;
/** `quiet`: no agents. */
export type PresetName = LivingPreset | 'quiet';

export const PRESET_NAMES = [...Object.keys(PRESETS), 'quiet'] as readonly PresetName[];

export const isPreset = (name: unknown): name is PresetName =>
  typeof name === 'string' && (PRESET_NAMES as readonly string[]).includes(name);

const FALL_BEGINS_S = 60;
const FALL_ENDS_S = 360;
/** The first bounce, which fails: from then on the day falls in waves. */
const BOUNCE_ENDS_S = FALL_ENDS_S + 1800;
/** The logarithms of 0.8 and 0.88. */
const BOTTOM = -0.2231435513142097;
const BOUNCED = -0.12783337150988489;

/** Once an hour a fall by 6 %, and a bounce that recovers half of it; nothing after a day. */
const WAVE_S = 3600;
const WAVE_FALL_S = 900;
const WAVE_BOUNCE_S = 1500;
const WAVES = 23;
/** The logarithms of 0.94 and 0.97. */
const WAVE_BOTTOM = -0.06187540371808753;
const WAVE_BOUNCED = -0.030459207484708574;

/** The crash's cumulative move of every value after this many seconds, as a logarithm. */
export function crashAfter(seconds: number): number {
  if (seconds <= FALL_BEGINS_S) return 0;
  if (seconds <= FALL_ENDS_S) return between(0, BOTTOM, seconds - FALL_BEGINS_S, FALL_ENDS_S - FALL_BEGINS_S);
  if (seconds <= BOUNCE_ENDS_S)
    return between(BOTTOM, BOUNCED, seconds - FALL_ENDS_S, BOUNCE_ENDS_S - FALL_ENDS_S);
  const before = Math.min(WAVES, wavesBefore(seconds));
  const start = BOUNCED + before * WAVE_BOUNCED;
  if (before === WAVES) return start;
  const passed = waveSeconds(seconds);
  if (passed <= WAVE_FALL_S) return start + between(0, WAVE_BOTTOM, passed, WAVE_FALL_S);
  return start + between(WAVE_BOTTOM, WAVE_BOUNCED, passed - WAVE_FALL_S, WAVE_BOUNCE_S);
}

const between = (from: number, to: number, passed: number, whole: number): number =>
  from + (to - from) * Math.min(1, passed / whole);
const wavesBefore = (seconds: number): number => Math.floor((seconds - BOUNCE_ENDS_S) / WAVE_S);
const waveSeconds = (seconds: number): number => (seconds - BOUNCE_ENDS_S) % WAVE_S;

export interface Mood {
  /** The share of noise traders that sell, and by what factor more of them arrive. */
  readonly sellShare: number;
  readonly hurry: number;
}

const USUAL: Mood = { sellShare: 0.5, hurry: 1 };
const PANIC: Mood = { sellShare: 0.9, hurry: 4 };
/** With more, the makers' money would not last for a day. */
const FEAR: Mood = { sellShare: 0.7, hurry: 1.5 };

/** This many seconds after the preset was set: panic during the first fall, fear during later ones. */
export function moodAt({ isCrash }: Preset, seconds: number): Mood {
  if (!isCrash || seconds <= FALL_BEGINS_S) return USUAL;
  if (seconds <= FALL_ENDS_S) return PANIC;
  const isFall = seconds > BOUNCE_ENDS_S && waveSeconds(seconds) <= WAVE_FALL_S;
  return isFall && wavesBefore(seconds) < WAVES ? FEAR : USUAL;
}
