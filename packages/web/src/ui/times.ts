/** Times as they are shown: in the user's own time zone, always with the same number of digits. */

const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0');

/** Milliseconds as 14:03:59. */
export function clockTime(ms: number): string {
  const date = new Date(ms);
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

/** Milliseconds as 2026-11-16 14:03:59. */
export function dateTime(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${clockTime(ms)}`;
}

/** For lists: 14:03:59 today, 11-16 14:03 this year, else 2025-11-16. The exact time stands beside. */
export function listTime(ms: number, now = Date.now()): string {
  const [then, today] = [dateTime(ms), dateTime(now)];
  if (then.slice(0, 10) === today.slice(0, 10)) return clockTime(ms);
  return then.slice(0, 4) === today.slice(0, 4) ? then.slice(5, 16) : then.slice(0, 10);
}

/** To the millisecond, where the order of events matters. */
export function exactTime(ms: number): string {
  return `${dateTime(ms)}.${pad(ms % 1000, 3)}`;
}
