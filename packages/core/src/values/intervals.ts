/** Candle intervals. They are aligned to UTC; weeks begin on Monday. */

const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;
/** 1970-01-05, the first Monday. */
const MONDAY = 4 * DAY_MS;

/** The length of each interval in milliseconds; 0 for a month, whose length varies. */
export const INTERVALS = {
  '1min': MINUTE_MS,
  '3min': 3 * MINUTE_MS,
  '5min': 5 * MINUTE_MS,
  '15min': 15 * MINUTE_MS,
  '30min': 30 * MINUTE_MS,
  '1hour': HOUR_MS,
  '2hour': 2 * HOUR_MS,
  '4hour': 4 * HOUR_MS,
  '6hour': 6 * HOUR_MS,
  '8hour': 8 * HOUR_MS,
  '12hour': 12 * HOUR_MS,
  '1day': DAY_MS,
  '1week': WEEK_MS,
  '1month': 0,
} as const;

export type Interval = keyof typeof INTERVALS;

export const INTERVAL_NAMES = Object.keys(INTERVALS) as readonly Interval[];

export const isInterval = (name: string): name is Interval => Object.hasOwn(INTERVALS, name);

/** The start of the interval that contains `time`; both in milliseconds. */
export function startOf(interval: Interval, time: number): number {
  if (interval === '1month') return startOfMonth(time);
  const length = INTERVALS[interval];
  const offset = interval === '1week' ? MONDAY : 0;
  return Math.floor((time - offset) / length) * length + offset;
}

/** Days from 0000-03-01 to 1970-01-01; with years that begin in March, the leap day is the last of its year. */
const DAYS_BEFORE_1970 = 719_468;
/** The Gregorian calendar repeats after 400 years. */
const DAYS_OF_ERA = 146_097;

function startOfMonth(time: number): number {
  const day = Math.floor(time / DAY_MS);
  const days = day + DAYS_BEFORE_1970;
  const ofEra = days - Math.floor(days / DAYS_OF_ERA) * DAYS_OF_ERA;
  const leapDays = Math.floor(ofEra / 1460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096);
  const year = Math.floor((ofEra - leapDays) / 365);
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  // From March on, the lengths of months repeat: 31, 30, 31, 30, 31 days, 153 in five months.
  const month = Math.floor((5 * ofYear + 2) / 153);
  const ofMonth = ofYear - Math.floor((153 * month + 2) / 5);
  return (day - ofMonth) * DAY_MS;
}
