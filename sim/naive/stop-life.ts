/** How stop orders begin and end. */

import type { StopDone } from '../../packages/core/src/events/events.ts';
import type { StopOrder } from './instrument.ts';
import { freeClientId } from './order.ts';
import type { State } from './state.ts';

export function beginStop(state: State, stop: StopOrder): void {
  const { id, user, terms } = stop;
  const { symbol, side, type, price, size, funds, clientId } = terms;
  state.instruments[symbol]!.stops.push(stop);
  if (clientId !== '') state.users[user]!.clientIds.set(clientId, { id, doneAt: null });
  state.stirred.add(symbol);
  state.events.push({
    kind: 'stop-placed',
    stopOrder: id,
    user,
    symbol,
    side,
    type,
    stop: stop.stop,
    stopPrice: stop.stopPrice,
    price,
    size,
    funds,
    clientId,
  });
}

export function endStop(
  state: State,
  stop: StopOrder,
  reason: StopDone['reason'],
  order: number,
  rejection: string,
): void {
  const instrument = state.instruments[stop.terms.symbol]!;
  instrument.stops.splice(instrument.stops.indexOf(stop), 1);
  // If it triggers, the client id passes to its order.
  if (reason !== 'triggered') freeClientId(state, stop.user, stop.terms.clientId, stop.id);
  state.events.push({
    kind: 'stop-done',
    stopOrder: stop.id,
    user: stop.user,
    symbol: instrument.symbol,
    reason,
    order,
    rejection,
  });
}
