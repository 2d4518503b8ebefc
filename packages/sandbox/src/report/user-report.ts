/**
 * Computes the report of a user by replaying the log through the core. It needs nothing but the log, and its
 * figures must match the ledger: at the end both are compared, and a difference is an error.
 */

import {
  type Event,
  type Exchange,
  type Fill,
  formatUnits,
  type LogRecord,
  type Outcome,
  type Trade,
} from '@bourse/core';
import { type Disk, LogReplay } from '@bourse/engine';
import { Holdings, PriceWatch } from './holdings.ts';
import type { Counted, Report, ReportOptions, Slippage } from './report.ts';

/** There is nothing to report about; the message says why. */
export class NoReport extends Error {
  override readonly name = 'NoReport';
}

const REPORT_CURRENCY = 'USDT';
const SHARE_PLACES = 4;
const BASIS_POINTS = 10_000n;

export async function reportOn(disk: Disk, dir: string, options: ReportOptions): Promise<Report> {
  const replay = await LogReplay.open(disk, dir, options.from);
  if (replay === null) throw new NoReport(`No log in ${dir}.`);
  const reporter = new Reporter(replay.exchange, options);
  for await (const record of replay.records()) {
    if (record.time > (options.until ?? Infinity)) break;
    reporter.take(record);
  }
  return reporter.end();
}

interface Point {
  readonly worth: bigint;
  readonly pnl: bigint;
  readonly trading: bigint;
}

/** Follows an exchange record by record. */
export class Reporter {
  readonly #exchange: Exchange;
  readonly #options: ReportOptions;
  readonly #prices: PriceWatch;
  readonly #tally = new UserTally();
  readonly #curve = new Curve<Point>();
  #user: number;
  #currency = -1;
  /** Undefined until the period has begun. */
  #holdings: Holdings | undefined;
  #firstSeq = 0;
  #from = 0;
  /** Net inflow in this record, by currency: a transfer between own accounts is 0. */
  readonly #moves = new Map<number, bigint>();
  /** Twice the mid price when the order that is now trading arrived. */
  #arrival = { order: -1, twiceMiddle: 0 };

  constructor(exchange: Exchange, options: ReportOptions) {
    this.#exchange = exchange;
    this.#options = options;
    this.#prices = new PriceWatch(exchange);
    this.#user = this.#findUser();
  }

