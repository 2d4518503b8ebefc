/** A record as subscribers see it: decoded on demand, during the call or later from a kept copy. */

import type { Applied, Event, DoneOrder, EventOutline, Exchange, MarketEvent } from '@bourse/core';
import type { Published } from './exchange-port.ts';

export class PublishedRecord implements Published {
  readonly seq: number;
  readonly time: number;
  readonly #applied: Applied;
  readonly #exchange: Exchange;
  #events: Event[] | null = null;
  #kept: (() => Event[]) | null = null;
  #marketEvents: MarketEvent[] | null = null;
  #done: DoneOrder[] | null = null;

  /** `exchange` has just applied the record. */
  constructor(exchange: Exchange, applied: Applied) {
    this.seq = exchange.seq;
    this.time = exchange.time;
    this.#applied = applied;
    this.#exchange = exchange;
  }

  get events(): readonly Event[] {
    this.#events ??= this.#kept ? this.#kept() : this.#look().events.decode();
    return this.#events;
  }

  keep(): EventOutline {
    const { events } = this.#look();
    if (!this.#events) this.#kept ??= events.decodeLater();
    return events.outline;
  }

  get marketEvents(): readonly MarketEvent[] {
    this.#marketEvents ??= this.#look().events.decodeMarket();
    return this.#marketEvents;
  }

  get done(): readonly DoneOrder[] {
    if (!this.#done) this.#look();
    this.#done ??= this.#exchange.doneOrders();
    return this.#done;
  }

  /** The next record overwrites the events of this one. */
  #look(): Applied {
    if (this.#exchange.seq !== this.seq) throw new Error('a record can be read only while it is published');
    return this.#applied;
  }
}
