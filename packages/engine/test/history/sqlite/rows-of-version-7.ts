/** Makes of a database what version 7 wrote, which had a row of SQLite for each done order and each fill. */

import { DatabaseSync } from 'node:sqlite';
import type { HistoryRecord } from '../../../src/history/history.ts';
import { countsAfter, fillsOf, NO_COUNTS } from '../../../src/history/rows.ts';
import { orderFlags, orderLane } from '../../../src/history/sqlite/codes.ts';
import { MIGRATIONS } from '../../../src/history/sqlite/migrations.ts';
import { storeAmount, storeJson } from '../../../src/history/sqlite/values.ts';

const VERSION = 7;
const NEW_TABLES = [
  'order_packs',
  'fill_packs',
  'order_runs',
  'fill_runs',
  'order_places',
  'fills_of_orders',
  'client_ids',
];

/** `path` has been written from these records, from the first on. */
export function takeBack(path: string, records: readonly HistoryRecord[]): void {
  const db = new DatabaseSync(path);
  db.exec('BEGIN');
  for (const table of NEW_TABLES) db.exec(`DROP TABLE ${table}`);
  for (const column of ['orders_pruned', 'fills_pruned']) {
    db.exec(`ALTER TABLE checkpoint DROP COLUMN ${column}`);
  }
  for (const sql of oldTables()) db.exec(sql);
  let counts = NO_COUNTS;
  for (const record of records) {
    insertOrders(db, record, counts.orders);
    insertFills(db, record, counts);
    counts = countsAfter(counts, record);
  }
  db.exec(`PRAGMA user_version = ${VERSION}; COMMIT`);
  db.close();
}

/** As the first step of all makes them. */
function oldTables(): string[] {
  const db = new DatabaseSync(':memory:');
  for (const step of MIGRATIONS.slice(0, VERSION)) step(db);
  const rows = db
    .prepare("SELECT sql FROM sqlite_schema WHERE tbl_name IN ('done_orders', 'fills') ORDER BY type DESC")
    .all();
  db.close();
  return rows.map(({ sql }) => String(sql));
}

function insertOrders(db: DatabaseSync, { done }: HistoryRecord, before: number): void {
  const insert = db.prepare(`INSERT INTO done_orders VALUES (${Array(23).fill('?').join(', ')})`);
  for (const [at, order] of done.entries()) {
    const { cancelAfterSec, expiresAt, visibleSize, tags, remark, funds, cancelledFunds } = order;
    insert.run(
      before + at + 1,
      order.order,
      order.user,
      orderLane(order),
      order.seq,
      order.doneAt,
      orderFlags(order),
      order.price,
      order.size,
      order.dealSize,
      storeAmount(order.dealFunds),
      storeAmount(order.fee),
      order.feeSlack,
      order.cancelledSize,
      order.remaining,
      order.visible,
      order.makerRate,
      order.takerRate,
      order.createdAt,
      order.updatedAt,
      order.clientId === '' ? null : order.clientId,
      null,
      storeJson({ cancelAfterSec, expiresAt, visibleSize, tags, remark, funds, cancelledFunds }),
    );
  }
}

function insertFills(db: DatabaseSync, record: HistoryRecord, before: typeof NO_COUNTS): void {
  const insert = db.prepare(`INSERT INTO fills VALUES (${Array(17).fill('?').join(', ')})`);
  for (const at of record.trades.keys()) {
    for (const { fill, entry, baseChange, baseBalance, quoteBalance } of fillsOf(record, at, before)) {
      insert.run(
        fill.id,
        fill.order,
        fill.user,
        orderLane(fill),
        fill.seq,
        fill.time,
        fill.trade,
        fill.counterOrder,
        fill.price,
        fill.size,
        storeAmount(fill.fee),
        fill.feeRate,
        fill.liquidity === 'taker' ? 1 : 0,
        entry,
        storeAmount(baseChange),
        storeAmount(baseBalance),
        quoteBalance === null ? null : storeAmount(quoteBalance),
      );
    }
  }
}
