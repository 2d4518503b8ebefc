/** Room for one more transfer or withdrawal, and what makes room again. */

import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';

/**
 * Whether the user may have one more. Since rules 6 no transfer is refused, and a withdrawal only for the number of
 * those of the same master that are not over: what others do never keeps anybody from their money.
 */
export function checkMovementRoom(
  state: State,
  user: number,
  kind: 'transfer' | 'withdrawal',
): Rejection | null {
  if (state.rules < 2) return null;
  const { movementsPerUserMax, movementsMax } = state.limits.values;
  const isFull =
    state.rules < 6
      ? state.movements.countOf(user) >= movementsPerUserMax
      : kind === 'withdrawal' && state.withdrawals.openOf(user) >= movementsPerUserMax;
  if (isFull) return reject('movements-per-user', { max: movementsPerUserMax });
  if (state.rules >= 6 || state.movements.count < movementsMax) return null;
  return reject('movements-in-all', { max: movementsMax });
}

/**
 * The window of a movement that is over begins. Since rules 6, where its master then has more than
 * `movementsPerUserMax`, that master's oldest is forgotten, and where there are more than `movementsMax` in all, the
 * oldest of the heaviest master. Two each at most: one is added at a time, and the second works off what is too many
 * after a limit was lowered.
 */
export function rememberMovement(state: State, user: number, id: number): void {
  const { movements } = state;
  if (state.rules < 2) return;
  movements.remember(user, id, state.time);
  if (state.rules < 6) return;
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

/** Forgets the oldest whose window has passed, at most so many. */
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
