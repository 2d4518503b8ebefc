/**
 * Stop orders: placed, triggered, cancelled. The final event does not repeat the terms, so they are kept while the
 * order is pending.
 */

import type { Exchange, OrderType, Side, StopDone, StopPlaced } from '@bourse/core';
import { formatSmall } from '../../gateway/decimals.ts';
import { markedId } from '../../gateway/ids.ts';
import type { Services } from '../../gateway/services.ts';
import type { Channels } from '../channels.ts';

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
