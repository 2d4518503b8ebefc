/**
 * The reading side of history in SQLite: a separate read-only connection, so it neither waits for the writer nor
 * blocks it. Calls are synchronous and short: each is a few steps down an index.
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
  type HouseFilter,
  type HouseRow,
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
import { readMovedLane } from './codes.ts';
import { openForReading, translating } from './database.ts';
import { DoneStopReader } from './done-stops.ts';
import { FillReader, readTrade, SELECT_TRADES } from './fills.ts';
import { HouseReader } from './house.ts';
import { afterIn, IdSearch, Lanes, PageRows } from './lanes.ts';
import { LedgerReader } from './ledger.ts';
import { OrderReader } from './orders.ts';
import { readJson } from './values.ts';

type Row = Record<string, SQLOutputValue>;

const MOVEMENT_COLUMNS = 'id, time, updated_at, event';

const DEPOSIT_STATES: Readonly<Record<DepositSet['state'], true>> = {
  waiting: true,
  review: true,
  refused: true,
  done: true,
  returned: true,
};
const STATES_OF_DEPOSITS = Object.keys(DEPOSIT_STATES);
const WITHDRAWAL_STATES: Readonly<Record<WithdrawalSet['state'], true>> = {
  processing: true,
  paying: true,
  sent: true,
  failed: true,
  cancelled: true,
};
const STATES_OF_WITHDRAWALS: readonly string[] = Object.keys(WITHDRAWAL_STATES);

export class SqliteHistoryReader implements HistoryReader {
  readonly #path: string;
  readonly #statements = new Map<string, StatementSync>();
  readonly #tables: ReturnType<typeof prepare>;

  constructor(path: string) {
    this.#path = path;
    this.#tables = openForReading(path, prepare);
  }

  get checkpoint(): number {
    return this.#ask(() => Number(this.#all('SELECT seq FROM checkpoint')[0]['seq']));
  }

  order(id: number): HistoryOrder | null {
    return this.#ask(() => this.#tables.orders.find(id));
  }

  orderByClientId(user: number, clientId: string, from?: number): HistoryOrder | null {
    return this.#ask(() => this.#tables.orders.byClientId(user, clientId, from));
  }

  orders(filter: OrderFilter): HistoryOrder[] {
    return this.#ask(() => this.#tables.orders.list(filter));
  }

  stopOrder(id: number): DoneStop | null {
    return this.#ask(() => this.#tables.stops.find('stop', id));
  }

  ocoOrder(id: number): DoneOcoOrder | null {
    return this.#ask(() => this.#tables.stops.find('oco', id));
  }

  stopOrderByClientId(user: number, clientId: string): DoneStop | null {
    return this.#ask(() => this.#tables.stops.byClientId('stop', user, clientId));
  }

  ocoOrderByClientId(user: number, clientId: string): DoneOcoOrder | null {
    return this.#ask(() => this.#tables.stops.byClientId('oco', user, clientId));
  }

  stopOrders(filter: StopFilter): DoneStop[] {
    return this.#ask(() => this.#tables.stops.list('stop', filter));
  }

  ocoOrders(filter: OcoFilter): DoneOcoOrder[] {
    return this.#ask(() => this.#tables.stops.list('oco', filter));
  }

  fills(filter: FillFilter): FillRow[] {
    return this.#ask(() => this.#tables.fills.list(filter));
  }

  ledger(filter: LedgerFilter): LedgerRow[] {
    return this.#ask(() => this.#tables.ledger.ledger(filter));
  }

  house(filter: HouseFilter): HouseRow[] {
    return this.#ask(() => this.#tables.house.list(filter));
  }

  lastTrades(symbol: number): TradeRow[] {
    return this.#ask(() => this.#all(SELECT_TRADES, symbol).map(readTrade));
  }

  candles(filter: CandleFilter): Candle[] {
    return this.#ask(() => this.#tables.candles.candles(filter));
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
    return this.#ask(() => this.#tables.orders.count(filter));
  }

  countStopOrders(filter: Counted<StopFilter>): number {
    return this.#ask(() => this.#tables.stops.count('stop', filter));
  }

  countOcoOrders(filter: Counted<OcoFilter>): number {
    return this.#ask(() => this.#tables.stops.count('oco', filter));
  }

  countFills(filter: Counted<FillFilter>): number {
    return this.#ask(() => this.#tables.fills.count(filter));
  }

  countLedger(filter: Counted<LedgerFilter>): number {
    return this.#ask(() => this.#tables.ledger.count(filter));
  }

  countDeposits(filter: Counted<MovedFilter<DepositSet['state']>>): number {
    return this.#countMoved(filter, STATES_OF_DEPOSITS);
  }

  countWithdrawals(filter: Counted<MovedFilter<WithdrawalSet['state']>>): number {
    return this.#countMoved(filter, STATES_OF_WITHDRAWALS);
  }

  audit(filter: Span & Page): AuditRow[] {
    return this.#ask(() => {
      const { above, below } = afterIn(this.#tables.auditTimes.rangeOf(filter), filter);
      const direction = filter.ascending ? 'ASC' : 'DESC';
      const sql = `SELECT * FROM audit WHERE id > ? AND id < ? ORDER BY id ${direction} LIMIT ? OFFSET ?`;
      return this.#all(sql, above, below, filter.limit, filter.skip ?? 0).map(readAudit);
    });
  }

  close(): void {
    this.#tables.db.close();
  }

  #moved(filter: MovedFilter<string>, states: readonly string[]): Moved[] {
    return this.#ask(() => {
      const range = afterIn(this.#tables.movementTimes.rangeOf(filter), filter);
      const ids = this.#tables.movedByUser.ids(filter.user, isMovedWanted(filter, states), range, filter);
      return this.#tables.movements.read(ids, filter).map((row) => ({
        id: Number(row['id']),
        createdAt: Number(row['time']),
        updatedAt: Number(row['updated_at']),
        event: readJson<Movement>(row['event']),
      }));
    });
  }

  #countMoved(filter: Counted<MovedFilter<string>>, states: readonly string[]): number {
    return this.#ask(() => {
      const range = this.#tables.movementTimes.rangeOf(filter);
      return this.#tables.movedByUser.count(filter.user, isMovedWanted(filter, states), range, COUNT_MAX);
    });
  }

  /** Integers come as bigint, because amounts do not fit a number. */
  #all(sql: string, ...values: (number | string)[]): Row[] {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#tables.db.prepare(sql);
      statement.setReadBigInts(true);
      this.#statements.set(sql, statement);
    }
    return statement.all(...values);
  }

  #ask<Answer>(work: () => Answer): Answer {
    return translating(this.#path, work);
  }
}

function prepare(db: DatabaseSync) {
  return {
    db,
    orders: new OrderReader(db),
    fills: new FillReader(db),
    ledger: new LedgerReader(db),
    house: new HouseReader(db),
    candles: new CandleReader(db),
    stops: new DoneStopReader(db),
    movements: new PageRows(db, 'moved', MOVEMENT_COLUMNS),
    movedByUser: new Lanes(db, 'moved_by_user'),
    movementTimes: new IdSearch(db, 'moved', 'time'),
    auditTimes: new IdSearch(db, 'audit', 'time'),
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
