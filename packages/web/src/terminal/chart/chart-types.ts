/** The choices of a chart: type, interval and indicators; and its colours. */

import type { Candle } from '@bourse/client';
import { Decimal, placesOf } from '../../decimal/decimal.ts';

export const chartTypes = [
  { value: 'candles', label: 'Candles' },
  { value: 'hollow', label: 'Hollow candles' },
  { value: 'bars', label: 'Bars' },
  { value: 'line', label: 'Line' },
  { value: 'area', label: 'Area' },
] as const;

export type ChartType = (typeof chartTypes)[number]['value'];

export const chartTypeOf = (value: string): ChartType =>
  chartTypes.find((each) => each.value === value)?.value ?? 'candles';

/** The available indicators. The code that computes and draws them loads with the first choice. */
export const indicators = [
  { value: 'ma', label: 'MA 20' },
  { value: 'ema', label: 'EMA 50' },
  { value: 'vwap', label: 'VWAP' },
  { value: 'bollinger', label: 'Bollinger 20, 2' },
  { value: 'rsi', label: 'RSI 14' },
  { value: 'macd', label: 'MACD 12, 26, 9' },
  { value: 'profile', label: 'Volume profile' },
] as const;

export type Indicator = (typeof indicators)[number]['value'];

export const isIndicator = (value: string): value is Indicator =>
  indicators.some((each) => each.value === value);

/** The value of a colour of the page's style sheet, so that there is one list of them. */
export const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export interface Interval {
  readonly type: string;
  readonly label: string;
  readonly seconds: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The candle intervals, by their API names. */
export const intervals: readonly Interval[] = [
  { type: '1min', label: '1m', seconds: MINUTE },
  { type: '5min', label: '5m', seconds: 5 * MINUTE },
  { type: '15min', label: '15m', seconds: 15 * MINUTE },
  { type: '30min', label: '30m', seconds: 30 * MINUTE },
  { type: '1hour', label: '1h', seconds: HOUR },
  { type: '4hour', label: '4h', seconds: 4 * HOUR },
  { type: '1day', label: '1d', seconds: DAY },
  { type: '1week', label: '1w', seconds: 7 * DAY },
];

export const intervalOf = (type: string): Interval =>
  intervals.find((each) => each.type === type) ?? intervals[2]!;

/** 1970-01-05: weeks begin on Monday, and the epoch was a Thursday. */
const MONDAY = 4 * DAY;

/** The start of the candle of `interval` seconds that contains the time. */
export function candleStart(seconds: number, interval: number): number {
  const offset = interval % (7 * DAY) === 0 ? MONDAY : 0;
  return Math.floor((seconds - offset) / interval) * interval + offset;
}

/** The candles older than the first known one: all of them may have been loaded since the request. */
export function olderThan(older: readonly Candle[], known: readonly Candle[]): readonly Candle[] {
  const first = known[0];
  return first === undefined ? older : older.filter(([start]) => Number(start) < Number(first[0]));
}

/** The market price nearest to a canvas position, which is not an exact price. */
export function nearestPrice(price: number, increment: string): string {
  const places = placesOf(increment);
  const step = Decimal.of(increment);
  const middle = Math.max(0, price) + Number(increment) / 2;
  const rounded = Decimal.of(middle.toFixed(places + 1)).floorTo(step);
  return (rounded.compare(step) < 0 ? step : rounded).toFixed(places);
}
