/** The other public topics: trades and candles step by step, and topics with the state of a market. */

import type { PriceLevel, SymbolSet } from '@bourse/core';
import type { TopicName } from '../../../src/feed/topics/topics.ts';
import { formatMoney, formatSmall } from '../../../src/gateway/decimals.ts';
import { orderId } from '../../../src/gateway/ids.ts';
import type { Data } from '../feed-client.ts';
import { type Check, expectMembers } from './check.ts';
import type { Cursor, Timeline } from './timeline.ts';
import type { BookMoment, CandleMade, MarketMoment, MarketTruth, TradeMade } from './truth.ts';

/** A topic with a message for each step. */
export class StepCheck<T> implements Check {
  readonly name: TopicName;
  readonly topic: string;
  readonly #cursor: Cursor<T>;
  readonly #expected: (step: T) => Data;
  readonly #isTold: (step: T) => boolean;
  readonly #look: (data: Data) => void;

  constructor(
    topic: string,
    timeline: Timeline<T>,
    expected: (step: T) => Data,
    more: { readonly isTold?: (step: T) => boolean; readonly look?: (data: Data) => void } = {},
  ) {
    this.topic = topic;
    this.name = topic.split(':')[0] as TopicName;
    this.#cursor = timeline.follow();
    this.#expected = expected;
    this.#isTold = more.isTold ?? (() => true);
    this.#look = more.look ?? (() => undefined);
  }

  get behind(): number {
    return this.#cursor.behind;
  }

  get isComplete(): boolean {
    return !this.#cursor.isDue(this.#isTold);
  }

  take(data: Data): void {
    expectMembers(this.topic, data, this.#expected(this.#cursor.next(this.#isTold)));
    this.#look(data);
  }
}

/** How a topic with the current state is compared with a moment. */
interface Saying<T> {
  /** Whether it has the time of the moment, its sequence, or both. */
  readonly isThen: (data: Data, moment: T) => boolean;
  readonly isSo: (data: Data, moment: T) => boolean;
}

/** Each message must match a moment, and the moments must not go back. */
export class StateCheck<T> implements Check {
  readonly name: TopicName;
  readonly topic: string;
  readonly behind = 0;
  readonly #cursor: Cursor<T>;
  readonly #saying: Saying<T>;
  readonly #latest: () => T;
  #said: Data | undefined;

  constructor(topic: string, timeline: Timeline<T>, latest: () => T, saying: Saying<T>) {
    this.topic = topic;
    this.name = topic.split(':')[0] as TopicName;
    this.#cursor = timeline.follow();
    this.#latest = latest;
    this.#saying = saying;
  }

  /** The last message may be older than the last moment, because unchanged state is not published again. */
  get isComplete(): boolean {
    return this.#said !== undefined && this.#saying.isSo(this.#said, this.#latest());
  }

