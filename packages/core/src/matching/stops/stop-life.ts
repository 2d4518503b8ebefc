/** The start and the end of a stop order. */

import type { StopDone } from '../../events/events.ts';
import type { State } from '../../state.ts';
import type { StopOrder } from './stop-table.ts';
import { rememberClientId } from '../finish.ts';

/** Adds a pending stop order. If it is due already, it is placed at the end of the current command. */
export function beginStop(state: State, stop: StopOrder): void {
  const { id, user, request } = stop;
  const { symbol, side, type, clientId = '' } = request;
  state.stops.add(stop);
  if (clientId !== '') state.clientIds.take(user, clientId, id);
  state.touch(symbol);
  state.events.rare({
    kind: 'stop-placed',
    stopOrder: id,
    user,
    symbol,
    side,
    type,
    stop: stop.stop,
    stopPrice: stop.stopPrice,
    price: request.price ?? 0,
    size: request.size ?? 0,
    funds: request.funds ?? 0n,
    clientId,
  });
}

/** The end of a stop order that did not become an order. */
export function closeStop(
  state: State,
  stop: StopOrder,
  reason: Exclude<StopDone['reason'], 'triggered'>,
  rejection: string,
): void {
  const { clientId } = stop.request;
  state.stops.remove(stop);
  if (clientId) rememberClientId(state, stop.user, clientId);
  emitStopDone(state, stop, reason, 0, rejection);
}

export function emitStopDone(
  state: State,
  stop: StopOrder,
  reason: StopDone['reason'],
  order: number,
  rejection: string,
): void {
  const { id, user, request } = stop;
  state.doneStops.push({ ...stop, reason, order, rejection, doneAt: state.time });
  state.events.rare({
    kind: 'stop-done',
    stopOrder: id,
    user,
    symbol: request.symbol,
    reason,
    order,
    rejection,
  });
}
