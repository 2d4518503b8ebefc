/** Call auctions: the indicative price while orders are collected, and the result. */

import type { AuctionEnded, AuctionView, Exchange } from '@bourse/core';
import { Unavailable } from '@bourse/engine';
import { formatSmall } from '../../gateway/decimals.ts';
import type { Services } from '../../gateway/services.ts';
import { Cadence } from '../cadence.ts';
import type { Channel, Channels } from '../channels.ts';
import { TOPICS } from './topics.ts';

const TOPIC = '/market/auction';

export class AuctionTopic {
  readonly #channels: Channels;
  readonly #services: Services;
  readonly #cadence: Cadence;
  /** The latest message of each symbol, to suppress duplicates. */
  readonly #lastBodies = new Map<number, string>();

  constructor(channels: Channels, services: Services) {
    this.#channels = channels;
    this.#services = services;
    this.#cadence = new Cadence(services.clock, TOPICS[TOPIC].cadenceMs, this.#publish);
  }

  note(symbol: number): void {
    if (this.#services.catalogue.symbolAt(symbol).state !== 'auction') return;
    if (this.#channels.find(TOPIC, symbol)) this.#cadence.note(symbol);
  }

  /** Sent at once, ignoring the interval. */
  ended({ symbol, result, price, size }: AuctionEnded): void {
    this.#lastBodies.delete(symbol);
    const view = { price, size, imbalance: 0, side: '', isExtended: false } as const;
    this.#channels.find(TOPIC, symbol)?.push(this.#bodyOf(symbol, view, null, result));
  }

  stop(): void {
    this.#cadence.stop();
  }

  /** No message unless an auction is in progress. */
  async firstMessages(channel: Channel): Promise<readonly string[]> {
    const symbol = channel.address.key as number;
    const body = await this.#look((exchange) => this.#runningBody(exchange, symbol));
    this.#lastBodies.delete(symbol);
    return body ? [channel.message(body)] : [];
  }

  readonly #publish = (symbols: readonly number[]): void => {
    void this.#look((exchange) => {
      for (const symbol of symbols) {
        const channel = this.#channels.find(TOPIC, symbol);
        const body = channel && this.#runningBody(exchange, symbol);
        if (!body || this.#lastBodies.get(symbol) === body) continue;
        this.#lastBodies.set(symbol, body);
        channel.push(body);
      }
    });
  };

  #runningBody({ reference }: Exchange, symbol: number): string | null {
    const auction = reference.auction(symbol);
    return auction && this.#bodyOf(symbol, auction, auction.endsAt, null);
  }

  #bodyOf(
    number: number,
    {
      price,
      size,
      imbalance,
      side,
      isExtended,
    }: Pick<AuctionView, 'price' | 'size' | 'imbalance' | 'side' | 'isExtended'>,
    endsAt: number | null,
    result: AuctionEnded['result'] | null,
  ): string {
    const { code, priceDecimals, sizeDecimals } = this.#services.catalogue.symbolAt(number);
    return JSON.stringify({
      symbol: code,
      price: price === 0 ? null : formatSmall(price, priceDecimals),
      size: formatSmall(size, sizeDecimals),
      imbalance: formatSmall(imbalance, sizeDecimals),
      side: side === '' ? null : side,
      endsAt,
      extended: isExtended,
      result,
    });
  }

  /** Undefined if the engine has stopped. */
  async #look<T>(query: (exchange: Exchange) => T): Promise<T | undefined> {
    try {
      return await this.#services.port.read(query);
    } catch (error) {
      if (error instanceof Unavailable) return undefined;
      throw error;
    }
  }
}
