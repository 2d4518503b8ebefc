/**
 * A log as files for market data tools: trades, book changes (L2), the life of every order (L3) and fills,
 * as CSV in the common layout of vendors, with times in microseconds. The core replays the log, so nothing
 * else is needed. Reads only.
 */

import {
  type Event,
  type Exchange,
  formatUnits,
  type OrderView,
  type Side,
  type SymbolSet,
  type Trade,
} from '@bourse/core';
import { orderId } from '@bourse/api/basics';
import { type Disk, LogReplay } from '@bourse/engine';
import { NoLog, NotInLog } from './log-verify.ts';

export const EXPORTS = ['trades', 'book', 'orders', 'fills'] as const;
export type Export = (typeof EXPORTS)[number];

export interface ExportFilter {
  readonly symbol?: string;
  /** A user's name; selects trades in which the user took part. A book has no user. */
  readonly user?: string;
}

const COMMON = 'exchange,symbol,timestamp,local_timestamp';
const HEADS: Readonly<Record<Export, string>> = {
  trades: `${COMMON},id,side,price,amount`,
  book: `${COMMON},is_snapshot,side,price,amount`,
  orders: `${COMMON},type,order_id,side,order_type,price,amount,remaining,reason,trade_id,counter_order_id,user,client_oid`,
  fills: `${COMMON},trade_id,user,order_id,client_oid,side,order_type,liquidity,price,amount,funds,fee,fee_currency,counter_order_id`,
};
const EXCHANGE = 'bourse';
const LEVELS_MAX = 1e6;

/** Lines of CSV without line breaks, the header first; only those that match the filter. */
export async function* exportLog(
  disk: Disk,
  dir: string,
  what: Export,
  filter: ExportFilter = {},
): AsyncGenerator<string> {
  for await (const row of exportRows(disk, dir, what, filter)) yield row.map(quoted).join(',');
}

/** The same as lists of fields, the column names first. Throws NoLog, NotInLog, LogDamaged. */
export async function* exportRows(
  disk: Disk,
  dir: string,
  what: Export,
  filter: ExportFilter = {},
): AsyncGenerator<readonly string[]> {
  // Whether a symbol exists is known with its first row or at the end: an error comes without a header
  // before it.
  let isBegun = false;
  for await (const row of rowsOf(disk, dir, what, filter)) {
    if (!isBegun) yield HEADS[what].split(',');
    isBegun = true;
    yield row;
  }
  if (!isBegun) yield HEADS[what].split(',');
}

