/**
 * The changes of some consecutive records in the mirror's tables. Amounts are decimals in whole coins, times are PostgreSQL
 * texts, names are codes: the tables can be understood without anything else.
 */

import {
  type Applied,
  type CandlesImported,
  type Event,
  type Exchange,
  formatUnits,
  type LogRecord,
  type OrderView,
  RATE_DECIMALS,
  type SymbolSet,
} from '@bourse/core';
import {
  auditOf,
  type Candle,
  type Counts,
  countsAfter,
  entriesOf,
  entryOf,
  type FillRow,
  fillsOf,
  foldCandles,
  type HistoryOrder,
  type HistoryRecord,
  historyRecordOf,
  type Interval,
  type LedgerRow,
  type TradeRow,
} from '@bourse/engine';
import { MoneyRows, type Row, isoTime } from './money-rows.ts';

export type PutTable =
  | 'orders'
  | 'balances'
  | 'candles'
  | 'addresses'
  | 'deposits'
  | 'questionnaires'
  | 'withdrawals';

export interface BatchRows {
  /** Codes of removed symbols, whose candles are deleted first: a new symbol may have the same code. */
  readonly removedSymbols: readonly string[];
  /** All current rows of the table. */
  readonly whole: readonly (readonly ['users' | 'currencies' | 'symbols' | 'fee_rules', readonly Row[]])[];
  /** Rows to insert. */
  readonly added: readonly (readonly ['fills' | 'ledger' | 'audit', readonly Row[]])[];
  /** Rows that replace those with the same key. */
  readonly put: readonly (readonly [PutTable, readonly Row[]])[];
  /** Candles of trades, to be merged with existing ones of the same interval. */
  readonly joined: readonly Row[];
}

const SYSTEM = -1;

/** An order's columns; `done` if it is done. */
export function orderRow(order: OrderView, symbol: SymbolSet, scale: number, done?: HistoryOrder): Row {
  const size = (units: number) => formatUnits(BigInt(units), symbol.sizeDecimals);
  const money = (units: bigint) => formatUnits(units, scale);
  return {
    order_id: order.order,
    user_id: order.user,
    symbol: symbol.code,
    side: order.side,
    type: order.type,
    time_in_force: order.timeInForce,
    post_only: order.postOnly,
    hidden: order.hidden,
    iceberg: order.iceberg,
    stp: order.stp,
    client_id: order.clientId || null,
    tags: order.tags || null,
    remark: order.remark || null,
    price: order.price > 0 ? formatUnits(BigInt(order.price), symbol.priceDecimals) : null,
    size: order.size > 0 ? size(order.size) : null,
    funds: done && done.funds > 0n ? money(done.funds) : null,
    deal_size: size(order.dealSize),
    deal_funds: money(order.dealFunds),
    fee: money(order.fee),
    cancelled_size: size(order.cancelledSize),
    status: done ? 'done' : 'active',
    done_reason: done?.done ?? null,
    done_number: done?.id ?? null,
    done_seq: done?.seq ?? null,
    created_at: isoTime(order.createdAt),
    updated_at: isoTime(order.updatedAt),
    done_at: done ? isoTime(done.doneAt) : null,
  };
}

export function fillRow(fill: FillRow, symbol: SymbolSet, scale: number): Row {
  return {
    fill_id: fill.id,
    seq: fill.seq,
    time: isoTime(fill.time),
    symbol: symbol.code,
    trade_id: fill.trade,
    order_id: fill.order,
    counter_order_id: fill.counterOrder,
    user_id: fill.user,
    side: fill.side,
    type: fill.type,
    liquidity: fill.liquidity,
    price: formatUnits(BigInt(fill.price), symbol.priceDecimals),
    size: formatUnits(BigInt(fill.size), symbol.sizeDecimals),
    funds: formatUnits(fill.funds, scale),
    fee: formatUnits(fill.fee, scale),
    fee_rate: formatUnits(BigInt(fill.feeRate), RATE_DECIMALS),
  };
}

