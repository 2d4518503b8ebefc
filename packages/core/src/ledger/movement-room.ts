/** Room for one more transfer or withdrawal, and what makes room again. */

import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';

/** Whether the user may have one more. */
export function checkMovementRoom(state: State, user: number): Rejection | null {
  if (state.rules < 2) return null;
  const { movementsPerUserMax, movementsMax } = state.limits.values;
  if (state.movements.countOf(user) >= movementsPerUserMax) {
    return reject('movements-per-user', { max: movementsPerUserMax });
  }
  return state.movements.count >= movementsMax ? reject('movements-in-all', { max: movementsMax }) : null;
}

/** Forgets the oldest whose window has passed, at most so many. */
export function forgetMovements(state: State, max: number): void {
  const until = state.time - state.limits.values.movementWindowMs;
  for (let left = max; left > 0; left--) {
    const id = state.movements.takeUntil(until);
    if (id === 0) return;
    state.movements.remove(state.transfers.forget(id) ?? state.withdrawals.forget(id));
  }
}
