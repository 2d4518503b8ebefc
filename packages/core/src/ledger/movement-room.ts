/** Bounds on the number of transfers and withdrawals kept in memory. */

import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';

/**
 * Whether the user may have one more withdrawal. Only open withdrawals of the same master count, so that other users
 * can never block a withdrawal. Transfers have no such limit.
 */
export function checkWithdrawalRoom(state: State, user: number): Rejection | null {
  const { movementsPerUserMax: max } = state.limits.values;
  return state.withdrawals.openOf(user) >= max ? reject('movements-per-user', { max }) : null;
}

/**
 * Starts the window of a completed movement. If its master then has more than `movementsPerUserMax`, the master's oldest
 * is dropped; if there are more than `movementsMax` in all, the oldest of the master with the most. At most two of each:
 * one makes room for the new movement, the second reduces the excess after a limit was lowered.
 */
export function rememberMovement(state: State, user: number, id: number): void {
  const { movements } = state;
  movements.remember(user, id, state.time);
  const { movementsPerUserMax, movementsMax } = state.limits.values;
  const { shares } = movements;
  const master = state.users.masterOf(user);
  for (let left = 2; left > 0 && shares.countOf(master) > movementsPerUserMax; left--) {
    forget(state, movements.oldestOf(master));
  }
  for (let left = 2; left > 0 && shares.count > movementsMax; left--) {
    forget(state, movements.oldestOf(shares.heaviest));
  }
}

/** Removes up to `max` of the oldest whose window has passed. */
export function forgetMovements(state: State, max: number): void {
  const until = state.time - state.limits.values.movementWindowMs;
  for (let left = max; left > 0; left--) {
    const id = state.movements.oldestUntil(until);
    if (id === 0) return;
    forget(state, id);
  }
}

function forget(state: State, id: number): void {
  state.movements.forget(state.transfers.forget(id) ?? state.withdrawals.forget(id), id);
}
