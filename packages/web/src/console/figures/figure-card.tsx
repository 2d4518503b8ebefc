/** A figure with its course: what it is now in words, and a small chart of how it came there. */

import { LineChart, type Line } from './line-chart.tsx';

export interface FigureCardProps {
  readonly title: string;
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly show: (value: number) => string;
  readonly steps?: readonly number[];
}

export function FigureCard({ title, times, lines, show, steps }: FigureCardProps) {
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-panel px-3 pt-2.5 pb-1.5">
      <h2 className="text-xs text-muted">{title}</h2>
      <p className="mt-0.5 flex flex-wrap items-baseline gap-x-3">
        {lines.map(({ label, colour, values }) => (
          <span key={label} className="inline-flex items-baseline gap-1.5">
            {lines.length > 1 && (
              <span className="inline-flex items-center gap-1 text-2xs text-faint">
                <span
                  aria-hidden="true"
                  className="size-2 rounded-full"
                  style={{ background: `var(${colour})` }}
                />
                {label}
              </span>
            )}
            <span className="text-base font-semibold">{latest(values, show)}</span>
          </span>
        ))}
      </p>
      <LineChart {...{ times, lines, show, steps }} />
    </section>
  );
}

function latest(values: readonly (number | null)[], show: (value: number) => string): string {
  const value = values.at(-1);
  return value === undefined || value === null || Number.isNaN(value) ? '–' : show(value);
}
