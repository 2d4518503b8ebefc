/** What the exchange published, by topic, to compare messages with. */

import type {
  BalanceChanged,
  BookChanged,
  DepositSet,
  Event,
  Exchange,
  Fill,
  PriceLevel,
  StopDone,
  StopPlaced,
  SymbolSet,
  Trade,
} from '@bourse/core';
import type { Published } from '../../../../engine/src/exchange-port.ts';
import type { Services } from '../../../src/gateway/services.ts';
import { Timeline } from './timeline.ts';

const MINUTE_MS = 60_000;
const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** A complete book after a record that changed it or traded in it. */
export interface BookMoment {
  readonly sequence: number;
  readonly time: number;
  /** In order; empty if only hidden orders traded. */
  readonly changes: readonly BookChanged[];
  readonly asks: readonly PriceLevel[];
  readonly bids: readonly PriceLevel[];
}

/** The same moment with only the best prices of the book, because it is kept longer. */
export interface MarketMoment {
  readonly sequence: number;
  readonly time: number;
  readonly ask: PriceLevel | undefined;
  readonly bid: PriceLevel | undefined;
  readonly last: Trade | undefined;
  /** Of all trades so far. */
  readonly volume: number;
}

export interface TradeMade {
  readonly trade: Trade;
  readonly time: number;
  readonly maker: OrderName;
  readonly taker: OrderName;
}

export interface OrderName {
  readonly order: number;
  readonly createdAt: number;
}

export interface CandleMade {
  readonly start: number;
  readonly open: number;
  readonly close: number;
  readonly high: number;
  readonly low: number;
  readonly volume: bigint;
  readonly turnover: bigint;
}

export interface OrderStep extends OrderName {
  readonly type: 'received' | 'open' | 'match' | 'update' | 'filled' | 'canceled';
  readonly symbol: number;
  /** Of the order's size; 0 at the end. */
  readonly remaining: number;
  /** -1 where only the end knows. */
  readonly cancelled: number;
  readonly fill?: FillMade;
}

export interface FillMade {
  readonly trade: Trade;
  readonly fill: Fill;
  readonly createdAt: number;
  readonly time: number;
}

export interface PostingMade {
  readonly event: BalanceChanged;
  readonly id: string;
  readonly time: number;
}

export interface StopStep {
  readonly event: StopPlaced | StopDone;
  readonly time: number;
}

export interface DepositStep {
  readonly event: DepositSet;
  readonly time: number;
}

export class MarketTruth {
  readonly terms: SymbolSet;
  readonly books = new Timeline<BookMoment>();
  readonly moments = new Timeline<MarketMoment>();
  readonly trades = new Timeline<TradeMade>();
  readonly candles = new Timeline<CandleMade>();
  latestBook: BookMoment;
  latest: MarketMoment;
  #last: Trade | undefined;
  #volume = 0;
  #candle: CandleMade | undefined;
  #changes: BookChanged[] = [];
  #isTraded = false;

  constructor(terms: SymbolSet, exchange: Exchange) {
    this.terms = terms;
    this.latestBook = this.#bookOf(exchange, exchange.time);
    this.latest = this.#momentOf(exchange.time);
  }

  noteChange(change: BookChanged): void {
    this.#changes.push(change);
  }