  /** Applies the record. */
  take(record: LogRecord): void {
    const { seq, time, commands } = record;
    const isInside = time >= (this.#options.from ?? 0);
    if (isInside && this.#holdings === undefined) this.#begin(seq, time);
    if (isInside && this.#curve.isDue(time)) this.#addPoint(time);
    const { events, outcomes } = this.#exchange.apply(record);
    for (const event of events.decode()) this.#see(event);
    this.#flush();
    if (!isInside || !commands.some((command) => 'user' in command && command.user === this.#user)) return;
    for (const [at, outcome] of outcomes.decode().entries()) {
      const command = commands[at];
      if ('user' in command && command.user === this.#user) this.#tally.refuse(outcome);
    }
  }

  end(): Report {
    const { reference, seq, time } = this.#exchange;
    if (this.#user < 0) throw new NoReport(this.#noUser());
    if (this.#holdings === undefined) this.#begin(seq, time);
    const holdings = this.#holdings!;
    if (this.#currency < 0) throw new NoReport(this.#noCurrency());
    this.#addPoint(time);
    this.#compare(holdings);
    return {
      user: reference.users[this.#user].name,
      currency: reference.currencies[this.#currency].code,
      from: this.#from,
      until: time,
      firstSeq: this.#firstSeq,
      lastSeq: seq,
      ...this.#counts(),
      ...this.#money(holdings),
      symbols: this.#symbols(),
      curve: this.#curve.points.map(({ time: at, point }) => ({
        time: at,
        worth: this.#show(point.worth),
        pnl: this.#show(point.pnl),
        trading: this.#show(point.trading),
      })),
    };
  }

  #begin(seq: number, time: number): void {
    this.#firstSeq = seq;
    this.#from = time;
    this.#findCurrency();
    this.#holdings = new Holdings((currency, amount) => this.#worth(currency, amount), this.#balances());
  }

  #worth(currency: number, amount: bigint): bigint | null {
    return this.#currency < 0 ? null : this.#prices.worth(currency, amount, this.#currency);
  }

  #findUser(): number {
    const { users } = this.#exchange.reference;
    const { user } = this.#options;
    const byName = users.findIndex(({ name }) => name === user);
    return byName >= 0 || !/^\d{1,15}$/.test(user) ? byName : Number(user) < users.length ? Number(user) : -1;
  }

  #findCurrency(): void {
    this.#currency = this.#exchange.reference.currencyNumber(this.#options.currency ?? REPORT_CURRENCY);
  }

  #see(event: Event): void {
    switch (event.kind) {
      case 'book-changed':
        this.#prices.change(event);
        break;
      case 'symbol-set':
        this.#prices.add(event);
        break;
      case 'currency-set':
        if (this.#currency < 0) this.#findCurrency();
        break;
      case 'user-added':
        if (this.#user < 0) this.#user = this.#findUser();
        break;
      case 'order-received':
        this.#arrival = {
          order: event.order,
          twiceMiddle: this.#prices.symbol(event.symbol).twiceMiddle,
        };
        if (event.user === this.#user && this.#holdings) this.#tally.place(event.symbol);
        break;
      case 'order-done':
        if (event.user === this.#user && this.#holdings) this.#tally.done.add(event.reason);
        break;
      case 'trade':
        this.#trade(event);
        break;
      case 'balance-changed':
        // -1 is for system accounts, and for a user who does not exist yet.
        if (event.user !== this.#user || event.user < 0 || event.cause === 'trade') break;
        if (!this.#holdings) break;
        this.#moves.set(
          event.currency,
          (this.#moves.get(event.currency) ?? 0n) + event.availableChange + event.holdChange,
        );
        break;
      default:
    }
  }

  #trade(trade: Trade): void {
    const { side, incoming, resting, symbol } = trade;
    this.#prices.trade(trade);
    if (!this.#holdings || (incoming.user !== this.#user && resting.user !== this.#user)) return;
    this.#flush();
    const twiceMiddle =
      this.#arrival.order === incoming.order
        ? this.#arrival.twiceMiddle
        : this.#prices.symbol(symbol).twiceMiddle;
    if (incoming.user === this.#user) this.#fill(trade, incoming, side === 'buy', twiceMiddle);
    if (resting.user === this.#user) this.#fill(trade, resting, side === 'sell', twiceMiddle);
  }

  #fill(trade: Trade, fill: Fill, isBuy: boolean, twiceMiddle: number): void {
    const { terms, baseFactor } = this.#prices.symbol(trade.symbol);
    const { base, quote } = terms;
    const amount = BigInt(trade.size) * baseFactor;
    this.#holdings!.trade({ base, quote, isBuy, amount, funds: trade.funds, fee: fill.fee });
    const worth = this.#worth(quote, trade.funds);
    this.#tally.fill(trade, fill, isBuy, worth);
    if (twiceMiddle === 0) return;
    const away = BigInt(isBuy ? 2 * trade.price - twiceMiddle : twiceMiddle - 2 * trade.price);
    const cost = (away * BigInt(trade.size)) / 2n;
    const symbol = this.#tally.symbol(trade.symbol);
    if (fill.liquidity === 'maker') symbol.makerSlippage += cost;
    else symbol.takerSlippage += cost;
    this.#tally.slippage[fill.liquidity].add(this.#worth(quote, cost) ?? 0n, worth ?? 0n);
  }

  #flush(): void {
    for (const [currency, amount] of this.#moves) if (amount !== 0n) this.#holdings!.move(currency, amount);
    this.#moves.clear();
  }

  #addPoint(time: number): void {
    const holdings = this.#holdings!;
    holdings.settle();
    const worth = holdings.worthNow();
    const pnl = worth - holdings.worthAtStart - holdings.moved;
    this.#curve.add(time, { worth, pnl, trading: holdings.tradingNow() });
  }

  /** Both accounts together. */
  #balances(): Map<number, bigint> {
    const balances = new Map<number, bigint>();
    if (this.#user < 0) return balances;
    for (const { currency, available, hold } of this.#exchange.accounts(this.#user))
      balances.set(currency, (balances.get(currency) ?? 0n) + available + hold);
    return balances;
  }

  /** A report that differs from the ledger must not be shown to anybody. */
  #compare({ all }: Holdings): void {
    const balances = this.#balances();
    for (const currency of new Set([...balances.keys(), ...all.keys()])) {
      const counted = all.get(currency)?.quantity ?? 0n;
      const there = balances.get(currency) ?? 0n;
      if (counted === there) continue;
      const { code, scale } = this.#exchange.reference.currencies[currency];
      throw new Error(
        `The report counts ${formatUnits(counted, scale)} ${code}, the ledger has ${formatUnits(there, scale)}.`,
      );
    }
  }

  #counts(): Pick<Report, 'orders' | 'fills' | 'slippage'> {
    const { placed, done, refused, symbols, slippage, makerTurnover, takerTurnover } = this.#tally;
    const sum = (which: 'maker' | 'taker') =>
      [...symbols.values()].reduce((total, each) => total + each[which], 0);
    const turnover = makerTurnover + takerTurnover;
    const share = (part: bigint) => shownRatio(part, turnover, SHARE_PLACES);
    const open = this.#exchange.reference
      .symbols()
      .reduce((count, { symbol }) => count + this.#exchange.orderPlaces(this.#user, symbol).length, 0);
    return {
      orders: { placed, open, done: done.list(), refused: refused.list() },
      fills: {
        count: sum('maker') + sum('taker'),
        maker: sum('maker'),
        taker: sum('taker'),
        makerShare: share(makerTurnover),
        takerShare: share(takerTurnover),
        turnover: this.#show(turnover),
      },
      slippage: { taker: this.#slippage(slippage.taker), maker: this.#slippage(slippage.maker) },
    };
  }

  #slippage({ fills, cost, traded }: SlippageSum): Slippage {
    return { fills, cost: this.#show(cost), bp: shownRatio(cost * BASIS_POINTS, traded, 2) };
  }

  #money(holdings: Holdings): Pick<Report, 'pnl' | 'feesByCurrency' | 'inventory'> {
    const { worthAtStart, moved, realised, fees, all } = holdings;
    const worthAtEnd = holdings.worthNow();
    const total = worthAtEnd - worthAtStart - moved;
    const unrealised = worthAtEnd - holdings.cost();
    if (total !== realised + unrealised - fees)
      throw new Error(`The report does not add up: ${total} is not ${realised} + ${unrealised} - ${fees}.`);
    const trading = holdings.tradingNow();
    const { currencies } = this.#exchange.reference;
    const listed = [...all.values()].toSorted((one, other) => one.currency - other.currency);
    return {
      pnl: {
        total: this.#show(total),
        realised: this.#show(realised),
        unrealised: this.#show(unrealised),
        fees: this.#show(fees),
        trading: this.#show(trading),
        holding: this.#show(total - trading),
        worthAtStart: this.#show(worthAtStart),
        worthAtEnd: this.#show(worthAtEnd),
        moved: this.#show(moved),
      },
      feesByCurrency: listed
        .filter((each) => each.fees > 0n)
        .map((each) => {
          const { code, scale } = currencies[each.currency];
          return { currency: code, amount: formatUnits(each.fees, scale) };
        }),
      inventory: listed.map((each) => {
        const { code, scale } = currencies[each.currency];
        const amount = (units: bigint) => formatUnits(units, scale);
        const worth = this.#worth(each.currency, each.quantity);
        const coin = 10n ** BigInt(scale);
        const price = this.#worth(each.currency, coin);
        const isCosted = each.cost !== null && each.quantity > 0n;
        return {
          currency: code,
          start: amount(each.atStart),
          moved: amount(each.moved),
          traded: amount(each.traded),
          fees: amount(each.fees),
          end: amount(each.quantity),
          averageCost: isCosted ? this.#show((each.cost! * coin) / each.quantity) : null,
          price: price === null ? null : this.#show(price),
          worth: worth === null ? null : this.#show(worth),
          realised: this.#show(each.realised),
          unrealised: worth === null || each.cost === null ? null : this.#show(worth - each.cost),
        };
      }),
    };
  }

  #symbols(): Report['symbols'] {
    const { reference } = this.#exchange;
    const listed = [...this.#tally.symbols].toSorted(([one], [other]) => one - other);
    return listed.map(([number, tally]) => {
      const { code, quote, sizeDecimals } = reference.symbol(number);
      const money = (units: bigint) => formatUnits(units, reference.currencies[quote].scale);
      return {
        symbol: code,
        orders: tally.orders,
        maker: tally.maker,
        taker: tally.taker,
        bought: formatUnits(tally.bought, sizeDecimals),
        sold: formatUnits(tally.sold, sizeDecimals),
        turnover: money(tally.turnover),
        fees: money(tally.fees),
        takerSlippage: money(tally.takerSlippage),
        makerSlippage: money(tally.makerSlippage),
      };
    });
  }

  #show(units: bigint): string {
    return formatUnits(units, this.#exchange.reference.currencies[this.#currency].scale);
  }

  #noUser(): string {
    const names = this.#exchange.reference.users.map(({ name }) => name).slice(0, 20);
    return `Unknown user '${this.#options.user}'. Expected one of: ${names.join(', ') || 'none'}.`;
  }

  #noCurrency(): string {
    const codes = this.#exchange.reference.currencies.map(({ code }) => code);
    return `Unknown currency '${this.#options.currency ?? REPORT_CURRENCY}'. Expected one of: ${codes.join(', ') || 'none'}.`;
  }
}

/** A quotient as a decimal with this many places, truncated; 0 if the divisor is 0. */
function shownRatio(part: bigint, whole: bigint, places: number): string {
  return whole === 0n ? '0' : formatUnits((part * 10n ** BigInt(places)) / whole, places);
}

const POINTS_MAX = 400;
const DISTANCE_MS = 1000;

/** A curve with evenly spaced points, for an unknown number of samples. */
class Curve<Value> {
  #points: { readonly time: number; readonly point: Value }[] = [];
  #distance = DISTANCE_MS;

  /** Whether a point is due; the caller computes it only then. */
  isDue(time: number): boolean {
    const last = this.#points.at(-1);
    return last === undefined || Math.floor(time / this.#distance) > Math.floor(last.time / this.#distance);
  }

  /** At twice the maximum, every other point is dropped and the spacing doubles. */
  add(time: number, point: Value): void {
    this.#points.push({ time, point });
    while (this.#points.length > POINTS_MAX) {
      this.#distance *= 2;
      const kept = new Map(this.#points.map((each) => [Math.floor(each.time / this.#distance), each]));
      this.#points = [...kept.values()];
    }
  }

  get points(): readonly { readonly time: number; readonly point: Value }[] {
    return this.#points;
  }
}

class Counts {
  readonly #counts = new Map<string, number>();

  add(code: string): void {
    this.#counts.set(code, (this.#counts.get(code) ?? 0) + 1);
  }

  /** The most frequent first. */
  list(): Counted[] {
    const counted = Array.from(this.#counts, ([code, count]) => ({ code, count }));
    return counted.toSorted((one, other) => other.count - one.count || (one.code < other.code ? -1 : 1));
  }
}

class SlippageSum {
  fills = 0;
  /** In units of the currency: the cost against the mid price, and the turnover. */
  cost = 0n;
  traded = 0n;

  add(cost: bigint, traded: bigint): void {
    this.fills += 1;
    this.cost += cost;
    this.traded += traded;
  }
}

export class SymbolTally {
  orders = 0;
  maker = 0;
  taker = 0;
  /** In units of size. */
  bought = 0n;
  sold = 0n;
  /** In units of the quote currency, like everything below. */
  turnover = 0n;
  fees = 0n;
  takerSlippage = 0n;
  makerSlippage = 0n;
}

class UserTally {
  readonly done = new Counts();
  readonly refused = new Counts();
  readonly symbols = new Map<number, SymbolTally>();
  readonly slippage = { taker: new SlippageSum(), maker: new SlippageSum() };
  placed = 0;
  /** The value of the trades, in the report's currency. */
  makerTurnover = 0n;
  takerTurnover = 0n;

  place(symbol: number): void {
    this.placed += 1;
    this.symbol(symbol).orders += 1;
  }

  fill({ symbol, size, funds }: Trade, { liquidity, fee }: Fill, isBuy: boolean, worth: bigint | null): void {
    const tally = this.symbol(symbol);
    const isMaker = liquidity === 'maker';
    if (isMaker) tally.maker += 1;
    else tally.taker += 1;
    if (isBuy) tally.bought += BigInt(size);
    else tally.sold += BigInt(size);
    tally.turnover += funds;
    tally.fees += fee;
    if (isMaker) this.makerTurnover += worth ?? 0n;
    else this.takerTurnover += worth ?? 0n;
  }

  refuse(outcome: Outcome): void {
    const outcomes = outcome.kind === 'orders' ? outcome.outcomes : [outcome];
    for (const each of outcomes) if (each.kind === 'rejected') this.refused.add(each.rejection.code);
  }

  symbol(number: number): SymbolTally {
    let tally = this.symbols.get(number);
    if (tally === undefined) this.symbols.set(number, (tally = new SymbolTally()));
    return tally;
  }
}
