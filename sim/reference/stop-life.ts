/** How a stop order begins and how it ends. */

import type { StopDone } from '../../packages/core/src/events.ts';
import type { StopOrder } from './market.ts';
import { freeClientId } from './order.ts';
import type { State } from './state.ts';

export function beginStop(state: State, stop: StopOrder): void {
  const { id, user, terms } = stop;
  const { symbol, side, type, price, size, funds, clientId } = terms;
  state.markets[symbol]!.stops.push(stop);
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
  const market = state.markets[stop.terms.symbol]!;
  market.stops.splice(market.stops.indexOf(stop), 1);
  freeClientId(state, stop.user, stop.terms.clientId, stop.id);
  state.events.push({
    kind: 'stop-done',
    stopOrder: stop.id,
    user: stop.user,
    symbol: market.symbol,
    reason,
    order,
    rejection,
  });
}
