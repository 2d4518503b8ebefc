/** Candles in SQLite: every interval is kept, so that a month costs as little to read as an hour. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { CandlesImported } from '@bourse/core';
import { type Candle, INTERVAL_NAMES, type Interval, joined } from '../candles.ts';
import { foldCandles } from '../rows.ts';
import type { CandleFilter, TradeRow } from '../history.ts';
import { storeAmount } from './values.ts';

/**
 * A number if that is exact, otherwise text. Reading large integers exactly would make every column a bigint.
 */
const amount = (column: string): string =>
  `CASE WHEN ${column} BETWEEN 0 AND ${Number.MAX_SAFE_INTEGER} THEN ${column} ELSE CAST(${column} AS TEXT) END`;
const COLUMNS = `start, open, close, high, low, ${amount('volume')}, ${amount('turnover')}`;
const SELECT_ONE = `SELECT ${COLUMNS} FROM candles WHERE symbol = ? AND interval = ? AND start = ?`;
const INSERT = 'INSERT OR REPLACE INTO candles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)';
const SELECT_CANDLES = `SELECT ${COLUMNS} FROM candles
  WHERE symbol = ? AND interval = ? AND start BETWEEN ? AND ? ORDER BY start DESC LIMIT ?`;

/** Rows as arrays: creating an object per row costs more than reading it. */
const ROWS = { returnArrays: true };

/** The number of an interval in the table; new intervals are only ever appended to the list. */
export const intervalCode = (interval: Interval): number => INTERVAL_NAMES.indexOf(interval);

/** Adds the trades, in order, to the candles they belong to. */
export function addToCandles(db: DatabaseSync, trades: readonly TradeRow[]): void {
  if (trades.length === 0) return;
  const select = db.prepare(SELECT_ONE, ROWS);
  const insert = db.prepare(INSERT);
  for (const { symbol, interval, candle } of foldCandles(trades)) {
    const code = intervalCode(interval);
    const before = select.get(symbol, code, candle.start);
    const { start, open, close, high, low, volume, turnover } = before
      ? joined(readCandle(before as unknown as CandleRow), candle)
      : candle;
    insert.run(symbol, code, start, open, close, high, low, storeAmount(volume), storeAmount(turnover));
  }
}

/** Writes imported candles from before the first trade. */
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
    this.#select = db.prepare(SELECT_CANDLES, ROWS);
  }

  candles({ symbol, interval, from, until, limit }: CandleFilter): Candle[] {
    const rows = this.#select.all(symbol, intervalCode(interval), from, until, limit);
    return (rows as unknown as CandleRow[]).map(readCandle);
  }
}

/** In the order of COLUMNS. */
type CandleRow = readonly [
  start: number,
  open: number,
  close: number,
  high: number,
  low: number,
  volume: number | string,
  turnover: number | string,
];

const readCandle = ([start, open, close, high, low, volume, turnover]: CandleRow): Candle => ({
  start,
  open,
  close,
  high,
  low,
  volume: BigInt(volume),
  turnover: BigInt(turnover),
});
