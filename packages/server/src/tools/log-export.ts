/**
 * A log as the files that tools for market data read: trades, changes of the books (L2) and the life of every order
 * (L3), as CSV in the widespread layout of vendors, times in microseconds. The log is run through the core again, so
 * nothing but the log is needed. Reads only.
 */

import { type Event, Exchange, formatUnits, type Side, type SymbolSet } from '@bourse/core';
import { findEnd } from '../log/log-end.ts';
import { LogGone } from '../log/command-log.ts';
import { LogReader } from '../log/log-reader.ts';
import { segmentsAmong } from '../log/segment.ts';
import { Snapshots } from '../engine/snapshots.ts';
import type { Disk } from '../io/disk.ts';
import { NoLog, NotInLog } from './log-verify.ts';

export const EXPORTS = ['trades', 'book', 'orders'] as const;
export type Export = (typeof EXPORTS)[number];

const COMMON = 'exchange,symbol,timestamp,local_timestamp';
const HEADS: Readonly<Record<Export, string>> = {
  trades: `${COMMON},id,side,price,amount`,
  book: `${COMMON},is_snapshot,side,price,amount`,
  orders: `${COMMON},type,order_id,side,order_type,price,amount,remaining,reason,trade_id,counter_order_id`,
};
const EXCHANGE = 'bourse';
const LEVELS_MAX = 1e6;

/** Lines without their ends, the head first; with a symbol, only its. Throws NoLog, NotInLog, LogDamaged. */
export async function* exportLog(
  disk: Disk,
  dir: string,
  what: Export,
  code?: string,
): AsyncGenerator<string> {
  // Whether a symbol is there is known with its first row or at the end: a refusal has no head before it.
  let isBegun = false;
  for await (const row of rowsOf(disk, dir, what, code)) {
    if (!isBegun) yield HEADS[what];
    isBegun = true;
    yield row;
  }
  if (!isBegun) yield HEADS[what];
}

async function* rowsOf(
  disk: Disk,
  dir: string,
  what: Export,
  code: string | undefined,
): AsyncGenerator<string> {
  const log = `${dir}/log`;
  const segments = segmentsAmong(await disk.list(log));
  const last = segments.at(-1);
  if (last === undefined) throw new NoLog(`There is no log in ${dir}.`);
  const { lastSeq } = await findEnd(disk, log, last);
  const exchange = await beginningOf(disk, dir, segments[0]);
  const lines = new Lines(exchange, what, code);
  if (exchange.seq > 0 && what === 'book') yield* lines.snapshot();
  const reader = new LogReader(disk, log);
  try {
    for await (const record of reader.read(exchange.seq + 1, lastSeq)) {
      yield* lines.of(exchange.apply(record).events.decode(), record.time);
    }
  } finally {
    await reader.close();
  }
  if (code !== undefined && exchange.reference.symbolNumber(code) < 0) {
    const known = exchange.reference.symbols().map((symbol) => symbol.code);
    throw new NotInLog(`There is no symbol '${code}' in ${dir}. Known: ${known.join(', ')}.`);
  }
}

/** Empty where the log is whole; otherwise as the oldest snapshot has it that the log goes on from. */
async function beginningOf(disk: Disk, dir: string, firstSeq: number): Promise<Exchange> {
  if (firstSeq === 1) return new Exchange();
  const snapshots = new Snapshots(disk, `${dir}/snapshots`);
  for (const seq of await snapshots.list()) {
    if (seq < firstSeq - 1) continue;
    const { exchange, seq: found } = await snapshots.restore(seq);
    if (found === seq) return exchange;
  }
  throw new LogGone(`The log in ${dir} begins with record ${firstSeq}, and no snapshot has what was before.`);
}

class Lines {
  readonly #exchange: Exchange;
  readonly #what: Export;
  readonly #code: string | undefined;
  readonly #symbols: SymbolSet[] = [];
  /** Sides and prices of active orders: later events name only their ids. */
  readonly #orders = new Map<
    number,
    { readonly side: Side; readonly price: string; readonly type: string }
  >();

  constructor(exchange: Exchange, what: Export, code: string | undefined) {
    this.#exchange = exchange;
    this.#what = what;
    this.#code = code;
    for (const symbol of exchange.reference.symbols()) this.#symbols[symbol.symbol] = symbol;
    if (what === 'orders') this.#knowOrders();
  }

