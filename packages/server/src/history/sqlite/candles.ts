/** Candles in SQLite: every interval is kept, so that a month costs as little to read as an hour. */

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { CandlesImported } from '@bourse/core';
import { type Candle, INTERVAL_NAMES, type Interval, joined, startOf, withTrade } from '../candles.ts';
import type { TradeRow } from '../history.ts';
import { readAmount, storeAmount } from './values.ts';

const SELECT_ONE = 'SELECT * FROM candles WHERE symbol = ? AND interval = ? AND start = ?';
const INSERT = 'INSERT OR REPLACE INTO candles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
export const SELECT_CANDLES = `SELECT * FROM candles
  WHERE symbol = ? AND interval = ? AND start BETWEEN ? AND ? ORDER BY start DESC LIMIT ?`;

/** The number of an interval in the table: the list only ever grows at its end. */
export const intervalCode = (interval: Interval): number => INTERVAL_NAMES.indexOf(interval);

/** Adds the trades, in order, to the candles they belong to. */
export function addToCandles(db: DatabaseSync, trades: readonly TradeRow[]): void {
  if (trades.length === 0) return;
  const select = db.prepare(SELECT_ONE);
  select.setReadBigInts(true);
  const insert = db.prepare(INSERT);
  for (const { symbol, interval, candle } of fold(trades)) {
    const before = select.get(symbol, interval, candle.start);
    const { start, open, close, high, low, volume, turnover } = before
      ? joined(readCandle(before), candle)
      : candle;
    insert.run(symbol, interval, start, open, close, high, low, storeAmount(volume), storeAmount(turnover));
  }
}

/** Candles from before the first trade, as they were brought. */
export function putCandles(db: DatabaseSync, { symbol, interval, candles }: CandlesImported): void {
  const insert = db.prepare(INSERT);
  const code = intervalCode(interval);
  for (const { start, open, close, high, low, volume, turnover } of candles) {
    insert.run(symbol, code, start, open, close, high, low, storeAmount(volume), storeAmount(turnover));
  }
}

interface Folded {
  readonly symbol: number;
  readonly interval: number;
  readonly candle: Candle;
}

/**
 * One candle for each stretch the trades touch: a batch writes few rows however many trades it has. Every stretch is
 * made of whole minutes, so trades are folded into minutes and only minutes into the rest.
 */
function fold(trades: readonly TradeRow[]): Iterable<Folded> {
  const folded = new Map<string, Folded>();
  for (const { symbol, minute } of minutesOf(trades)) {
    for (let interval = 0; interval < INTERVAL_NAMES.length; interval++) {
      const start = startOf(INTERVAL_NAMES[interval], minute.start);
      const key = `${symbol} ${interval} ${start}`;
      const before = folded.get(key)?.candle;
      const candle = before ? joined(before, minute) : { ...minute, start };
      folded.set(key, { symbol, interval, candle });
    }
  }
  return folded.values();
}

/** In order of time for each symbol. */
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

export function readCandle(row: Record<string, SQLOutputValue>): Candle {
  return {
    start: Number(row['start']),
    open: Number(row['open']),
    close: Number(row['close']),
    high: Number(row['high']),
    low: Number(row['low']),
    volume: readAmount(row['volume']),
    turnover: readAmount(row['turnover']),
  };
}
