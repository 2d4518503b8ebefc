/** Candles. */

import { INTERVAL_NAMES, type ImportedCandle, type Interval, isInterval, startOf } from '@bourse/core';

export { INTERVAL_NAMES, type Interval, isInterval, startOf };

/** Prices and volume in the symbol's units, turnover in quote units; volume may pass 2^53 in a month. */
export type Candle = ImportedCandle;

/** The candle with one more trade; a trade of a later interval starts a new one. */
export function withTrade(
  candle: Candle | undefined,
  start: number,
  { price, size }: { readonly price: number; readonly size: number },
): Candle {
  const funds = BigInt(price) * BigInt(size);
  if (candle === undefined || candle.start !== start) {
    return {
      start,
      open: price,
      close: price,
      high: price,
      low: price,
      volume: BigInt(size),
      turnover: funds,
    };
  }
  return {
    start,
    open: candle.open,
    close: price,
    high: Math.max(candle.high, price),
    low: Math.min(candle.low, price),
    volume: candle.volume + BigInt(size),
    turnover: candle.turnover + funds,
  };
}

/** Merges two candles of one interval, the second later. */
export function joined(first: Candle, second: Candle): Candle {
  return {
    start: first.start,
    open: first.open,
    close: second.close,
    high: Math.max(first.high, second.high),
    low: Math.min(first.low, second.low),
    volume: first.volume + second.volume,
    turnover: first.turnover + second.turnover,
  };
}
