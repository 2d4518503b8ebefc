/**
 * The controls above the chart (interval, type, indicators, lines, scale), and the legend with the figures of a
 * candle.
 */

import type { Candle } from '@bourse/client';
import { formatAt, formatExact, formatShort, placesOf } from '../../decimal/decimal.ts';
import { FrameSignal } from '../../exchange/frame-signal.ts';
import { useFrames } from '../../exchange/live-tickers.ts';
import { setPreferences } from '../../preferences/preferences.ts';
import { usePreferences } from '../../preferences/use-preferences.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu, MenuCheck, MenuItem, MenuLine } from '../../ui/menu.tsx';
import { classNames } from '../../ui/text.ts';
import type { CandleChart } from './candle-chart.ts';
import { chartTypeOf, chartTypes, indicators, intervals } from './chart-types.ts';
import { type DrawingKind, removeDrawings, useDrawings } from './drawings.ts';
import type { ChartTools } from './tools/chart-tools.ts';

export interface ChartToolbarProps {
  readonly symbol: string;
  readonly interval: string;
  /** Whether the last candle is visible. */
  readonly isAtNow: boolean;
  readonly onNow: () => void;
  readonly onDraw: (kind: DrawingKind) => void;
  readonly isFull: boolean;
  readonly onFull: (isFull: boolean) => void;
}

export function ChartToolbar(props: ChartToolbarProps) {
  const { symbol, interval, isAtNow, onNow, onDraw, isFull, onFull } = props;
  const { chartType, isLogScale, indicators: chosen } = usePreferences();
  const drawn = useDrawings(symbol).length;
  const shown = indicators.filter(({ value }) => chosen.includes(value));
  const type = chartTypeOf(chartType);
  return (
    <div
      role="toolbar"
      aria-label="Chart"
      className="flex h-8 shrink-0 items-center gap-1 scroll-cue px-2 text-xs"
    >
      <div role="group" aria-label="Interval of a candle" className="flex gap-0.5">
        {intervals.map((each) => (
          <Toggle
            key={each.type}
            isPressed={each.type === interval}
            onPress={() => setPreferences({ interval: each.type })}
          >
            {each.label}
          </Toggle>
        ))}
      </div>
      <span aria-hidden="true" className="mx-1 h-4 w-px shrink-0 bg-line" />
      <Menu
        trigger={
          <Button
            kind="quiet"
            size="small"
            aria-label={`Chart type: ${chartTypes.find(({ value }) => value === type)?.label}`}
          >
            <Icon name="chart" />
          </Button>
        }
      >
        {chartTypes.map(({ value, label }) => (
          <MenuItem
            key={value}
            isChosen={value === type}
            onSelect={() => setPreferences({ chartType: value })}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
      <Menu
        trigger={
          <Button kind="quiet" size="small">
            <Icon name="wave" />
            Indicators{shown.length > 0 && ` (${shown.length})`}
          </Button>
        }
      >
        {indicators.map(({ value, label }) => (
          <MenuCheck
            key={value}
            isChecked={chosen.includes(value)}
            onChecked={(isChecked) =>
              setPreferences({
                indicators: indicators
                  .map((each) => each.value)
                  .filter((each) => (each === value ? isChecked : chosen.includes(each))),
              })
            }
          >
            {label}
          </MenuCheck>
        ))}
      </Menu>
      <Menu
        trigger={
          <Button kind="quiet" size="small">
            <Icon name="pencil" />
            Draw
          </Button>
        }
      >
        <MenuItem onSelect={() => onDraw('horizontal')}>Horizontal line</MenuItem>
        <MenuItem onSelect={() => onDraw('trend')}>Trend line</MenuItem>
        <MenuLine />
        <MenuItem isDisabled={drawn === 0} onSelect={() => removeDrawings(symbol)}>
          {drawn === 1 ? 'Remove the line' : `Remove all ${drawn} lines`}
        </MenuItem>
      </Menu>
      <Toggle isPressed={isLogScale} onPress={() => setPreferences({ isLogScale: !isLogScale })}>
        Log
      </Toggle>
      <span className="ml-auto flex items-center gap-1">
        {!isAtNow && (
          <Button size="small" onClick={onNow} title="Back to the last candle">
            Now
          </Button>
        )}
        <IconButton
          icon={isFull ? 'shrink' : 'expand'}
          size="small"
          label={isFull ? 'Leave full screen' : 'Chart in full screen'}
          onClick={() => onFull(!isFull)}
        />
      </span>
    </div>
  );
}

interface ToggleProps {
  readonly isPressed: boolean;
  readonly onPress: () => void;
  readonly children: React.ReactNode;
}

function Toggle({ isPressed, onPress, children }: ToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={isPressed}
      onClick={onPress}
      className={classNames(
        'h-6 rounded px-1.5 hover:text-text',
        isPressed ? 'bg-hover font-medium text-accent' : 'text-muted',
      )}
    >
      {children}
    </button>
  );
}

/** The candle that the legend describes. Kept outside React, because it changes with every trade. */
export class LegendSource {
  readonly changed = new FrameSignal();
  /** The start of the candle in seconds; undefined for the last one. */
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
