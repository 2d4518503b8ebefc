/** The next resting order from an incoming order's view: whether its price is within reach, and the size it offers. */

import type { Instrument } from '../reference/instrument.ts';
import type { State } from '../state.ts';

/** Local copies of imported constants: see event-batch.ts. */
const BUY = 0;

/** Whether a price is no worse than the limit, for an incoming order of this side. */
export function isWithin(side: number, price: number, limit: number): boolean {
  return side === BUY ? price <= limit : price >= limit;
}

/**
 * R11: the worst price at which an order of this side may trade. The reference is the best visible opposite price, so
 * that a hidden order cannot cancel others; if none is visible, the last trade; before the first trade, the best hidden
 * price.
 */
export function priceBound(instrument: Instrument, side: number): number {
  const { book } = instrument;
  const from = book.bestShownPrice(1 - side) || book.lastPrice || book.bestPrice(1 - side);
  return side === BUY ? from + instrument.deviation(from) : from - instrument.deviation(from);
}

/** The size that a resting order offers now: an iceberg's visible slice, all of any other order. */
export function offered(state: State, resting: number): number {
  const { orders } = state;
  return (orders.isReserved(resting) && orders.slice(resting)) || orders.remaining(resting);
}
