/**
 * Price-time priority and order flags, checked at every trade against the list just before it: no order with priority
 * is skipped, and no order trades against its flags.
 */

import type { Event, OrderDone, OrderReceived, SymbolSet, Trade } from '@bourse/core';
import { toUnits } from '@bourse/test-kit/flow/world.ts';
import type { ListedOrder, OrderList } from './order-list.ts';
import { violated } from './violation.ts';

export class MatchingChecker {
  readonly #list: OrderList;
  readonly #limitRates: bigint[] = [];
  readonly #lastPrices = new Map<number, number>();
  /** Symbols with an auction in progress. */
  readonly #auctions = new Set<number>();
  /** Price bound by active order; 0 if the book was empty. An unfinished order keeps its original bound. */
  readonly #bounds = new Map<number, number>();

  constructor(list: OrderList) {
    this.#list = list;
  }

  /** Called before the list has applied the event. */
  check(event: Event): void {
    if (event.kind === 'trade') this.#trade(event);
    else if (event.kind === 'order-received') this.#received(event);
    else if (event.kind === 'order-done') this.#done(event);
    else if (event.kind === 'symbol-set') this.#symbolSet(event);
    else if (event.kind === 'order-opened') this.#opened(this.#list.get(event.order));
  }

  #symbolSet(event: SymbolSet): void {
    this.#limitRates[event.symbol] = toUnits(event.priceLimitRate, 6);
    if (event.state === 'auction') this.#auctions.add(event.symbol);
    else this.#auctions.delete(event.symbol);
  }

  #received(event: OrderReceived): void {
    const opposite = this.#list.side(event.symbol, event.side === 'buy' ? 'sell' : 'buy');
    const shown = opposite.find(({ received }) => !received.hidden)?.received.price;
    const best = shown ?? this.#lastPrices.get(event.symbol) ?? opposite[0]?.received.price ?? 0;
    const width = Number((BigInt(best) * (this.#limitRates[event.symbol] as bigint)) / 1_000_000n);
    this.#bounds.set(event.order, event.side === 'buy' ? best + width : best - width);
    if (event.postOnly && (event.timeInForce === 'IOC' || event.timeInForce === 'FOK')) {
      violated('post-only counts only for orders that rest', { order: event.order });
    }
    if (event.timeInForce === 'FOK' && event.stp !== 'CN') violated('FOK is CN', { order: event.order });
    if (event.hidden && event.iceberg) violated('hidden or iceberg', { order: event.order });
  }

  /** Both orders rest, each is the earliest at the best price of its side, and the price is within both limits. */
  #auctionTrade(event: Trade): void {
    const details = { symbol: event.symbol, trade: event.trade };
    const later = this.#list.get(event.incoming.order);
    const earlier = this.#list.get(event.resting.order);
    if (later.received.order < earlier.received.order) violated('the later order is incoming', details);
    if (event.side !== later.received.side) violated('side of a trade', details);
    for (const order of [later, earlier]) {
      const { side, price } = order.received;
      if (this.#earliest(event.symbol, side) !== order) violated('priority in an auction', details);
      if (side === 'buy' ? price < event.price : price > event.price) violated('limit price', details);
    }
    if (event.size !== Math.min(later.remaining, earlier.remaining)) violated('size of a trade', details);
    if (event.funds !== BigInt(event.price) * BigInt(event.size)) violated('funds of a trade', details);
    if (later.received.user === earlier.received.user) violated('self-trade', details);
    if (event.incoming.liquidity !== 'maker' || event.resting.liquidity !== 'maker') {
      violated('liquidity', details);
    }
    this.#lastPrices.set(event.symbol, event.price);
  }

  #earliest(symbol: number, side: 'buy' | 'sell'): ListedOrder | undefined {
    const queue = this.#list.side(symbol, side);
    const level = queue.filter(({ received }) => received.price === queue[0]?.received.price);
    const firsts = [false, true].flatMap(
      (hidden) => level.find(({ received }) => received.hidden === hidden) ?? [],
    );
    return firsts.toSorted((one, other) => one.received.order - other.received.order)[0];
  }

  #trade(event: Trade): void {
    if (this.#auctions.has(event.symbol)) {
      this.#auctionTrade(event);
      return;
    }
    const resting = this.#list.get(event.resting.order);
    const incoming = this.#list.get(event.incoming.order);
    const { side } = incoming.received;
    const details = { symbol: event.symbol, trade: event.trade };
    const front = this.#list.side(event.symbol, side === 'buy' ? 'sell' : 'buy')[0];
    if (front !== resting) {
      violated('priority', { ...details, first: front?.received.order, instead: event.resting.order });
    }
    if (event.side !== side) violated('side of a trade', details);
    if (event.price !== resting.received.price) violated('trades are at the resting price', details);
    if (event.size <= 0 || event.size > resting.slice)
      violated('size of a trade', { ...details, size: event.size });
    if (event.funds !== BigInt(event.price) * BigInt(event.size)) violated('funds of a trade', details);
    this.#checkIncoming(event, incoming, resting);
    this.#lastPrices.set(event.symbol, event.price);
  }

  #checkIncoming(event: Trade, incoming: ListedOrder, resting: ListedOrder): void {
    const { side, type, price, postOnly, stp, user } = incoming.received;
    const details = { symbol: event.symbol, trade: event.trade, price: event.price };
    if (incoming.rested) violated('a resting order does not match', details);
    const isBuy = side === 'buy';
    if (type === 'limit' && (isBuy ? event.price > price : event.price < price))
      violated('limit price', details);
    const bound = this.#bounds.get(event.incoming.order) as number;
    if (isBuy ? event.price > bound : event.price < bound) {
      violated('price protection', { ...details, bound });
    }
    const isOrdinary = !resting.received.hidden && !resting.received.iceberg;
    if (postOnly && isOrdinary) violated('post-only met an ordinary order', details);
    if (stp !== '' && user === resting.received.user) violated('self-trade', details);
    const [own, other] = postOnly ? ['maker', 'taker'] : ['taker', 'maker'];
    if (event.incoming.liquidity !== own || event.resting.liquidity !== other) violated('liquidity', details);
  }

  #opened({ received }: ListedOrder): void {
    const mayRest = received.timeInForce === 'GTC' || received.timeInForce === 'GTT';
    if (received.type === 'market' || !mayRest) violated('only GTC and GTT rest', { order: received.order });
  }

  #done(event: OrderDone): void {
    const order = this.#list.get(event.order);
    this.#bounds.delete(event.order);
    const { size, funds, timeInForce, side } = order.received;
    const details = { ...event };
    if (event.dealSize !== order.dealSize || event.dealFunds !== order.dealFunds)
      violated('deals of the end', details);
    if (event.fee !== order.fee) violated('fee of the end', details);
    if (event.rested !== order.rested) violated('rested', details);
    if (size > 0 && event.cancelledSize !== size - order.dealSize)
      violated('cancelled size of the end', details);
    if (size > 0 && (event.reason === 'filled') !== (order.remaining === 0)) violated('filled', details);
    const spent = side === 'buy' ? order.dealFunds + order.fee : order.dealFunds;
    if (spent > funds && funds > 0n) violated('more spent than the funds', details);
    const returned = size > 0 || event.reason === 'filled' ? 0n : funds - spent;
    if (event.cancelledFunds !== returned) violated('cancelled funds of the end', details);
    if (timeInForce === 'FOK' && event.reason !== 'filled' && event.dealSize > 0)
      violated('all or nothing', details);
  }
}