  #knowOrders(): void {
    for (const { symbol } of this.#symbols) {
      for (const side of ['buy', 'sell'] as const) {
        for (const { order, price, type } of this.#exchange.resting(symbol, side)) {
          this.#orders.set(order, { side, price: this.#price(symbol, price), type });
        }
      }
    }
  }

  /** The books as they stand before the first record. */
  *snapshot(): Generator<string> {
    for (const { symbol, code } of this.#symbols) {
      if (this.#code !== undefined && code !== this.#code) continue;
      for (const side of ['buy', 'sell'] as const) {
        for (const { price, size } of this.#exchange.depth(symbol, side, LEVELS_MAX)) {
          yield this.#bookLine(symbol, this.#exchange.time, true, side, price, size);
        }
      }
    }
  }

  *of(events: readonly Event[], time: number): Generator<string> {
    for (const event of events) {
      if (event.kind === 'symbol-set') this.#symbols[event.symbol] = event;
      if (!('symbol' in event) || event.symbol === undefined || this.#symbols[event.symbol] === undefined)
        continue;
      if (this.#code !== undefined && this.#symbols[event.symbol].code !== this.#code) continue;
      yield* this.#linesOf(event, event.symbol, time);
    }
  }

  *#linesOf(event: Event, symbol: number, time: number): Generator<string> {
    if (this.#what === 'orders') yield* this.#orderLines(event, symbol, time);
    else if (this.#what === 'book' && event.kind === 'book-changed') {
      yield this.#bookLine(symbol, time, false, event.side, event.price, event.size);
    } else if (this.#what === 'trades' && event.kind === 'trade') {
      const { trade, side, price, size } = event;
      yield this.#line(symbol, time, [trade, side, this.#price(symbol, price), this.#size(symbol, size)]);
    }
  }

  #bookLine(
    symbol: number,
    time: number,
    isSnapshot: boolean,
    side: Side,
    price: number,
    size: number,
  ): string {
    const words = [
      isSnapshot,
      side === 'buy' ? 'bid' : 'ask',
      this.#price(symbol, price),
      this.#size(symbol, size),
    ];
    return this.#line(symbol, time, words);
  }

  *#orderLines(event: Event, symbol: number, time: number): Generator<string> {
    const size = (units: number) => this.#size(symbol, units);
    switch (event.kind) {
      case 'order-received': {
        const { order, side, type } = event;
        const price = event.price > 0 ? this.#price(symbol, event.price) : '';
        this.#orders.set(order, { side, price, type });
        yield this.#orderLine(symbol, time, 'received', order, size(event.size), size(event.size));
        break;
      }
      case 'order-opened':
        yield this.#orderLine(
          symbol,
          time,
          'open',
          event.order,
          size(event.remaining),
          size(event.remaining),
        );
        break;
      case 'order-reduced':
        yield this.#orderLine(symbol, time, 'change', event.order, size(event.by), size(event.remaining), [
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
          const { side, type } = this.#orders.get(mine.order)!;
          const words = [side, type, price, amount, size(mine.remaining), mine.liquidity, trade, other.order];
          yield this.#line(symbol, time, ['match', mine.order, ...words]);
        }
        break;
      }
      case 'order-done': {
        const words = [event.reason];
        yield this.#orderLine(
          symbol,
          time,
          'done',
          event.order,
          size(event.dealSize),
          size(event.cancelledSize),
          words,
        );
        this.#orders.delete(event.order);
        break;
      }
      default:
    }
  }

  #orderLine(
    symbol: number,
    time: number,
    kind: string,
    order: number,
    amount: string,
    remaining: string,
    [reason = '']: readonly string[] = [],
  ): string {
    const { side, type, price } = this.#orders.get(order)!;
    return this.#line(symbol, time, [kind, order, side, type, price, amount, remaining, reason, '', '']);
  }

  #line(symbol: number, time: number, words: readonly (string | number | boolean)[]): string {
    // Milliseconds become microseconds by their digits: a double has no room for all of them.
    return [EXCHANGE, this.#symbols[symbol].code, `${time}000`, `${time}000`, ...words].join(',');
  }

  #price(symbol: number, units: number): string {
    return formatUnits(BigInt(units), this.#symbols[symbol].priceDecimals);
  }

  #size(symbol: number, units: number): string {
    return formatUnits(BigInt(units), this.#symbols[symbol].sizeDecimals);
  }
}
