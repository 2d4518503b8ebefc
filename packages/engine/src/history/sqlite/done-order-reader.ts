/** Done orders: by their own id, by client id, and as lists. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { Malformed } from '../../bytes/byte-source.ts';
import { COUNT_MAX, type Counted, type HistoryOrder, type OrderFilter, type Span } from '../history.ts';
import { ClientKeys } from './client-keys.ts';
import { fitsLane } from './codes.ts';
import { afterIn, type Range } from './lanes.ts';
import { type OrderRow, readOrder } from './order-rows.ts';
import { PackReader } from './pack-reader.ts';
import { BUCKET_ORDERS } from './packed-writer.ts';
import { rangeOf, timeOf } from './row-times.ts';
import { rowAt, RunLanes, rowsOf } from './run-lanes.ts';
import { readRun, type RunColumns } from './runs.ts';

/** Those of later buckets have the higher ids: so the first that fits is the latest of all. */
export const BY_CLIENT_KEYS = `SELECT id FROM client_ids
  WHERE key IN (SELECT value FROM json_each(?)) AND id >= ? ORDER BY id DESC`;
/** So many are looked for by one statement, which costs less than one for each. */
const KEYS_TOGETHER = 64;

export class DoneOrderReader {
  readonly #packs: PackReader<OrderRow>;
  readonly #lanes: RunLanes;
  readonly #clientKeys: ClientKeys;
  readonly #places: StatementSync;
  readonly #byClientKeys: StatementSync;
  readonly #pruned: StatementSync;

  constructor(db: DatabaseSync) {
    this.#packs = new PackReader(db, 'order_packs', readOrder);
    this.#lanes = new RunLanes(db, 'order_runs', this.#packs);
    this.#clientKeys = new ClientKeys(db);
    this.#places = db.prepare('SELECT id, note, more FROM order_places WHERE bucket = ?');
    this.#places.setReturnArrays(true);
    this.#byClientKeys = db.prepare(BY_CLIENT_KEYS);
    this.#pruned = db.prepare('SELECT orders_pruned AS pruned FROM checkpoint');
  }

  /** By the order's own id. */
  row(order: number): OrderRow | null {
    const runs = this.#places.all(Math.floor(order / BUCKET_ORDERS)) as unknown as RunColumns[];
    for (const run of runs) {
      const found = readRun(...run).find(({ note }) => note === order);
      if (!found) continue;
      const row = found.id > this.#lastPruned() ? this.#rowAt(found.id) : null;
      if (row !== null && row.order.order !== order)
        throw new Malformed(`order ${order} is not where it should be`);
      return row;
    }
    return null;
  }

  /** The latest that was done at or after `from`. */
  byClientId(user: number, clientId: string, from?: number): HistoryOrder | null {
    const { ends } = this.#packs;
    if (ends === null) return null;
    const kept = Math.max(ends.first, this.#lastPruned() + 1);
    const first = from === undefined ? kept : Math.max(kept, this.#packs.firstFrom(from, timeOf));
    const keys = this.#clientKeys.among(first, ends.last, user, clientId);
    for (let some = take(keys); some.length > 0; some = take(keys)) {
      for (const { id } of this.#byClientKeys.all(JSON.stringify(some), first)) {
        const order = this.#packs.row(id as number)?.order;
        if (order?.user === user && order.clientId === clientId) return order;
      }
    }
    return null;
  }

  /** Rows that were pruned in the meantime are left out. */
  list(filter: OrderFilter): HistoryOrder[] {
    const range = afterIn(this.#range(filter), filter);
    const items = this.#lanes.items(filter.user, (lane) => fitsLane(lane, filter), range, filter);
    return rowsOf(filter.user, items, (id) => this.#rowAt(id)?.order ?? null);
  }

  count(filter: Counted<OrderFilter>): number {
    return this.#lanes.count(filter.user, (lane) => fitsLane(lane, filter), this.#range(filter), COUNT_MAX);
  }

  #rowAt(id: number): OrderRow | null {
    return rowAt(this.#packs, id, () => this.#lastPruned());
  }

  #range(span: Span): Range {
    return rangeOf(this.#packs, span, this.#lastPruned());
  }

  #lastPruned(): number {
    return this.#pruned.get()?.['pruned'] as number;
  }
}

function take(keys: Generator<number>): number[] {
  const some: number[] = [];
  while (some.length < KEYS_TOGETHER) {
    const { done, value } = keys.next();
    if (done) break;
    some.push(value);
  }
  return some;
}
