/** What subscribers are shown of a record: decoded only if somebody looks, and only while they are being called. */

import type { Applied, Event, EndedOrder, Exchange, MarketEvent } from '@bourse/core';
import type { Published } from './exchange-port.ts';

export class PublishedRecord implements Published {
  readonly seq: number;
  readonly time: number;
  readonly #applied: Applied;
  readonly #exchange: Exchange;
  #events: Event[] | null = null;
  #marketEvents: MarketEvent[] | null = null;
  #ended: EndedOrder[] | null = null;

  /** `exchange` has just applied the record. */
  constructor(exchange: Exchange, applied: Applied) {
    this.seq = exchange.seq;
    this.time = exchange.time;
    this.#applied = applied;
    this.#exchange = exchange;
  }

  get events(): readonly Event[] {
    this.#events ??= this.#look().events.decode();
    return this.#events;
  }

  get marketEvents(): readonly MarketEvent[] {
    this.#marketEvents ??= this.#look().events.decodeMarket();
    return this.#marketEvents;
  }

  get ended(): readonly EndedOrder[] {
    if (!this.#ended) this.#look();
    this.#ended ??= this.#exchange.endedOrders();
    return this.#ended;
  }

  /** The next record overwrites what this one brought about. */
  #look(): Applied {
    if (this.#exchange.seq !== this.seq)
      throw new Error('a record can be looked at only while it is published');
    return this.#applied;
  }
}
