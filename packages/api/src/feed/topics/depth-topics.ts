/** The best levels of a book, complete in each message. */

import type { Exchange, PriceLevel, SymbolSet, BookChanged } from '@bourse/core';
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
  readonly #lastBodies = new Map<string, string>();
  /** The latest initial message of each topic and symbol, with its book sequence. */
  readonly #firstMessages = new Map<
    string,
    { readonly sequence: number; readonly texts: readonly string[] }
  >();

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
    this.#lastBodies.delete(text);
    const known = this.#firstMessages.get(text);
    if (known?.sequence === this.#services.market.ticker(key as number).sequence) return known.texts;
    return this.#makeFirst(channel);
  }

  async #makeFirst(channel: Channel): Promise<readonly string[]> {
    const { name, key, text } = channel.address;
    const levelsMax = DEPTHS.find(([each]) => each === name)?.[1] ?? 0;
    const texts = await this.#look((exchange) => {
      const { sequence, time } = this.#services.market.ticker(key as number);
      const body = this.#bodyOf(exchange, key as number, levelsMax);
      const made = [channel.message(`{${body},"timestamp":${time}}`)];
      this.#firstMessages.set(text, { sequence, texts: made });
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
          if (this.#lastBodies.get(channel.address.text) === body) continue;
          this.#lastBodies.set(channel.address.text, body);
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

/**
 * A large order may change thousands of levels in one record; messages are split so that any client can handle them.
 */
const CHANGES_PER_MESSAGE_MAX = 500;
/** Some clients fetch the book only after this many messages; in a quiet market they would wait forever. */
const BEATS = 6;

/** Every change of a book, with the core's own gapless sequence, so that a client can maintain an exact copy. */
export class Level2Topic {
  readonly #channels: Channels;
  readonly #services: Services;
  /** Changes of the current record, by symbol. */
  readonly #changes = new Map<number, BookChanged[]>();

  constructor(channels: Channels, services: Services) {
    this.#channels = channels;
    this.#services = services;
  }

  take(event: BookChanged): void {
    const list = this.#changes.get(event.symbol);
    if (list) list.push(event);
    else if (this.#channels.find('/market/level2', event.symbol)) this.#changes.set(event.symbol, [event]);
  }

  end(time: number): void {
    if (this.#changes.size === 0) return;
    for (const [symbol, list] of this.#changes) {
      const channel = this.#channels.find('/market/level2', symbol);
      const terms = this.#services.catalogue.symbolAt(symbol);
      for (let at = 0; at < list.length; at += CHANGES_PER_MESSAGE_MAX) {
        channel?.push(changesData(terms, list.slice(at, at + CHANGES_PER_MESSAGE_MAX), time));
      }
    }
    this.#changes.clear();
  }

  /** Messages without a change: price and size 0 at the book's current sequence. */
  firstMessages(channel: Channel): string[] {
    const symbol = channel.address.key as number;
    const { sequence, time } = this.#services.market.ticker(symbol);
    const { code } = this.#services.catalogue.symbolAt(symbol);
    const beat =
      `{"changes":{"asks":[["0","0","${sequence}"]],"bids":[]},"sequenceStart":${sequence},` +
      `"sequenceEnd":${sequence},"symbol":"${code}","time":${time}}`;
    return Array<string>(BEATS).fill(channel.message(beat));
  }
}

function changesData(
  { code, priceDecimals, sizeDecimals }: SymbolSet,
  list: readonly BookChanged[],
  time: number,
): string {
  let asks = '';
  let bids = '';
  for (const { sequence, side, price, size } of list) {
    const change = `["${formatSmall(price, priceDecimals)}","${formatSmall(size, sizeDecimals)}","${sequence}"]`;
    if (side === 'buy') bids += bids === '' ? change : `,${change}`;
    else asks += asks === '' ? change : `,${change}`;
  }
  return (
    `{"changes":{"asks":[${asks}],"bids":[${bids}]},"sequenceStart":${list[0].sequence},` +
    `"sequenceEnd":${list[list.length - 1].sequence},"symbol":"${code}","time":${time}}`
  );
}
