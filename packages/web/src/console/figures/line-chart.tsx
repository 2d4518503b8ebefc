/** A small line chart, drawn by uPlot in the theme's colours. */

import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { useTheme } from '../../preferences/use-preferences.ts';
import 'uplot/dist/uPlot.min.css';

interface Line {
  readonly label: string;
  /** A variable of the theme, such as `--accent`. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
}

export interface LineChartProps {
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly show: (value: number) => string;
  /** Distances of grid lines, if powers of ten do not read well. */
  readonly steps?: readonly number[] | undefined;
  /** False for figures that may be negative: the axis then starts at the lowest one. */
  readonly isFromZero?: boolean;
}

const HEIGHT = 168;
const AXIS_WIDTH = 58;
const TIME_AXIS_HEIGHT = 22;
const MINUTES = [1, 2, 5, 10, 30, 60, 180, 360, 720, 1440, 2880, 10_080].map((minutes) => minutes * 60);
const DAY_SECONDS = 86_400;

export function LineChart({ times, lines, show, steps, isFromZero = true }: LineChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const theme = useTheme();
  const labels = lines.map(({ label }) => label).join();
  const latest = useRef({ lines, show, steps, times, isFromZero });
  latest.current = { lines, show, steps, times, isFromZero };

  useEffect(() => {
    const element = place.current!;
    const made = new UPlot(optionsOf(element, latest.current), dataOf(latest.current), element);
    plot.current = made;
    const resize = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [labels, theme]);

  useEffect(() => plot.current?.setData(dataOf({ times, lines })), [times, lines]);

  return (
    <div
      ref={place}
      aria-hidden="true"
      style={{ height: HEIGHT }}
      className="mt-1.5 w-full overflow-hidden"
    />
  );
}

const dataOf = ({ times, lines }: Pick<LineChartProps, 'times' | 'lines'>): UPlot.AlignedData => [
  [...times],
  ...lines.map(({ values }) => [...values]),
];

function optionsOf(element: HTMLElement, { lines, show, steps, isFromZero }: LineChartProps): UPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const axis = {
    stroke: colour('--faint'),
    font: '11px Inter Variable, system-ui',
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: Math.max(1, element.clientWidth),
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 6, 0, 0],
    axes: [
      {
        ...axis,
        size: TIME_AXIS_HEIGHT,
        space: 70,
        gap: 4,
        incrs: MINUTES,
        grid: { show: false },
        values: (_, splits, __, ___, step) => splits.map(step >= DAY_SECONDS ? dayOf : minuteOf),
      },
      {
        ...axis,
        size: AXIS_WIDTH,
        space: 36,
        ...(steps && { incrs: [...steps] }),
        values: (_, splits) => splits.map(show),
      },
    ],
    scales: isFromZero === false ? {} : { y: { range: (_, __, max) => [0, max > 0 ? max * 1.15 : 1] } },
    series: [
      {},
      ...lines.map(({ label, colour: name }) => ({
        label,
        stroke: colour(name),
        width: 1.5,
        // Missing figures interrupt the line; a single figure between two gaps is drawn as a dot.
        points: { show: true, size: 4, filter: alone },
        spanGaps: false,
      })),
    ],
  };
}

function alone(plot: UPlot, series: number): number[] {
  const values = plot.data[series] ?? [];
  const isMissing = (at: number): boolean => values[at] === null || values[at] === undefined;
  return Array.from(values.keys()).filter((at) => !isMissing(at) && isMissing(at - 1) && isMissing(at + 1));
}

/** In the viewer's time zone. */
const minuteOf = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false });

const dayOf = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString([], { month: 'short', day: 'numeric' });

interface FigureCardProps {
  readonly title: string;
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly show: (value: number) => string;
  readonly steps?: readonly number[];
}

/** A metric with its current value as text and a small chart of its history. */
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
            <span className="text-base font-semibold">{shownLast(values, show)}</span>
          </span>
        ))}
      </p>
      <LineChart {...{ times, lines, show, steps }} />
    </section>
  );
}

function shownLast(values: readonly (number | null)[], show: (value: number) => string): string {
  const value = values.at(-1);
  return value === undefined || value === null || Number.isNaN(value) ? '–' : show(value);
}
