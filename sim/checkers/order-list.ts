/**
 * Every active order and its queue, built from events alone. The checkers compare
 * the exchange's queries and trades with this list; it never queries the exchange.
 */

import type { Event, OrderReceived, Side, Trade } from '@bourse/core';
import { violated } from './violation.ts';

export interface ListedOrder {
  readonly received: OrderReceived;
  readonly receivedAt: number;
  /** 0 for an order by funds. */
  remaining: number;
  dealSize: number;
  dealFunds: bigint;
  fee: bigint;
  /** Fees overcharged by rounding up, in 10^-8 units. */
  slack: bigint;
  cancelledSize: number;
  /** Sum of the hold postings that name this order. */
  held: bigint;
  rested: boolean;
  /** Position in its queue; each new slice of an iceberg gets a new one. */
  place: number;
  /** The size that may trade before the order goes to the end of its queue. */
  slice: number;
}

/** Both sides by priority: best price, then visible before hidden, then arrival. */
export interface ListedBook {
  readonly buy: ListedOrder[];
  readonly sell: ListedOrder[];
}

export class OrderList {
  readonly orders = new Map<number, ListedOrder>();
  readonly books: ListedBook[] = [];
  #time = 0;
  #arrivals = 0;

  /** Events of a record carry its time. */
  beginRecord(time: number): void {
    this.#time = time;
  }

  get(order: number): ListedOrder {
    return this.orders.get(order) ?? violated('an event names an order that is not active', { order });
  }

  apply(event: Event): void {
    switch (event.kind) {
      case 'symbol-set':
        this.books[event.symbol] ??= { buy: [], sell: [] };
        break;
      case 'order-received':
        this.#receive(event);
        break;
      case 'order-opened': {
        const order = this.get(event.order);
        if (event.remaining !== order.remaining) violated('remaining when opened', { ...event });
        order.rested = true;
        this.#queue(order);
        break;
      }
      case 'trade':
        this.#trade(event);
        break;
      case 'order-reduced': {
        const order = this.get(event.order);
        order.remaining -= event.by;
        order.cancelledSize += event.by;
        if (event.by <= 0 || order.remaining <= 0) violated('a reduction leaves something', { ...event });
        if (event.remaining !== order.remaining) violated('remaining when reduced', { ...event });
        if (order.slice > order.remaining) order.slice = order.remaining;
        break;
      }
      case 'order-done': {
        const order = this.get(event.order);
        if (order.place > 0) this.#unqueue(order);
        this.orders.delete(event.order);
        break;
      }
    }
  }

  side(symbol: number, side: Side): ListedOrder[] {
    return (this.books[symbol] as ListedBook)[side];
  }

  #receive(event: OrderReceived): void {
    if (this.orders.has(event.order)) violated('an order is received once', { order: event.order });
    this.orders.set(event.order, {
      received: event,
      receivedAt: this.#time,
      remaining: event.size,
      dealSize: 0,
      dealFunds: 0n,
      fee: 0n,
      slack: 0n,
      cancelledSize: 0,
      held: 0n,
      rested: false,
      place: 0,
      slice: 0,
    });
  }

  #trade(event: Trade): void {
    for (const fill of [event.incoming, event.resting]) {
      const order = this.get(fill.order);
      if (fill.user !== order.received.user) violated('a fill names its user', { order: fill.order });
      order.dealSize += event.size;
      order.dealFunds += event.funds;
      order.fee += fill.fee;
      if (order.received.size > 0) order.remaining -= event.size;
      if (order.remaining < 0) violated('more filled than there was', { order: fill.order });
      if (fill.remaining !== order.remaining) violated('remaining of a fill', { ...fill });
    }
    const resting = this.get(event.resting.order);
    const incoming = this.get(event.incoming.order);
    if (incoming.rested) {
      // A trade of an auction: both orders keep their queue positions.
      for (const order of [incoming, resting]) {
        const { iceberg, visibleSize } = order.received;
        order.slice = iceberg ? Math.min(visibleSize, order.remaining) : order.remaining;
      }
      return;
    }
    resting.slice -= event.size;
    if (resting.slice === 0 && resting.remaining > 0) {
      this.#unqueue(resting);
      this.#queue(resting);
    }
  }

  #queue(order: ListedOrder): void {
    const { side, symbol, price, hidden, iceberg, visibleSize } = order.received;
    this.#arrivals += 1;
    order.place = this.#arrivals;
    order.slice = iceberg ? Math.min(visibleSize, order.remaining) : order.remaining;
    const queue = this.side(symbol, side);
    let index = queue.length;
    while (index > 0) {
      const other = (queue[index - 1] as ListedOrder).received;
      const isBetter = side === 'buy' ? price > other.price : price < other.price;
      if (!isBetter && (price !== other.price || hidden || !other.hidden)) break;
      index -= 1;
    }
    queue.splice(index, 0, order);
  }

  #unqueue(order: ListedOrder): void {
    const queue = this.side(order.received.symbol, order.received.side);
    queue.splice(queue.indexOf(order), 1);
    order.place = 0;
  }
}
