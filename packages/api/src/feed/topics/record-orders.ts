/**
 * The orders of one record, as its messages need them. The exchange is in the state after the complete record, but
 * each message shows the order after one event. So the state before the record is computed first, by undoing the
 * record's events.
 */

import type { Event, Exchange, OrderReceived, OrderType, OrderView, Side } from '@bourse/core';
import type { Published } from '@bourse/engine';

/** Fields that never change. */
export interface OrderFacts {
  readonly order: number;
  readonly user: number;
  readonly symbol: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly price: number;
  readonly size: number;
  /** 0n unless it is an order by funds. */
  readonly funds: bigint;
  readonly clientId: string;
  readonly hidden: boolean;
  readonly iceberg: boolean;
  /** Visible size of an iceberg. */
  readonly visibleSize: number;
  readonly makerRate: number;
  readonly takerRate: number;
  readonly createdAt: number;
}

/** The progress of the order during the record. */
export interface OrderProgress {
  readonly facts: OrderFacts;
  filled: number;
  /** Cancelled by reductions; the cancellation at the end is added to it. */
  reduced: number;
  fundsLeft: bigint;
}

interface Sums {
  dealt: number;
  reduced: number;
  funds: bigint;
  fee: bigint;
}

const NO_SUMS: Readonly<Sums> = { dealt: 0, reduced: 0, funds: 0n, fee: 0n };

export class RecordOrders {
  readonly #published: Published;
  readonly #exchange: Exchange;
  readonly #brought = new Map<number, OrderReceived>();
  readonly #known = new Map<number, OrderFacts>();
  readonly #progress = new Map<number, OrderProgress>();
  #done: Map<number, OrderView> | undefined;
  /** Only if they are kept for later. */
  #active: Map<number, OrderView> | undefined;
  #sums: Map<number, Sums> | undefined;

  constructor(published: Published, exchange: Exchange) {
    this.#published = published;
    this.#exchange = exchange;
  }

  get time(): number {
    return this.#published.time;
  }

  get seq(): number {
    return this.#published.seq;
  }

  /** Call it for each order of the record. */
  receive(event: OrderReceived): void {
    this.#brought.set(event.order, event);
  }

  /** Saves the state, so that it stays available when the exchange has moved on. Returns the number of events. */
  keep(): number {
    const { count, changed } = this.#published.keep();
    this.#done ??= doneOf(this.#published);
    this.#active = new Map();
    for (const order of changed) this.#keepActive(order);
    return count;
  }

  #keepActive(order: number): void {
    if (this.#done?.has(order) || this.#active?.has(order)) return;
    const view = this.#exchange.order(order);
    if (view) this.#active?.set(order, view);
  }

  facts(order: number): OrderFacts {
    const known = this.#known.get(order);
    if (known) return known;
    const brought = this.#brought.get(order);
    const facts = brought ? { ...brought, createdAt: this.time } : { funds: 0n, ...this.#view(order) };
    this.#known.set(order, facts);
    return facts;
  }

  /** The final state of an order that was done in the record. */
  remarkOf(order: number): string {
    this.#done ??= doneOf(this.#published);
    return this.#done.get(order)?.remark ?? '';
  }

  /** The state before the order's first event in the record; the caller updates it from there. */
  progressOf(order: number): OrderProgress {
    const begun = this.#progress.get(order);
    if (begun) return begun;
    const facts = this.facts(order);
    const progress = { facts, ...this.#before(order, facts) };
    this.#progress.set(order, progress);
    return progress;
  }

  #before(order: number, { funds, side }: OrderFacts): Omit<OrderProgress, 'facts'> {
    if (this.#brought.has(order)) return { filled: 0, reduced: 0, fundsLeft: funds };
    const { size, dealSize, dealFunds, fee, remaining } = this.#view(order);
    this.#sums ??= sumsOf(this.#published.events);
    const now = this.#sums.get(order) ?? NO_SUMS;
    const filled = dealSize - now.dealt;
    // An order by funds is never reduced. It existed before the record only if an earlier record left it unfinished.
    if (funds === 0n) return { filled, reduced: size - dealSize - remaining - now.reduced, fundsLeft: 0n };
    const spent = dealFunds - now.funds + (side === 'buy' ? fee - now.fee : 0n);
    return { filled, reduced: 0, fundsLeft: funds - spent };
  }

  /** The state after the record, or the final state if it was done in it. */
  #view(order: number): OrderView {
    const active = this.#active ? this.#active.get(order) : this.#exchange.order(order);
    if (active) return active;
    this.#done ??= doneOf(this.#published);
    const done = this.#done.get(order);
    if (done === undefined) throw new Error(`order ${order} of record ${this.#published.seq} is nowhere`);
    return done;
  }
}

const doneOf = ({ done }: Published): Map<number, OrderView> =>
  new Map(done.map((each) => [each.order, each]));

function sumsOf(events: readonly Event[]): Map<number, Sums> {
  const sums = new Map<number, Sums>();
  const of = (order: number): Sums => {
    const found = sums.get(order) ?? { ...NO_SUMS };
    sums.set(order, found);
    return found;
  };
  for (const event of events) {
    if (event.kind === 'trade') {
      for (const fill of [event.incoming, event.resting]) {
        const found = of(fill.order);
        found.dealt += event.size;
        found.funds += event.funds;
        found.fee += fill.fee;
      }
    } else if (event.kind === 'order-reduced') of(event.order).reduced += event.by;
  }
  return sums;
}
