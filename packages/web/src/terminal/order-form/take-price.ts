/** A price of the book or the chart for the order form of that market. */

import { changeDraft, orderDraft } from './order-drafts.ts';

/** The field that the kind of order has: a stop market order has a stop price only. A size may come with it. */
export function takePrice(symbol: string, price: string, size?: string): void {
  const { kind } = orderDraft(symbol);
  changeDraft(symbol, {
    ...(kind === 'stop-market' ? { stopPrice: price } : { price }),
    ...(size !== undefined && { size, isByFunds: false, percent: null }),
    total: null,
  });
}

/** The same from a click that may have meant something else: a price that was typed stays. */
export function offerPrice(symbol: string, price: string): void {
  const { kind, price: typed, stopPrice } = orderDraft(symbol);
  if (kind !== 'market' && (kind === 'stop-market' ? stopPrice : typed) === '') takePrice(symbol, price);
}
