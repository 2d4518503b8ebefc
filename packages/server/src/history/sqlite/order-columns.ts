/** Done orders as rows of SQLite. */

import type { SQLOutputValue, StatementSync } from 'node:sqlite';
import type { DoneOrder } from '@bourse/core';
import type { HistoryOrder } from '../history.ts';
import type { ClientKeys } from './client-keys.ts';
import { orderFlags, orderLane, readOrderFlags, readOrderLane } from './codes.ts';
import { readAmount, readJson, storeAmount, storeJson } from './values.ts';

export const INSERT_ORDER = `INSERT INTO done_orders VALUES (${Array(23).fill('?').join(', ')})`;

/** What most orders leave unset. Together in one column they cost most rows one byte. */
interface Rest {
  readonly cancelAfterSec: number;
  readonly expiresAt: number;
  readonly visibleSize: number;
  readonly tags: string;
  readonly remark: string;
  readonly funds: bigint;
  readonly cancelledFunds: bigint;
}

const NO_REST: Rest = {
  cancelAfterSec: 0,
  expiresAt: 0,
  visibleSize: 0,
  tags: '',
  remark: '',
  funds: 0n,
  cancelledFunds: 0n,
};

export function insertOrder(insert: StatementSync, keys: ClientKeys, id: number, order: DoneOrder): void {
  const { user, clientId } = order;
  // `get`, which makes nothing where there is no row to give; `run` makes an object of counts, a tenth of its time.
  insert.get(
    id,
    order.order,
    user,
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
    clientId === '' ? null : clientId,
    clientId === '' ? null : keys.of(id, user, clientId),
    storeRest(order),
  );
}

function storeRest(order: Rest): string | null {
  const { cancelAfterSec, expiresAt, visibleSize, tags, remark, funds, cancelledFunds } = order;
  const isPlain =
    cancelAfterSec === 0 &&
    expiresAt === 0 &&
    visibleSize === 0 &&
    tags === '' &&
    remark === '' &&
    funds === 0n &&
    cancelledFunds === 0n;
  if (isPlain) return null;
  return storeJson({ cancelAfterSec, expiresAt, visibleSize, tags, remark, funds, cancelledFunds });
}

export function readOrder(row: Record<string, SQLOutputValue>): HistoryOrder {
  return {
    id: Number(row['id']),
    order: Number(row['order']),
    user: Number(row['user']),
    ...readOrderLane(Number(row['lane'])),
    ...readOrderFlags(Number(row['flags'])),
    ...(row['rest'] === null ? NO_REST : readJson<Rest>(row['rest'])),
    price: Number(row['price']),
    size: Number(row['size']),
    clientId: (row['client_id'] ?? '') as string,
    dealSize: Number(row['deal_size']),
    dealFunds: readAmount(row['deal_funds']),
    fee: readAmount(row['fee']),
    feeSlack: Number(row['fee_slack']),
    cancelledSize: Number(row['cancelled_size']),
    remaining: Number(row['remaining']),
    visible: Number(row['visible']),
    hold: 0n,
    makerRate: Number(row['maker_rate']),
    takerRate: Number(row['taker_rate']),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
    doneAt: Number(row['time']),
    seq: Number(row['seq']),
  };
}
