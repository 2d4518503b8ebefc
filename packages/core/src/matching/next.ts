/** The next resting order as an incoming one sees it: is its price within reach, and what does it offer? */

import type { Instrument } from '../reference/instrument.ts';
import type { State } from '../state.ts';

/** Copied from the imports, which V8 would load at every use: see event-batch.ts. */
const BUY = 0;

/** Whether a price is no worse than the limit, for an incoming order of this side. */
export function isWithin(side: number, price: number, limit: number): boolean {
  return side === BUY ? price <= limit : price >= limit;
}

/** R11: the furthest price, seen from the best opposite one. */
export function boundOf(instrument: Instrument, side: number, best: number): number {
  return side === BUY ? best + instrument.deviation(best) : best - instrument.deviation(best);
}

/** The size that a resting order offers now: the visible slice of an iceberg, all of any other order. */
export function offered(state: State, resting: number): number {
  const { orders } = state;
  return (orders.isReserved(resting) && orders.slice(resting)) || orders.remaining(resting);
}