export function ledgerRow(entry: LedgerRow, currency: string, scale: number, symbol: string | null): Row {
  return {
    entry_id: entry.id,
    seq: entry.seq,
    time: isoTime(entry.time),
    user_id: entry.user,
    account: entry.account,
    currency,
    change: formatUnits(entry.change, scale),
    fee: formatUnits(entry.fee, scale),
    balance: formatUnits(entry.balance, scale),
    cause: entry.cause,
    symbol,
    order_id: entry.order || null,
    trade_id: entry.trade || null,
    reference: entry.reference || null,
  };
}

export function candleRow(interval: Interval, candle: Candle, symbol: SymbolSet, scale: number): Row {
  const price = (units: number) => formatUnits(BigInt(units), symbol.priceDecimals);
  return {
    symbol: symbol.code,
    interval,
    start: isoTime(candle.start),
    open: price(candle.open),
    close: price(candle.close),
    high: price(candle.high),
    low: price(candle.low),
    volume: formatUnits(candle.volume, symbol.sizeDecimals),
    turnover: formatUnits(candle.turnover, scale),
  };
}

interface MirroredSymbol {
  readonly symbol: SymbolSet;
  readonly base: number;
  /** Of the quote currency. */
  readonly scale: number;
}

export class MirrorBatch {
  readonly #exchange: Exchange;
  #counts: Counts;
  #rowCount = 0;
  readonly #fills: Row[] = [];
  readonly #ledger: Row[] = [];
  readonly #audit: Row[] = [];
  /** By symbol, interval and start: PostgreSQL rejects a statement that writes the same row twice, so the last import wins here. */
  readonly #imported = new Map<string, Row>();
  readonly #removedSymbols = new Set<string>();
  readonly #trades: TradeRow[] = [];
  readonly #done = new Map<number, HistoryOrder>();
  /** Orders that are or were active in these records. */
  readonly #touched = new Set<number>();
  readonly #balances = new Map<string, Row>();
  readonly #money: MoneyRows;
  #isReferenceChanged = false;
  /** The code and decimals of a symbol that has traded never change. */
  readonly #symbols = new Map<number, MirroredSymbol>();

  /** `exchange` applies the records; `counts` are those before the first. */
  constructor(exchange: Exchange, counts: Counts) {
    this.#exchange = exchange;
    this.#counts = counts;
    this.#money = new MoneyRows(exchange);
  }

  get counts(): Counts {
    return this.#counts;
  }

  get rowCount(): number {
    return this.#rowCount + this.#touched.size + this.#balances.size + this.#money.count;
  }

  /** Call right after the record was applied. */
  add(applied: Applied, record: LogRecord): void {
    const left = historyRecordOf(this.#exchange, applied, record);
    for (const event of applied.events.decode()) {
      this.#event(event);
      this.#money.add(event, record.time);
    }
    this.#record(left);
    this.#rowCount += left.rowCount;
    this.#counts = countsAfter(this.#counts, left);
  }

  #event(event: Event): void {
    switch (event.kind) {
      case 'order-received':
      case 'order-opened':
      case 'order-reduced':
        this.#touched.add(event.order);
        break;
      case 'trade':
        this.#touched.add(event.incoming.order).add(event.resting.order);
        break;
      case 'balance-changed': {
        const { user, account, currency, available, hold } = event;
        const { code, scale } = this.#exchange.reference.currencies[currency];
        const money = (units: bigint) => formatUnits(units, scale);
        const balance = { available: money(available), hold: money(hold) };
        const user_id = user < 0 ? SYSTEM : user;
        this.#balances.set(`${user_id} ${account} ${code}`, { user_id, account, currency: code, ...balance });
        break;
      }
      case 'user-added':
      case 'user-changed':
      case 'currency-set':
      case 'currency-removed':
      case 'symbol-set':
      case 'fees-set':
      case 'fees-removed':
        this.#isReferenceChanged = true;
        break;
      case 'symbol-removed':
        this.#isReferenceChanged = true;
        this.#removeCandles(event.code);
        break;
      case 'candles-imported':
        this.#import(event);
        break;
      default:
    }
  }

  /** It has never traded, so all of its candles were imported. */
  #removeCandles(code: string): void {
    this.#removedSymbols.add(code);
    for (const [key, row] of this.#imported) if (row['symbol'] === code) this.#imported.delete(key);
  }

