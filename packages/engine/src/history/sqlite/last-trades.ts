/** The latest trades of each symbol: a ring of slots in a table that stays small, so that a start need not search for them. */

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { LAST_TRADES_MAX, type TradeRow } from '../history.ts';

export const SELECT_TRADES = 'SELECT * FROM last_trades WHERE symbol = ? ORDER BY trade DESC';
const INSERT_TRADE = 'INSERT OR REPLACE INTO last_trades VALUES (?, ?, ?, ?, ?, ?, ?)';

/** Skips trades that later ones of the same batch would remove. */
export function insertTrades(db: DatabaseSync, trades: readonly TradeRow[]): void {
  if (trades.length === 0) return;
  const insert = db.prepare(INSERT_TRADE);
  const written = new Map<number, number>();
  for (let at = trades.length - 1; at >= 0; at--) {
    const { symbol, trade, price, size, side, time } = trades[at];
    const count = written.get(symbol) ?? 0;
    if (count === LAST_TRADES_MAX) continue;
    written.set(symbol, count + 1);
    insert.run(symbol, trade % LAST_TRADES_MAX, trade, price, size, side === 'sell' ? 1 : 0, time);
  }
}

export function readTrade(row: Record<string, SQLOutputValue>): TradeRow {
  return {
    symbol: Number(row['symbol']),
    trade: Number(row['trade']),
    price: Number(row['price']),
    size: Number(row['size']),
    side: Number(row['is_sell']) === 1 ? 'sell' : 'buy',
    time: Number(row['time']),
  };
}
