/** The 24-hour statistics of a symbol, or of all symbols of a market; amounts are JSON numbers. */

import { HOUR_MS, type SymbolSet } from '@bourse/core';
import { changeRate, figuresOf } from '../../gateway/routes/market/market.ts';
import { formatMoney, formatSmall } from '../../gateway/decimals.ts';
import type { Services } from '../../gateway/services.ts';
import { Cadence } from '../cadence.ts';
import type { Channel, Channels } from '../channels.ts';
import { TOPICS } from './topics.ts';

const SPANS = [
  ['marketChange1h', HOUR_MS],
  ['marketChange4h', 4 * HOUR_MS],
  ['marketChange24h', 24 * HOUR_MS],
] as const;

/** Without trades, only the time spans move. */
const UNCHANGED_MS = 1000;
const FRESH_MS = 50;

interface FirstMessages {
  readonly at: number;
  readonly sequence: number;
  readonly data: string;
}

interface FirstTexts {
  readonly data: readonly string[];
  readonly texts: readonly string[];
}

export class SnapshotTopic {
  readonly #channels: Channels;
  readonly #services: Services;
  readonly #cadence: Cadence;
  /** The latest initial message of each symbol. */
  readonly #made = new Map<number, FirstMessages>();
  /** The last message of each symbol or market, with the figures behind it. */
  readonly #firstMessages = new Map<number | string, FirstTexts>();

  constructor(channels: Channels, services: Services) {
    this.#channels = channels;
    this.#services = services;
    this.#cadence = new Cadence(services.clock, TOPICS['/market/snapshot'].cadenceMs, (symbols) =>
      symbols.forEach(this.publish),
    );
  }

  note(symbol: number): void {
    const channels = this.#channels;
    if (!channels.has('/market/snapshot')) return;
    const { market } = this.#services.catalogue.symbolAt(symbol);
    if (channels.find('/market/snapshot', symbol) || channels.find('/market/snapshot', market)) {
      this.#cadence.note(symbol);
    }
  }

  stop(): void {
    this.#cadence.stop();
  }

  /** Sent at once, ignoring the interval. */
  readonly publish = (number: number): void => {
    const symbol = this.#services.catalogue.symbolAt(number);
    const channels = this.#channels;
    const listeners = [
      channels.find('/market/snapshot', number),
      channels.find('/market/snapshot', symbol.market),
    ];
    if (listeners.every((channel) => channel === undefined)) return;
    const data = this.#dataOf(symbol);
    this.#made.delete(number);
    for (const channel of listeners) channel?.push(data);
  };

  /** Returns the same list while nothing has changed, so that it is framed only once. */
  firstMessages(channel: Channel): readonly string[] {
    const { key } = channel.address;
    const data = this.#services.catalogue
      .symbols()
      .filter(({ symbol, market }) => symbol === key || market === key)
      .map((symbol) => this.#recentDataOf(symbol));
    const known = this.#firstMessages.get(key);
    if (
      known !== undefined &&
      known.data.length === data.length &&
      known.data.every((each, at) => each === data[at])
    ) {
      return known.texts;
    }
    const texts = data.map((each) => channel.message(each));
    this.#firstMessages.set(key, { data, texts });
    return texts;
  }

  /**
   * The initial message for a new subscriber. Computing it (figures of four spans) is costly, and a client may
   * subscribe repeatedly, so one that is up to FRESH_MS old is reused; the next messages bring later changes.
   */
  #recentDataOf(symbol: SymbolSet): string {
    const { market, clock } = this.#services;
    const now = clock.machine.elapsed();
    const { sequence } = market.ticker(symbol.symbol);
    const known = this.#made.get(symbol.symbol);
    const age = known === undefined ? Infinity : now - known.at;
    if (known !== undefined && age < (known.sequence === sequence ? UNCHANGED_MS : FRESH_MS)) {
      if (known.sequence !== sequence) this.#cadence.note(symbol.symbol);
      return known.data;
    }
    const data = this.#dataOf(symbol);
    this.#made.set(symbol.symbol, { at: now, sequence, data });
    return data;
  }

  #dataOf(symbol: SymbolSet): string {
    const { catalogue, market, clock } = this.#services;
    const figures = figuresOf(this.#services, symbol);
    const base = JSON.stringify(catalogue.currencyAt(symbol.base).code);
    const quote = JSON.stringify(catalogue.currencyAt(symbol.quote).code);
    const name = JSON.stringify(symbol.market);
    const last = figures.last ?? '0';
    // Numbers are written digit by digit, never converted through a float.
    const members = [
      `"askSize":${figures.bestAskSize ?? 0},"averagePrice":${figures.averagePrice ?? 0},"baseCurrency":${base}`,
      `"bidSize":${figures.bestBidSize ?? 0},"board":0,"buy":${figures.buy ?? 0}`,
      `"changePrice":${figures.changePrice ?? 0},"changeRate":${figures.changeRate ?? 0},"close":${last}`,
      `"datetime":${clock.now()},"high":${figures.high ?? 0},"lastTradedPrice":${last},"low":${figures.low ?? 0}`,
      `"makerCoefficient":${figures.makerCoefficient},"makerFeeRate":${figures.makerFeeRate}`,
      `"marginTrade":${symbol.isMarginEnabled},"mark":0,"market":${name},"markets":[${name}]`,
      ...SPANS.map(([member, spanMs]) => `"${member}":${this.#changeOf(symbol, spanMs)}`),
      `"open":${this.#openOf(symbol)},"quoteCurrency":${quote},"sell":${figures.sell ?? 0},"siteTypes":[]`,
      `"sort":${symbol.symbol},"symbol":"${symbol.code}","symbolCode":"${symbol.code}"`,
      `"takerCoefficient":${figures.takerCoefficient},"takerFeeRate":${figures.takerFeeRate}`,
      `"trading":${catalogue.takesOrders(symbol)},"vol":${figures.vol},"volValue":${figures.volValue}`,
    ];
    return `{"sequence":"${market.ticker(symbol.symbol).sequence}","data":{${members.join(',')}}}`;
  }

  #openOf({ symbol, priceDecimals }: SymbolSet): string {
    const { statistics, clock } = this.#services;
    return formatSmall(statistics.of(symbol, clock.now()).open, priceDecimals);
  }

  #changeOf({ symbol, quote, priceDecimals, sizeDecimals }: SymbolSet, spanMs: number): string {
    const { catalogue, statistics, clock } = this.#services;
    const span = statistics.of(symbol, clock.now(), spanMs);
    const price = (units: number) => formatSmall(units, priceDecimals);
    return (
      `{"changePrice":${formatMoney(BigInt(span.last - span.open), priceDecimals)},` +
      `"changeRate":${span.open ? changeRate(span) : 0},"high":${price(span.high)},"low":${price(span.low)},` +
      `"open":${price(span.open)},"vol":${formatMoney(span.volume, sizeDecimals)},` +
      `"volValue":${formatMoney(span.turnover, catalogue.currencyAt(quote).scale)}}`
    );
  }
}
