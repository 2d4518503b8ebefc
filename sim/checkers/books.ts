/**
 * The book: never crossed while orders are matched, and identical from three sources: the exchange's queries, its
 * `book-changed` deltas, and the list of orders.
 */

import type { BookChanged, Event, Exchange, OrderView, Side } from '@bourse/core';
import type { ListedOrder, OrderList } from './order-list.ts';
import { violated } from './violation.ts';

const SIDES: readonly Side[] = ['buy', 'sell'];
const LEVELS_MAX = 10_000;

interface DeltaBook {
  readonly buy: Map<number, number>;
  readonly sell: Map<number, number>;
  last: number;
  isTouched: boolean;
  /** Incoming orders match at once, so the book cannot cross. */
  doesMatch: boolean;
}

export class BookChecker {
  readonly #list: OrderList;
  readonly #deltas: DeltaBook[] = [];

  constructor(list: OrderList) {
    this.#list = list;
  }

  check(event: Event): void {
    switch (event.kind) {
      case 'book-changed':
        this.#delta(event);
        break;
      case 'symbol-set':
        this.#deltas[event.symbol] ??= {
          buy: new Map(),
          sell: new Map(),
          last: 0,
          isTouched: true,
          doesMatch: true,
        };
        this.#touch(event.symbol).doesMatch = event.state === 'open' || event.state === 'post-only';
        break;
      case 'trade':
        this.#touch(event.symbol).last = event.price;
        break;
      case 'order-opened':
      case 'order-reduced':
      case 'order-done':
        this.#touch(event.symbol);
        break;
    }
  }

  /** The books this record touched; with `isFull` all of them. */
  afterRecord(exchange: Exchange, time: number, isFull: boolean): void {
    for (let symbol = 0; symbol < this.#deltas.length; symbol += 1) {
      const deltas = this.#deltas[symbol] as DeltaBook;
      if (!deltas.isTouched && !isFull) continue;
      deltas.isTouched = false;
      // Work left for the next record may be late; steps.ts checks that there is a reason.
      const expired = exchange.nextDue <= time ? 0 : time;
      for (const side of SIDES) this.#side(exchange, symbol, side, expired);
      const [bid, ask] = [exchange.bestPrice(symbol, 'buy'), exchange.bestPrice(symbol, 'sell')];
      if (deltas.doesMatch && bid > 0 && ask > 0 && bid >= ask)
        violated('the book is never crossed', { symbol, bid, ask });
      const last = exchange.lastPrice(symbol);
      if (last !== deltas.last) violated('last price', { symbol, last, expected: deltas.last });
    }
  }

  #touch(symbol: number): DeltaBook {
    const deltas = this.#deltas[symbol] as DeltaBook;
    deltas.isTouched = true;
    return deltas;
  }

  #delta({ symbol, side, price, size }: BookChanged): void {
    const deltas = this.#touch(symbol)[side];
    if (size < 0) violated('size of a level', { symbol, side, price, size });
    if (size === 0 ? !deltas.delete(price) : deltas.get(price) === size) {
      violated('a book change changes something', { symbol, side, price, size });
    }
    if (size > 0) deltas.set(price, size);
  }

  #side(exchange: Exchange, symbol: number, side: Side, expired: number): void {
    const queue = this.#list.side(symbol, side);
    const best = exchange.bestPrice(symbol, side);
    if (best !== (queue[0]?.received.price ?? 0)) violated('best price', { symbol, side, best });
    this.#levels(exchange, symbol, side, queue);
    const resting = exchange.resting(symbol, side);
    if (resting.length !== queue.length) {
      violated('how many orders rest', { symbol, side, answered: resting.length, listed: queue.length });
    }
    for (let index = 0; index < queue.length; index += 1) {
      compareOrder(resting[index] as OrderView, queue[index] as ListedOrder, expired);
    }
  }

  #levels(exchange: Exchange, symbol: number, side: Side, queue: readonly ListedOrder[]): void {
    const depth = exchange.depth(symbol, side, LEVELS_MAX);
    const deltas = (this.#deltas[symbol] as DeltaBook)[side];
    let level = 0;
    for (let index = 0; index < queue.length; ) {
      const { price } = (queue[index] as ListedOrder).received;
      let size = 0;
      for (; index < queue.length && queue[index]?.received.price === price; index += 1) {
        const order = queue[index] as ListedOrder;
        if (!order.received.hidden) size += order.slice;
      }
      if (size === 0) continue;
      const answered = depth[level];
      if (answered?.price !== price || answered.size !== size) {
        violated('depth', { symbol, side, price, size, answered: answered?.price, with: answered?.size });
      }
      if (deltas.get(price) !== size)
        violated('book of deltas', { symbol, side, price, size, delta: deltas.get(price) });
      level += 1;
    }
    if (depth.length !== level || deltas.size !== level) {
      violated('how many levels', { symbol, side, depth: depth.length, deltas: deltas.size, listed: level });
    }
  }
}

/** No order is in the book that should have expired at or before the given time. */
function compareOrder(view: OrderView, order: ListedOrder, expired: number): void {
  const { received } = order;
  if (view.order !== received.order)
    violated('who is next', { answered: view.order, listed: received.order });
  const visible = received.hidden ? 0 : order.slice;
  const isSame =
    view.user === received.user &&
    view.price === received.price &&
    view.size === received.size &&
    view.remaining === order.remaining &&
    view.visible === visible &&
    view.hold === order.held &&
    view.dealSize === order.dealSize &&
    view.dealFunds === order.dealFunds &&
    view.fee === order.fee &&
    BigInt(view.feeSlack) === order.slack &&
    view.cancelledSize === order.cancelledSize &&
    view.clientId === received.clientId &&
    view.createdAt === order.receivedAt;
  if (!isSame) violated('an order is what events made it', { ...view, slice: order.slice, held: order.held });
  if (received.timeInForce !== 'GTT') return;
  const expiresAt = order.receivedAt + received.cancelAfterSec * 1000;
  if (view.expiresAt !== expiresAt || expiresAt <= expired) {
    violated('an order expires in time', {
      order: view.order,
      expiresAt: view.expiresAt,
      expected: expiresAt,
      expired,
    });
  }
}
