/**
 * Take profit and stop loss for an order that was filled: fills the order form with an OCO order, which then waits at the
 * exchange whether or not this page is open.
 */

import type { Order, SymbolInfo } from '@bourse/client';
import { Decimal } from '../../decimal/decimal.ts';
import { changeDraft } from './order-drafts.ts';

const PLACES = 18;
/** In per mille of the average price: where to take profit, where to stop, and the limit behind the stop. */
const AWAY = { profit: 20n, stop: 10n, limit: 15n };

export interface Protection {
  readonly price: string;
  readonly stopPrice: string;
}

export function protect(order: Order, { priceIncrement }: SymbolInfo): Protection {
  const average = Decimal.of(order.dealFunds).dividedBy(Decimal.of(order.dealSize), PLACES);
  const isLong = order.side === 'buy';
  const at = (away: bigint): string =>
    average
      .times(new Decimal(1000n + away, 3))
      .floorTo(Decimal.of(priceIncrement))
      .toString();
  const [price, stopPrice, limitPrice] = isLong
    ? [at(AWAY.profit), at(-AWAY.stop), at(-AWAY.limit)]
    : [at(-AWAY.profit), at(AWAY.stop), at(AWAY.limit)];
  changeDraft(order.symbol, {
    kind: 'oco',
    side: isLong ? 'sell' : 'buy',
    size: order.dealSize,
    price,
    stopPrice,
    limitPrice,
    total: null,
    percent: null,
  });
  return { price, stopPrice };
}
