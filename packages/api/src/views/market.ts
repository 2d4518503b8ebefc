/** The public state of each market: last trades, last price, best prices. */

import type { BookChanged, Exchange, PriceLevel, Side } from '@bourse/core';
import { type HistoryReader, LAST_TRADES_MAX, type TradeRow } from '@bourse/engine';
import { joinHistory, type Joining, type MarketRecord } from './statistics.ts';

export interface Ticker {
  /** Sequence of the book: counts its changes. */
  readonly sequence: number;
  readonly last: TradeRow | undefined;
  /** Visible orders only; undefined for an empty side. */
  readonly bestAsk: { readonly price: number; readonly size: number } | undefined;
  readonly bestBid: { readonly price: number; readonly size: number } | undefined;
  /** Time of the latest change, in milliseconds. */
  readonly time: number;
}

/**
 * When a symbol's ticker last changed, and its book's sequence then; an early snapshot of a sandbox has only the
 * time.
 */
export type TickerMark = number | readonly [time: number, sequence: number];

/** The source of trades from before the start. */
export type EarlierTrades = Pick<HistoryReader, 'lastTrades'>;

export class MarketView {
  readonly #markets: Market[] = [];

  constructor(exchange: Exchange, history: EarlierTrades, marks: readonly TickerMark[] = []) {
    for (const { symbol } of exchange.reference.symbols()) {
      this.#markets[symbol] = new Market(exchange, symbol, history.lastTrades(symbol), marks[symbol]);
    }
  }

  /**
   * Starts with the current state and follows every record. `marks`: the latest change of each symbol, if known; a
   * symbol that has changed since gets the time of the last record.
   */
  static follow(
    source: Omit<Joining<HistoryReader, MarketView>, 'open' | 'take'>,
    marks: readonly TickerMark[] = [],
  ): Promise<MarketView> {
    return joinHistory({
      ...source,
      open: (exchange) => new MarketView(exchange, source.history, marks),
      take: (view, record, exchange) => view.take(record, exchange),
    });
  }

  /** Newest first, at most 100. */
  trades(symbol: number): readonly TradeRow[] {
    return this.#markets[symbol].trades();
  }

  ticker(symbol: number): Ticker {
    return this.#markets[symbol].ticker();
  }

  /** The latest change of each symbol, by its number. */
  get marks(): TickerMark[] {
    return this.#markets.map((market) => {
      const { time, sequence } = market.ticker();
      return [time, sequence] as const;
    });
  }

  /** Call it for each record; repeated records are allowed if the exchange has moved on since. */
  take({ marketEvents, time }: Omit<MarketRecord, 'seq'>, exchange: Exchange): void {
    for (let i = 0; i < marketEvents.length; i++) {
      const event = marketEvents[i];
      if (event.kind === 'book-changed') this.#markets[event.symbol].change(event, time, exchange);
      else if (event.kind === 'trade') {
        const { symbol, trade, price, size, side } = event;
        this.#markets[symbol].add({ symbol, trade, price, size, side, time });
      } else if (event.kind === 'symbol-set' && this.#markets[event.symbol] === undefined) {
        this.#markets[event.symbol] = new Market(exchange, event.symbol, []);
      }
    }
  }
}

class Market {
  readonly #symbol: number;
  /** Newest last. Trimmed only at twice the shown number, so that a trade usually costs one push. */
  #kept: TradeRow[];
  #sequence: number;
  #time: number;
  #bid: PriceLevel | undefined;
  #ask: PriceLevel | undefined;

  constructor(exchange: Exchange, symbol: number, earlier: readonly TradeRow[], mark?: TickerMark) {
    this.#symbol = symbol;
    this.#kept = earlier.toReversed();
    this.#sequence = exchange.bookSequence(symbol);
    this.#time = this.#timeOf(mark, exchange.time);
    this.#bid = bestOf(exchange, symbol, 'buy');
    this.#ask = bestOf(exchange, symbol, 'sell');
  }

  /** A trade with a hidden order changes the ticker but not the book. */
  #timeOf(mark: TickerMark | undefined, last: number): number {
    if (mark === undefined || typeof mark === 'number') return mark ?? last;
    const [time, sequence] = mark;
    return sequence === this.#sequence ? Math.max(time, this.#kept.at(-1)?.time ?? 0) : last;
  }

  trades(): readonly TradeRow[] {
    return this.#kept.slice(-LAST_TRADES_MAX).toReversed();
  }

  ticker(): Ticker {
    const sequence = this.#sequence,
      time = this.#time;
    return { sequence, last: this.#kept.at(-1), bestAsk: this.#ask, bestBid: this.#bid, time };
  }

  add(trade: TradeRow): void {
    this.#time = trade.time;
    // History may already have some of the first records.
    if (trade.trade <= (this.#kept.at(-1)?.trade ?? 0)) return;
    this.#kept.push(trade);
    if (this.#kept.length >= 2 * LAST_TRADES_MAX) this.#kept = this.#kept.slice(-LAST_TRADES_MAX);
  }

  change({ sequence, side, price, size }: BookChanged, time: number, exchange: Exchange): void {
    this.#sequence = sequence;
    this.#time = time;
    const isBuy = side === 'buy';
    const best = isBuy ? this.#bid : this.#ask;
    if (best !== undefined && (isBuy ? price < best.price : price > best.price)) return;
    // The exchange is already in the state after the complete record, so this may read later changes of the record
    // early; their own events then change nothing.
    const next = size > 0 ? { price, size } : bestOf(exchange, this.#symbol, side);
    if (isBuy) this.#bid = next;
    else this.#ask = next;
  }
}

const bestOf = (exchange: Exchange, symbol: number, side: Side): PriceLevel | undefined =>
  exchange.depth(symbol, side, 1)[0];
