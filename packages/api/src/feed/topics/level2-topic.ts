/** Every change of a book, with the core's own gapless sequence, so that a client can maintain an exact copy. */

import type { BookChanged, SymbolSet } from '@bourse/core';
import { formatSmall } from '../../gateway/decimals.ts';
import type { Services } from '../../gateway/services.ts';
import type { Channel, Channels } from '../channels.ts';

/**
 * A large order may change thousands of levels in one record; messages are split so that any client can handle them.
 */
const CHANGES_PER_MESSAGE_MAX = 500;
/** Some clients fetch the book only after this many messages; in a quiet market they would wait forever. */
const BEATS = 6;

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
