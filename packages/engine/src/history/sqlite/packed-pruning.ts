/**
 * Forgetting done orders and fills, which are in packs and runs. What is too old is passed over by every reader from the
 * moment its last id is noted. Packs and runs are removed when all that their transaction wrote is forgotten: so none is
 * ever written anew.
 */

import type { DatabaseSync } from 'node:sqlite';
import type { ClientKeys } from './client-keys.ts';
import { orderLane } from './codes.ts';
import { readFill } from './fill-rows.ts';
import { readOrder } from './order-rows.ts';
import { PackReader } from './pack-reader.ts';
import { Pack } from './packs.ts';
import { BUCKET_ORDERS } from './packed-writer.ts';
import { timeOf } from './row-times.ts';

/** One step; true when more is left. */
export function pruneOrders(db: DatabaseSync, keys: ClientKeys, time: number, rowsMax: number): boolean {
  const packs = new PackReader(db, 'order_packs', readOrder);
  const isMoreLeft = forget(db, packs, 'orders_pruned', time, rowsMax);
  const lane = db.prepare('DELETE FROM order_runs WHERE user = ? AND lane = ? AND through = ?');
  const place = db.prepare('DELETE FROM order_places WHERE bucket = ? AND through = ?');
  const client = db.prepare('DELETE FROM client_ids WHERE key = ? AND id = ?');
  const removed = removePacks(db, 'order_packs', 'orders_pruned', rowsMax, (pack, through) => {
    for (let id = pack.first; id <= pack.last; id++) {
      const { order } = pack.read(id, readOrder);
      const { user, clientId } = order;
      lane.run(user, orderLane(order), through);
      place.run(Math.floor(order.order / BUCKET_ORDERS), through);
      if (clientId !== '') client.run(keys.keyOf(id, keys.hashOf(user, clientId)), id);
    }
  });
  return removed || isMoreLeft;
}

/** One step; true when more is left. */
export function pruneFills(db: DatabaseSync, time: number, rowsMax: number): boolean {
  const packs = new PackReader(db, 'fill_packs', readFill);
  const isMoreLeft = forget(db, packs, 'fills_pruned', time, rowsMax);
  const lane = db.prepare('DELETE FROM fill_runs WHERE user = ? AND lane = ? AND through = ?');
  const ofOrder = db.prepare('DELETE FROM fills_of_orders WHERE "order" = ? AND through = ?');
  const removed = removePacks(db, 'fill_packs', 'fills_pruned', rowsMax, (pack, through) => {
    for (let id = pack.first; id <= pack.last; id++) {
      const { fill } = pack.read(id, readFill);
      lane.run(fill.user, orderLane(fill), through);
      ofOrder.run(fill.order, through);
    }
  });
  return removed || isMoreLeft;
}

/** Notes which is the last that is forgotten, at most `rowsMax` further than before; true when more are too old. */
function forget(
  db: DatabaseSync,
  packs: PackReader<unknown>,
  column: string,
  time: number,
  rowsMax: number,
): boolean {
  const { ends } = packs;
  if (ends === null) return false;
  const before = Math.max(prunedIn(db, column), ends.first - 1);
  const last = packs.firstFrom(time, timeOf) - 1;
  if (last <= before) return false;
  const pruned = Math.min(last, before + rowsMax);
  db.prepare(`UPDATE checkpoint SET ${column} = ?`).run(pruned);
  return pruned < last;
}

function prunedIn(db: DatabaseSync, column: string): number {
  return db.prepare(`SELECT ${column} AS pruned FROM checkpoint`).get()?.['pruned'] as number;
}

/** The oldest packs with `rowsMax` rows or a few more; true when more could be removed. */
function removePacks(
  db: DatabaseSync,
  table: string,
  column: string,
  rowsMax: number,
  removeRuns: (pack: Pack, through: number) => void,
): boolean {
  const pruned = prunedIn(db, column);
  const oldest = db.prepare(`SELECT id, through, rows FROM ${table} ORDER BY id LIMIT 1`);
  const remove = db.prepare(`DELETE FROM ${table} WHERE id = ?`);
  let rows = 0;
  for (;;) {
    const row = oldest.get();
    if (!row || (row['through'] as number) > pruned) return false;
    if (rows >= rowsMax) return true;
    const pack = new Pack(row['id'] as number, row['rows'] as Uint8Array);
    removeRuns(pack, row['through'] as number);
    remove.run(pack.last);
    rows += pack.last - pack.first + 1;
  }
}
