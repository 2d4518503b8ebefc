/** Ledger entries that are of no trade, as rows of SQLite. */

import type { SQLOutputValue, StatementSync } from 'node:sqlite';
import type { LedgerRow } from '../history.ts';
import { ledgerLane, readLedgerLane } from './codes.ts';
import { readAmount, storeAmount } from './values.ts';

export const INSERT_ENTRY = `INSERT INTO ledger VALUES (${Array(9).fill('?').join(', ')})`;

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
