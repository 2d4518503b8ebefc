/** The client id of a done order stays in use for the look-up window, or until its memory is needed. */

import type { State } from '../state.ts';

export function rememberClientId(state: State, user: number, clientId: string): void {
  state.clientIds.finish(user, clientId, state.time);
  const { clientIdsPerUserMax, clientIdsMax } = state.limits.values;
  state.clientIds.makeRoom(user, clientIdsPerUserMax, clientIdsMax);
}