  #import({ symbol: number, interval, candles }: CandlesImported): void {
    const { symbol, scale } = this.#symbolAt(number);
    for (const candle of candles) {
      const key = `${symbol.code} ${interval} ${candle.start}`;
      this.#imported.set(key, candleRow(interval, candle, symbol, scale));
    }
  }

  #record(left: HistoryRecord): void {
    const before = this.#counts;
    for (const [at, order] of left.done.entries()) {
      this.#done.set(order.order, { ...order, id: before.orders + at + 1 });
    }
    for (const [at, trade] of left.trades.entries()) {
      const { symbol, base, scale } = this.#symbolAt(trade.symbol);
      for (const side of fillsOf(left, at, before)) {
        this.#fills.push(fillRow(side.fill, symbol, scale));
        for (const entry of entriesOf(side, base, symbol.quote)) this.#entry(entry);
      }
    }
    for (const posted of left.entries) this.#entry(entryOf(left, posted, before));
    for (const { id, seq, time, by, why, outcome, command } of auditOf(left, before)) {
      this.#audit.push({ audit_id: id, seq, time: isoTime(time), by, why, outcome, command });
    }
    this.#trades.push(...left.trades);
  }

  #entry(entry: LedgerRow): void {
    const { code, scale } = this.#exchange.reference.currencies[entry.currency];
    const symbol = entry.symbol < 0 ? null : this.#symbolAt(entry.symbol).symbol.code;
    this.#ledger.push(ledgerRow(entry, code, scale, symbol));
  }

  #symbolAt(number: number): MirroredSymbol {
    const known = this.#symbols.get(number);
    if (known) return known;
    const { reference } = this.#exchange;
    const symbol = reference.symbol(number);
    const found = { symbol, base: symbol.base, scale: reference.currencies[symbol.quote].scale };
    this.#symbols.set(number, found);
    return found;
  }

  /** Call after the last record was added: active orders are written in their state then. */
  rows(): BatchRows {
    return {
      removedSymbols: [...this.#removedSymbols],
      whole: this.#isReferenceChanged ? this.#reference() : [],
      added: [
        ['fills', this.#fills],
        ['ledger', this.#ledger],
        ['audit', this.#audit],
      ],
      put: [
        ['orders', this.#orders()],
        ['balances', [...this.#balances.values()]],
        ['candles', [...this.#imported.values()]],
        ...this.#money.rows(),
      ],
      joined: [...foldCandles(this.#trades)].map(({ symbol: number, interval, candle }) => {
        const { symbol, scale } = this.#symbolAt(number);
        return candleRow(interval, candle, symbol, scale);
      }),
    };
  }

  #orders(): Row[] {
    const rows: Row[] = [];
    for (const done of this.#done.values()) {
      const { symbol, scale } = this.#symbolAt(done.symbol);
      rows.push(orderRow(done, symbol, scale, done));
    }
    for (const id of this.#touched) {
      const active = this.#done.has(id) ? null : this.#exchange.order(id);
      if (!active) continue;
      const { symbol, scale } = this.#symbolAt(active.symbol);
      rows.push(orderRow(active, symbol, scale));
    }
    return rows;
  }

  /** Users, currencies, symbols and fee rules are written completely: they are few and change rarely. */
  #reference(): BatchRows['whole'] {
    const { reference } = this.#exchange;
    const { users, currencies } = reference;
    const codes = currencies.map(({ code }) => code);
    return [
      [
        'users',
        users.map(({ number, name, parent, tier, frozen }) => ({
          user_id: number,
          name,
          parent_id: parent < 0 ? null : parent,
          tier,
          frozen,
        })),
      ],
      [
        'currencies',
        currencies
          .filter(({ removed }) => !removed)
          .map(({ code, name, scale }) => ({ currency: code, name, decimals: scale })),
      ],
      [
        'symbols',
        reference.symbols().map(({ code, base, quote, state }) => ({
          symbol: code,
          base: codes[base],
          quote: codes[quote],
          is_open: state === 'open',
        })),
      ],
      [
        'fee_rules',
        reference.feeRules().map(({ user, symbol, maker, taker }) => ({
          user_id: user < 0 ? null : user,
          symbol: symbol < 0 ? null : reference.symbol(symbol).code,
          maker: formatUnits(BigInt(maker), RATE_DECIMALS),
          taker: formatUnits(BigInt(taker), RATE_DECIMALS),
        })),
      ],
    ];
  }
}
