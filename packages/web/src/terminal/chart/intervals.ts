/** The intervals of candles, as the interface names them. */

import type { Candle } from '@bourse/client';

export interface Interval {
  readonly type: string;
  readonly label: string;
  readonly seconds: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

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

/** Those before the first that is known by now: all of them may have been loaded since the older ones were asked for. */
export function olderThan(older: readonly Candle[], known: readonly Candle[]): readonly Candle[] {
  const first = known[0];
  return first === undefined ? older : older.filter(([start]) => Number(start) < Number(first[0]));
}
