/** Candles in SQLite: every interval is kept, so that a month costs as little to read as an hour. */

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { CandlesImported } from '@bourse/core';
import { type Candle, INTERVAL_NAMES, type Interval, joined } from '../candles.ts';
import { foldCandles } from '../folded-candles.ts';
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
  for (const { symbol, interval, candle } of foldCandles(trades)) {
    const code = intervalCode(interval);
    const before = select.get(symbol, code, candle.start);
    const { start, open, close, high, low, volume, turnover } = before
      ? joined(readCandle(before), candle)
      : candle;
    insert.run(symbol, code, start, open, close, high, low, storeAmount(volume), storeAmount(turnover));
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
