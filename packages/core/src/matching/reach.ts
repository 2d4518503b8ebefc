/**
 * How far an order would get on the current book, without trading: the basis for FOK (R8) and price protection (R11). Own
 * orders stop it with CN and CB and are skipped with CO; an ordinary order stops a postOnly one. A user can repeat this at
 * no cost, so it must be cheap: one step for each block of levels, one for each order of the user, and a walk through the
 * orders of the one level where the order stops.
 */

import type { Instrument } from '../reference/instrument.ts';
import type { State } from '../state.ts';
import { rankOf } from './book/price-ladder.ts';
import { HIDDEN_QUEUE, VISIBLE_QUEUE } from './book/level-table.ts';
import { STP_CB, STP_CN, STP_CO, STP_NONE, stpBits } from './orders/order-flags.ts';

/** R8: whether the complete order would trade within its limit. */
export function canFill(state: State, instrument: Instrument, row: number): boolean {
  return reach(state, instrument, row, state.orders.price(row)) >= state.orders.sizeOf(row);
}

/** R11: whether the order, for its full size and within its limit, would trade past the bound. */
export function wouldPass(state: State, instrument: Instrument, row: number, bound: number): boolean {
  const within = reach(state, instrument, row, bound);
  if (within >= state.orders.sizeOf(row)) return false;
  return reach(state, instrument, row, state.orders.price(row)) > within;
}

/** The quantity at prices up to `priceEnd`, or until the order is stopped. */
function reach(state: State, instrument: Instrument, row: number, priceEnd: number): number {
  const { levels } = state;
  const side = 1 - state.orders.side(row);
  const ladder = instrument.book.sides[side];
  const rankEnd = rankOf(side, priceEnd);
  const stop = stopLevel(state, instrument, row, rankEnd);
  // The level where it stops is examined order by order.
  const wholeFrom = stop < 0 ? rankEnd : rankOf(side, levels.price(stop)) + 1;
  const mode = ownMode(state, row);
  const own = mode === STP_CO ? ownFrom(state, row, side, wholeFrom).quantity : 0;
  return ladder.totalFrom(wholeFrom) - own + (stop < 0 ? 0 : reachInto(state, row, stop));
}

/** The best level, from the rank on, with an order that stops this one; -1 if there is none. */
function stopLevel(state: State, instrument: Instrument, row: number, rankEnd: number): number {
  const { book } = instrument;
  const { levels, orders } = state;
  const side = 1 - orders.side(row);
  const mode = ownMode(state, row);
  let rank = -Infinity;
  if (mode === STP_CN || mode === STP_CB) rank = ownFrom(state, row, side, rankEnd).bestRank;
  if (orders.isPostOnly(row)) {
    const level = book.sides[side].bestOrdinary();
    if (level >= 0) rank = Math.max(rank, rankOf(side, levels.price(level)));
  }
  return rank < rankEnd ? -1 : book.findLevel(side, Math.abs(rank));
}

/** The user's own orders on that side, from the rank on: their total and the best. */
function ownFrom(
  { orders, traders }: State,
  row: number,
  side: number,
  rankEnd: number,
): { readonly quantity: number; readonly bestRank: number } {
  let quantity = 0;
  let bestRank = -Infinity;
  for (let own = traders.firstOrder(orders.trader(row)); own >= 0; own = traders.nextOrder(orders, own)) {
    const rank = rankOf(side, orders.price(own));
    if (orders.side(own) !== side || rank < rankEnd) continue;
    quantity += orders.remaining(own);
    bestRank = Math.max(bestRank, rank);
  }
  return { quantity, bestRank };
}

/** The order's self-trade prevention mode; none if the user has no other order here, which saves the search. */
function ownMode(state: State, row: number): number {
  const hasOrders = state.traders.orderCount(state.orders.trader(row)) > 0;
  return hasOrders ? stpBits(state.orders.flags(row)) : STP_NONE;
}

/** The quantity ahead of the order that stops this one, within its level. */
function reachInto(state: State, row: number, level: number): number {
  const { orders, levels } = state;
  const user = orders.user(row);
  const mode = stpBits(orders.flags(row));
  const stopsAtOwn = mode === STP_CN || mode === STP_CB;
  const passesOwn = mode === STP_CO;
  const stopsAtOrdinary = orders.isPostOnly(row);

  let quantity = 0;
  for (const queue of [VISIBLE_QUEUE, HIDDEN_QUEUE]) {
    let ahead = 0;
    let all = 0;
    for (let at = levels.first(level, queue); at >= 0; at = orders.next(at)) {
      const own = orders.user(at) === user;
      if ((own && stopsAtOwn) || (stopsAtOrdinary && !orders.isReserved(at))) {
        return quantity + (queue === HIDDEN_QUEUE ? all : ahead);
      }
      if (own && passesOwn) continue;
      ahead += orders.visible(at);
      all += orders.remaining(at);
    }
    quantity += all;
  }
  return quantity;
}
