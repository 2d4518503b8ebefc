/** How the course of a price is drawn. */

export const chartTypes = [
  { value: 'candles', label: 'Candles' },
  { value: 'hollow', label: 'Hollow candles' },
  { value: 'bars', label: 'Bars' },
  { value: 'line', label: 'Line' },
  { value: 'area', label: 'Area' },
] as const;

export type ChartType = (typeof chartTypes)[number]['value'];

export const chartTypeOf = (value: string): ChartType =>
  chartTypes.find((each) => each.value === value)?.value ?? 'candles';

/** The indicators that can be chosen. What computes and draws them is loaded with the first choice. */
export const indicators = [
  { value: 'ma', label: 'MA 20' },
  { value: 'ema', label: 'EMA 50' },
  { value: 'vwap', label: 'VWAP' },
  { value: 'bollinger', label: 'Bollinger 20, 2' },
  { value: 'rsi', label: 'RSI 14' },
  { value: 'macd', label: 'MACD 12, 26, 9' },
  { value: 'profile', label: 'Volume profile' },
] as const;

export type Indicator = (typeof indicators)[number]['value'];

export const isIndicator = (value: string): value is Indicator =>
  indicators.some((each) => each.value === value);
