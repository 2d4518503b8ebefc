/** OCO orders: either both parts of a pair are active, or neither is. */

import type { Event, Exchange, OcoPlaced } from '@bourse/core';
import { violated } from './violation.ts';

export class OcoChecker {
  readonly #pairs = new Map<number, OcoPlaced>();
  /** Parts of pairs that have traded, ended or triggered, with the pair that this ended. */
  readonly #ended = new Map<number, number>();
  readonly #pairOf = new Map<number, number>();

  check(event: Event): void {
    switch (event.kind) {
      case 'oco-placed':
        this.#pairs.set(event.oco, event);
        this.#pairOf.set(event.order, event.oco);
        this.#pairOf.set(event.stopOrder, event.oco);
        break;
      case 'oco-done':
        this.#done(event.oco);
        break;
      case 'trade':
        this.#end(event.incoming.order);
        this.#end(event.resting.order);
        break;
      case 'order-done':
        this.#end(event.order);
        break;
      case 'stop-done':
        this.#end(event.stopOrder);
        break;
    }
  }

  #end(part: number): void {
    const oco = this.#pairOf.get(part);
    if (oco !== undefined) this.#ended.set(part, oco);
  }

  #done(oco: number): void {
    const pair = this.#pairs.get(oco);
    if (pair === undefined) violated('an OCO order ends once', { oco });
    this.#pairs.delete(oco);
    for (const part of [pair.order, pair.stopOrder]) {
      this.#pairOf.delete(part);
      this.#ended.delete(part);
    }
  }

  afterRecord(): void {
    for (const [part, oco] of this.#ended) violated('a part ended and the pair did not', { part, oco });
  }

  scan(exchange: Exchange): void {
    const { reference } = exchange;
    const found = reference.ocoOrders();
    if (found.length !== this.#pairs.size) violated('OCO orders as told', { found: found.length });
    for (const { oco, order, stopOrder } of this.#pairs.values()) {
      const limit = exchange.order(order);
      if (limit === null || limit.dealSize > 0) violated('the limit part rests untouched', { oco, order });
      if (reference.stopOrder(stopOrder) === null) violated('the stop part waits', { oco, stopOrder });
      if (reference.ocoOrder(oco)?.order !== order) violated('an OCO order as told', { oco });
    }
  }
}
