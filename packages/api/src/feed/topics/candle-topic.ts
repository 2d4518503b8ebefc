/**
 * The current candle. Trades from before the first subscription come from history, which lags a
 * little: newer trades are buffered, and those that history already has are skipped by their record's sequence.
 */

import type { SymbolSet, Trade } from '@bourse/core';
import {
  type Candle,
  type Interval,
  INTERVAL_NAMES,
  readSteadily,
  startOf,
  type SteadyRead,
  withTrade,
} from '@bourse/engine';
import { formatMoney, formatSmall } from '../../gateway/decimals.ts';
import type { Services } from '../../gateway/services.ts';
import type { WorkScheduler } from '../../sockets/work-scheduler.ts';
import type { Channel, Channels } from '../channels.ts';
import { candleKey } from '../resolve.ts';

const RETRY_MS = 1000;
/** All reads of history are scheduled as one user. */
const HISTORY = 'history';

interface WaitingTrade {
  readonly trade: Trade;
  readonly seq: number;
  readonly time: number;
}

interface Live {
  readonly channel: Channel;
  candle: Candle | undefined;
  /** While the history query is pending. */
  waiting: WaitingTrade[] | undefined;
}

export class CandleTopic {
  readonly #channels: Channels;
  readonly #services: Services;
  readonly #scheduler: WorkScheduler;
  readonly #live = new Map<number, Live>();
  /** Candles changed by the current record. */
  readonly #changed = new Set<Live>();

  constructor(channels: Channels, services: Services, scheduler: WorkScheduler) {
    this.#channels = channels;
    this.#services = services;
    this.#scheduler = scheduler;
  }

  take(trade: Trade, seq: number, time: number): void {
    if (this.#live.size === 0) return;
    for (let interval = 0; interval < INTERVAL_NAMES.length; interval++) {
      const live = this.#find(candleKey(trade.symbol, interval));
      if (live === undefined) continue;
      if (live.waiting) live.waiting.push({ trade, seq, time });
      else {
        live.candle = withTrade(live.candle, startOf(INTERVAL_NAMES[interval], time), trade);
        this.#changed.add(live);
      }
    }
  }

  end(time: number): void {
    for (const live of this.#changed) this.#push(live, time);
    this.#changed.clear();
  }

  /** Imported candles may be part of the current candle. */
  takePast(symbol: number): void {
    for (const live of this.#live.values()) {
      if (partsOf(live.channel).symbol !== symbol) continue;
      live.waiting ??= [];
      this.#await(live);
    }
  }

  /** No initial message: the first candle follows the next trade. */
  firstMessages(channel: Channel): string[] {
    const key = channel.address.key as number;
    if (this.#live.get(key)?.channel === channel) return [];
    const live: Live = { channel, candle: undefined, waiting: [] };
    this.#live.set(key, live);
    this.#await(live);
    return [];
  }

  #await(live: Live): void {
    this.#services
      .historyCaughtUp()
      .then(() => this.#scheduler.add({ network: HISTORY, work: () => this.#tryBegin(live) }))
      .catch(() => this.#retry(live));
  }

  /** While history cannot catch up, for example on a full disk, subscribers get no candles. */
  #retry(live: Live): void {
    this.#services.clock.machine.after(RETRY_MS, () => {
      if (this.#live.get(live.channel.address.key as number) === live) this.#await(live);
    });
  }

  /**
   * A client may subscribe to hundreds of candles at once, and each reads history, so each is scheduled separately.
   */
  #tryBegin(live: Live): false {
    try {
      this.#begin(live);
    } catch {
      this.#retry(live);
    }
    return false;
  }

  #begin(live: Live): void {
    const { symbol, interval } = partsOf(live.channel);
    const { value: candle, checkpoint } = this.#latest(symbol, interval);
    live.candle = candle;
    const missed = (live.waiting ?? []).filter(({ seq }) => seq > checkpoint);
    const isBehind = live.waiting !== undefined && live.waiting.length > 0;
    const last = live.waiting?.at(-1);
    live.waiting = undefined;
    for (const { trade, time } of missed)
      live.candle = withTrade(live.candle, startOf(interval, time), trade);
    if (isBehind && last) this.#push(live, last.time);
  }

  /** The symbol's latest candle, and the record up to which it is complete. */
  #latest(symbol: number, interval: Interval): SteadyRead<Candle | undefined> {
    const { history } = this.#services;
    const filter = { symbol, interval, from: 0, until: Number.MAX_SAFE_INTEGER, limit: 1 };
    return readSteadily(history, () => history.candles(filter).at(0));
  }

  /** Drops a candle without subscribers. */
  #find(key: number): Live | undefined {
    const live = this.#live.get(key);
    if (live === undefined || this.#channels.find('/market/candles', key) === live.channel) return live;
    this.#live.delete(key);
    return undefined;
  }

  #push({ channel, candle }: Live, time: number): void {
    if (candle === undefined) return;
    const { symbol } = partsOf(channel);
    channel.push(this.#dataOf(candle, this.#services.catalogue.symbolAt(symbol), time));
  }

  #dataOf(candle: Candle, { code, quote, priceDecimals, sizeDecimals }: SymbolSet, time: number): string {
    const price = (units: number) => formatSmall(units, priceDecimals);
    const { scale } = this.#services.catalogue.currencyAt(quote);
    return (
      `{"symbol":"${code}","candles":["${candle.start / 1000}","${price(candle.open)}","${price(candle.close)}",` +
      `"${price(candle.high)}","${price(candle.low)}","${formatMoney(candle.volume, sizeDecimals)}",` +
      `"${formatMoney(candle.turnover, scale)}"],"time":${time}000000}`
    );
  }
}

function partsOf({ address }: Channel): { symbol: number; interval: Interval } {
  const key = address.key as number;
  const count = INTERVAL_NAMES.length;
  return { symbol: Math.floor(key / count), interval: INTERVAL_NAMES[key % count] };
}
