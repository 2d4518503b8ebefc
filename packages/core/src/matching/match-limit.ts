/** Matching a limit order: price protection, FOK, then trade by trade. */

import type { Instrument } from '../reference/instrument.ts';
import type { State } from '../state.ts';
import * as ends from './finish.ts';
import { isWithin, offered, priceBound } from './next.ts';
import * as orderFlags from './orders/order-flags.ts';
import { canFill, wouldPass } from './reach.ts';
import { isOwn, preventSelfTrade } from './self-trade.ts';
import { trade } from './trade.ts';

/** Local copies of imported constants: see event-batch.ts. */
const { FOK, IOC, STP_NONE, stpBits, timeBits } = orderFlags;
const { DONE, RESTS, UNFINISHED } = ends;

/** Returns the reason it is done, RESTS or UNFINISHED. */
export function matchLimit(state: State, instrument: Instrument, row: number): number {
  const { orders } = state;
  const side = orders.side(row);
  const time = timeBits(orders.flags(row));
  const limit = orders.price(row);
  const best = instrument.book.bestPrice(1 - side);
  const crosses = best > 0 && isWithin(side, best, limit);

  if (crosses) {
    const bound = priceBound(instrument, side);
    if (!isWithin(side, limit, bound) && wouldPass(state, instrument, row, bound)) return DONE.protection;
  }
  if (time === FOK && !(crosses && canFill(state, instrument, row))) return DONE.fok;
  if (crosses) return continueLimit(state, instrument, row);
  return time === IOC ? DONE.ioc : RESTS;
}

/** The same for an order that passed price protection and FOK when it came. */
export function continueLimit(state: State, instrument: Instrument, row: number): number {
  const done = matchWithin(state, instrument, row);
  return done === RESTS && timeBits(state.orders.flags(row)) === IOC ? DONE.ioc : done;
}

function matchWithin(state: State, instrument: Instrument, row: number): number {
  const { orders, steps } = state;
  const { book } = instrument;
  const side = orders.side(row);
  const mode = stpBits(orders.flags(row));
  const postOnly = orders.isPostOnly(row);
  const limit = orders.price(row);
  for (;;) {
    const remaining = orders.remaining(row);
    if (remaining === 0) return DONE.filled;
    const resting = book.next(1 - side);
    if (resting < 0 || !isWithin(side, orders.price(resting), limit)) return RESTS;
    if (postOnly && !orders.isReserved(resting)) return DONE.postOnly;
    if (steps.meetingsLeft === 0) return UNFINISHED;
    steps.meetingsLeft--;
    if (mode !== STP_NONE && isOwn(state, row, resting)) {
      if (preventSelfTrade(state, mode, row, resting)) return DONE.selfTrade;
      continue;
    }
    trade(state, instrument, row, resting, Math.min(remaining, offered(state, resting)));
  }
}
