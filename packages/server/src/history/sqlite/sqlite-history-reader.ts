/**
 * History in SQLite, the reading side: a connection of its own that can only read, so it neither waits for the writer nor
 * holds it up. Calls are synchronous and short: each is a few steps down an index.
 */

import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { DepositSet, DoneOcoOrder, TransferMade, WithdrawalSet } from '@bourse/core';
import {
  COUNT_MAX,
  type AuditRow,
  type CandleFilter,
  type Counted,
  type DoneStop,
  type HistoryOrder,
  type FillFilter,
  type FillRow,
  type HistoryReader,
  type LedgerFilter,
  type LedgerRow,
  type Moved,
  type MovedFilter,
  type Movement,
  type OcoFilter,
  type OrderFilter,
  type Page,
  type Span,
  type StopFilter,
  type TradeRow,
} from '../history.ts';
import type { Candle } from '../candles.ts';
import { CandleReader } from './candles.ts';
import { ClientKeys } from './client-keys.ts';
import { readMovedLane, readOrderLane } from './codes.ts';
import { openForReading, translating } from './database.ts';
import { DoneStopReader } from './done-stops.ts';
import { readFill } from './fill-columns.ts';
import { afterIn, IdSearch, Lanes } from './lanes.ts';
import { readTrade, SELECT_TRADES } from './last-trades.ts';
import { LedgerReader } from './ledger-reader.ts';
import { readOrder } from './order-columns.ts';
import { readJson } from './values.ts';

type Row = Record<string, SQLOutputValue>;

/** All fills of an order are in one lane. */
const COUNT_FILLS_OF_ORDER = `SELECT lane, count(*) AS count FROM
  (SELECT lane FROM fills WHERE "order" = ? AND user = ? AND id > ? AND id < ? LIMIT ?) GROUP BY lane`;

/** Those of later buckets come first, and have the higher ids: so the first that is found is the latest of all. */
export const BY_CLIENT_KEYS = `SELECT * FROM done_orders INDEXED BY done_orders_by_client
  WHERE client_key IN (SELECT value FROM json_each(?)) AND id >= ? AND client_id = ? AND user = ?
  ORDER BY id DESC LIMIT 1`;
/** So many are looked for by one statement, which costs less than one for each. */
const KEYS_TOGETHER = 64;

const STATES_OF_DEPOSITS: readonly string[] = ['waiting', 'done'];
const STATES_OF_WITHDRAWALS: readonly string[] = ['processing', 'sent', 'failed', 'cancelled'];

export class SqliteHistoryReader implements HistoryReader {
  readonly #path: string;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #clientKeys: ClientKeys;
  readonly #ledger: LedgerReader;
  readonly #candles: CandleReader;
  readonly #stops: DoneStopReader;
  readonly #lanes: Prepared['lanes'];
  readonly #times: Prepared['times'];

  constructor(path: string) {
    this.#path = path;
    const { db, clientKeys, ledger, candles, stops, lanes, times } = openForReading(path, prepare);
    this.#db = db;
    this.#clientKeys = clientKeys;
    this.#ledger = ledger;
    this.#candles = candles;
    this.#stops = stops;
    this.#lanes = lanes;
    this.#times = times;
  }

  get checkpoint(): number {
    return this.#ask(() => Number(this.#all('SELECT seq FROM checkpoint')[0]['seq']));
  }

