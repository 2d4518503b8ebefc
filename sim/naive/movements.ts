/** How long transfers and withdrawals are remembered, and how many of them. */

import { reject, type Rejection } from '../../packages/core/src/commands/rejections.ts';
import type { State } from './state.ts';

/** Whether one more movement of the user may be remembered. */
export function checkMovementRoom(state: State, user: number): Rejection | null {
  if (state.rules < 2) return null;
  const { movementsPerUserMax, movementsMax } = state.limits;
  const withdrawals = [...state.withdrawals.values()];
  const own = withdrawals.filter((each) => each.user === user).length + state.users[user]!.transfers.size;
  if (own >= movementsPerUserMax) return reject('movements-per-user', { max: movementsPerUserMax });
  let all = withdrawals.length;
  for (const { transfers } of state.users) all += transfers.size;
  return all >= movementsMax ? reject('movements-in-all', { max: movementsMax }) : null;
}

/** What was made under rules 1 is remembered for ever. */
export function rememberedSince(state: State): number | null {
  return state.rules < 2 ? null : state.time;
}

/** At the start of a record: those whose window has passed, a bounded number of them, the oldest first. */
export function forgetMovements(state: State, commands: number): void {
  if (state.rules < 2) return;
  const { movementWindowMs, stepsPerRecordMax } = state.limits;
  const past: { since: number; id: number; forget: () => void }[] = [];
  const look = (id: number, since: number | null, forget: () => void): void => {
    if (since !== null && state.time - since >= movementWindowMs) past.push({ since, id, forget });
  };
  for (const { transfers } of state.users) {
    for (const [clientId, { id, since }] of transfers) look(id, since, () => transfers.delete(clientId));
  }
  for (const [id, { since }] of state.withdrawals) look(id, since, () => state.withdrawals.delete(id));
  past.sort((one, other) => one.since - other.since || one.id - other.id);
  for (const { forget } of past.slice(0, 4 * stepsPerRecordMax + 32 * commands)) forget();
}
