/**
 * The lifecycle of a user's orders: received, open, match, update, then filled or cancelled. Only a match has a trade
 * id, because clients treat any message with one as a trade.
 */

import {
  RATE_DECIMALS,
  type Fill,
  type OrderDone,
  type OrderOpened,
  type OrderReceived,
  type OrderReduced,
  type SymbolSet,
  type Trade,
  type Exchange,
  type OrderType,
  type Side,
  type StopDone,
  type StopPlaced,
} from '@bourse/core';
import { formatMoney, formatSmall } from '../../gateway/decimals.ts';
import { orderId, markedId } from '../../gateway/ids.ts';
import type { Services } from '../../gateway/services.ts';
import type { Channels } from '../channels.ts';
import type { OrderProgress, RecordOrders } from './record-orders.ts';

interface Amounts {
  readonly remaining: number;
  readonly cancelled: number;
  readonly fundsCancelled: bigint;
}

export class OrderTopics {
  readonly #channels: Channels;
  readonly #services: Services;

  constructor(channels: Channels, services: Services) {
    this.#channels = channels;
    this.#services = services;
  }

  received(event: OrderReceived, orders: RecordOrders): void {
    const channel = this.#channels.find('/spotMarket/tradeOrdersV2', event.user);
    if (channel === undefined) return;
    const progress = orders.progressOf(event.order);
    channel.push(this.#dataOf(progress, 'received', 'new', orders, atWork(progress, event.size)));
  }

  opened(event: OrderOpened, orders: RecordOrders): void {
    if (!this.#isWatched(event.user)) return;
    const progress = orders.progressOf(event.order);
    this.#push(event.user, this.#dataOf(progress, 'open', 'open', orders, atWork(progress, event.remaining)));
  }

  traded(trade: Trade, orders: RecordOrders): void {
    this.#filled(trade, trade.incoming, orders);
    this.#filled(trade, trade.resting, orders);
  }

  reduced(event: OrderReduced, orders: RecordOrders): void {
    if (!this.#isWatched(event.user)) return;
    const progress = orders.progressOf(event.order);
    const { sizeDecimals } = this.#symbolAt(event.symbol);
    const oldSize = formatSmall(progress.facts.size - progress.reduced, sizeDecimals);
    progress.reduced += event.by;
    const amounts = atWork(progress, event.remaining);
    this.#push(
      event.user,
      this.#dataOf(progress, 'update', 'open', orders, amounts, `,"oldSize":"${oldSize}"`),
    );
  }

  done(event: OrderDone, orders: RecordOrders): void {
    if (!this.#isWatched(event.user)) return;
    const progress = orders.progressOf(event.order);
    progress.fundsLeft = 0n;
    const amounts = { remaining: 0, cancelled: event.cancelledSize, fundsCancelled: event.cancelledFunds };
    const type = event.reason === 'filled' ? 'filled' : 'canceled';
    const more =
      event.reason === 'operator' ? `,"remark":${JSON.stringify(orders.remarkOf(event.order))}` : '';
    this.#push(event.user, this.#dataOf(progress, type, 'done', orders, amounts, more));
  }

  #filled(trade: Trade, fill: Fill, orders: RecordOrders): void {
    this.#pushFill(trade, fill, orders);
    if (!this.#isWatched(fill.user)) return;
    const progress = orders.progressOf(fill.order);
    const { facts } = progress;
    progress.filled += trade.size;
    // The funds of a buy include the fee.
    if (facts.funds > 0n) progress.fundsLeft -= trade.funds + (facts.side === 'buy' ? fill.fee : 0n);
    const { priceDecimals, sizeDecimals } = this.#symbolAt(trade.symbol);
    const match =
      `,"liquidity":"${fill.liquidity}","feeType":"${fill.rate}Fee",` +
      `"matchPrice":"${formatSmall(trade.price, priceDecimals)}",` +
      `"matchSize":"${formatSmall(trade.size, sizeDecimals)}","tradeId":"${trade.trade}"`;
    const amounts = atWork(progress, fill.remaining);
    this.#push(fill.user, this.#dataOf(progress, 'match', 'match', orders, amounts, match));
  }

  #pushFill({ symbol, trade, price, size }: Trade, fill: Fill, orders: RecordOrders): void {
    const channel = this.#channels.find('/spot/tradeFills', fill.user);
    if (channel === undefined) return;
    const { side, type, createdAt, makerRate, takerRate } = orders.facts(fill.order);
    const { code, quote, priceDecimals, sizeDecimals } = this.#symbolAt(symbol);
    const currency = this.#services.catalogue.currencyAt(quote);
    const rate = fill.rate === 'maker' ? makerRate : takerRate;
    channel.push(
      `{"fee":${formatMoney(fill.fee, currency.scale)},"feeCurrency":${JSON.stringify(currency.code)},` +
        `"feeRate":${formatSmall(rate, RATE_DECIMALS)},"orderId":"${orderId(fill.order, createdAt)}",` +
        `"orderType":"${type}","price":${formatSmall(price, priceDecimals)},"side":"${side}",` +
        `"size":${formatSmall(size, sizeDecimals)},"symbol":"${code}","time":"${orders.time}000000",` +
        `"tradeId":"${trade}"}`,
    );
  }

  #isWatched(user: number): boolean {
    const channels = this.#channels;
    return (
      channels.find('/spotMarket/tradeOrders', user) !== undefined ||
      channels.find('/spotMarket/tradeOrdersV2', user) !== undefined
    );
  }

  #push(user: number, data: string): void {
    this.#channels.find('/spotMarket/tradeOrders', user)?.push(data);
    this.#channels.find('/spotMarket/tradeOrdersV2', user)?.push(data);
  }

