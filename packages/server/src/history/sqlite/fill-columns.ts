/** Fills and ledger entries as rows of SQLite. */

import type { SQLOutputValue, StatementSync } from 'node:sqlite';
import type { FillRow, LedgerRow } from '../history.ts';
import { ledgerLane, orderLane, readLedgerLane, readOrderLane } from './codes.ts';
import type { LedgerFill } from '../rows.ts';
import { readAmount, storeAmount } from './values.ts';

export const INSERT_FILL = `INSERT INTO fills VALUES (${Array(17).fill('?').join(', ')})`;
export const INSERT_ENTRY = `INSERT INTO ledger VALUES (${Array(9).fill('?').join(', ')})`;

export function insertFill(insert: StatementSync, row: LedgerFill): void {
  const { fill, entry, baseChange, baseBalance, quoteBalance } = row;
  // As in order-columns.ts: `run` would make an object.
  insert.get(
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

/** The funds are not stored: price * size is them exactly, in units of the quote currency. */
export function readFill(row: Record<string, SQLOutputValue>): FillRow {
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

export function readLedgerFill(row: Record<string, SQLOutputValue>): LedgerFill {
  const quoteBalance = row['quote_balance'];
  return {
    fill: readFill(row),
    entry: Number(row['entry']),
    baseChange: readAmount(row['base_change']),
    baseBalance: readAmount(row['base_balance']),
    quoteBalance: quoteBalance === null ? null : readAmount(quoteBalance),
  };
}

export function insertEntry(insert: StatementSync, entry: LedgerRow): void {
  const { currency, cause, account, change } = entry;
  insert.run(
    entry.id,
    entry.user,
    ledgerLane({ currency, cause, account, direction: change > 0n ? 'in' : 'out' }),
    entry.seq,
    entry.time,
    storeAmount(change),
    storeAmount(entry.fee),
    storeAmount(entry.balance),
    entry.reference,
  );
}

export function readEntry(row: Record<string, SQLOutputValue>): LedgerRow {
  const { currency, cause, account } = readLedgerLane(Number(row['lane']));
  return {
    id: Number(row['id']),
    seq: Number(row['seq']),
    time: Number(row['time']),
    user: Number(row['user']),
    account,
    currency,
    change: readAmount(row['change']),
    fee: readAmount(row['fee']),
    balance: readAmount(row['balance']),
    cause,
    order: 0,
    trade: 0,
    symbol: -1,
    reference: Number(row['reference']),
  };
}
