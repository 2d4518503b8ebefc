/** The client id of what is done stays taken for the look-up window, or until its room is needed. */

import type { State } from '../state.ts';

export function rememberClientId(state: State, user: number, clientId: string): void {
  state.clientIds.finish(user, clientId, state.time);
  const { clientIdsPerUserMax, clientIdsMax } = state.limits.values;
  state.clientIds.makeRoom(user, clientIdsPerUserMax, clientIdsMax);
}
