/**
 * A figure as it is set in a column: always the same number of places, zeros at the end dimmed. Where digits were
 * rounded away, the exact figure is told when it is pointed at, and it is what is copied (see exact-copy.ts).
 */

import { Decimal } from '../decimal/decimal.ts';
import { formatExact } from '../decimal/format.ts';

export interface FigureProps {
  readonly value: string | null | undefined;
  readonly places: number;
  /** Such as USDT, behind the figure. */
  readonly unit?: string;
}

const ZEROS = /\.?0+$/;

export function Figure({ value, places, unit }: FigureProps) {
  if (value === null || value === undefined || value === '') return <>–</>;
  const exact = Decimal.of(value);
  const rounded = exact.rounded(places);
  const text = formatExact(rounded);
  const zeros = places > 0 ? (ZEROS.exec(text)?.[0] ?? '') : '';
  const isRounded = Decimal.of(rounded).compare(exact) !== 0;
  return (
    <span
      className="whitespace-nowrap"
      {...(isRounded && {
        title: `${formatExact(value)}${unit === undefined ? '' : ` ${unit}`}`,
        'data-exact': value,
      })}
    >
      {text.slice(0, text.length - zeros.length)}
      {zeros !== '' && <span className="text-faint">{zeros}</span>}
      {unit !== undefined && <span className="text-faint"> {unit}</span>}
    </span>
  );
}
