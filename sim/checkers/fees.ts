/** Fees (M): each fill's fee by the order's own rates, rounded up once over all fills, never above the hold. */

import type { Fill, Trade } from '@bourse/core';
import type { ListedOrder, OrderList } from './order-list.ts';
import { violated } from './violation.ts';

const WHOLE = 100_000_000n;

export function ceilRate(product: bigint): bigint {
  return product <= 0n ? 0n : (product + WHOLE - 1n) / WHOLE;
}

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
