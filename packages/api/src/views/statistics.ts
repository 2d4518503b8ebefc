/**
 * 24-hour statistics of every market, from one-minute candles: a ring of 1440 per symbol, so that the cost is
 * independent of the number of trades.
 */

import type { CandlesImported, Exchange } from '@bourse/core';
import {
  type Candle,
  type HistoryReader,
  joined,
  startOf,
  withTrade,
  type ExchangePort,
  type Published,
  readSteadily,
  type SteadyRead,
} from '@bourse/engine';

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
    source: Omit<Joining<HistoryReader, StatisticsView>, 'open' | 'take'>,
  ): Promise<StatisticsView> {
    return joinHistory({
      ...source,
      open: (exchange) => StatisticsView.#of(exchange, source.history),
      take: (view, record, _, checkpoint) => {
        if (record.seq > checkpoint) view.take(record);
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

  take({ time, marketEvents }: Omit<MarketRecord, 'seq'>): void {
    for (let at = 0; at < marketEvents.length; at++) {
      const event = marketEvents[at];
      if (event.kind === 'candles-imported') this.#takePast(event);
      if (event.kind !== 'trade') continue;
      const start = startOf('1min', time);
      const current = this.#days[event.symbol]?.minutes[slotOf(start)];
      this.#put(event.symbol, withTrade(current, start, event));
    }
  }

  /** The same result as a start after the import, in whatever order the candles arrive. */
  #takePast({ symbol, interval, candles }: CandlesImported): void {
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
 * after a start, unfinished orders continue and due events happen. They are buffered, and the view is told the last
 * record that history had.
 */
export type MarketRecord = Pick<Published, 'seq' | 'time' | 'marketEvents'>;

export interface Joining<History extends Pick<HistoryReader, 'checkpoint'>, View> {
  readonly port: ExchangePort;
  readonly history: History;
  /** The log was empty at the start, so history need not be awaited. */
  readonly isHistoryEmpty?: boolean;
  /** The query on history. */
  readonly open: (exchange: Exchange) => View;
  readonly take: (view: View, record: MarketRecord, exchange: Exchange, checkpoint: number) => void;
}

export async function joinHistory<History extends Pick<HistoryReader, 'checkpoint'>, View>(
  joining: Joining<History, View>,
): Promise<View> {
  const { port, history, isHistoryEmpty = false, open, take } = joining;
  const late: MarketRecord[] = [];
  let begun: SteadyRead<View> | undefined;
  port.subscribe((published, exchange) => {
    if (begun) take(begun.value, published, exchange, begun.checkpoint);
    else {
      const { seq, time, marketEvents } = published;
      late.push({ seq, time, marketEvents });
    }
  });
  if (!isHistoryEmpty) await port.historyCaughtUp();
  return port.read((exchange) => {
    begun = readSteadily(history, () => open(exchange));
    for (const record of late.splice(0)) take(begun.value, record, exchange, begun.checkpoint);
    return begun.value;
  });
}
