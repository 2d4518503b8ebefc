/** The best levels of a book, complete in each message. */

import type { Exchange, PriceLevel, SymbolSet } from '@bourse/core';
import { Unavailable } from '@bourse/engine';
import { formatSmall } from '../../gateway/decimals.ts';
import type { Services } from '../../gateway/services.ts';
import { Cadence } from '../cadence.ts';
import type { Channel, Channels } from '../channels.ts';
import { TOPICS } from './topics.ts';

const DEPTHS = [
  ['/spotMarket/level2Depth5', 5],
  ['/spotMarket/level2Depth50', 50],
] as const;

export class DepthTopics {
  readonly #channels: Channels;
  readonly #services: Services;
  readonly #cadence: Cadence;
  /** The last message of each topic and symbol, without its time. */
  readonly #told = new Map<string, string>();
  /** The latest initial message of each topic and symbol, with its book sequence. */
  readonly #greetings = new Map<string, { readonly sequence: number; readonly texts: readonly string[] }>();

  constructor(channels: Channels, services: Services) {
    this.#channels = channels;
    this.#services = services;
    this.#cadence = new Cadence(services.clock, TOPICS['/spotMarket/level2Depth5'].cadenceMs, this.#publish);
  }

  note(symbol: number): void {
    if (DEPTHS.some(([name]) => this.#channels.find(name, symbol))) this.#cadence.note(symbol);
  }

  stop(): void {
    this.#cadence.stop();
  }

  /** Returns the same list while the book is unchanged, so that it is framed only once. */
  firstMessages(channel: Channel): readonly string[] | Promise<readonly string[]> {
    const { key, text } = channel.address;
    this.#told.delete(text);
    const known = this.#greetings.get(text);
    if (known?.sequence === this.#services.market.ticker(key as number).sequence) return known.texts;
    return this.#makeGreeting(channel);
  }

  async #makeGreeting(channel: Channel): Promise<readonly string[]> {
    const { name, key, text } = channel.address;
    const levelsMax = DEPTHS.find(([each]) => each === name)?.[1] ?? 0;
    const texts = await this.#look((exchange) => {
      const { sequence, time } = this.#services.market.ticker(key as number);
      const body = this.#bodyOf(exchange, key as number, levelsMax);
      const made = [channel.message(`{${body},"timestamp":${time}}`)];
      this.#greetings.set(text, { sequence, texts: made });
      return made;
    });
    return texts ?? [];
  }

  readonly #publish = (symbols: readonly number[]): void => {
    void this.#look((exchange) => {
      for (const symbol of symbols) {
        for (const [name, levelsMax] of DEPTHS) {
          const channel = this.#channels.find(name, symbol);
          if (channel === undefined) continue;
          const body = this.#bodyOf(exchange, symbol, levelsMax);
          if (this.#told.get(channel.address.text) === body) continue;
          this.#told.set(channel.address.text, body);
          channel.push(`{${body},"timestamp":${this.#services.market.ticker(symbol).time}}`);
        }
      }
    });
  };

  /** Undefined if the engine has stopped. */
  async #look<T>(query: (exchange: Exchange) => T): Promise<T | undefined> {
    try {
      return await this.#services.port.read(query);
    } catch (error) {
      if (error instanceof Unavailable) return undefined;
      throw error;
    }
  }

  #bodyOf(exchange: Exchange, number: number, levelsMax: number): string {
    const symbol = this.#services.catalogue.symbolAt(number);
    const asks = exchange.depth(number, 'sell', levelsMax);
    const bids = exchange.depth(number, 'buy', levelsMax);
    return `"asks":[${levelsText(asks, symbol)}],"bids":[${levelsText(bids, symbol)}]`;
  }
}

function levelsText(levels: readonly PriceLevel[], { priceDecimals, sizeDecimals }: SymbolSet): string {
  return levels
    .map(({ price, size }) => `["${formatSmall(price, priceDecimals)}","${formatSmall(size, sizeDecimals)}"]`)
    .join(',');
}
