/**
 * The price chart, a wrapper around lightweight-charts. Canvas positions are floats; every figure that can be read
 * beside the chart is the exchange's own text. Tools that are loaded later draw through this class, so the library
 * stays in one file.
 */

import type { Candle, Fill } from '@bourse/client';
import {
  AreaSeries,
  BarSeries,
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  CrosshairMode,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type ISeriesPrimitive,
  LineSeries,
  type Logical,
  PriceScaleMode,
  type SeriesMarker,
  type SeriesType,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { formatAt, placesOf } from '../../decimal/decimal.ts';
import { candleStart, type ChartType, color } from './chart-types.ts';

export interface ChartEvents {
  /** The start in seconds of the candle below the crosshair; undefined when the crosshair leaves. */
  readonly onCrosshair: (start: number | undefined) => void;
  /** The oldest candle has become visible. */
  readonly onOldest: () => void;
  readonly onClick: (at: ChartPoint) => void;
  /** The canvas has moved, so the elements over it must follow. */
  readonly onLayout: () => void;
}

export interface ChartPoint {
  /** Seconds since 1970. */
  readonly time: number;
  readonly price: number;
}

/** A line across the chart at a price. */
export interface PriceMark {
  readonly price: string;
  /** The name of a theme colour. */
  readonly tone: string;
  readonly style: keyof typeof LINE_STYLES;
}

const LINE_STYLES = { solid: 0, dotted: 1, dashed: 2 } as const;

/** Older candles are requested when the view comes this close to the first candle. */
const OLDER_WITHIN = 20;
const SHOWN_FIRST = 120;
/** Empty space right of the last candle, in candles. */
const RIGHT_OFFSET = 6;
/** The button back to now appears if the view ends more than this many candles before the last one. */
const NOW_WITHIN = 3;

export class CandleChart {
  readonly #chart: IChartApi;
  #main: ISeriesApi<SeriesType>;
  readonly #volume: ISeriesApi<'Histogram'>;
  #markers: ISeriesMarkersPluginApi<Time>;
  #type: ChartType = 'candles';
  #lines: IPriceLine[] = [];
  #marks: readonly PriceMark[] = [];
  #fills: readonly Fill[] = [];
  readonly #primitives = new Set<ISeriesPrimitive<Time>>();
  readonly #listeners = new Set<(isWhole: boolean) => void>();
  #increment = '1';
  /** Oldest first. */
  candles: readonly Candle[] = [];
  /** The length of a candle in seconds. */
  interval = 0;
  isClosed = false;

  /** One chart per element: markets, intervals and themes change on the same chart. */
  constructor(element: HTMLElement, events: ChartEvents) {
    this.#chart = createChart(element, {
      autoSize: true,
      layout: {
        fontFamily: 'Inter Variable, system-ui, sans-serif',
        fontSize: 11,
        attributionLogo: true,
        panes: { enableResize: true },
      },
      crosshair: { mode: CrosshairMode.Normal },
      timeScale: { timeVisible: true, rightOffset: RIGHT_OFFSET, borderVisible: false },
      rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.24 } },
      localization: { locale: 'en-GB' },
    });
    this.#main = this.#makeMain();
    this.#volume = this.#chart.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.#chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
    this.#markers = createSeriesMarkers(this.#main, []);
    this.attach({ updateAllViews: () => events.onLayout() });
    this.#chart.subscribeCrosshairMove(({ time }) => events.onCrosshair(time as number | undefined));
    this.#chart.subscribeClick(({ point, paneIndex }) => {
      if (point === undefined || (paneIndex ?? 0) > 0) return;
      const [price, time] = [this.priceAt(point.y), this.timeAt(point.x)];
      if (price !== null && time !== null) events.onClick({ price, time });
    });
    this.#chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (this.candles.length > 0 && range !== null && range.from < OLDER_WITHIN) events.onOldest();
      events.onLayout();
    });
    this.applyTheme();
  }

  /** Starts another market or interval and drops everything of the previous one. */
  begin(increment: string, seconds: number): void {
    const precision = placesOf(increment);
    this.interval = seconds;
    this.#increment = increment;
    this.#chart.applyOptions({
      localization: { priceFormatter: (price: number) => formatAt(price.toFixed(precision), increment) },
    });
    this.#main.applyOptions(this.#priceFormat());
    this.candles = [];
    this.#main.setData([]);
    this.#volume.setData([]);
    this.setMarks([]);
    this.setFills([]);
    this.#tell(true);
    this.#chart.priceScale('right').applyOptions({ autoScale: true });
  }

  /** Replaces the series by one of another type and attaches everything to it again. */
  setType(type: ChartType): void {
    if (type === this.#type) return;
    this.#type = type;
    const before = this.#main;
    for (const primitive of this.#primitives) before.detachPrimitive(primitive);
    this.#markers.detach();
    this.#main = this.#makeMain();
    this.#chart.removeSeries(before);
    this.#main.applyOptions(this.#priceFormat());
    this.#main.setData(this.candles.map((candle) => this.#barOf(candle)));
    this.#lines = [];
    this.#markers = createSeriesMarkers(this.#main, []);
    for (const primitive of this.#primitives) this.#main.attachPrimitive(primitive);
    this.applyTheme();
  }

  setLogScale(isLog: boolean): void {
    const mode = isLog ? PriceScaleMode.Logarithmic : PriceScaleMode.Normal;
    this.#chart.priceScale('right').applyOptions({ mode });
  }

  /** Reads the colours from the page's style sheet, so that there is one list of them. */
  applyTheme(): void {
    this.#chart.applyOptions({
      layout: {
        background: { color: color('panel') },
        textColor: color('muted'),
        panes: { separatorColor: color('line'), separatorHoverColor: color('line-strong') },
      },
      grid: { vertLines: { color: color('raised') }, horzLines: { color: color('raised') } },
      crosshair: {
        vertLine: { color: color('line-strong'), labelBackgroundColor: color('accent-fill') },
        horzLine: { color: color('line-strong'), labelBackgroundColor: color('accent-fill') },
      },
    });
    this.#main.applyOptions(colorsOf(this.#type));
    // Bars, lines and marks store their colours, so they are set again.
    this.#volume.setData(this.candles.map(volumeOf));
    this.setMarks(this.#marks);
    this.setFills(this.#fills);
    this.#tell(true);
  }

  /** Older candles may have been prepended; the visible range stays. */
  setAll(candles: readonly Candle[]): void {
    const scale = this.#chart.timeScale();
    const range = this.candles.length > 0 ? scale.getVisibleLogicalRange() : null;
    const added = candles.findIndex((candle) => candle[0] === this.candles[0]?.[0]);
    this.#main.setData(candles.map((candle) => this.#barOf(candle)));
    this.#volume.setData(candles.map(volumeOf));
    this.candles = candles;
    this.#tell(true);
    if (range === null) {
      scale.setVisibleLogicalRange({ from: candles.length - SHOWN_FIRST, to: candles.length + 4 });
    } else if (added > 0) {
      scale.setVisibleLogicalRange({ from: range.from + added, to: range.to + added });
    }
  }

  setLast(candle: Candle): void {
    const isSame = this.candles.at(-1)?.[0] === candle[0];
    this.candles = [...(isSame ? this.candles.slice(0, -1) : this.candles), candle];
    this.#main.update(this.#barOf(candle));
    this.#volume.update(volumeOf(candle));
    this.#tell(false);
  }

  setMarks(marks: readonly PriceMark[]): void {
    this.#marks = marks;
    for (const line of this.#lines) this.#main.removePriceLine(line);
    this.#lines = marks.map(({ price, tone, style }) =>
      this.#main.createPriceLine({
        price: Number(price),
        color: color(tone),
        lineWidth: 1,
        lineStyle: LINE_STYLES[style],
        axisLabelVisible: true,
        title: '',
      }),
    );
  }

  /** One mark per candle and side, however many fills. */
  setFills(fills: readonly Fill[]): void {
    this.#fills = fills;
    const marks = new Map<string, SeriesMarker<Time>>();
    for (const { side, createdAt } of fills) {
      const time = candleStart(createdAt / 1000, this.interval) as UTCTimestamp;
      marks.set(`${time} ${side}`, {
        time,
        position: side === 'buy' ? 'belowBar' : 'aboveBar',
        shape: side === 'buy' ? 'arrowUp' : 'arrowDown',
        color: color(side === 'buy' ? 'up' : 'down'),
      });
    }
    this.#markers.setMarkers([...marks.values()].toSorted((a, b) => Number(a.time) - Number(b.time)));
  }

  toNow(): void {
    this.#chart.timeScale().scrollToPosition(RIGHT_OFFSET, false);
  }

  /** Whether the last candle is visible. */
  get isAtNow(): boolean {
    return this.#chart.timeScale().scrollPosition() > -NOW_WITHIN;
  }

  /** Null if the price has no position, as on an empty chart. */
  yOf(price: number): number | null {
    return this.#main.priceToCoordinate(price);
  }

  priceAt(y: number): number | null {
    return this.#main.coordinateToPrice(y);
  }

  /** Also for times between candles, and before or after all of them. */
  xOf(time: number): number | null {
    const first = this.candles[0];
    if (first === undefined) return null;
    const after = this.candles.findIndex((candle) => Number(candle[0]) > time);
    const at = after < 0 ? this.candles.length - 1 : Math.max(0, after - 1);
    const logical = at + (time - Number(this.candles[at]![0])) / this.interval;
    return this.#chart.timeScale().logicalToCoordinate(logical as Logical);
  }

  timeAt(x: number): number | null {
    const logical = this.#chart.timeScale().coordinateToLogical(x);
    if (logical === null || this.candles.length === 0) return null;
    const at = Math.min(this.candles.length - 1, Math.max(0, Math.floor(logical)));
    return Math.round(Number(this.candles[at]![0]) + (logical - at) * this.interval);
  }

  /** The size of the price pane without the scales. */
  get area(): { readonly width: number; readonly height: number } {
    return this.#chart.paneSize(0);
  }

  /** The visible candles. */
  get visible(): readonly Candle[] {
    const range = this.#chart.timeScale().getVisibleLogicalRange();
    if (range === null) return [];
    return this.candles.slice(Math.max(0, Math.floor(range.from)), Math.max(0, Math.ceil(range.to) + 1));
  }

  attach(primitive: ISeriesPrimitive<Time>): () => void {
    this.#primitives.add(primitive);
    this.#main.attachPrimitive(primitive);
    return () => {
      this.#primitives.delete(primitive);
      this.#main.detachPrimitive(primitive);
    };
  }

  /** A line or histogram for a tool, in the pane with this index. */
  addSeries(kind: 'line' | 'histogram', pane: number): ISeriesApi<SeriesType> {
    const options = { lastValueVisible: pane > 0, priceLineVisible: false } as const;
    if (kind === 'histogram') return this.#chart.addSeries(HistogramSeries, options, pane);
    return this.#chart.addSeries(
      LineSeries,
      { ...options, lineWidth: 1, crosshairMarkerVisible: false },
      pane,
    );
  }

  removeSeries(series: ISeriesApi<SeriesType>): void {
    this.#chart.removeSeries(series);
  }

  get paneCount(): number {
    return this.#chart.panes().length;
  }

  /** Gives each other pane a quarter of the height. */
  sharePanes(): void {
    for (const [at, pane] of this.#chart.panes().entries()) pane.setStretchFactor(at === 0 ? 3 : 1);
  }

  /** `listener` is called when candles change; `isWhole`: all of them, otherwise only the last one. */
  onCandles(listener: (isWhole: boolean) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.isClosed = true;
    this.#chart.remove();
  }

  #tell(isWhole: boolean): void {
    for (const listener of this.#listeners) listener(isWhole);
  }

  #makeMain(): ISeriesApi<SeriesType> {
    if (this.#type === 'line') return this.#chart.addSeries(LineSeries, { lineWidth: 2 }, 0);
    if (this.#type === 'area') return this.#chart.addSeries(AreaSeries, { lineWidth: 2 }, 0);
    if (this.#type === 'bars') return this.#chart.addSeries(BarSeries, { thinBars: true }, 0);
    return this.#chart.addSeries(CandlestickSeries, { borderVisible: this.#type === 'hollow' }, 0);
  }

  #priceFormat() {
    const precision = placesOf(this.#increment);
    return { priceFormat: { type: 'price', precision, minMove: Number(this.#increment) } } as const;
  }

  #barOf([start, open, close, high, low]: Candle) {
    const time = Number(start) as UTCTimestamp;
    if (this.#type === 'line' || this.#type === 'area') return { time, value: Number(close) };
    return { time, open: Number(open), close: Number(close), high: Number(high), low: Number(low) };
  }
}

function colorsOf(type: ChartType) {
  const [up, down] = [color('up'), color('down')];
  if (type === 'line') return { color: color('accent') };
  if (type === 'area') {
    return { lineColor: color('accent'), topColor: color('up-tint'), bottomColor: 'transparent' };
  }
  if (type === 'bars') return { upColor: up, downColor: down };
  const wicks = { wickUpColor: up, wickDownColor: down, borderUpColor: up, borderDownColor: down };
  return { ...wicks, upColor: type === 'hollow' ? color('panel') : up, downColor: down };
}

function volumeOf([start, open, close, , , volume]: Candle) {
  return {
    time: Number(start) as UTCTimestamp,
    value: Number(volume),
    color: color(Number(close) < Number(open) ? 'down-tint' : 'up-tint'),
  };
}
