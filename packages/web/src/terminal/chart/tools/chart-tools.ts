/**
 * Indicators, the volume profile and trend lines of a chart. Loaded when the first of them is chosen. Draws through
 * CandleChart and imports only types of the library, so that the library stays in the chart's file.
 */

import type { Candle } from '@bourse/client';
import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesApi,
  SeriesType,
  UTCTimestamp,
} from 'lightweight-charts';
import type { CandleChart, ChartPoint } from '../candle-chart.ts';
import type { Indicator } from '../chart-types.ts';
import {
  type Bar,
  bollinger,
  ema,
  macd,
  rsi,
  sessionOf,
  sma,
  type Values,
  volumeProfile,
  vwap,
} from './indicators.ts';

/** The update interval of indicators: the last candle changes with every trade, which is faster than anyone reads. */
const CALM_MS = 250;

/** One line or histogram of an indicator. */
interface Plot {
  readonly label: string;
  /** The name of a theme colour. */
  readonly tone: string;
  readonly kind: 'line' | 'histogram';
  readonly valuesOf: (bars: readonly Bar[], seconds: number) => Values;
}

interface Plan {
  /** Drawn in a pane below, because its values are not prices. */
  readonly isApart: boolean;
  readonly plots: readonly Plot[];
}

const closes = (bars: readonly Bar[]): number[] => bars.map(({ close }) => close);
const line = (label: string, tone: string, valuesOf: Plot['valuesOf']): Plot => ({
  label,
  tone,
  kind: 'line',
  valuesOf,
});

const plans: ReadonlyMap<Indicator, Plan> = new Map([
  ['ma', { isApart: false, plots: [line('MA 20', 'warning', (bars) => sma(closes(bars), 20))] }],
  ['ema', { isApart: false, plots: [line('EMA 50', 'accent', (bars) => ema(closes(bars), 50))] }],
  [
    'vwap',
    { isApart: false, plots: [line('VWAP', 'good', (bars, seconds) => vwap(bars, sessionOf(seconds)))] },
  ],
  [
    'bollinger',
    {
      isApart: false,
      plots: (['upper', 'middle', 'lower'] as const).map((band) =>
        line(`BB ${band}`, 'faint', (bars) => bollinger(closes(bars), 20, 2)[band]),
      ),
    },
  ],
  ['rsi', { isApart: true, plots: [line('RSI 14', 'accent', (bars) => rsi(closes(bars), 14))] }],
  [
    'macd',
    {
      isApart: true,
      plots: [
        {
          ...line('Histogram', 'line-strong', (bars) => macd(closes(bars), 12, 26, 9).histogram),
          kind: 'histogram',
        },
        line('MACD', 'accent', (bars) => macd(closes(bars), 12, 26, 9).line),
        line('Signal', 'warning', (bars) => macd(closes(bars), 12, 26, 9).signal),
      ],
    },
  ],
]);

interface Shown {
  readonly plot: Plot;
  readonly series: ISeriesApi<SeriesType>;
  values: Values;
}

export interface LegendEntry {
  readonly label: string;
  readonly tone: string;
  readonly value: number | null;
  /** Values are prices, shown with the market's decimal places. */
  readonly isPrice: boolean;
}

