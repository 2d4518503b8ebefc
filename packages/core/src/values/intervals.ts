/** The stretches of time that candles are made of. They are counted in UTC; weeks begin on Monday. */

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
  const day = Math.floor(time / DAY);
  const days = day + DAYS_BEFORE_1970;
  const ofEra = days - Math.floor(days / DAYS_OF_ERA) * DAYS_OF_ERA;
  const leapDays = Math.floor(ofEra / 1460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096);
  const year = Math.floor((ofEra - leapDays) / 365);
  const ofYear = ofEra - (365 * year + Math.floor(year / 4) - Math.floor(year / 100));
  // From March on the months have 31, 30, 31, 30, 31 days, over and over: 153 in five months.
  const month = Math.floor((5 * ofYear + 2) / 153);
  const ofMonth = ofYear - Math.floor((153 * month + 2) / 5);
  return (day - ofMonth) * DAY;
}
