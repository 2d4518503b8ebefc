/** Text of the pages: class names, times, text that users wrote, and files that the page saves. */

/** Joins class names and omits false and empty ones. */
export function classNames(...names: readonly (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

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

/** For lists: 14:03:59 today, 11-16 14:03 this year, otherwise 2025-11-16. The exact time is in the tooltip. */
export function listTime(ms: number, now = Date.now()): string {
  const [then, today] = [dateTime(ms), dateTime(now)];
  if (then.slice(0, 10) === today.slice(0, 10)) return clockTime(ms);
  return then.slice(0, 4) === today.slice(0, 4) ? then.slice(5, 16) : then.slice(0, 10);
}

/** To the millisecond, for places where the order of events matters. */
export function exactTime(ms: number): string {
  return `${dateTime(ms)}.${pad(ms % 1000, 3)}`;
}

const UNSEEN = /(?![\n\t])[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * For text that users wrote: shows control characters and direction marks, which could hide or reorder text, as \\u
 * and four hex digits. Line ends and tabs stay.
 */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** CSV as RFC 4180 defines it. Cells that a spreadsheet would evaluate as a formula are escaped as text. */
export function csvText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n') + '\r\n';
}

export function saveCsv(name: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  saveFile(name, 'text/csv', csvText(head, rows));
}

function csvCell(given: string): string {
  const text = visible(given);
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Downloads a file that the page has made. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
