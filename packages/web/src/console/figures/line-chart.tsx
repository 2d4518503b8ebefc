/** A small chart of figures over the last minutes, drawn by uPlot in the colours of the theme. */

import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { usePreferences } from '../../preferences/preferences.ts';

export interface Line {
  readonly label: string;
  /** A variable of the theme, such as `--accent`. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
}

export interface LineChartProps {
  readonly times: readonly number[];
  readonly lines: readonly Line[];
  readonly show: (value: number) => string;
}

const HEIGHT = 96;
const AXIS_WIDTH = 56;

export function LineChart({ times, lines, show }: LineChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<UPlot | null>(null);
  const { theme, isSwapped } = usePreferences();
  const labels = lines.map(({ label }) => label).join();
  const latest = useRef({ lines, show, times });
  latest.current = { lines, show, times };

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
  }, [labels, theme, isSwapped]);

  useEffect(() => plot.current?.setData(dataOf({ times, lines })), [times, lines]);

  return <div ref={place} aria-hidden="true" className="h-24 w-full overflow-hidden" />;
}

const dataOf = ({ times, lines }: Pick<LineChartProps, 'times' | 'lines'>): UPlot.AlignedData => [
  [...times],
  ...lines.map(({ values }) => [...values]),
];

function optionsOf(element: HTMLElement, { lines, show }: LineChartProps): UPlot.Options {
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
    padding: [8, 4, 10, 0],
    axes: [
      { ...axis, show: false },
      { ...axis, size: AXIS_WIDTH, space: 28, values: (_, splits) => splits.map(show) },
    ],
    scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.15 : 1] } },
    series: [
      {},
      ...lines.map(({ label, colour: name }) => ({
        label,
        stroke: colour(name),
        width: 1.5,
        points: { show: false },
        spanGaps: true,
      })),
    ],
  };
}
