/** Files that are made in the page and saved by the reader. */

import { visible } from './visible.ts';

/** Rows by RFC 4180. A cell that a spreadsheet would take for a formula is kept a text. */
export function csvText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ...rows].map((row) => row.map(cell).join(',')).join('\r\n') + '\r\n';
}

export function saveCsv(name: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  saveFile(name, 'text/csv', csvText(head, rows));
}

function cell(given: string): string {
  const text = visible(given);
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?[\d.]+$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Gives the reader a file that was made in the page. */
export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
