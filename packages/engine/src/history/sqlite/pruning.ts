/** Removes rows older than the retention, a few thousand at a time, to block the writer only briefly. */

import type { DatabaseSync } from 'node:sqlite';
import { INTERVAL_NAMES } from '../candles.ts';
import { intervalCode } from './candles.ts';
import { movedLane } from './codes.ts';
import { pruneDoneStops } from './done-stops.ts';
import { idOf, usersOf } from '../rows.ts';
import { readJson } from './values.ts';

/** Per table and step. Removing a row also removes its index entries. */
export const PRUNED_ROWS_MAX = 1000;

/** In these tables times ascend with ids, so the oldest rows come first. */
const BY_ID = ['orders', 'fills', 'entries', 'house'] as const;

/**
 * Candles of longer intervals stay. A symbol has some thirty of them a day, and a request for 1,500 of them may reach
 * back two years.
 */
const FINE_INTERVALS = INTERVAL_NAMES.slice(0, intervalCode('2hour')).map(
  (name) => `(${intervalCode(name)})`,
);

/**
 * By symbol and interval, each a range of the primary key, skipping from one symbol to the next: if nothing is old
 * enough, the cost depends only on the number of symbols, however many candles they have.
 */
export const DELETE_CANDLES = `
  WITH RECURSIVE
    traded (symbol) AS (
      SELECT min(symbol) FROM candles
      UNION ALL
      SELECT (SELECT min(symbol) FROM candles WHERE symbol > traded.symbol) FROM traded
      WHERE traded.symbol IS NOT NULL
    ),
    fine (interval) AS (VALUES ${FINE_INTERVALS.join(', ')})
  DELETE FROM candles WHERE (symbol, interval, start) IN (
    SELECT old.symbol, old.interval, old.start FROM traded CROSS JOIN fine CROSS JOIN candles AS old
    WHERE old.symbol = traded.symbol AND old.interval = fine.interval AND old.start < ?
    LIMIT ${PRUNED_ROWS_MAX}
  )`;

/** One step; returns true if there is more. Must run inside a transaction. */
export function pruneStep(db: DatabaseSync, time: number): boolean {
  let isMoreLeft = false;
  for (const table of BY_ID) isMoreLeft = pruneTable(db, table, time) || isMoreLeft;
  isMoreLeft = pruneDoneStops(db, time, PRUNED_ROWS_MAX) || isMoreLeft;
  isMoreLeft = pruneCandles(db, time) || isMoreLeft;
  return pruneMovements(db, time) || isMoreLeft;
}

function pruneTable(db: DatabaseSync, table: (typeof BY_ID)[number], time: number): boolean {
  const { last, count } = db
    .prepare(
      `SELECT max(id) AS last, count(*) AS count
       FROM (SELECT id, time FROM ${table} ORDER BY id LIMIT ${PRUNED_ROWS_MAX}) WHERE time < ?`,
    )
    .get(time) as { last: number | null; count: number };
  if (last === null) return false;
  db.prepare(`DELETE FROM ${table} WHERE id <= ?`).run(last);
  return count === PRUNED_ROWS_MAX;
}

/** Candles of two hours and more stay. */
function pruneCandles(db: DatabaseSync, time: number): boolean {
  const { changes } = db.prepare(DELETE_CANDLES).run(time);
  return changes === PRUNED_ROWS_MAX;
}

/** Only completed movements: an open one is still updated. */
function pruneMovements(db: DatabaseSync, time: number): boolean {
  const old = db
    .prepare('SELECT event FROM moved WHERE NOT is_open AND updated_at < ? ORDER BY updated_at LIMIT ?')
    .all(time, PRUNED_ROWS_MAX);
  for (const row of old) {
    const event = readJson<Parameters<typeof idOf>[0]>(row['event']);
    const id = idOf(event);
    db.prepare('DELETE FROM moved WHERE id = ?').run(id);
    for (const user of usersOf(event)) {
      db.prepare('DELETE FROM moved_by_user WHERE user = ? AND lane = ? AND id = ?').run(
        user,
        movedLane(event),
        id,
      );
    }
  }
  return old.length === PRUNED_ROWS_MAX;
}
