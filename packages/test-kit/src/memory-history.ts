/**
 * History in memory, for the simulator and as a plain implementation of the contract: lists are filtered row by row. Its
 * content survives the crashes of a simulated world, like a database; `close` closes nothing.
 */

import type { CandlesImported, DepositSet, DoneOcoOrder, TransferMade, WithdrawalSet } from '@bourse/core';
import { type Candle, INTERVAL_NAMES, startOf, withTrade } from '../../engine/src/history/candles.ts';
import {
  type AuditRow,
  type CandleFilter,
  COUNT_MAX,
  type Counted,
  type DoneStop,
  type FillFilter,
  type FillRow,
  HistoryFull,
  HistoryGap,
  type HistoryOrder,
  type HistoryReader,
  type HistoryRecord,
  type HistoryWriter,
  type HouseFilter,
  type HouseRow,
  LAST_TRADES_MAX,
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
} from '../../engine/src/history/history.ts';
import {
  auditOf,
  countsAfter,
  entriesOf,
  entryOf,
  fillsOf,
  idOf,
  NO_COUNTS,
  usersOf,
} from '../../engine/src/history/rows.ts';
import { isOpen, stateOf } from '../../engine/src/history/sqlite/codes.ts';

const PRUNED_ROWS_MAX = 100;

export class MemoryHistory implements HistoryWriter, HistoryReader {
  checkpoint = 0;
  isFull = false;
  /** Called before each write; a simulated world makes it throw, HistoryFull for example. */
  fault: () => void = () => undefined;
  /** The complete content of history, oldest first. */
  doneOrders: HistoryOrder[] = [];
  fillRows: FillRow[] = [];
  entries: LedgerRow[] = [];
  houseRows: HouseRow[] = [];
  readonly tradeRows: TradeRow[] = [];
  auditRows: AuditRow[] = [];
  doneStops: DoneStop[] = [];
  doneOcos: DoneOcoOrder[] = [];
  readonly imports: CandlesImported[] = [];
  moved = new Map<number, Moved>();
  readonly #currencies = new Map<number, { base: number; quote: number }>();
  #counts = NO_COUNTS;
  #houseCount = 0;
  #forgottenBefore = 0;

  write(records: readonly HistoryRecord[]): void {
    const fresh: HistoryRecord[] = [];
    let seq = this.checkpoint;
    for (const record of records) {
      if (record.seq <= seq) continue;
      if (record.seq > seq + 1) throw new HistoryGap(`record ${record.seq} does not follow ${seq}`);
      fresh.push(record);
      seq = record.seq;
    }
    this.fault();
    if (this.isFull) throw new HistoryFull('no space left on the disk for history');
    for (const record of fresh) this.#writeRecord(record);
    this.checkpoint = seq;
  }