export class ChartTools {
  readonly #chart: CandleChart;
  readonly #colorOf: (tone: string) => string;
  readonly #shown = new Map<Indicator, Shown[]>();
  readonly #profile: ProfileLayer;
  readonly #trends: TrendLayer;
  readonly #stop: () => void;
  /** Called when the legend's values change. */
  readonly #onDrawn: () => void;
  #times: ReadonlyMap<number, number> = new Map();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(chart: CandleChart, colorOf: (tone: string) => string, onDrawn: () => void) {
    this.#chart = chart;
    this.#colorOf = colorOf;
    this.#onDrawn = onDrawn;
    this.#profile = new ProfileLayer(chart, colorOf);
    this.#trends = new TrendLayer(chart, colorOf);
    this.#stop = chart.onCandles((isWhole) => {
      if (isWhole) this.#draw();
      else this.#timer ??= setTimeout(() => this.#draw(), CALM_MS);
    });
  }

  setIndicators(wanted: ReadonlySet<Indicator>): void {
    for (const [name, plots] of this.#shown) {
      if (wanted.has(name)) continue;
      for (const { series } of plots) this.#chart.removeSeries(series);
      this.#shown.delete(name);
    }
    for (const [name, { isApart, plots }] of plans) {
      if (!wanted.has(name) || this.#shown.has(name)) continue;
      const pane = isApart ? this.#chart.paneCount : 0;
      const added = plots.map((plot) => ({
        plot,
        series: this.#chart.addSeries(plot.kind, pane),
        values: [],
      }));
      this.#shown.set(name, added);
    }
    this.#profile.setShown(wanted.has('profile'));
    this.#chart.sharePanes();
    this.#draw();
  }

  setTrends(trends: readonly { readonly from: ChartPoint; readonly to: ChartPoint }[]): void {
    this.#trends.set(trends);
  }

  /** Values of the candle that starts at `start`, or of the last one. */
  legendAt(start: number | undefined): LegendEntry[] {
    const at = start === undefined ? this.#chart.candles.length - 1 : (this.#times.get(start) ?? -1);
    return [...this.#shown].flatMap(([name, plots]) =>
      plots.map(({ plot, values }) => ({
        label: plot.label,
        tone: plot.tone,
        value: values[at] ?? null,
        isPrice: plans.get(name)?.isApart !== true,
      })),
    );
  }

  close(): void {
    this.#stop();
    clearTimeout(this.#timer);
    this.#profile.setShown(false);
    this.#trends.close();
    for (const plots of this.#shown.values())
      for (const { series } of plots) this.#chart.removeSeries(series);
    this.#shown.clear();
  }

  #draw(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#onDrawn();
    if (this.#shown.size === 0) return;
    const { candles, interval } = this.#chart;
    const bars = candles.map(barOf);
    this.#times = new Map(bars.map(({ time }, at) => [time, at]));
    for (const each of [...this.#shown.values()].flat()) {
      each.values = each.plot.valuesOf(bars, interval);
      each.series.applyOptions({ color: this.#colorOf(each.plot.tone) });
      each.series.setData(
        bars.map((bar, at) => {
          const [time, value] = [bar.time as UTCTimestamp, each.values[at] ?? null];
          return value === null ? { time } : { time, value };
        }),
      );
    }
  }
}

const barOf = ([start, open, close, high, low, volume]: Candle): Bar => ({
  time: Number(start),
  open: Number(open),
  high: Number(high),
  low: Number(low),
  close: Number(close),
  volume: Number(volume),
});

const ROWS = 32;
/** The longest bar as a share of the width. */
const SHARE = 0.22;

/** The volume profile of the visible candles: bars from the right edge, the most traded price in a strong colour. */
class ProfileLayer {
  readonly #chart: CandleChart;
  readonly #colorOf: (tone: string) => string;
  #detach: (() => void) | null = null;

  constructor(chart: CandleChart, colorOf: (tone: string) => string) {
    this.#chart = chart;
    this.#colorOf = colorOf;
  }

  setShown(isShown: boolean): void {
    if (isShown === (this.#detach !== null)) return;
    this.#detach?.();
    this.#detach = null;
    if (!isShown) return;
    const renderer: IPrimitivePaneRenderer = { draw: (target) => this.#draw(target) };
    const views: readonly IPrimitivePaneView[] = [{ zOrder: () => 'bottom', renderer: () => renderer }];
    this.#detach = this.#chart.attach({ paneViews: () => views });
  }

  #draw(target: Parameters<IPrimitivePaneRenderer['draw']>[0]): void {
    const bars = this.#chart.visible.map(([time, open, close, high, low, volume]) => ({
      time: Number(time),
      open: Number(open),
      high: Number(high),
      low: Number(low),
      close: Number(close),
      volume: Number(volume),
    }));
    const rows = volumeProfile(bars, ROWS);
    const most = Math.max(...rows.map(({ up, down }) => up + down), 0);
    if (most === 0) return;
    target.useMediaCoordinateSpace(({ context, mediaSize: { width } }) => {
      for (const { from, to, up, down } of rows) {
        const [bottom, top] = [this.#chart.yOf(from), this.#chart.yOf(to)];
        if (bottom === null || top === null) continue;
        const height = Math.max(1, Math.abs(bottom - top) - 1);
        const scale = (width * SHARE) / most;
        const [upWidth, downWidth] = [up * scale, down * scale];
        context.globalAlpha = up + down === most ? 1 : 0.65;
        context.fillStyle = this.#colorOf('up-tint');
        context.fillRect(width - upWidth, Math.min(top, bottom), upWidth, height);
        context.fillStyle = this.#colorOf('down-tint');
        context.fillRect(width - upWidth - downWidth, Math.min(top, bottom), downWidth, height);
      }
      context.globalAlpha = 1;
    });
  }
}

interface Trend {
  readonly from: ChartPoint;
  readonly to: ChartPoint;
}

/** Trend lines: straight lines between two points in time and price. */
class TrendLayer {
  readonly #chart: CandleChart;
  readonly #colorOf: (tone: string) => string;
  readonly #detach: () => void;
  #trends: readonly Trend[] = [];
  #requestUpdate = (): void => undefined;

  constructor(chart: CandleChart, colorOf: (tone: string) => string) {
    this.#chart = chart;
    this.#colorOf = colorOf;
    const renderer: IPrimitivePaneRenderer = { draw: (target) => this.#draw(target) };
    const views: readonly IPrimitivePaneView[] = [{ zOrder: () => 'top', renderer: () => renderer }];
    this.#detach = chart.attach({
      attached: ({ requestUpdate }) => {
        this.#requestUpdate = requestUpdate;
      },
      paneViews: () => views,
    });
  }

  set(trends: readonly Trend[]): void {
    this.#trends = trends;
    this.#requestUpdate();
  }

  close(): void {
    this.#detach();
  }

  #draw(target: Parameters<IPrimitivePaneRenderer['draw']>[0]): void {
    target.useMediaCoordinateSpace(({ context }) => {
      context.strokeStyle = this.#colorOf('accent');
      context.lineWidth = 1.5;
      for (const { from, to } of this.#trends) {
        const points = [from, to].map(
          ({ time, price }) => [this.#chart.xOf(time), this.#chart.yOf(price)] as const,
        );
        const [[x1, y1], [x2, y2]] = points as [
          readonly [number | null, number | null],
          readonly [number | null, number | null],
        ];
        if (x1 === null || y1 === null || x2 === null || y2 === null) continue;
        context.beginPath();
        context.moveTo(x1, y1);
        context.lineTo(x2, y2);
        context.stroke();
      }
    });
  }
}