/** Only user names can have such characters. */
const quoted = (field: string): string =>
  /[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;

type Row = readonly string[];

async function* rowsOf(disk: Disk, dir: string, what: Export, filter: ExportFilter): AsyncGenerator<Row> {
  const replay = await LogReplay.open(disk, dir);
  if (replay === null) throw new NoLog(`No log in ${dir}.`);
  const { exchange } = replay;
  const lines = new Lines(exchange, what, filter);
  if (exchange.seq > 0 && what === 'book') yield* lines.snapshot();
  for await (const record of replay.records()) {
    yield* lines.of(exchange.apply(record).events.decode(), record.time);
  }
  const { symbol: code, user } = filter;
  const { reference } = exchange;
  if (code !== undefined && reference.symbolNumber(code) < 0) {
    const known = reference.symbols().map((symbol) => symbol.code);
    throw new NotInLog(`Unknown symbol '${code}' in ${dir}. Expected one of: ${known.join(', ')}.`);
  }
  if (user !== undefined && !reference.users.some(({ name }) => name === user)) {
    const known = reference.users.map(({ name }) => name).slice(0, NAMES_SHOWN);
    throw new NotInLog(`Unknown user '${user}' in ${dir}. Expected one of: ${known.join(', ')}.`);
  }
}

const NAMES_SHOWN = 20;

/** Fields of an order that later events omit. */
interface KnownOrder {
  readonly id: string;
  readonly user: string;
  readonly clientId: string;
  readonly side: Side;
  readonly price: string;
  readonly type: string;
}

class Lines {
  readonly #exchange: Exchange;
  readonly #what: Export;
  readonly #code: string | undefined;
  readonly #user: string | undefined;
  /** By number; removed symbols leave holes. */
  readonly #symbols: SymbolSet[] = [];
  /** Active orders: later events name only their numbers. */
  readonly #orders = new Map<number, KnownOrder>();

  constructor(exchange: Exchange, what: Export, { symbol, user }: ExportFilter) {
    this.#exchange = exchange;
    this.#what = what;
    this.#code = symbol;
    this.#user = user;
    for (const each of exchange.reference.symbols()) this.#symbols[each.symbol] = each;
    if (what !== 'book') this.#loadOrders();
  }

  #loadOrders(): void {
    const exchange = this.#exchange;
    const resting = exchange.reference
      .symbols()
      .flatMap(({ symbol }) => [...exchange.resting(symbol, 'buy'), ...exchange.resting(symbol, 'sell')]);
    for (const order of [...resting, ...exchange.unfinishedOrders()]) this.#know(order, order.createdAt);
  }

  #know(
    order: Pick<OrderView, 'order' | 'user' | 'symbol' | 'side' | 'type' | 'price' | 'clientId'>,
    createdAt: number,
  ): void {
    const { side, type, clientId } = order;
    this.#orders.set(order.order, {
      id: orderId(order.order, createdAt),
      user: this.#exchange.reference.users[order.user].name,
      clientId,
      side,
      price: order.price > 0 ? this.#price(order.symbol, order.price) : '',
      type,
    });
  }

  /** The books before the first record. */
  *snapshot(): Generator<Row> {
    for (const { symbol, code } of this.#exchange.reference.symbols()) {
      if (this.#code !== undefined && code !== this.#code) continue;
      for (const side of ['buy', 'sell'] as const) {
        for (const { price, size } of this.#exchange.depth(symbol, side, LEVELS_MAX)) {
          yield this.#bookLine(symbol, this.#exchange.time, true, side, price, size);
        }
      }
    }
  }

  *of(events: readonly Event[], time: number): Generator<Row> {
    for (const event of events) {
      if (event.kind === 'symbol-set') this.#symbols[event.symbol] = event;
      if (!('symbol' in event) || event.symbol === undefined || this.#symbols[event.symbol] === undefined)
        continue;
      if (this.#code !== undefined && this.#symbols[event.symbol].code !== this.#code) continue;
      yield* this.#linesOf(event, event.symbol, time);
    }
  }

  *#linesOf(event: Event, symbol: number, time: number): Generator<Row> {
    if (event.kind === 'order-received' && this.#what !== 'book') this.#know(event, time);
    if (this.#what === 'orders') yield* this.#orderLines(event, symbol, time);
    else if (this.#what === 'book' && event.kind === 'book-changed') {
      yield this.#bookLine(symbol, time, false, event.side, event.price, event.size);
    } else if (this.#what === 'fills' && event.kind === 'trade') yield* this.#fillLines(event, time);
    else if (this.#what === 'trades' && event.kind === 'trade' && this.#isSideOf(event)) {
      const { trade, side, price, size } = event;
      yield this.#line(symbol, time, [trade, side, this.#price(symbol, price), this.#size(symbol, size)]);
    }
    if (event.kind === 'order-done') this.#orders.delete(event.order);
  }

  #isSideOf({ incoming, resting }: Trade): boolean {
    return [incoming, resting].some(({ order }) => this.#isWanted(order));
  }

  #isWanted(order: number): boolean {
    return this.#user === undefined || this.#orders.get(order)!.user === this.#user;
  }

  *#fillLines(event: Trade, time: number): Generator<Row> {
    const { symbol, trade, incoming, resting, funds } = event;
    const { code, scale } = this.#exchange.reference.currencies[this.#symbols[symbol].quote];
    const [price, amount] = [this.#price(symbol, event.price), this.#size(symbol, event.size)];
    for (const [mine, other] of [
      [incoming, resting],
      [resting, incoming],
    ]) {
      if (!this.#isWanted(mine.order)) continue;
      const { id, user, clientId, side, type } = this.#orders.get(mine.order)!;
      const { liquidity } = mine;
      const money = [formatUnits(funds, scale), formatUnits(mine.fee, scale), code];
      const order = [user, id, clientId, side, type, liquidity];
      const words = [trade, ...order, price, amount, ...money, this.#orders.get(other.order)!.id];
      yield this.#line(symbol, time, words);
    }
  }

  #bookLine(symbol: number, time: number, isSnapshot: boolean, side: Side, price: number, size: number): Row {
    const words = [
      isSnapshot,
      side === 'buy' ? 'bid' : 'ask',
      this.#price(symbol, price),
      this.#size(symbol, size),
    ];
    return this.#line(symbol, time, words);
  }

  *#orderLines(event: Event, symbol: number, time: number): Generator<Row> {
    const size = (units: number) => this.#size(symbol, units);
    switch (event.kind) {
      case 'order-received':
        yield* this.#orderLine(symbol, time, 'received', event.order, size(event.size), size(event.size));
        break;
      case 'order-opened':
        yield* this.#orderLine(
          symbol,
          time,
          'open',
          event.order,
          size(event.remaining),
          size(event.remaining),
        );
        break;
      case 'order-reduced':
        yield* this.#orderLine(symbol, time, 'change', event.order, size(event.by), size(event.remaining), [
          event.reason,
        ]);
        break;
      case 'trade': {
        const { incoming, resting, trade } = event;
        const [price, amount] = [this.#price(symbol, event.price), size(event.size)];
        for (const [mine, other] of [
          [incoming, resting],
          [resting, incoming],
        ]) {
          if (!this.#isWanted(mine.order)) continue;
          const { id, side, type, user, clientId } = this.#orders.get(mine.order)!;
          const counter = this.#orders.get(other.order)!.id;
          const words = [side, type, price, amount, size(mine.remaining), mine.liquidity, trade, counter];
          yield this.#line(symbol, time, ['match', id, ...words, user, clientId]);
        }
        break;
      }
      case 'order-done': {
        const words = [event.reason];
        yield* this.#orderLine(
          symbol,
          time,
          'done',
          event.order,
          size(event.dealSize),
          size(event.cancelledSize),
          words,
        );
        break;
      }
      default:
    }
  }

  *#orderLine(
    symbol: number,
    time: number,
    kind: string,
    order: number,
    amount: string,
    remaining: string,
    [reason = '']: readonly string[] = [],
  ): Generator<Row> {
    if (!this.#isWanted(order)) return;
    const { id, side, type, price, user, clientId } = this.#orders.get(order)!;
    const words = [side, type, price, amount, remaining, reason, '', '', user, clientId];
    yield this.#line(symbol, time, [kind, id, ...words]);
  }

  #line(symbol: number, time: number, words: readonly (string | number | boolean)[]): Row {
    // Appends digits: a double cannot hold microseconds exactly.
    return [EXCHANGE, this.#symbols[symbol].code, `${time}000`, `${time}000`, ...words.map(String)];
  }

  #price(symbol: number, units: number): string {
    return formatUnits(BigInt(units), this.#symbols[symbol].priceDecimals);
  }

  #size(symbol: number, units: number): string {
    return formatUnits(BigInt(units), this.#symbols[symbol].sizeDecimals);
  }
}
