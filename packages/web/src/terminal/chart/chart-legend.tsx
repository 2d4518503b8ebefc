/** The figures of the candle that is pointed at, or of the last one; exactly as the exchange sent them. */

import type { Candle } from '@bourse/client';
import { formatAt, formatExact, formatShort, placesOf } from '../../decimal/format.ts';
import { FrameSignal } from '../../exchange/frame-signal.ts';
import { useFrames } from '../../exchange/live-tickers.ts';
import type { CandleChart } from './candle-chart.ts';
import type { ChartTools } from './tools/chart-tools.ts';

/** Which candle is pointed at, and that it has changed: kept outside React, because it does so with every trade. */
export class LegendSource {
  readonly changed = new FrameSignal();
  /** Its start in seconds; undefined for the last one. */
  pointed: number | undefined;

  point(start: number | undefined): void {
    this.pointed = start;
    this.changed.changed();
  }
}

export interface ChartLegendProps {
  readonly chart: CandleChart;
  readonly tools: ChartTools | undefined;
  readonly source: LegendSource;
  readonly increment: string;
}

const OTHER_PLACES = 2;

export function ChartLegend({ chart, tools, source, increment }: ChartLegendProps) {
  useFrames(source.changed);
  const { pointed } = source;
  const candle =
    pointed === undefined ? chart.candles.at(-1) : chart.candles.find(([start]) => Number(start) === pointed);
  const entries = tools?.legendAt(pointed) ?? [];
  const places = placesOf(increment);
  return (
    <div className="pointer-events-none absolute top-1 left-1 z-10 flex max-w-[80%] flex-col gap-0.5 rounded bg-panel/80 px-1 text-2xs">
      {candle !== undefined && <CandleFigures candle={candle} increment={increment} />}
      {entries.length > 0 && (
        <ul aria-label="Indicators" className="flex flex-wrap gap-x-2.5 text-muted">
          {entries.map(({ label, tone, value, isPrice }) => (
            <li key={label}>
              <span style={{ color: `var(--${tone === 'line-strong' ? 'faint' : tone})` }}>{label}</span>{' '}
              {value === null ? '–' : formatExact(value.toFixed(isPrice ? places : OTHER_PLACES))}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function CandleFigures({ candle, increment }: { readonly candle: Candle; readonly increment: string }) {
  const [, open, close, high, low, volume] = candle;
  const figures = [
    ['O', open],
    ['H', high],
    ['L', low],
    ['C', close],
  ] as const;
  return (
    <p className="flex flex-wrap gap-x-2.5 text-muted">
      {figures.map(([name, value]) => (
        <span key={name}>
          <span className="text-faint">{name}</span> {formatAt(value, increment)}
        </span>
      ))}
      <span>
        <span className="text-faint">V</span> {formatShort(volume)}
      </span>
    </p>
  );
}