  order(id: number): HistoryOrder | null {
    return this.#ask(() => {
      const rows = this.#all('SELECT * FROM done_orders WHERE "order" = ?', id);
      return rows.length > 0 ? readOrder(rows[0]) : null;
    });
  }

  orderByClientId(user: number, clientId: string, from?: number): HistoryOrder | null {
    return this.#ask(() => {
      const [ends] = this.#all(
        'SELECT (SELECT min(id) FROM done_orders) AS first, (SELECT max(id) FROM done_orders) AS last',
      );
      if (ends['first'] === null) return null;
      const first = from === undefined ? Number(ends['first']) : this.#times.done_orders.firstFrom(from);
      const keys = this.#clientKeys.among(first, Number(ends['last']), user, clientId);
      for (let some = take(keys); some.length > 0; some = take(keys)) {
        const [found] = this.#all(BY_CLIENT_KEYS, JSON.stringify(some), first, clientId, user);
        if (found) return readOrder(found);
      }
      return null;
    });
  }

  orders(filter: OrderFilter): HistoryOrder[] {
    return this.#ask(() => {
      const range = afterIn(this.#times.done_orders.rangeOf(filter), filter);
      const ids = this.#lanes.done_orders.ids(filter.user, (lane) => fits(lane, filter), range, filter);
      return this.#rows('done_orders', ids, filter).map(readOrder);
    });
  }

  stopOrder(id: number): DoneStop | null {
    return this.#ask(() => this.#stops.stopOrder(id));
  }

  ocoOrder(id: number): DoneOcoOrder | null {
    return this.#ask(() => this.#stops.ocoOrder(id));
  }

  stopOrderByClientId(user: number, clientId: string): DoneStop | null {
    return this.#ask(() => this.#stops.stopOrderByClientId(user, clientId));
  }

  ocoOrderByClientId(user: number, clientId: string): DoneOcoOrder | null {
    return this.#ask(() => this.#stops.ocoOrderByClientId(user, clientId));
  }

  stopOrders(filter: StopFilter): DoneStop[] {
    return this.#ask(() => this.#stops.stopOrders(filter));
  }

  ocoOrders(filter: OcoFilter): DoneOcoOrder[] {
    return this.#ask(() => this.#stops.ocoOrders(filter));
  }

  fills(filter: FillFilter): FillRow[] {
    return this.#ask(() => {
      const range = afterIn(this.#times.fills.rangeOf(filter), filter);
      const { user, order, limit } = filter;
      if (order === undefined) {
        const ids = this.#lanes.fills.ids(user, (lane) => fits(lane, filter), range, filter);
        return this.#rows('fills', ids, filter).map(readFill);
      }
      const direction = filter.ascending ? 'ASC' : 'DESC';
      const rows = this.#all(
        `SELECT * FROM fills WHERE "order" = ? AND id > ? AND id < ? ORDER BY id ${direction} LIMIT ? OFFSET ?`,
        order,
        range.above,
        range.below,
        limit,
        filter.skip ?? 0,
      );
      // All fills of an order are in one lane of one user, so this keeps all of them or none.
      return rows
        .filter((row) => Number(row['user']) === user && fits(Number(row['lane']), filter))
        .map(readFill);
    });
  }

  ledger(filter: LedgerFilter): LedgerRow[] {
    return this.#ask(() => this.#ledger.ledger(filter));
  }

  lastTrades(symbol: number): TradeRow[] {
    return this.#ask(() => this.#all(SELECT_TRADES, symbol).map(readTrade));
  }

  candles(filter: CandleFilter): Candle[] {
    return this.#ask(() => this.#candles.candles(filter));
  }

  transfers(filter: MovedFilter<never>): Moved<TransferMade>[] {
    return this.#moved(filter, ['made']) as Moved<TransferMade>[];
  }

  deposits(filter: MovedFilter<DepositSet['state']>): Moved<DepositSet>[] {
    return this.#moved(filter, STATES_OF_DEPOSITS) as Moved<DepositSet>[];
  }

  withdrawals(filter: MovedFilter<WithdrawalSet['state']>): Moved<WithdrawalSet>[] {
    return this.#moved(filter, STATES_OF_WITHDRAWALS) as Moved<WithdrawalSet>[];
  }

  countOrders(filter: Counted<OrderFilter>): number {
    return this.#ask(() => {
      const range = this.#times.done_orders.rangeOf(filter);
      return this.#lanes.done_orders.count(filter.user, (lane) => fits(lane, filter), range, COUNT_MAX);
    });
  }

  countStopOrders(filter: Counted<StopFilter>): number {
    return this.#ask(() => this.#stops.countStopOrders(filter));
  }

  countOcoOrders(filter: Counted<OcoFilter>): number {
    return this.#ask(() => this.#stops.countOcoOrders(filter));
  }

  countFills(filter: Counted<FillFilter>): number {
    return this.#ask(() => {
      const { user, order } = filter;
      const range = this.#times.fills.rangeOf(filter);
      if (order === undefined) {
        return this.#lanes.fills.count(user, (lane) => fits(lane, filter), range, COUNT_MAX);
      }
      const { above, below } = range;
      const rows = this.#all(COUNT_FILLS_OF_ORDER, order, user, above, below, COUNT_MAX);
      return rows.length > 0 && fits(Number(rows[0]['lane']), filter) ? Number(rows[0]['count']) : 0;
    });
  }

  countLedger(filter: Counted<LedgerFilter>): number {
    return this.#ask(() => this.#ledger.count(filter));
  }

  countDeposits(filter: Counted<MovedFilter<DepositSet['state']>>): number {
    return this.#countMoved(filter, STATES_OF_DEPOSITS);
  }

  countWithdrawals(filter: Counted<MovedFilter<WithdrawalSet['state']>>): number {
    return this.#countMoved(filter, STATES_OF_WITHDRAWALS);
  }

  audit(filter: Span & Page): AuditRow[] {
    return this.#ask(() => {
      const { above, below } = afterIn(this.#times.audit.rangeOf(filter), filter);
      const direction = filter.ascending ? 'ASC' : 'DESC';
      const sql = `SELECT * FROM audit WHERE id > ? AND id < ? ORDER BY id ${direction} LIMIT ? OFFSET ?`;
      return this.#all(sql, above, below, filter.limit, filter.skip ?? 0).map(readAudit);
    });
  }

  close(): void {
    this.#db.close();
  }

  #moved(filter: MovedFilter<string>, states: readonly string[]): Moved[] {
    return this.#ask(() => {
      const range = afterIn(this.#times.moved.rangeOf(filter), filter);
      const ids = this.#lanes.moved_of_user.ids(filter.user, isMovedWanted(filter, states), range, filter);
      return this.#rows('moved', ids, filter).map((row) => ({
        id: Number(row['id']),
        createdAt: Number(row['time']),
        updatedAt: Number(row['updated_at']),
        event: readJson<Movement>(row['event']),
      }));
    });
  }

  #countMoved(filter: Counted<MovedFilter<string>>, states: readonly string[]): number {
    return this.#ask(() => {
      const range = this.#times.moved.rangeOf(filter);
      return this.#lanes.moved_of_user.count(filter.user, isMovedWanted(filter, states), range, COUNT_MAX);
    });
  }

  /**
   * Rows that were pruned in the meantime are left out. One statement for all of them: with one for each, most of the
   * time would go into calling SQLite.
   */
  #rows(table: string, ids: readonly number[], { ascending = false }: Page): Row[] {
    const direction = ascending ? 'ASC' : 'DESC';
    const sql = `SELECT * FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id ${direction}`;
    return this.#all(sql, JSON.stringify(ids));
  }

  /** Integers come as bigint, because amounts do not fit a number. */
  #all(sql: string, ...values: (number | string)[]): Row[] {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      statement.setReadBigInts(true);
      this.#statements.set(sql, statement);
    }
    return statement.all(...values);
  }

  #ask<Answer>(work: () => Answer): Answer {
    return translating(this.#path, work);
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

type Prepared = ReturnType<typeof prepare>;

function prepare(db: DatabaseSync) {
  return {
    db,
    clientKeys: new ClientKeys(db),
    ledger: new LedgerReader(db),
    candles: new CandleReader(db),
    stops: new DoneStopReader(db),
    lanes: {
      done_orders: new Lanes(db, 'done_orders'),
      fills: new Lanes(db, 'fills'),
      moved_of_user: new Lanes(db, 'moved_of_user'),
    },
    times: {
      done_orders: new IdSearch(db, 'done_orders', 'time'),
      fills: new IdSearch(db, 'fills', 'time'),
      moved: new IdSearch(db, 'moved', 'time'),
      audit: new IdSearch(db, 'audit', 'time'),
    },
  };
}

function isMovedWanted({ currency, states: asked }: Counted<MovedFilter<string>>, states: readonly string[]) {
  return (number: number): boolean => {
    const lane = readMovedLane(number);
    return (
      states.includes(lane.state) &&
      (asked === undefined || asked.includes(lane.state)) &&
      (currency === undefined || lane.currency === currency)
    );
  };
}

function fits(number: number, { symbol, side, type }: Counted<OrderFilter>): boolean {
  const lane = readOrderLane(number);
  return (
    (symbol === undefined || lane.symbol === symbol) &&
    (side === undefined || lane.side === side) &&
    (type === undefined || lane.type === type)
  );
}

function readAudit(row: Row): AuditRow {
  return {
    id: Number(row['id']),
    seq: Number(row['seq']),
    time: Number(row['time']),
    by: row['by'] as string,
    why: row['why'] as string,
    command: readJson(row['command']),
    outcome: row['outcome'] as string,
  };
}
