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
const HOUR_MS = 3_600_000;
const MEAN = HOURS.reduce((sum, hour) => sum + hour, 0) / HOURS.length;

/** Interpolated at that time between two hours; 1 on average. */
export function busynessAt(time: number): number {
  const hours = time / HOUR_MS;
  const whole = Math.floor(hours);
  const part = hours - whole;
  const at = (hour: number) => HOURS[hour % HOURS.length];
  return (at(whole) * (1 - part) + at(whole + 1) * part) / MEAN;
}
