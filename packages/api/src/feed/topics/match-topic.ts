/** Every trade, as the public sees it. */

import type { Trade } from '@bourse/core';
import { formatSmall } from '../../gateway/decimals.ts';
import { orderId } from '../../gateway/ids.ts';
import type { Services } from '../../gateway/services.ts';
import type { Channels } from '../channels.ts';
import type { RecordOrders } from './record-orders.ts';

export class MatchTopic {
  readonly #channels: Channels;
  readonly #services: Services;

  constructor(channels: Channels, services: Services) {
    this.#channels = channels;
    this.#services = services;
  }

  take({ symbol, trade, price, size, side, incoming, resting }: Trade, orders: RecordOrders): void {
    const channel = this.#channels.find('/market/match', symbol);
    if (channel === undefined) return;
    const { code, priceDecimals, sizeDecimals } = this.#services.catalogue.symbolAt(symbol);
    // In an auction both are makers; the earlier order is reported as the maker.
    const [maker, taker] = resting.liquidity === 'taker' ? [incoming, resting] : [resting, incoming];
    const idOf = (order: number) => orderId(order, orders.facts(order).createdAt);
    channel.push(
      `{"makerOrderId":"${idOf(maker.order)}","takerOrderId":"${idOf(taker.order)}",` +
        `"price":"${formatSmall(price, priceDecimals)}","size":"${formatSmall(size, sizeDecimals)}",` +
        `"side":"${side}","symbol":"${code}","sequence":"${trade}","tradeId":"${trade}",` +
        `"time":"${orders.time}000000","type":"match"}`,
    );
  }
}
