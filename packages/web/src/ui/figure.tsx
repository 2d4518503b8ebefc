/**
 * A figure in a column: a fixed number of decimal places, with trailing zeros dimmed. If digits were rounded away,
 * the exact figure is in the tooltip, and it is what gets copied.
 */

import { Decimal, formatExact, placesOf } from '../decimal/decimal.ts';

export interface FigureProps {
  readonly value: string | null | undefined;
  readonly places: number;
  /** The unit after the figure, such as USDT. */
  readonly unit?: string | undefined;
  /** For changes: a positive figure gets a plus sign. */
  readonly isSigned?: boolean | undefined;
}

/** Quotients may have more decimals; all of them are shown on hover and copied. */
const PLACES_MAX = 8;

/** The decimal places of a column: those of its most precise figure. */
export const placesOfAll = (values: readonly (string | null | undefined)[]): number =>
  Math.min(PLACES_MAX, Math.max(0, ...values.map((value) => placesOf(Decimal.of(value).toString()))));

const ZEROS = /\.?0+$/;

export function Figure({ value, places, unit, isSigned = false }: FigureProps) {
  if (value === null || value === undefined || value === '') return <>–</>;
  const exact = Decimal.of(value);
  const rounded = exact.rounded(places);
  const plus = isSigned && exact.units > 0n ? '+' : '';
  const text = plus + formatExact(rounded).replace('-', '−');
  const zeros = places > 0 ? (ZEROS.exec(text)?.[0] ?? '') : '';
  // A spreadsheet does not parse a typographic minus, so the copied text has an ASCII one.
  const isRounded = Decimal.of(rounded).compare(exact) !== 0;
  const isCopied = isRounded || exact.units < 0n;
  return (
    <span
      className="whitespace-nowrap"
      {...(isRounded && { title: `${formatExact(value)}${unit === undefined ? '' : ` ${unit}`}` })}
      {...(isCopied && { 'data-exact': value })}
    >
      {text.slice(0, text.length - zeros.length)}
      {zeros !== '' && <span className="text-faint">{zeros}</span>}
      {unit !== undefined && <span className="text-faint"> {unit}</span>}
    </span>
  );
}

/** Copies rounded figures with all their digits, so that a spreadsheet receives the exchange's figures. */
export function copyExactly(): void {
  document.addEventListener('copy', (event) => {
    const selection = getSelection();
    if (selection === null || selection.rangeCount === 0 || selection.isCollapsed) return;
    const range = selection.getRangeAt(0);
    const whole = elementOf(range.commonAncestorContainer)?.closest<HTMLElement>('[data-exact]');
    const text = whole ? whole.dataset['exact'] : textOf(range.cloneContents());
    if (text === undefined) return;
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
  });
}

const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement);

/** Undefined if nothing was rounded: then the browser's own copying is correct. */
function textOf(fragment: DocumentFragment): string | undefined {
  const rounded = fragment.querySelectorAll<HTMLElement>('[data-exact]');
  if (rounded.length === 0) return undefined;
  for (const element of rounded) element.textContent = element.dataset['exact'] ?? '';
  const rows = [...fragment.querySelectorAll('tr')];
  if (rows.length === 0) return fragment.textContent ?? '';
  const cells = (row: Element): string =>
    [...row.querySelectorAll('th, td')].map((cell) => cell.textContent?.trim() ?? '').join('\t');
  return rows.map(cells).join('\n');
}
