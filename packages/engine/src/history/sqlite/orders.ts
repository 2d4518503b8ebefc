/** Done orders: written in the order they were done, and found by order id, by client id and as lists. */

import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { DoneOrder } from '@bourse/core';
import { COUNT_MAX, type Counted, type HistoryOrder, type OrderFilter } from '../history.ts';
import { fitsLane, orderFlags, orderLane, readOrderFlags, readOrderLane } from './codes.ts';
import { Inserts, readAmount, storeAmount } from './values.ts';
import { afterIn, IdSearch, Lanes, PageRows } from './lanes.ts';

/** In the order of the table. */
const COLUMNS = `id, order_id, user, lane, flags, seq, time, created_at, updated_at, price, size, funds, deal_size,
  deal_funds, cancelled_size, cancelled_funds, remaining, visible, visible_size, fee, fee_slack, maker_rate, taker_rate,
  cancel_after_sec, expires_at, client_id, tags, remark`;

export const ORDER_BY_ID = `SELECT ${COLUMNS} FROM orders WHERE order_id = ?`;
/** Ids increase with time, so the latest order with this client id is found. */
export const ORDER_BY_CLIENT_ID = `SELECT ${COLUMNS} FROM orders WHERE user = ? AND client_id = ?
  ORDER BY id DESC LIMIT 1`;

const textOrNull = (text: string): string | null => (text === '' ? null : text);

export class OrderWriter {
  readonly #inserts: Inserts;

  constructor(db: DatabaseSync) {
    this.#inserts = new Inserts(db, 'orders', COLUMNS.split(',').length);
  }

  begin(): void {
    this.#inserts.begin();
  }

  add(id: number, order: DoneOrder): void {
    this.#inserts.add([
      id,
      order.order,
      order.user,
      orderLane(order),
      orderFlags(order),
      order.seq,
      order.doneAt,
      order.createdAt,
      order.updatedAt,
      order.price,
      order.size,
      storeAmount(order.funds),
      order.dealSize,
      storeAmount(order.dealFunds),
      order.cancelledSize,
      storeAmount(order.cancelledFunds),
      order.remaining,
      order.visible,
      order.visibleSize,
      storeAmount(order.fee),
      order.feeSlack,
      order.makerRate,
      order.takerRate,
      order.cancelAfterSec,
      order.expiresAt,
      textOrNull(order.clientId),
      textOrNull(order.tags),
      textOrNull(order.remark),
    ]);
  }

  end(): void {
    this.#inserts.end();
  }
}

export class OrderReader {
  readonly #byId: StatementSync;
  readonly #byClientId: StatementSync;
  readonly #lanes: Lanes;
  readonly #times: IdSearch;
  readonly #rows: PageRows;

  constructor(db: DatabaseSync) {
    this.#byId = db.prepare(ORDER_BY_ID, { readBigInts: true });
    this.#byClientId = db.prepare(ORDER_BY_CLIENT_ID, { readBigInts: true });
    this.#lanes = new Lanes(db, 'orders');
    this.#times = new IdSearch(db, 'orders', 'time');
    this.#rows = new PageRows(db, 'orders', COLUMNS);
  }

  /** By the order's own id. */
  find(order: number): HistoryOrder | null {
    const row = this.#byId.get(order);
    return row ? readOrder(row) : null;
  }

  /** The latest one done at or after `from`. */
  byClientId(user: number, clientId: string, from = 0): HistoryOrder | null {
    const row = this.#byClientId.get(user, clientId);
    return row && Number(row['time']) >= from ? readOrder(row) : null;
  }

  list(filter: OrderFilter): HistoryOrder[] {
    const range = afterIn(this.#times.rangeOf(filter), filter);
    const ids = this.#lanes.ids(filter.user, (lane) => fitsLane(lane, filter), range, filter);
    return this.#rows.read(ids, filter).map(readOrder);
  }

  count(filter: Counted<OrderFilter>): number {
    const range = this.#times.rangeOf(filter);
    return this.#lanes.count(filter.user, (lane) => fitsLane(lane, filter), range, COUNT_MAX);
  }
}

function readOrder(row: Record<string, SQLOutputValue>): HistoryOrder {
  return {
    id: Number(row['id']),
    order: Number(row['order_id']),
    user: Number(row['user']),
    ...readOrderLane(Number(row['lane'])),
    ...readOrderFlags(Number(row['flags'])),
    price: Number(row['price']),
    size: Number(row['size']),
    funds: readAmount(row['funds']),
    dealSize: Number(row['deal_size']),
    dealFunds: readAmount(row['deal_funds']),
    cancelledSize: Number(row['cancelled_size']),
    cancelledFunds: readAmount(row['cancelled_funds']),
    remaining: Number(row['remaining']),
    visible: Number(row['visible']),
    visibleSize: Number(row['visible_size']),
    hold: 0n,
    fee: readAmount(row['fee']),
    feeSlack: Number(row['fee_slack']),
    makerRate: Number(row['maker_rate']),
    takerRate: Number(row['taker_rate']),
    cancelAfterSec: Number(row['cancel_after_sec']),
    expiresAt: Number(row['expires_at']),
    clientId: (row['client_id'] ?? '') as string,
    tags: (row['tags'] ?? '') as string,
    remark: (row['remark'] ?? '') as string,
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
    doneAt: Number(row['time']),
    seq: Number(row['seq']),
  };
}
