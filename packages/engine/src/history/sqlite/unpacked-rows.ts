/**
 * Done orders and fills as versions of the database up to 7 had them, a row of SQLite for each: they are put into packs,
 * all of them in one transaction, so that readers know one form only. It takes about a minute for each million of
 * done orders with their fills, once.
 */

import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { FillRow, HistoryOrder } from '../history.ts';
import type { LedgerFill } from '../rows.ts';
import { ClientKeys } from './client-keys.ts';
import { readOrderFlags, readOrderLane } from './codes.ts';
import { PackedWriter } from './packed-writer.ts';
import { readAmount, readJson } from './values.ts';

type Row = Record<string, SQLOutputValue>;

/** So many are packed together, as if one transaction had written them. */
const ROWS_TOGETHER = 4096;

export function packRows(db: DatabaseSync): void {
  const writer = new PackedWriter(db, new ClientKeys(db));
  inParts(db, 'fills', (rows) => {
    const fills = rows.map(readLedgerFill);
    writer.begin(0, fills[fills.length - 1].fill.id);
    for (const fill of fills) writer.addFill(fill);
    writer.end(() => undefined);
  });
  inParts(db, 'done_orders', (rows) => {
    const orders = rows.map(readOrder);
    writer.begin(orders[orders.length - 1].id, 0);
    for (const order of orders) writer.addOrder(order.id, order);
    writer.end(() => undefined);
  });
  db.exec('DROP TABLE fills; DROP TABLE done_orders;');
}

function inParts(db: DatabaseSync, table: string, take: (rows: readonly Row[]) => void): void {
  const part = db.prepare(`SELECT * FROM ${table} WHERE id > ? ORDER BY id LIMIT ${ROWS_TOGETHER}`);
  part.setReadBigInts(true);
  for (let last = 0; ; ) {
    const rows = part.all(last);
    if (rows.length === 0) return;
    take(rows);
    last = Number(rows[rows.length - 1]['id']);
  }
}

/** What most orders leave unset. They were one column. */
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

function readOrder(row: Record<string, SQLOutputValue>): HistoryOrder {
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

/** The funds are not stored: price * size is them exactly, in units of the quote currency. */
function readFill(row: Record<string, SQLOutputValue>): FillRow {
  const price = row['price'] as bigint;
  const size = row['size'] as bigint;
  return {
    id: Number(row['id']),
    seq: Number(row['seq']),
    time: Number(row['time']),
    ...readOrderLane(Number(row['lane'])),
    trade: Number(row['trade']),
    order: Number(row['order']),
    counterOrder: Number(row['counter_order']),
    user: Number(row['user']),
    price: Number(price),
    size: Number(size),
    funds: price * size,
    fee: readAmount(row['fee']),
    feeRate: Number(row['fee_rate']),
    liquidity: Number(row['is_taker']) === 1 ? 'taker' : 'maker',
  };
}

function readLedgerFill(row: Record<string, SQLOutputValue>): LedgerFill {
  const quoteBalance = row['quote_balance'];
  return {
    fill: readFill(row),
    entry: Number(row['entry']),
    baseChange: readAmount(row['base_change']),
    baseBalance: readAmount(row['base_balance']),
    quoteBalance: quoteBalance === null ? null : readAmount(quoteBalance),
  };
}
