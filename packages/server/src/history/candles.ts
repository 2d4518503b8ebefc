/** Candles: what was traded in a stretch of time. Stretches are counted in UTC; weeks begin on Monday. */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
/** 1970-01-05, the first Monday. */
const MONDAY = 4 * DAY;

/** The length of each interval in milliseconds; a month has none. */
export const INTERVALS = {
  '1min': MINUTE,
  '3min': 3 * MINUTE,
  '5min': 5 * MINUTE,
  '15min': 15 * MINUTE,
  '30min': 30 * MINUTE,
  '1hour': HOUR,
  '2hour': 2 * HOUR,
  '4hour': 4 * HOUR,
  '6hour': 6 * HOUR,
  '8hour': 8 * HOUR,
  '12hour': 12 * HOUR,
  '1day': DAY,
  '1week': WEEK,
  '1month': 0,
} as const;

export type Interval = keyof typeof INTERVALS;

export const INTERVAL_NAMES = Object.keys(INTERVALS) as readonly Interval[];

export const isInterval = (name: string): name is Interval => Object.hasOwn(INTERVALS, name);

/** When the stretch that `time` lies in began; both in milliseconds. */
export function startOf(interval: Interval, time: number): number {
  if (interval === '1month') {
    const date = new Date(time);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
  }
  const length = INTERVALS[interval];
  const offset = interval === '1week' ? MONDAY : 0;
  return Math.floor((time - offset) / length) * length + offset;
}

/** Prices and volume in the symbol's units, turnover in quote units; volume may pass 2^53 in a month. */
export interface Candle {
  /** Milliseconds. */
  readonly start: number;
  readonly open: number;
  readonly close: number;
  readonly high: number;
  readonly low: number;
  readonly volume: bigint;
  readonly turnover: bigint;
}

/** The candle with one trade more; a trade of a later stretch begins a new one. */
export function withTrade(
  candle: Candle | undefined,
  start: number,
  { price, size }: { readonly price: number; readonly size: number },
): Candle {
  const funds = BigInt(price) * BigInt(size);
  if (candle === undefined || candle.start !== start) {
    return {
      start,
      open: price,
      close: price,
      high: price,
      low: price,
      volume: BigInt(size),
      turnover: funds,
    };
  }
  return {
    start,
    open: candle.open,
    close: price,
    high: Math.max(candle.high, price),
    low: Math.min(candle.low, price),
    volume: candle.volume + BigInt(size),
    turnover: candle.turnover + funds,
  };
}

/** Two candles of one stretch, the second later. */
export function joined(first: Candle, second: Candle): Candle {
  return {
    start: first.start,
    open: first.open,
    close: second.close,
    high: Math.max(first.high, second.high),
    low: Math.min(first.low, second.low),
    volume: first.volume + second.volume,
    turnover: first.turnover + second.turnover,
  };
}
