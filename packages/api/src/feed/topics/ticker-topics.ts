/** Best prices: the ticker of one symbol or of all symbols, and level 1. */

import type { PriceLevel, SymbolSet, Trade } from '@bourse/core';
import { formatSmall } from '../../gateway/decimals.ts';
import type { Services } from '../../gateway/services.ts';
import { Cadence } from '../cadence.ts';
import type { Channel, Channels } from '../channels.ts';
import { ALL } from '../resolve.ts';
import { TOPICS } from './topics.ts';
import { orderId } from '../../gateway/ids.ts';
import type { RecordOrders } from './record-orders.ts';

export class TickerTopics {
  readonly #channels: Channels;
  readonly #services: Services;
  readonly #tickers: Cadence;
  readonly #level1: Cadence;
  /** The last message of each symbol without sequence and time, to suppress messages with unchanged best prices. */
  readonly #lastTickers: (string | undefined)[] = [];
  readonly #lastLevel1: (string | undefined)[] = [];

  constructor(channels: Channels, services: Services) {
    this.#channels = channels;
    this.#services = services;
    const { clock } = services;
    this.#tickers = new Cadence(clock, TOPICS['/market/ticker'].cadenceMs, (each) =>
      each.forEach(this.#publishTicker),
    );
    this.#level1 = new Cadence(clock, TOPICS['/spotMarket/level1'].cadenceMs, (each) =>
      each.forEach(this.#publishLevel1),
    );
  }

  note(symbol: number): void {
    const channels = this.#channels;
    if (channels.find('/market/ticker', symbol) || channels.find('/market/ticker', ALL))
      this.#tickers.note(symbol);
    if (channels.find('/spotMarket/level1', symbol)) this.#level1.note(symbol);
  }

  stop(): void {
    this.#tickers.stop();
    this.#level1.stop();
  }

  firstMessages(channel: Channel): string[] {
    const { name, key } = channel.address;
    if (name === '/spotMarket/level1') {
      // The new subscriber has just received the current state, so the next change must be sent in any case.
      this.#lastLevel1[key as number] = undefined;
      const { body, time } = this.#level1Of(this.#symbolAt(key as number));
      return [channel.message(level1Data(body, time))];
    }
    const symbols = key === ALL ? this.#services.catalogue.symbols() : [this.#symbolAt(key as number)];
    return symbols.map((symbol) => {
      this.#lastTickers[symbol.symbol] = undefined;
      return channel.message(this.#tickerOf(symbol).data, key === ALL ? symbol.code : undefined);
    });
  }

  readonly #publishTicker = (number: number): void => {
    const symbol = this.#symbolAt(number);
    const { body, trade, data } = this.#tickerOf(symbol);
    // The trade number distinguishes trades at the same price.
    const ticker = `${trade} ${body}`;
    if (this.#lastTickers[number] === ticker) return;
    this.#lastTickers[number] = ticker;
    this.#channels.find('/market/ticker', number)?.push(data);
    this.#channels.find('/market/ticker', ALL)?.push(data, symbol.code);
  };

  readonly #publishLevel1 = (number: number): void => {
    const { body, time } = this.#level1Of(this.#symbolAt(number));
    if (this.#lastLevel1[number] === body) return;
    this.#lastLevel1[number] = body;
    this.#channels.find('/spotMarket/level1', number)?.push(level1Data(body, time));
  };

  #symbolAt(number: number): SymbolSet {
    return this.#services.catalogue.symbolAt(number);
  }

  #tickerOf({ symbol, priceDecimals, sizeDecimals }: SymbolSet) {
    const { sequence, last, bestAsk, bestBid, time } = this.#services.market.ticker(symbol);
    // The feed speaks the family dialect, whose clients read an empty string as a price of 0.
    const price = (level: PriceLevel | undefined) =>
      level ? `"${formatSmall(level.price, priceDecimals)}"` : 'null';
    const size = (level: PriceLevel | undefined) =>
      level ? `"${formatSmall(level.size, sizeDecimals)}"` : 'null';
    const body =
      `"price":${price(last)},"size":${size(last)},"bestAsk":${price(bestAsk)},` +
      `"bestAskSize":${size(bestAsk)},"bestBid":${price(bestBid)},"bestBidSize":${size(bestBid)}`;
    return { body, trade: last?.trade ?? 0, data: `{"sequence":"${sequence}",${body},"time":${time}}` };
  }

  #level1Of({ symbol, priceDecimals, sizeDecimals }: SymbolSet): { body: string; time: number } {
    const { bestAsk, bestBid, time } = this.#services.market.ticker(symbol);
    const pair = (level: PriceLevel | undefined) =>
      level
        ? `["${formatSmall(level.price, priceDecimals)}","${formatSmall(level.size, sizeDecimals)}"]`
        : '[]';
    return { body: `"asks":${pair(bestAsk)},"bids":${pair(bestBid)}`, time };
  }
}

const level1Data = (body: string, time: number): string => `{${body},"timestamp":${time}}`;

/** Every trade, as the public sees it. */
export class MatchTopic {
  readonly #channels: Channels;
  readonly #services: Services;

  constructor(channels: Channels, services: Services) {
    this.#channels = channels;
    this.#services = services;
  }

  take({ symbol, trade, price, size, side, incoming, resting }: Trade, orders: RecordOrders): void {
    const channel = this.#channels.find('/market/match', symbol);
    if (channel === undefined) return;
    const { code, priceDecimals, sizeDecimals } = this.#services.catalogue.symbolAt(symbol);
    // In an auction both are makers; the earlier order is reported as the maker.
    const [maker, taker] = resting.liquidity === 'taker' ? [incoming, resting] : [resting, incoming];
    const idOf = (order: number) => orderId(order, orders.facts(order).createdAt);
    channel.push(
      `{"makerOrderId":"${idOf(maker.order)}","takerOrderId":"${idOf(taker.order)}",` +
        `"price":"${formatSmall(price, priceDecimals)}","size":"${formatSmall(size, sizeDecimals)}",` +
        `"side":"${side}","symbol":"${code}","sequence":"${trade}","tradeId":"${trade}",` +
        `"time":"${orders.time}000000","type":"match"}`,
    );
  }
}
