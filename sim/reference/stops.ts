/** Stop orders: they wait outside the book until the last price reaches them. */

import type { CancelStopOrder, PlaceStopOrder } from '../../packages/core/src/commands.ts';
import type { StopDone } from '../../packages/core/src/events.ts';
import type { Outcome } from '../../packages/core/src/outcomes.ts';
import { checkOpen, checkPlacing, checkStopRules } from './check-market.ts';
import { checkRequest, termsOf } from './check-request.ts';
import { isOpen, type Market, type StopOrder } from './market.ts';
import { placeWithId } from './match.ts';
import { freeClientId } from './order.ts';
import { checkName, checkNotHalted, isNamed, orderUnknown } from './orders.ts';
import { accepted, checkOneOf, refuse, refused } from './refusal.ts';
import { takeId, type State } from './state.ts';

export function placeStopOrder(state: State, command: PlaceStopOrder): Outcome {
  const { user, stop, stopPrice } = command;
  const unfit = checkRequest(state, user, command, () => checkOneOf('stop', stop, ['loss', 'entry']));
  if (unfit !== null) return refused(unfit);
  const market = state.markets[command.symbol]!;
  const terms = termsOf(command);
  const wrong = checkOpen(market) ?? checkStopRules(market, stopPrice, terms);
  if (wrong !== null) return refused(wrong);
  const max = state.limits.stopOrdersPerSymbolMax;
  if (market.stops.filter((each) => each.user === user).length >= max) {
    return refuse('stop-orders-per-symbol', { max });
  }

  const id = takeId(state);
  market.stops.push({ id, user, stop, stopPrice, terms });
  if (terms.clientId !== '') state.users[user]!.clientIds.set(terms.clientId, { id, doneAt: null });
  state.stirred.add(market.symbol);
  state.events.push({
    kind: 'stop-placed',
    stopOrder: id,
    user,
    symbol: market.symbol,
    side: terms.side,
    type: terms.type,
    stop,
    stopPrice,
    price: terms.price,
    size: terms.size,
    funds: terms.funds,
    clientId: terms.clientId,
  });
  return { kind: 'added', id };
}

export function cancelStopOrder(state: State, command: CancelStopOrder): Outcome {
  const wrong = checkName(state, command) ?? checkNotHalted(state.markets[command.symbol]!);
  if (wrong !== null) return refused(wrong);
  const market = state.markets[command.symbol]!;
  const stop = market.stops.find(
    (each) => each.user === command.user && isNamed(command, each.id, each.terms),
  );
  if (stop === undefined) return orderUnknown(command);
  endStop(state, market, stop, 'requested', 0, '');
  return accepted;
}

function endStop(
  state: State,
  market: Market,
  stop: StopOrder,
  reason: StopDone['reason'],
  order: number,
  rejection: string,
): void {
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

function isDue(stop: StopOrder, lastPrice: number): boolean {
  return stop.stop === 'loss' ? lastPrice <= stop.stopPrice : lastPrice >= stop.stopPrice;
}

/** Places what has come due, one by one, because each may move the price for the next. */
export function triggerStops(state: State): void {
  const symbols = [...state.stirred].toSorted((one, other) => one - other);
  for (const symbol of symbols) {
    const market = state.markets[symbol]!;
    for (let stop = nextDue(market); stop !== null; stop = nextDue(market)) trigger(state, market, stop);
  }
  state.stirred.clear();
}

/** The list is in order of ids, so the first that is due has the smallest. */
function nextDue(market: Market): StopOrder | null {
  const { lastPrice } = market;
  if (lastPrice === null || !isOpen(market)) return null;
  return market.stops.find((stop) => isDue(stop, lastPrice)) ?? null;
}

function trigger(state: State, market: Market, stop: StopOrder): void {
  const wrong = checkOpen(market) ?? checkPlacing(state, stop.user, stop.terms, null);
  if (wrong !== null) {
    endStop(state, market, stop, 'rejected', 0, wrong.code);
    return;
  }
  const id = takeId(state);
  endStop(state, market, stop, 'triggered', id, '');
  placeWithId(state, id, stop.user, stop.terms);
}
