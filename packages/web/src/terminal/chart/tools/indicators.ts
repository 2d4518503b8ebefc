/**
 * Indicators as functions from series to series, in floats because they are only drawn. A value is null if there are
 * too few candles before it.
 */

export type Values = readonly (number | null)[];

/** Simple moving average. */
export function sma(values: readonly number[], period: number): Values {
  let sum = 0;
  return values.map((value, at) => {
    sum += value - (at >= period ? values[at - period]! : 0);
    return at < period - 1 ? null : sum / period;
  });
}

/** Exponential moving average, seeded with the simple average of the first `period` values. */
export function ema(values: Values, period: number): Values {
  const weight = 2 / (period + 1);
  let count = 0;
  let average = 0;
  return values.map((value) => {
    if (value === null) return null;
    count++;
    if (count <= period) {
      average += value / period;
      return count < period ? null : average;
    }
    average += (value - average) * weight;
    return average;
  });
}

export interface Bands {
  readonly middle: Values;
  readonly upper: Values;
  readonly lower: Values;
}

/** Simple moving average with a band of `width` population standard deviations on each side. */
export function bollinger(values: readonly number[], period: number, width: number): Bands {
  const middle = sma(values, period);
  const deviation = middle.map((average, at) => {
    if (average === null) return null;
    const squares = values.slice(at - period + 1, at + 1).map((value) => (value - average) ** 2);
    return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / period);
  });
  const shifted = (factor: number): Values =>
    middle.map((average, at) => (average === null ? null : average + factor * deviation[at]!));
  return { middle, upper: shifted(width), lower: shifted(-width) };
}

/** Wilder's relative strength index, from 0 to 100; 50 if nothing moved. */
export function rsi(values: readonly number[], period: number): Values {
  let gain = 0;
  let loss = 0;
  return values.map((value, at) => {
    if (at === 0) return null;
    const change = value - values[at - 1]!;
    const [up, down] = [Math.max(change, 0), Math.max(-change, 0)];
    if (at <= period) {
      gain += up / period;
      loss += down / period;
      if (at < period) return null;
    } else {
      gain += (up - gain) / period;
      loss += (down - loss) / period;
    }
    return gain + loss === 0 ? 50 : (100 * gain) / (gain + loss);
  });
}

export interface Macd {
  readonly line: Values;
  readonly signal: Values;
  readonly histogram: Values;
}

/** The difference of a fast and a slow EMA, and the EMA of that difference. */
export function macd(values: readonly number[], fast: number, slow: number, smoothing: number): Macd {
  const [quick, calm] = [ema(values, fast), ema(values, slow)];
  const line = difference(quick, calm);
  const signal = ema(line, smoothing);
  return { line, signal, histogram: difference(line, signal) };
}

function difference(a: Values, b: Values): Values {
  return a.map((value, at) => {
    const other = b[at] ?? null;
    return value === null || other === null ? null : value - other;
  });
}

export interface Bar {
  /** Seconds since 1970. */
  readonly time: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Volume-weighted average of (high + low + close) / 3, reset when `sessionOf` changes. */
export function vwap(bars: readonly Bar[], sessionOf: (time: number) => string): Values {
  let session = '';
  let value = 0;
  let volume = 0;
  return bars.map((bar) => {
    const own = sessionOf(bar.time);
    if (own !== session) [session, value, volume] = [own, 0, 0];
    value += ((bar.high + bar.low + bar.close) / 3) * bar.volume;
    volume += bar.volume;
    return volume === 0 ? null : value / volume;
  });
}

/** Sessions are UTC days; for candles of a day or longer, months. */
export const sessionOf =
  (seconds: number) =>
  (time: number): string =>
    new Date(time * 1_000).toISOString().slice(0, seconds < 86_400 ? 10 : 7);

export interface VolumeRow {
  readonly from: number;
  readonly to: number;
  /** Volume of candles that closed at or above their open; `down` has the others. */
  readonly up: number;
  readonly down: number;
}

/** Volume by price: each candle's volume is spread evenly from its low to its high. */
export function volumeProfile(bars: readonly Bar[], count: number): VolumeRow[] {
  if (bars.length === 0) return [];
  const low = Math.min(...bars.map((bar) => bar.low));
  const high = Math.max(...bars.map((bar) => bar.high));
  if (low === high) {
    const sum = (isUp: boolean): number =>
      bars.filter((bar) => isUp === bar.close >= bar.open).reduce((total, { volume }) => total + volume, 0);
    return [{ from: low, to: high, up: sum(true), down: sum(false) }];
  }
  const step = (high - low) / count;
  const rows = Array.from({ length: count }, (_, at) => ({
    from: low + at * step,
    to: low + (at + 1) * step,
    up: 0,
    down: 0,
  }));
  for (const bar of bars) {
    const side = bar.close >= bar.open ? 'up' : 'down';
    const first = Math.min(count - 1, Math.floor((bar.low - low) / step));
    const last = Math.min(count - 1, Math.floor((bar.high - low) / step));
    const range = bar.high - bar.low;
    for (let at = first; at <= last; at++) {
      const row = rows[at]!;
      const overlap = Math.min(bar.high, row.to) - Math.max(bar.low, row.from);
      row[side] += range === 0 ? bar.volume : (bar.volume * Math.max(0, overlap)) / range;
    }
  }
  return rows;
}
