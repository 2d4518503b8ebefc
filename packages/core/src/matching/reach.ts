/**
 * How far an order would get on the book as it stands, without trading: what FOK (R8) and price protection (R11)
 * are decided by. Own orders stop it with CN and CB and are passed over with CO; an ordinary order stops a
 * postOnly one. Where nothing can stop it, levels are counted whole.
 */

import type { Instrument } from '../reference/instrument.ts';
import type { State } from '../state.ts';
import { HIDDEN_QUEUE, VISIBLE_QUEUE } from './level-table.ts';
import { isWithin } from './next.ts';
import { STP_CB, STP_CN, STP_CO, stpBits } from './order-flags.ts';

interface Reach {
  quantity: number;
  stopped: boolean;
}

/** R8: whether the whole order would trade within its limit. */
export function canFill(state: State, instrument: Instrument, row: number): boolean {
  const size = state.orders.sizeOf(row);
  return reach(state, instrument, row, state.orders.price(row), size).quantity >= size;
}

/** R11: whether the order, for its full size and within its limit, would trade past the bound. */
export function wouldPass(state: State, instrument: Instrument, row: number, bound: number): boolean {
  const size = state.orders.sizeOf(row);
  const within = reach(state, instrument, row, bound, size);
  if (within.stopped || within.quantity >= size) return false;
  const limit = state.orders.price(row);
  return reach(state, instrument, row, limit, within.quantity + 1).quantity > within.quantity;
}

/** The quantity at prices up to `priceEnd`, counted until it is `enough`. */
function reach(state: State, instrument: Instrument, row: number, priceEnd: number, enough: number): Reach {
  const { levels } = state;
  const side = state.orders.side(row);
  const careful = state.orders.isPostOnly(row) || mayMeetOwn(state, row);
  const found: Reach = { quantity: 0, stopped: false };
  instrument.book.sides[1 - side].walk((level) => {
    if (!isWithin(side, levels.price(level), priceEnd)) return false;
    if (careful) reachCarefully(state, row, level, found);
    else found.quantity += levels.total(level);
    return !found.stopped && found.quantity < enough;
  });
  return found;
}

function mayMeetOwn(state: State, row: number): boolean {
  const mode = stpBits(state.orders.flags(row));
  if (mode !== STP_CN && mode !== STP_CO && mode !== STP_CB) return false;
  return state.traders.orderCount(state.orders.trader(row)) > 0;
}

/** One level order by order. Of a visible queue that stops the order, only the slices ahead of the stop count. */
function reachCarefully(state: State, row: number, level: number, found: Reach): void {
  const { orders, levels } = state;
  const user = orders.user(row);
  const mode = stpBits(orders.flags(row));
  const stopsAtOwn = mode === STP_CN || mode === STP_CB;
  const passesOwn = mode === STP_CO;
  const stopsAtOrdinary = orders.isPostOnly(row);

  for (const queue of [VISIBLE_QUEUE, HIDDEN_QUEUE]) {
    let ahead = 0;
    let all = 0;
    for (let at = levels.first(level, queue); at >= 0; at = orders.next(at)) {
      const own = orders.user(at) === user;
      if ((own && stopsAtOwn) || (stopsAtOrdinary && !orders.isReserved(at))) {
        found.quantity += queue === HIDDEN_QUEUE ? all : ahead;
        found.stopped = true;
        return;
      }
      if (own && passesOwn) continue;
      ahead += orders.visible(at);
      all += orders.remaining(at);
    }
    found.quantity += all;
  }
}
