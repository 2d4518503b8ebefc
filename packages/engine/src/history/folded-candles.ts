/**
 * One candle per interval that some trades touch: a batch writes few rows however many trades it has. Every interval
 * consists of whole minutes, so trades are folded into minutes and only minutes into the rest.
 */

import { type Candle, INTERVAL_NAMES, type Interval, joined, startOf, withTrade } from './candles.ts';
import type { TradeRow } from './history.ts';

export interface FoldedCandle {
  readonly symbol: number;
  readonly interval: Interval;
  readonly candle: Candle;
}

/** The trades are in order. */
export function foldCandles(trades: readonly TradeRow[]): Iterable<FoldedCandle> {
  const folded = new Map<string, FoldedCandle>();
  for (const { symbol, minute } of minutesOf(trades)) {
    for (const interval of INTERVAL_NAMES) {
      const start = startOf(interval, minute.start);
      const key = `${symbol} ${interval} ${start}`;
      const before = folded.get(key)?.candle;
      const candle = before ? joined(before, minute) : { ...minute, start };
      folded.set(key, { symbol, interval, candle });
    }
  }
  return folded.values();
}

/** In time order for each symbol. */
function minutesOf(trades: readonly TradeRow[]): { symbol: number; minute: Candle }[] {
  const minutes: { symbol: number; minute: Candle }[] = [];
  const current = new Map<number, number>();
  for (const trade of trades) {
    const start = startOf('1min', trade.time);
    const at = current.get(trade.symbol);
    if (at !== undefined && minutes[at].minute.start === start) {
      minutes[at].minute = withTrade(minutes[at].minute, start, trade);
    } else {
      current.set(trade.symbol, minutes.length);
      minutes.push({ symbol: trade.symbol, minute: withTrade(undefined, start, trade) });
    }
  }
  return minutes;
}
