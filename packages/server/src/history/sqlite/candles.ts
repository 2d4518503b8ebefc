/** Candles in SQLite: every interval is kept, so that a month costs as little to read as an hour. */

import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { CandlesImported } from '@bourse/core';
import { type Candle, INTERVAL_NAMES, type Interval, joined } from '../candles.ts';
import { foldCandles } from '../folded-candles.ts';
import type { CandleFilter, TradeRow } from '../history.ts';
import { readAmount, storeAmount } from './values.ts';

/** Amounts as text, because numbers cannot hold them; as integers every column would have to be read as a bigint. */
const COLUMNS =
  'start, open, close, high, low, CAST(volume AS TEXT) AS volume, CAST(turnover AS TEXT) AS turnover';
const SELECT_ONE = `SELECT ${COLUMNS} FROM candles WHERE symbol = ? AND interval = ? AND start = ?`;
const INSERT = 'INSERT OR REPLACE INTO candles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
const SELECT_CANDLES = `SELECT ${COLUMNS} FROM candles
  WHERE symbol = ? AND interval = ? AND start BETWEEN ? AND ? ORDER BY start DESC LIMIT ?`;

/** The number of an interval in the table: the list only ever grows at its end. */
export const intervalCode = (interval: Interval): number => INTERVAL_NAMES.indexOf(interval);

/** Adds the trades, in order, to the candles they belong to. */
export function addToCandles(db: DatabaseSync, trades: readonly TradeRow[]): void {
  if (trades.length === 0) return;
  const select = db.prepare(SELECT_ONE);
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

/** Newest first. */
export class CandleReader {
  readonly #select: StatementSync;

  constructor(db: DatabaseSync) {
    this.#select = db.prepare(SELECT_CANDLES);
  }

  candles({ symbol, interval, from, until, limit }: CandleFilter): Candle[] {
    return this.#select.all(symbol, intervalCode(interval), from, until, limit).map(readCandle);
  }
}

function readCandle(row: Record<string, SQLOutputValue>): Candle {
  return {
    start: row['start'] as number,
    open: row['open'] as number,
    close: row['close'] as number,
    high: row['high'] as number,
    low: row['low'] as number,
    volume: readAmount(row['volume']),
    turnover: readAmount(row['turnover']),
  };
}