  take(data: Data): void {
    const isFirst = this.#said === undefined;
    this.#said = data;
    if (this.#cursor.seek((moment) => this.#isSaid(data, moment))) return;
    // The initial message may have the state before the first moment.
    if (isFirst && this.#isSaid(data, this.#latest())) return;
    throw new Error(`${this.topic}: it was never so since the message before: ${JSON.stringify(data)}`);
  }

  #isSaid(data: Data, moment: T): boolean {
    return this.#saying.isThen(data, moment) && this.#saying.isSo(data, moment);
  }
}

export function marketChecks(market: MarketTruth): Check[] {
  const { terms, moments, books, candles } = market;
  const { code } = terms;
  const now = () => market.latest;
  const bookNow = () => market.latestBook;
  return [
    matchCheck(market),
    new StepCheck(`/market/candles:${code}_1min`, candles, (candle) => candleOf(candle, terms)),
    new StateCheck(`/market/ticker:${code}`, moments, now, tickerSaying(terms)),
    new StateCheck(`/market/snapshot:${code}`, moments, now, snapshotSaying(terms)),
    new StateCheck(`/spotMarket/level1:${code}`, moments, now, level1Saying(terms)),
    new StateCheck(`/spotMarket/level2Depth5:${code}`, books, bookNow, depthSaying(terms, 5)),
    new StateCheck(`/spotMarket/level2Depth50:${code}`, books, bookNow, depthSaying(terms, 50)),
  ];
}

export function matchCheck({ trades, terms }: MarketTruth): Check {
  return new StepCheck(`/market/match:${terms.code}`, trades, (made) => matchOf(made, terms));
}

function matchOf({ trade, time, maker, taker }: TradeMade, terms: SymbolSet): Data {
  return {
    symbol: terms.code,
    sequence: String(trade.trade),
    tradeId: String(trade.trade),
    price: formatSmall(trade.price, terms.priceDecimals),
    size: formatSmall(trade.size, terms.sizeDecimals),
    side: trade.side,
    makerOrderId: orderId(maker.order, maker.createdAt),
    takerOrderId: orderId(taker.order, taker.createdAt),
    time: `${time}000000`,
    type: 'match',
  };
}

function candleOf(candle: CandleMade, { code, priceDecimals, sizeDecimals }: SymbolSet): Data {
  const price = (units: number) => formatSmall(units, priceDecimals);
  const candles = [
    String(candle.start / 1000),
    price(candle.open),
    price(candle.close),
    price(candle.high),
    price(candle.low),
    formatMoney(candle.volume, sizeDecimals),
    // The unit of price times the unit of size is the unit of the quote currency.
    formatMoney(candle.turnover, priceDecimals + sizeDecimals),
  ];
  return { symbol: code, candles };
}

const isTime = (data: Data, { time }: { readonly time: number }): boolean => data['timestamp'] === time;

function tickerSaying({ priceDecimals, sizeDecimals }: SymbolSet): Saying<MarketMoment> {
  const price = (level: PriceLevel | undefined) => (level ? formatSmall(level.price, priceDecimals) : null);
  const size = (level: PriceLevel | undefined) => (level ? formatSmall(level.size, sizeDecimals) : null);
  return {
    isThen: (data, { sequence, time }) => data['time'] === time && data['sequence'] === String(sequence),
    isSo: (data, { ask, bid, last }) =>
      data['bestAsk'] === price(ask) &&
      data['bestAskSize'] === size(ask) &&
      data['bestBid'] === price(bid) &&
      data['bestBidSize'] === size(bid) &&
      data['price'] === price(last) &&
      data['size'] === size(last),
  };
}

/** Its amounts are JSON numbers, 0 where there is nothing. */
function snapshotSaying({ code, priceDecimals, sizeDecimals }: SymbolSet): Saying<MarketMoment> {
  const price = (level: PriceLevel | undefined) => Number(formatSmall(level?.price ?? 0, priceDecimals));
  const size = (units: number) => Number(formatSmall(units, sizeDecimals));
  return {
    isThen: (data, { sequence }) => data['sequence'] === String(sequence),
    isSo(said, { ask, bid, last, volume }) {
      const data = said['data'] as Data;
      return (
        data['symbol'] === code &&
        data['sell'] === price(ask) &&
        data['askSize'] === size(ask?.size ?? 0) &&
        data['buy'] === price(bid) &&
        data['bidSize'] === size(bid?.size ?? 0) &&
        data['lastTradedPrice'] === price(last) &&
        data['vol'] === size(volume)
      );
    },
  };
}

function level1Saying(terms: SymbolSet): Saying<MarketMoment> {
  const isBest = (said: unknown, level: PriceLevel | undefined) =>
    level ? isLevel(said, level, terms) : Array.isArray(said) && said.length === 0;
  return {
    isThen: isTime,
    isSo: (data, { ask, bid }) => isBest(data['asks'], ask) && isBest(data['bids'], bid),
  };
}

function depthSaying(terms: SymbolSet, levelsMax: number): Saying<BookMoment> {
  const areLevels = (said: unknown, levels: readonly PriceLevel[]) =>
    Array.isArray(said) &&
    said.length === Math.min(levels.length, levelsMax) &&
    said.every((each, i) => isLevel(each, levels[i], terms));
  return {
    isThen: isTime,
    isSo: (data, { asks, bids }) => areLevels(data['asks'], asks) && areLevels(data['bids'], bids),
  };
}

function isLevel(said: unknown, level: PriceLevel, { priceDecimals, sizeDecimals }: SymbolSet): boolean {
  const [price, size] = said as readonly [string, string];
  return price === formatSmall(level.price, priceDecimals) && size === formatSmall(level.size, sizeDecimals);
}