  #dataOf(
    { facts, filled, reduced, fundsLeft }: OrderProgress,
    type: string,
    status: string,
    { time }: RecordOrders,
    { remaining, cancelled, fundsCancelled }: Amounts,
    more = '',
  ): string {
    const { code, quote, priceDecimals, sizeDecimals } = this.#symbolAt(facts.symbol);
    const size = (units: number) => formatSmall(units, sizeDecimals);
    const { scale } = this.#services.catalogue.currencyAt(quote);
    const funds =
      facts.funds > 0n
        ? `,"originFunds":"${formatMoney(facts.funds, scale)}","remainFunds":"${formatMoney(fundsLeft, scale)}",` +
          `"canceledFunds":"${formatMoney(fundsCancelled, scale)}"`
        : '';
    return (
      `{"symbol":"${code}","orderType":"${facts.type}","side":"${facts.side}",` +
      `"orderId":"${orderId(facts.order, facts.createdAt)}","clientOid":${JSON.stringify(facts.clientId)},` +
      `"type":"${type}","status":"${status}","orderTime":${facts.createdAt},"ts":${time}000000,` +
      `"price":"${formatSmall(facts.price, priceDecimals)}","size":"${size(facts.size - reduced)}",` +
      `"originSize":"${size(facts.size)}","filledSize":"${size(filled)}","remainSize":"${size(remaining)}",` +
      `"canceledSize":"${size(cancelled)}"${funds}${more}}`
    );
  }

  #symbolAt(number: number): SymbolSet {
    return this.#services.catalogue.symbolAt(number);
  }
}

const atWork = ({ reduced }: OrderProgress, remaining: number): Amounts => ({
  remaining,
  cancelled: reduced,
  fundsCancelled: 0n,
});

interface Waiting {
  readonly symbol: number;
  readonly side: Side;
  readonly type: OrderType;
  readonly stop: 'loss' | 'entry';
  readonly stopPrice: number;
  readonly price: number;
  readonly size: number;
  readonly createdAt: number;
}

/**
 * Stop orders: placed, triggered, cancelled. The final event does not repeat the terms, so they are kept while the
 * order is pending.
 */
export class StopTopic {
  readonly #channels: Channels;
  readonly #services: Services;
  /** Every pending stop order, as many as in the exchange itself. */
  readonly #waiting = new Map<number, Waiting>();

  constructor(channels: Channels, services: Services, { reference }: Exchange) {
    this.#channels = channels;
    this.#services = services;
    for (const { id, stop, stopPrice, createdAt, request } of reference.stopOrders()) {
      const { symbol, side, type, price = 0, size = 0 } = request;
      this.#waiting.set(id, { symbol, side, type, stop, stopPrice, price, size, createdAt });
    }
  }

  placed(event: StopPlaced, time: number): void {
    const { symbol, side, type, stop, stopPrice, price, size } = event;
    const order = { symbol, side, type, stop, stopPrice, price, size, createdAt: time };
    this.#waiting.set(event.stopOrder, order);
    this.#push(event.user, event.stopOrder, order, 'open', time);
  }

  done(event: StopDone, time: number): void {
    const order = this.#waiting.get(event.stopOrder);
    if (order === undefined) return;
    this.#waiting.delete(event.stopOrder);
    const isTriggered = event.reason === 'triggered' || event.reason === 'rejected';
    const remark = event.reason === 'operator' ? `,"remark":${JSON.stringify(event.rejection)}` : '';
    const more = isTriggered ? `,"triggerSuccess":${event.reason === 'triggered'}` : remark;
    this.#push(event.user, event.stopOrder, order, isTriggered ? 'triggered' : 'cancel', time, more);
  }

  #push(user: number, id: number, order: Waiting, type: string, time: number, more = ''): void {
    const channel = this.#channels.find('/spotMarket/advancedOrders', user);
    if (channel === undefined) return;
    const { code, priceDecimals, sizeDecimals } = this.#services.catalogue.symbolAt(order.symbol);
    channel.push(
      `{"orderId":"${markedId('stop-order', id)}","orderPrice":"${formatSmall(order.price, priceDecimals)}",` +
        `"orderType":"stop","side":"${order.side}","size":"${formatSmall(order.size, sizeDecimals)}",` +
        `"stop":"${order.stop}","stopPrice":"${formatSmall(order.stopPrice, priceDecimals)}","symbol":"${code}",` +
        `"tradeType":"TRADE","type":"${type}"${more},"createdAt":${order.createdAt},"ts":${time}000000}`,
    );
  }
}
