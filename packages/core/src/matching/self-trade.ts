/** R7, self-trade prevention: the incoming order's mode decides; a sub-account is another user. */

import type { State } from '../state.ts';
import { cancelResting, DONE, REDUCED, reduce } from './finish.ts';
import { STP_CB, STP_CN, STP_CO } from './orders/order-flags.ts';

export function isOwn(state: State, incoming: number, resting: number): boolean {
  return state.orders.user(incoming) === state.orders.user(resting);
}

/** The incoming order matches its user's own: returns true if that ends the incoming order. */
export function preventSelfTrade(state: State, mode: number, incoming: number, resting: number): boolean {
  if (mode === STP_CN) return true;
  if (mode === STP_CO || mode === STP_CB) {
    cancelResting(state, resting, DONE.selfTrade);
    return mode === STP_CB;
  }
  return decreaseAndCancel(state, incoming, resting);
}

/** DC: the smaller is cancelled and the larger reduced by it; equal ones are both cancelled. */
function decreaseAndCancel(state: State, incoming: number, resting: number): boolean {
  const incomingLeft = state.orders.remaining(incoming);
  const restingLeft = state.orders.remaining(resting);
  if (incomingLeft < restingLeft) reduce(state, resting, incomingLeft, REDUCED.selfTrade);
  else cancelResting(state, resting, DONE.selfTrade);
  if (incomingLeft <= restingLeft) return true;
  reduce(state, incoming, restingLeft, REDUCED.selfTrade);
  return false;
}
