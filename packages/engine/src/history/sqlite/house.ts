/** The postings of system accounts. An account of a currency is a lane, whose rows an index finds. */

import { type SystemAccount, SYSTEM_ACCOUNTS } from '@bourse/core';
import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { HouseFilter, HouseRow } from '../history.ts';
import { Inserts, readAmount, storeAmount } from './values.ts';
import { afterIn, IdSearch } from './lanes.ts';

/** In the order of the table. */
const COLUMNS = 'id, lane, seq, time, change, balance, cause, user, reference, symbol, trade, last_trade';

const laneOf = (account: SystemAccount, currency: number): number =>
  currency * SYSTEM_ACCOUNTS.length + SYSTEM_ACCOUNTS.indexOf(account);

export class HouseWriter {
  readonly #inserts: Inserts;

  constructor(db: DatabaseSync) {
    this.#inserts = new Inserts(db, 'house', COLUMNS.split(',').length);
  }

  begin(): void {
    this.#inserts.begin();
  }

  add(row: HouseRow): void {
    this.#inserts.add([
      row.id,
      laneOf(row.account, row.currency),
      row.seq,
      row.time,
      storeAmount(row.change),
      storeAmount(row.balance),
      row.cause,
      row.user,
      row.reference,
      row.symbol,
      row.trade,
      row.lastTrade,
    ]);
  }

  end(): void {
    this.#inserts.end();
  }
}

export class HouseReader {
  readonly #ascending: StatementSync;
  readonly #descending: StatementSync;
  readonly #times: IdSearch;

  constructor(db: DatabaseSync) {
    const prepare = (direction: string): StatementSync =>
      db.prepare(
        `SELECT ${COLUMNS} FROM house WHERE lane = ? AND id > ? AND id < ? ORDER BY id ${direction} LIMIT ? OFFSET ?`,
        { readBigInts: true },
      );
    this.#ascending = prepare('ASC');
    this.#descending = prepare('DESC');
    this.#times = new IdSearch(db, 'house', 'time');
  }

  list(filter: HouseFilter): HouseRow[] {
    const { above, below } = afterIn(this.#times.rangeOf(filter), filter);
    const lane = laneOf(filter.account, filter.currency);
    const statement = filter.ascending ? this.#ascending : this.#descending;
    return statement.all(lane, above, below, filter.limit, filter.skip ?? 0).map(readHouse);
  }
}

function readHouse(row: Record<string, SQLOutputValue>): HouseRow {
  const lane = Number(row['lane']);
  return {
    id: Number(row['id']),
    seq: Number(row['seq']),
    time: Number(row['time']),
    account: SYSTEM_ACCOUNTS[lane % SYSTEM_ACCOUNTS.length],
    currency: Math.floor(lane / SYSTEM_ACCOUNTS.length),
    change: readAmount(row['change']),
    balance: readAmount(row['balance']),
    cause: row['cause'] as HouseRow['cause'],
    user: Number(row['user']),
    reference: Number(row['reference']),
    symbol: Number(row['symbol']),
    trade: Number(row['trade']),
    lastTrade: Number(row['last_trade']),
  };
}