  noteTrade(made: TradeMade): void {
    const { trade, time } = made;
    const { price, size } = trade;
    this.#isTraded = true;
    this.#last = trade;
    this.#volume += size;
    this.trades.push(made);
    const start = time - (time % MINUTE_MS);
    const before = this.#candle?.start === start ? this.#candle : undefined;
    this.#candle = {
      start,
      open: before?.open ?? price,
      close: price,
      high: Math.max(before?.high ?? price, price),
      low: Math.min(before?.low ?? price, price),
      volume: (before?.volume ?? 0n) + BigInt(size),
      turnover: (before?.turnover ?? 0n) + BigInt(price) * BigInt(size),
    };
  }

  end(exchange: Exchange, time: number): void {
    this.books.push((this.latestBook = this.#bookOf(exchange, time)));
    this.moments.push((this.latest = this.#momentOf(time)));
    if (this.#isTraded && this.#candle) this.candles.push(this.#candle);
    this.#changes = [];
    this.#isTraded = false;
  }

  #bookOf(exchange: Exchange, time: number): BookMoment {
    const { symbol } = this.terms;
    return {
      sequence: exchange.bookSequence(symbol),
      time,
      changes: this.#changes,
      asks: exchange.depth(symbol, 'sell', EVERYTHING),
      bids: exchange.depth(symbol, 'buy', EVERYTHING),
    };
  }

  #momentOf(time: number): MarketMoment {
    const { sequence, asks, bids } = this.latestBook;
    return { sequence, time, ask: asks[0], bid: bids[0], last: this.#last, volume: this.#volume };
  }
}

/** What is published to one user only. */
export class UserTruth {
  readonly user: number;
  readonly orders = new Timeline<OrderStep>();
  readonly fills = new Timeline<FillMade>();
  readonly postings = new Timeline<PostingMade>();
  readonly stops = new Timeline<StopStep>();
  readonly deposits = new Timeline<DepositStep>();

  constructor(user: number) {
    this.user = user;
  }
}

export class Truth {
  readonly markets: readonly MarketTruth[];
  readonly user: UserTruth;
  readonly #bySymbol: MarketTruth[] = [];
  readonly #createdAt = new Map<number, number>();
  readonly #touched = new Set<MarketTruth>();

  private constructor(markets: readonly MarketTruth[], user: number) {
    this.markets = markets;
    this.user = new UserTruth(user);
    for (const market of markets) this.#bySymbol[market.terms.symbol] = market;
  }

  /** Of these symbols and this user, from now on. */
  static follow({ port, catalogue }: Services, codes: readonly string[], user: number): Promise<Truth> {
    return port.read((exchange) => {
      const markets = codes.map((code) => new MarketTruth(catalogue.symbol(code)!, exchange));
      const truth = new Truth(markets, user);
      port.subscribe((published, now) => truth.#take(published, now));
      return truth;
    });
  }

  #take({ seq, time, events }: Published, exchange: Exchange): void {
    events.forEach((event, at) => this.#note(event, time, String(seq) + String(at).padStart(7, '0')));
    for (const market of this.#touched) market.end(exchange, time);
    this.#touched.clear();
  }

  #note(event: Event, time: number, id: string): void {
    switch (event.kind) {
      case 'book-changed':
        this.#touch(event.symbol).noteChange(event);
        return;
      case 'balance-changed':
        if (event.user === this.user.user) this.user.postings.push({ event, id, time });
        return;
      case 'trade':
        this.#noteTrade(event, time);
        return;
      case 'order-received':
        this.#createdAt.set(event.order, time);
        this.#step(event, 'received', event.size, -1);
        return;
      case 'order-opened':
        this.#step(event, 'open', event.remaining, -1);
        return;
      case 'order-reduced':
        this.#step(event, 'update', event.remaining, -1);
        return;
      case 'order-done':
        this.#step(event, event.reason === 'filled' ? 'filled' : 'canceled', 0, event.cancelledSize);
        this.#createdAt.delete(event.order);
        return;
      case 'stop-placed':
      case 'stop-done':
        if (event.user === this.user.user) this.user.stops.push({ event, time });
        return;
      case 'deposit-set':
        if (event.user === this.user.user) this.user.deposits.push({ event, time });
    }
  }

  #noteTrade(trade: Trade, time: number): void {
    const { incoming, resting, symbol } = trade;
    const [maker, taker] = incoming.liquidity === 'maker' ? [incoming, resting] : [resting, incoming];
    this.#touch(symbol).noteTrade({ trade, time, maker: this.#nameOf(maker), taker: this.#nameOf(taker) });
    for (const fill of [incoming, resting]) {
      if (fill.user !== this.user.user) continue;
      const made = { trade, fill, time, createdAt: this.#nameOf(fill).createdAt };
      this.user.fills.push(made);
      this.#step({ ...fill, symbol }, 'match', fill.remaining, -1, made);
    }
  }

  #step(
    { user, order, symbol }: { user: number; order: number; symbol: number },
    type: OrderStep['type'],
    remaining: number,
    cancelled: number,
    fill?: FillMade,
  ): void {
    if (user !== this.user.user) return;
    const { createdAt } = this.#nameOf({ order });
    this.user.orders.push({
      type,
      order,
      createdAt,
      symbol,
      remaining,
      cancelled,
      ...(fill && { fill }),
    });
  }

  #nameOf({ order }: { order: number }): OrderName {
    return { order, createdAt: this.#createdAt.get(order)! };
  }

  #touch(symbol: number): MarketTruth {
    const market = this.#bySymbol[symbol];
    this.#touched.add(market);
    return market;
  }
}
