/** The public state of each market: last trades, last price, best prices, and the statistics of 24 hours. */

import type { BookChanged, CandlesImported, Exchange, PriceLevel, Side } from '@bourse/core';
import {
  type Candle,
  type ExchangePort,
  type HistoryReader,
  joined,
  LAST_TRADES_MAX,
  type Published,
  readSteadily,
  startOf,
  type SteadyRead,
  type TradeRow,
  withTrade,
} from '@bourse/engine';

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
    source: Omit<Joining<HistoryReader, MarketView>, 'open' | 'apply'>,
    marks: readonly TickerMark[] = [],
  ): Promise<MarketView> {
    return joinHistory({
      ...source,
      open: (exchange) => new MarketView(exchange, source.history, marks),
      apply: (view, record, exchange) => view.apply(record, exchange),
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
  apply({ marketEvents, time }: Omit<MarketRecord, 'seq'>, exchange: Exchange): void {
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

// 24-hour statistics of every market, from one-minute candles: a ring of 1440 per symbol, so that the cost is
// independent of the number of trades.

const MINUTES = 1440;
const MINUTE_MS = 60_000;
const DAY_MS = MINUTES * MINUTE_MS;

/** Prices and volume in the symbol's units, turnover in quote units. */
export interface Statistics {
  /** The last price before the 24 hours, or the first price in them if there is none; 0 before the first trade. */
  readonly open: number;
  readonly last: number;
  /** 0 without trades. */
  readonly high: number;
  readonly low: number;
  readonly volume: bigint;
  readonly turnover: bigint;
}

interface Day {
  readonly minutes: (Candle | undefined)[];
  /** The latest minute that has left the ring. */
  before: Candle | undefined;
  last: number;
}

const NOTHING: Statistics = { open: 0, last: 0, high: 0, low: 0, volume: 0n, turnover: 0n };

export class StatisticsView {
  readonly #days: (Day | undefined)[] = [];

  /** Loads the two days before the exchange's time from history, then follows every record. */
  static follow(
    source: Omit<Joining<HistoryReader, StatisticsView>, 'open' | 'apply'>,
  ): Promise<StatisticsView> {
    return joinHistory({
      ...source,
      open: (exchange) => StatisticsView.#of(exchange, source.history),
      apply: (view, record, _, checkpoint) => {
        if (record.seq > checkpoint) view.apply(record);
      },
    });
  }

  static #of(exchange: Exchange, history: HistoryReader): StatisticsView {
    const view = new StatisticsView();
    const filter = { interval: '1min', from: 0, until: exchange.time, limit: 2 * MINUTES } as const;
    for (let symbol = 0; symbol < exchange.counts.symbols; symbol++) {
      for (const minute of history.candles({ symbol, ...filter }).toReversed()) view.#put(symbol, minute);
    }
    return view;
  }

  apply({ time, marketEvents }: Omit<MarketRecord, 'seq'>): void {
    for (let at = 0; at < marketEvents.length; at++) {
      const event = marketEvents[at];
      if (event.kind === 'candles-imported') this.#applyImported(event);
      if (event.kind !== 'trade') continue;
      const start = startOf('1min', time);
      const current = this.#days[event.symbol]?.minutes[slotOf(start)];
      this.#put(event.symbol, withTrade(current, start, event));
    }
  }

  /** The same result as a start after the import, in whatever order the candles arrive. */
  #applyImported({ symbol, interval, candles }: CandlesImported): void {
    if (interval !== '1min') return;
    if (this.#days[symbol] === undefined) {
      // Candles are in order.
      for (const minute of candles) this.#put(symbol, minute);
      return;
    }
    const known = this.#days[symbol].minutes.filter((minute) => minute !== undefined);
    const byStart = new Map([...known, ...candles].map((minute) => [minute.start, minute]));
    this.#days[symbol] = undefined;
    const inOrder = [...byStart.values()].toSorted((one, other) => one.start - other.start);
    for (const minute of inOrder) this.#put(symbol, minute);
  }

  /** Statistics of the last 24 hours, or of less. */
  of(symbol: number, now: number, spanMs = DAY_MS): Statistics {
    const day = this.#days[symbol];
    if (!day) return NOTHING;
    const first = startOf('1min', now - spanMs) + MINUTE_MS;
    let sum: Candle | undefined;
    let { before } = day;
    // Starting at the slot of the first minute, the slots of the 24 hours are in time order.
    for (let i = 0; i < MINUTES; i++) {
      const minute = day.minutes[slotOf(first + i * MINUTE_MS)];
      if (minute === undefined) continue;
      if (minute.start >= first) sum = sum ? joined(sum, minute) : minute;
      else if (minute.start > (before?.start ?? 0)) before = minute;
    }
    if (!sum) return { ...NOTHING, open: day.last, last: day.last };
    const { high, low, volume, turnover } = sum;
    return { open: before?.close ?? sum.open, last: day.last, high, low, volume, turnover };
  }

  #put(symbol: number, minute: Candle): void {
    const day = (this.#days[symbol] ??= { minutes: [], before: undefined, last: 0 });
    const slot = slotOf(minute.start);
    const old = day.minutes[slot];
    if (old && old.start !== minute.start && old.start > (day.before?.start ?? 0)) day.before = old;
    day.minutes[slot] = minute;
    day.last = minute.close;
  }
}

const slotOf = (start: number): number => (start / MINUTE_MS) % MINUTES;

/**
 * A view that starts with the contents of history and follows every record. Records may arrive while history is read:
 * after a start, unfinished orders continue and due events happen. They are buffered; `apply` gets the last record
 * that history had, as `checkpoint`.
 */
type MarketRecord = Pick<Published, 'seq' | 'time' | 'marketEvents'>;

interface Joining<History extends Pick<HistoryReader, 'checkpoint'>, View> {
  readonly port: ExchangePort;
  readonly history: History;
  /** The log was empty at the start, so history need not be awaited. */
  readonly isHistoryEmpty?: boolean;
  /** The query on history. */
  readonly open: (exchange: Exchange) => View;
  readonly apply: (view: View, record: MarketRecord, exchange: Exchange, checkpoint: number) => void;
}

async function joinHistory<History extends Pick<HistoryReader, 'checkpoint'>, View>(
  joining: Joining<History, View>,
): Promise<View> {
  const { port, history, isHistoryEmpty = false, open, apply } = joining;
  const late: MarketRecord[] = [];
  let begun: SteadyRead<View> | undefined;
  port.subscribe((published, exchange) => {
    if (begun) apply(begun.value, published, exchange, begun.checkpoint);
    else {
      const { seq, time, marketEvents } = published;
      late.push({ seq, time, marketEvents });
    }
  });
  if (!isHistoryEmpty) await port.historyCaughtUp();
  return port.read((exchange) => {
    begun = readSteadily(history, () => open(exchange));
    for (const record of late.splice(0)) apply(begun.value, record, exchange, begun.checkpoint);
    return begun.value;
  });
}
