/** Holds and fees. */

import type { BalanceChanged, Event, Exchange, Fill, Trade, WithdrawalSet } from '@bourse/core';
import type { ListedOrder, OrderList } from './order-list.ts';
import { violated } from './violation.ts';

/**
 * Holds (R6): every order holds exactly what it may still need, a done order nothing, and every account's
 * hold is the sum of its orders and pending withdrawals; recomputed each time from the orders' own fields.
 */
export class HoldChecker {
  readonly #list: OrderList;
  readonly #touched = new Set<ListedOrder>();
  readonly #withdrawals = new Map<number, WithdrawalSet>();
  readonly #symbols: { readonly base: number; readonly quote: number; readonly sizeFactor: bigint }[] = [];
  readonly #scales: number[] = [];

  constructor(list: OrderList) {
    this.#list = list;
  }

  /** Called before the list has applied the event: an order's last release precedes its end. */
  check(event: Event): void {
    switch (event.kind) {
      case 'balance-changed':
        if (event.order > 0 && event.holdChange !== 0n) this.#posting(event);
        break;
      case 'trade':
        this.#touched.add(this.#list.get(event.resting.order));
        break;
      case 'order-reduced':
      case 'order-opened':
        this.#touched.add(this.#list.get(event.order));
        break;
      case 'order-done': {
        const order = this.#list.get(event.order);
        if (order.held !== 0n)
          violated('a done order holds nothing', { order: event.order, held: order.held });
        this.#touched.delete(order);
        break;
      }
      case 'currency-set':
        this.#scales[event.currency] = event.scale;
        break;
      case 'symbol-set': {
        const { base, quote, sizeDecimals } = event;
        const sizeFactor = 10n ** BigInt((this.#scales[base] as number) - sizeDecimals);
        this.#symbols[event.symbol] = { base, quote, sizeFactor };
        break;
      }
      case 'withdrawal-set':
        if (event.state === 'processing' || event.state === 'paying')
          this.#withdrawals.set(event.withdrawal, event);
        else this.#withdrawals.delete(event.withdrawal);
        break;
    }
  }

  /** Checks the orders of this record. */
  afterRecord(): void {
    for (const order of this.#touched) {
      const need = this.need(order);
      if (order.held !== need) {
        violated('an order holds what it needs', { order: order.received.order, held: order.held, need });
      }
    }
    this.#touched.clear();
  }

  /** Checks all accounts against all orders and withdrawals. */
  scan(exchange: Exchange): void {
    const { users, currencies } = exchange.counts;
    const sums = new Map<number, bigint>();
    for (const order of this.#list.orders.values()) {
      const { user, side, symbol } = order.received;
      const { base, quote } = this.#symbols[symbol] as { base: number; quote: number };
      const key = user * currencies + (side === 'buy' ? quote : base);
      sums.set(key, (sums.get(key) ?? 0n) + this.need(order, exchange));
    }
    const pending = new Map<number, bigint>();
    for (const { user, currency, amount, fee } of this.#withdrawals.values()) {
      const key = user * currencies + currency;
      pending.set(key, (pending.get(key) ?? 0n) + amount + fee);
    }
    for (let user = 0; user < users; user += 1) {
      for (let currency = 0; currency < currencies; currency += 1) {
        const key = user * currencies + currency;
        const { hold } = exchange.balance(user, 'trade', currency);
        const need = sums.get(key) ?? 0n;
        if (hold !== need) violated('an account holds what its orders need', { user, currency, hold, need });
        const main = exchange.balance(user, 'main', currency).hold;
        if (main !== (pending.get(key) ?? 0n))
          violated('hold of withdrawals', { user, currency, hold: main });
      }
    }
  }

  /** The required hold of an order. After a record every active order rests, unless it is unfinished. */
  need(order: ListedOrder, exchange: Exchange | null = null): bigint {
    const { side, symbol, price, takerRate, type } = order.received;
    if (type === 'market') {
      if (!exchange?.hasUnfinished)
        violated('a market order outlives its command', { order: order.received.order });
      return order.held;
    }
    const remaining = BigInt(order.remaining);
    if (side === 'sell') return remaining * (this.#symbols[symbol] as { sizeFactor: bigint }).sizeFactor;
    const funds = BigInt(price) * remaining;
    return funds + ceilRate(BigInt(takerRate) * funds - order.slack);
  }

  #posting(event: BalanceChanged): void {
    const order = this.#list.get(event.order);
    order.held += event.holdChange;
    if (order.held < 0n) violated('more taken than was held', { order: event.order, held: order.held });
    if (order.received.type === 'limit') this.#touched.add(order);
  }
}

const WHOLE = 100_000_000n;

function ceilRate(product: bigint): bigint {
  return product <= 0n ? 0n : (product + WHOLE - 1n) / WHOLE;
}

/** Fees (M): each fill's fee by the order's own rates, rounded up once over all fills, never above the hold. */
export class FeeChecker {
  readonly #list: OrderList;

  constructor(list: OrderList) {
    this.#list = list;
  }

  /** Called before the list has applied the trade. */
  check(trade: Trade): void {
    // In an auction both sides are makers.
    const isAuction = trade.incoming.liquidity === 'maker' && trade.resting.liquidity === 'maker';
    for (const fill of [trade.incoming, trade.resting]) {
      const rate = isAuction ? 'maker' : rateName(this.#list.get(fill.order), fill === trade.incoming);
      this.#fill(trade, fill, rate);
    }
  }

  #fill(trade: Trade, fill: Fill, rate: 'maker' | 'taker'): void {
    const order = this.#list.get(fill.order);
    const details = { order: fill.order, trade: trade.trade, fee: fill.fee, rate: fill.rate };
    if (fill.rate !== rate) violated('which rate is charged', details);
    const charged =
      BigInt(rate === 'maker' ? order.received.makerRate : order.received.takerRate) * trade.funds;
    const fee = ceilRate(charged - order.slack);
    if (fill.fee !== fee) violated('fee of a fill', { ...details, expected: fee });
    order.slack += WHOLE * fee - charged;
    if (order.slack < 0n || order.slack >= WHOLE) violated('slack', { ...details, slack: order.slack });
    const bound = ceilRate(BigInt(order.received.takerRate) * (order.dealFunds + trade.funds));
    if (order.fee + fee > bound) violated('fee above what the taker rate allows', { ...details, bound });
  }
}

/**
 * R9, R10: hidden and iceberg orders pay their taker rate; otherwise an incoming postOnly order is the maker, any
 * other the taker.
 */
function rateName({ received }: ListedOrder, isIncoming: boolean): 'maker' | 'taker' {
  if (received.hidden || received.iceberg) return 'taker';
  return isIncoming && !received.postOnly ? 'taker' : 'maker';
}
