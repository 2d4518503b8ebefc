/** How long, and how many, transfers and withdrawals are remembered. */

import { reject, type Rejection } from '../../packages/core/src/commands/rejections.ts';
import { heaviest } from './shares.ts';
import { masterOf, type State } from './state.ts';

/** Whether the master and its sub-accounts may have one more open withdrawal. */
export function checkWithdrawalRoom(state: State, user: number): Rejection | null {
  const max = state.limits.movementsPerUserMax;
  const open = [...state.withdrawals.values()].filter(
    (each) =>
      (each.state === 'processing' || each.state === 'paying') &&
      masterOf(state, each.user) === masterOf(state, user),
  );
  return open.length >= max ? reject('movements-per-user', { max }) : null;
}

interface Past {
  readonly since: number;
  readonly id: number;
  readonly master: number;
  readonly forget: () => void;
}

/** Movements that may be dropped, oldest first. */
function listPast(state: State): Past[] {
  const past: Past[] = [];
  const look = (id: number, since: number | null, user: number, forget: () => void): void => {
    if (since !== null) past.push({ since, id, master: masterOf(state, user), forget });
  };
  for (const { number, transfers } of state.users) {
    for (const [clientId, { id, since }] of transfers) {
      look(id, since, number, () => transfers.delete(clientId));
    }
  }
  for (const [id, { since, user }] of state.withdrawals) {
    look(id, since, user, () => state.withdrawals.delete(id));
  }
  return past.toSorted((one, other) => one.since - other.since || one.id - other.id);
}

/** After a movement is completed, drops at most two of its master, and at most two of the master with the most. */
export function makeRoomForMovements(state: State, user: number): void {
  const { movementsPerUserMax, movementsMax } = state.limits;
  const past = listPast(state);
  const forgetOldestOf = (master: number): void => {
    const [oldest] = past.splice(
      past.findIndex((each) => each.master === master),
      1,
    );
    oldest!.forget();
  };
  const own = masterOf(state, user);
  for (let times = 0; times < 2; times += 1) {
    if (past.filter(({ master }) => master === own).length > movementsPerUserMax) forgetOldestOf(own);
  }
  for (let times = 0; times < 2; times += 1) {
    if (past.length > movementsMax) forgetOldestOf(heaviest(past.map(({ master }) => master)));
  }
}

/** At the start of a record, drops a bounded number of movements whose window has passed, oldest first. */
export function forgetMovements(state: State, commands: number): void {
  const { movementWindowMs, stepsPerRecordMax } = state.limits;
  const past = listPast(state).filter(({ since }) => state.time - since >= movementWindowMs);
  for (const { forget } of past.slice(0, 4 * stepsPerRecordMax + 32 * commands)) forget();
}
