/**
 * The drawing of candles, volume, own orders and own fills, around lightweight-charts. Positions on the canvas are
 * floats, as in any drawing; every figure that can be read beside the chart comes from the exchange's text.
 */

import type { Candle, Fill, Order } from '@bourse/client';
import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  CrosshairMode,
  HistogramSeries,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type SeriesMarker,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts';
import { Decimal } from '../../decimal/decimal.ts';
import { formatAt, placesOf } from '../../decimal/format.ts';

export interface ChartEvents {
  /** The candle below the crosshair, by its start in seconds; undefined when it has left. */
  readonly onCrosshair: (start: number | undefined) => void;
  /** The left end has come into sight. */
  readonly onOldest: () => void;
  readonly onPrice: (price: number) => void;
}

/** Candles further right than this many before the first mean that older ones should be there. */
const OLDER_WITHIN = 20;
const SHOWN_FIRST = 120;

export class CandleChart {
  private readonly chart: IChartApi;
  private readonly candles: ISeriesApi<'Candlestick'>;
  private readonly volume: ISeriesApi<'Histogram'>;
  private readonly markers: ISeriesMarkersPluginApi<Time>;
  private lines: IPriceLine[] = [];
  private all: readonly Candle[] = [];
  private orders: readonly Order[] = [];
  private fills: readonly Fill[] = [];
  private interval = 0;

  /** For as long as the element is there: markets, intervals and themes come and go on the same chart. */
  constructor(element: HTMLElement, events: ChartEvents) {
    this.chart = createChart(element, {
      autoSize: true,
      layout: { fontFamily: 'Inter Variable, system-ui, sans-serif', fontSize: 11, attributionLogo: true },
      crosshair: { mode: CrosshairMode.Normal },
      timeScale: { timeVisible: true, rightOffset: 6, borderVisible: false },
      rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.08, bottom: 0.24 } },
      localization: { locale: 'en-GB' },
    });
    this.candles = this.chart.addSeries(CandlestickSeries, { borderVisible: false });
    this.volume = this.chart.addSeries(HistogramSeries, {
      priceScaleId: 'volume',
      priceFormat: { type: 'volume' },
      lastValueVisible: false,
      priceLineVisible: false,
    });
    this.chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
    this.markers = createSeriesMarkers(this.candles, []);
    this.chart.subscribeCrosshairMove(({ time }) => events.onCrosshair(time as number | undefined));
    this.chart.subscribeClick(({ point }) => {
      const price = point === undefined ? null : this.candles.coordinateToPrice(point.y);
      if (price !== null) events.onPrice(price);
    });
    this.chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
      if (this.all.length > 0 && range !== null && range.from < OLDER_WITHIN) events.onOldest();
    });
    this.applyTheme();
  }

  /** Another market or interval: nothing of the one before stays. */
  begin(increment: string, seconds: number): void {
    const precision = placesOf(increment);
    this.interval = seconds;
    this.chart.applyOptions({
      localization: { priceFormatter: (price: number) => formatAt(price.toFixed(precision), increment) },
    });
    this.candles.applyOptions({ priceFormat: { type: 'price', precision, minMove: Number(increment) } });
    this.all = [];
    this.candles.setData([]);
    this.volume.setData([]);
    this.setOrders([]);
    this.setFills([]);
    this.chart.priceScale('right').applyOptions({ autoScale: true });
  }

  /** Colours come from the page's style sheet, so that there is one list of them. */
  applyTheme(): void {
    const [up, down] = [color('up'), color('down')];
    this.chart.applyOptions({
      layout: { background: { color: color('panel') }, textColor: color('muted') },
      grid: { vertLines: { color: color('raised') }, horzLines: { color: color('raised') } },
      crosshair: {
        vertLine: { color: color('line-strong'), labelBackgroundColor: color('accent-fill') },
        horzLine: { color: color('line-strong'), labelBackgroundColor: color('accent-fill') },
      },
    });
    this.candles.applyOptions({ upColor: up, downColor: down, wickUpColor: up, wickDownColor: down });
    // Bars, lines and marks carry their colours.
    this.volume.setData(this.all.map(volumeOf));
    this.setOrders(this.orders);
    this.setFills(this.fills);
  }

  /** Older candles may have come in front: what is looked at stays where it was. */
  setAll(candles: readonly Candle[]): void {
    const scale = this.chart.timeScale();
    const range = this.all.length > 0 ? scale.getVisibleLogicalRange() : null;
    const added = candles.findIndex((candle) => candle[0] === this.all[0]?.[0]);
    this.candles.setData(candles.map(barOf));
    this.volume.setData(candles.map(volumeOf));
    this.all = candles;
    if (range === null) {
      scale.setVisibleLogicalRange({ from: candles.length - SHOWN_FIRST, to: candles.length + 4 });
    } else if (added > 0) {
      scale.setVisibleLogicalRange({ from: range.from + added, to: range.to + added });
    }
  }

  setLast(candle: Candle): void {
    const isSame = this.all.at(-1)?.[0] === candle[0];
    this.all = [...(isSame ? this.all.slice(0, -1) : this.all), candle];
    this.candles.update(barOf(candle));
    this.volume.update(volumeOf(candle));
  }

  setOrders(orders: readonly Order[]): void {
    this.orders = orders;
    for (const line of this.lines) this.candles.removePriceLine(line);
    // Orders at one price are one line: their labels would hide each other.
    const groups = Map.groupBy(orders, ({ side, price }) => `${side} ${price}`);
    this.lines = [...groups.values()].map((group) => {
      const { side, price } = group[0]!;
      const size = group.reduce((sum, each) => sum.plus(Decimal.of(each.remainSize)), Decimal.zero);
      return this.candles.createPriceLine({
        price: Number(price),
        color: color(side === 'buy' ? 'up' : 'down'),
        lineWidth: 1,
        lineStyle: 2,
        axisLabelVisible: true,
        title: `${group.length > 1 ? `${group.length} × ` : ''}${side} ${size.toString()}`,
      });
    });
  }

  /** One mark for each candle and side, however many fills there were. */
  setFills(fills: readonly Fill[]): void {
    this.fills = fills;
    const seconds = this.interval;
    const marks = new Map<string, SeriesMarker<Time>>();
    for (const { side, createdAt } of fills) {
      const time = (Math.floor(createdAt / 1000 / seconds) * seconds) as UTCTimestamp;
      marks.set(`${time} ${side}`, {
        time,
        position: side === 'buy' ? 'belowBar' : 'aboveBar',
        shape: side === 'buy' ? 'arrowUp' : 'arrowDown',
        color: color(side === 'buy' ? 'up' : 'down'),
      });
    }
    this.markers.setMarkers([...marks.values()].toSorted((a, b) => Number(a.time) - Number(b.time)));
  }

  close(): void {
    this.chart.remove();
  }
}

function barOf([start, open, close, high, low]: Candle) {
  return {
    time: Number(start) as UTCTimestamp,
    open: Number(open),
    close: Number(close),
    high: Number(high),
    low: Number(low),
  };
}

function volumeOf([start, open, close, , , volume]: Candle) {
  return {
    time: Number(start) as UTCTimestamp,
    value: Number(volume),
    color: color(Number(close) < Number(open) ? 'down-tint' : 'up-tint'),
  };
}

const color = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