  #writeRecord(record: HistoryRecord): void {
    const before = this.#counts;
    for (const { symbol, base, quote } of record.symbols) this.#currencies.set(symbol, { base, quote });
    for (const event of record.movements) this.#setMoved(event, record.time);
    const entries = record.entries.map((entry) => entryOf(record, entry, before));
    for (const [at, { symbol, trade, price, size, side, time }] of record.trades.entries()) {
      const { base = -1, quote = -1 } = this.#currencies.get(symbol) ?? {};
      for (const fill of fillsOf(record, at, before)) {
        this.fillRows.push(fill.fill);
        entries.push(...entriesOf(fill, base, quote));
      }
      this.tradeRows.push({ symbol, trade, price, size, side, time });
    }
    this.entries.push(...entries.toSorted((a, b) => a.id - b.id));
    const { seq, time } = record;
    this.houseRows.push(...record.house.map((row) => ({ id: ++this.#houseCount, seq, time, ...row })));
    this.doneOrders.push(...record.done.map((order, at) => ({ id: before.orders + at + 1, ...order })));
    this.doneStops.push(...record.stops);
    this.doneOcos.push(...record.ocos);
    this.imports.push(...record.imports);
    this.auditRows.push(...auditOf(record, before));
    this.#counts = countsAfter(before, record);
  }

  #setMoved(event: Movement, time: number): void {
    const id = idOf(event);
    const { createdAt } = this.moved.get(id) ?? { createdAt: time };
    this.moved.set(id, { id, createdAt, updatedAt: time, event });
  }

  prune(time: number): boolean {
    this.#forgottenBefore = Math.max(this.#forgottenBefore, time);
    const old = <Row>(rows: readonly Row[], timeOf: (row: Row) => number): number => {
      const end = rows.findIndex((row) => timeOf(row) >= time);
      return Math.min(end < 0 ? rows.length : end, PRUNED_ROWS_MAX);
    };
    const over = [...this.moved.values()].filter(
      ({ updatedAt, event }) => updatedAt < time && !isOpen(event),
    );
    for (const { id } of over.slice(0, PRUNED_ROWS_MAX)) this.moved.delete(id);
    const isOld = ({ doneAt }: { doneAt: number }): boolean => doneAt < time;
    const oldStops = new Set([...this.doneStops, ...this.doneOcos].filter(isOld).slice(0, PRUNED_ROWS_MAX));
    this.doneStops = this.doneStops.filter((stop) => !oldStops.has(stop));
    this.doneOcos = this.doneOcos.filter((oco) => !oldStops.has(oco));
    const removed = [
      this.doneOrders.splice(
        0,
        old(this.doneOrders, (row) => row.doneAt),
      ),
      this.fillRows.splice(
        0,
        old(this.fillRows, (row) => row.time),
      ),
      this.entries.splice(
        0,
        old(this.entries, (row) => row.time),
      ),
      this.houseRows.splice(
        0,
        old(this.houseRows, (row) => row.time),
      ),
    ];
    return (
      over.length > PRUNED_ROWS_MAX ||
      oldStops.size === PRUNED_ROWS_MAX ||
      removed.some((rows) => rows.length === PRUNED_ROWS_MAX)
    );
  }

  order(id: number): HistoryOrder | null {
    return this.doneOrders.find((order) => order.order === id) ?? null;
  }

  orderByClientId(user: number, clientId: string, from = 0): HistoryOrder | null {
    const isIt = (order: HistoryOrder): boolean =>
      order.user === user && order.clientId === clientId && order.doneAt >= from;
    return this.doneOrders.findLast(isIt) ?? null;
  }

  orders(filter: OrderFilter): HistoryOrder[] {
    const rows = this.doneOrders.filter((row) => row.user === filter.user && isOfKind(row, filter));
    return cut(rows, (row) => row.doneAt, filter);
  }

  stopOrder(id: number): DoneStop | null {
    return this.doneStops.find((stop) => stop.id === id) ?? null;
  }

  ocoOrder(id: number): DoneOcoOrder | null {
    return this.doneOcos.find((oco) => oco.id === id) ?? null;
  }

  stopOrderByClientId(user: number, clientId: string): DoneStop | null {
    const isIt = (stop: DoneStop): boolean => stop.user === user && stop.request.clientId === clientId;
    return byId(this.doneStops).findLast(isIt) ?? null;
  }

  ocoOrderByClientId(user: number, clientId: string): DoneOcoOrder | null {
    return byId(this.doneOcos).findLast((oco) => oco.user === user && oco.clientId === clientId) ?? null;
  }

  stopOrders(filter: StopFilter): DoneStop[] {
    const { user, symbol, side, type, stop, isPaired } = filter;
    const rows = this.doneStops.filter(
      ({ request, ...row }) =>
        row.user === user &&
        (symbol === undefined || request.symbol === symbol) &&
        (side === undefined || request.side === side) &&
        (type === undefined || request.type === type) &&
        (stop === undefined || row.stop === stop) &&
        (isPaired === undefined || (row.oco !== 0) === isPaired),
    );
    return cut(byId(rows), (row) => row.createdAt, filter);
  }

  ocoOrders(filter: OcoFilter): DoneOcoOrder[] {
    const { user, symbol } = filter;
    const rows = this.doneOcos.filter(
      (row) => row.user === user && (symbol === undefined || row.symbol === symbol),
    );
    return cut(byId(rows), (row) => row.createdAt, filter);
  }

  fills(filter: FillFilter): FillRow[] {
    const { user, order } = filter;
    const rows = this.fillRows.filter(
      (row) => row.user === user && (order === undefined || row.order === order) && isOfKind(row, filter),
    );
    return cut(rows, (row) => row.time, filter);
  }

  ledger(filter: LedgerFilter): LedgerRow[] {
    const { user, currency, account, causes, direction } = filter;
    const rows = this.entries.filter(
      (row) =>
        row.user === user &&
        (currency === undefined || row.currency === currency) &&
        (account === undefined || row.account === account) &&
        (causes === undefined || causes.includes(row.cause)) &&
        (direction === undefined || row.change > 0n === (direction === 'in')),
    );
    return cut(rows, (row) => row.time, filter);
  }

  house(filter: HouseFilter): HouseRow[] {
    const { account, currency } = filter;
    const rows = this.houseRows.filter((row) => row.account === account && row.currency === currency);
    return cut(rows, (row) => row.time, filter);
  }

  lastTrades(symbol: number): TradeRow[] {
    return this.tradeRows
      .filter((row) => row.symbol === symbol)
      .slice(-LAST_TRADES_MAX)
      .toReversed();
  }

  candles({ symbol, interval, from, until, limit }: CandleFilter): Candle[] {
    const candles = new Map<number, Candle>();
    const isFine = INTERVAL_NAMES.indexOf(interval) < INTERVAL_NAMES.indexOf('2hour');
    for (const imported of this.imports) {
      if (imported.symbol !== symbol || imported.interval !== interval) continue;
      for (const candle of imported.candles) {
        if (candle.start < from || candle.start > until) continue;
        if (candle.start >= this.#forgottenBefore || !isFine) candles.set(candle.start, candle);
      }
    }
    for (const row of this.tradeRows) {
      const start = startOf(interval, row.time);
      if (row.symbol !== symbol || start < from || start > until) continue;
      if (start < this.#forgottenBefore && isFine) continue;
      candles.set(start, withTrade(candles.get(start), start, row));
    }
    const newestFirst = [...candles.values()].toSorted((one, other) => other.start - one.start);
    return newestFirst.slice(0, limit);
  }

  transfers(filter: MovedFilter<never>): Moved<TransferMade>[] {
    return this.#movedOf(filter, 'transfer-made') as Moved<TransferMade>[];
  }

  deposits(filter: MovedFilter<DepositSet['state']>): Moved<DepositSet>[] {
    return this.#movedOf(filter, 'deposit-set') as Moved<DepositSet>[];
  }

  withdrawals(filter: MovedFilter<WithdrawalSet['state']>): Moved<WithdrawalSet>[] {
    return this.#movedOf(filter, 'withdrawal-set') as Moved<WithdrawalSet>[];
  }

  countOrders(filter: Counted<OrderFilter>): number {
    return this.orders({ ...filter, limit: COUNT_MAX }).length;
  }

  countStopOrders(filter: Counted<StopFilter>): number {
    return this.stopOrders({ ...filter, limit: COUNT_MAX }).length;
  }

  countOcoOrders(filter: Counted<OcoFilter>): number {
    return this.ocoOrders({ ...filter, limit: COUNT_MAX }).length;
  }

  countFills(filter: Counted<FillFilter>): number {
    return this.fills({ ...filter, limit: COUNT_MAX }).length;
  }

  countLedger(filter: Counted<LedgerFilter>): number {
    return this.ledger({ ...filter, limit: COUNT_MAX }).length;
  }

  countDeposits(filter: Counted<MovedFilter<DepositSet['state']>>): number {
    return this.deposits({ ...filter, limit: COUNT_MAX }).length;
  }

  countWithdrawals(filter: Counted<MovedFilter<WithdrawalSet['state']>>): number {
    return this.withdrawals({ ...filter, limit: COUNT_MAX }).length;
  }

  #movedOf(filter: MovedFilter<string>, kind: Movement['kind']): Moved[] {
    const { user, currency, states } = filter;
    const rows = [...this.moved.values()].filter(
      ({ event }) =>
        event.kind === kind &&
        usersOf(event).includes(user) &&
        (currency === undefined || event.currency === currency) &&
        (states === undefined || states.includes(stateOf(event))),
    );
    return cut(byId(rows), (row) => row.createdAt, filter);
  }

  audit(filter: Span & Page): AuditRow[] {
    return cut(this.auditRows, (row) => row.time, filter);
  }

  close(): void {}
}

const byId = <Row extends { id: number }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => a.id - b.id);

function isOfKind(
  row: Pick<FillRow, 'symbol' | 'side' | 'type'>,
  { symbol, side, type }: OrderFilter,
): boolean {
  return (
    (symbol === undefined || row.symbol === symbol) &&
    (side === undefined || row.side === side) &&
    (type === undefined || row.type === type)
  );
}

/** One page of rows that are sorted by id. */
function cut<Row extends { id: number }>(
  rows: readonly Row[],
  timeOf: (row: Row) => number,
  { from = 0, until = Infinity, after, limit, ascending = false, skip = 0 }: Span & Page,
): Row[] {
  const left = rows.filter((row) => {
    const isAfter = after === undefined || (ascending ? row.id > after : row.id < after);
    return isAfter && timeOf(row) >= from && timeOf(row) <= until;
  });
  return (ascending ? left : left.toReversed()).slice(skip, skip + limit);
}

/** A history in memory that also records its input, for tests of its writers. */
export class RecordedHistory extends MemoryHistory {
  /** Calls that wrote. */
  writes = 0;
  readonly records: HistoryRecord[] = [];

  override write(records: readonly HistoryRecord[]): void {
    const { checkpoint } = this;
    super.write(records);
    this.writes++;
    this.records.push(...records.filter(({ seq }) => seq > checkpoint));
  }
}
