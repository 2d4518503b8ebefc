/** Fills, stored with their ledger entries; found by order, and listed by user. */

import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import {
  COUNT_MAX,
  type Counted,
  type FillFilter,
  type FillRow,
  LAST_TRADES_MAX,
  type TradeRow,
} from '../history.ts';
import type { LedgerFill } from '../rows.ts';
import { fitsLane, orderLane, readOrderLane } from './codes.ts';
import { Inserts, readAmount, storeAmount } from './values.ts';
import { afterIn, IdSearch, Lanes, PageRows, type Range } from './lanes.ts';

/** In the order of the table. */
export const FILL_COLUMNS = `id, order_id, user, lane, seq, time, trade, counter_order_id, price, size, fee, fee_rate,
  is_taker, entry, base_change, base_balance, quote_balance`;

export const FILLS_OF_ORDER = `SELECT ${FILL_COLUMNS} FROM fills WHERE order_id = ? AND id > ? AND id < ? ORDER BY id`;
/** All fills of an order belong to one user and one lane. */
export const COUNT_FILLS_OF_ORDER = `SELECT user, lane, count(*) AS count FROM
  (SELECT user, lane FROM fills WHERE order_id = ? AND id > ? AND id < ? LIMIT ?) GROUP BY user, lane`;

export class FillWriter {
  readonly #inserts: Inserts;

  constructor(db: DatabaseSync) {
    this.#inserts = new Inserts(db, 'fills', FILL_COLUMNS.split(',').length);
  }

  begin(): void {
    this.#inserts.begin();
  }

  add({ fill, entry, baseChange, baseBalance, quoteBalance }: LedgerFill): void {
    this.#inserts.add([
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
    ]);
  }

  end(): void {
    this.#inserts.end();
  }
}

export class FillReader {
  readonly #ofOrder: { readonly ascending: StatementSync; readonly descending: StatementSync };
  readonly #countOfOrder: StatementSync;
  readonly #lanes: Lanes;
  readonly #times: IdSearch;
  readonly #rows: PageRows;

  constructor(db: DatabaseSync) {
    const ofOrder = (direction: string): StatementSync =>
      db.prepare(`${FILLS_OF_ORDER} ${direction} LIMIT ? OFFSET ?`, { readBigInts: true });
    this.#ofOrder = { ascending: ofOrder('ASC'), descending: ofOrder('DESC') };
    this.#countOfOrder = db.prepare(COUNT_FILLS_OF_ORDER);
    this.#lanes = new Lanes(db, 'fills');
    this.#times = new IdSearch(db, 'fills', 'time');
    this.#rows = new PageRows(db, 'fills', FILL_COLUMNS);
  }

  /** Omits rows that were pruned in the meantime. */
  list(filter: FillFilter): FillRow[] {
    const range = afterIn(this.#times.rangeOf(filter), filter);
    if (filter.order !== undefined) return this.#listOfOrder(filter, filter.order, range);
    const ids = this.#lanes.ids(filter.user, (lane) => fitsLane(lane, filter), range, filter);
    return this.#rows.read(ids, filter).map(readFill);
  }

  count(filter: Counted<FillFilter>): number {
    const { user, order } = filter;
    const range = this.#times.rangeOf(filter);
    if (order === undefined) {
      return this.#lanes.count(user, (lane) => fitsLane(lane, filter), range, COUNT_MAX);
    }
    const row = this.#countOfOrder.get(order, range.above, range.below, COUNT_MAX);
    return row && row['user'] === user && fitsLane(row['lane'] as number, filter)
      ? (row['count'] as number)
      : 0;
  }

  #listOfOrder(filter: FillFilter, order: number, { above, below }: Range): FillRow[] {
    const { user, limit, skip = 0, ascending = false } = filter;
    const statement = ascending ? this.#ofOrder.ascending : this.#ofOrder.descending;
    const rows = statement.all(order, above, below, limit, skip);
    // Removes all of them or none: see COUNT_FILLS_OF_ORDER.
    return rows
      .filter((row) => Number(row['user']) === user && fitsLane(Number(row['lane']), filter))
      .map(readFill);
  }
}

/** The funds are not stored: price * size is exact in units of the quote currency. */
function readFill(row: Record<string, SQLOutputValue>): FillRow {
  const price = row['price'] as bigint;
  const size = row['size'] as bigint;
  return {
    id: Number(row['id']),
    seq: Number(row['seq']),
    time: Number(row['time']),
    ...readOrderLane(Number(row['lane'])),
    trade: Number(row['trade']),
    order: Number(row['order_id']),
    counterOrder: Number(row['counter_order_id']),
    user: Number(row['user']),
    price: Number(price),
    size: Number(size),
    funds: price * size,
    fee: readAmount(row['fee']),
    feeRate: Number(row['fee_rate']),
    liquidity: Number(row['is_taker']) === 1 ? 'taker' : 'maker',
  };
}

/** A row with FILL_COLUMNS. */
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

/** The latest trades of each symbol: a ring of slots in a table that stays small, so that a start need not search for them. */
export const SELECT_TRADES = 'SELECT * FROM last_trades WHERE symbol = ? ORDER BY trade DESC';
const INSERT_TRADE = 'INSERT OR REPLACE INTO last_trades VALUES (?, ?, ?, ?, ?, ?, ?)';

/** Skips trades that later ones of the same batch would remove. */
export function insertTrades(db: DatabaseSync, trades: readonly TradeRow[]): void {
  if (trades.length === 0) return;
  const insert = db.prepare(INSERT_TRADE);
  const written = new Map<number, number>();
  for (let at = trades.length - 1; at >= 0; at--) {
    const { symbol, trade, price, size, side, time } = trades[at];
    const count = written.get(symbol) ?? 0;
    if (count === LAST_TRADES_MAX) continue;
    written.set(symbol, count + 1);
    insert.run(symbol, trade % LAST_TRADES_MAX, trade, price, size, side === 'sell' ? 1 : 0, time);
  }
}

export function readTrade(row: Record<string, SQLOutputValue>): TradeRow {
  return {
    symbol: Number(row['symbol']),
    trade: Number(row['trade']),
    price: Number(row['price']),
    size: Number(row['size']),
    side: Number(row['is_sell']) === 1 ? 'sell' : 'buy',
    time: Number(row['time']),
  };
}
