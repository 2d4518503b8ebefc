/** Stop orders: they wait outside the book until the last price reaches them. */

import type { CancelStopOrder, PlaceStopOrder } from '../../packages/core/src/commands.ts';
import type { Outcome } from '../../packages/core/src/outcomes.ts';
import { checkOpen, checkPlacing, checkStopRules } from './check-market.ts';
import { checkRequest, termsOf } from './check-request.ts';
import { isOpen, type Market, type StopOrder } from './market.ts';
import { placeWithId } from './match.ts';
import { endPairOf, settleOcos } from './ocos.ts';
import { checkName, checkNotHalted, isNamed, orderUnknown } from './orders.ts';
import { accepted, checkNotFrozen, checkOneOf, refuse, refused } from './refusal.ts';
import { takeId, type State } from './state.ts';
import { beginStop, endStop } from './stop-life.ts';

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
  beginStop(state, { id, user, stop, stopPrice, terms });
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
  endPairOf(state, stop, 'cancelled');
  endStop(state, stop, 'requested', 0, '');
  return accepted;
}

function isDue(stop: StopOrder, lastPrice: number): boolean {
  return stop.stop === 'loss' ? lastPrice <= stop.stopPrice : lastPrice >= stop.stopPrice;
}

/** Places what has come due, one by one, because each may move the price for the next. */
export function triggerStops(state: State): void {
  settleOcos(state);
  const symbols = [...state.stirred].toSorted((one, other) => one - other);
  for (const symbol of symbols) {
    const market = state.markets[symbol]!;
    for (let stop = nextDue(market); stop !== null; stop = nextDue(market)) {
      trigger(state, market, stop);
      settleOcos(state);
    }
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
  endPairOf(state, stop, 'triggered');
  const wrong =
    checkNotFrozen(state, stop.user) ?? checkOpen(market) ?? checkPlacing(state, stop.user, stop.terms, null);
  if (wrong !== null) {
    endStop(state, stop, 'rejected', 0, wrong.code);
    return;
  }
  const id = takeId(state);
  endStop(state, stop, 'triggered', id, '');
  placeWithId(state, id, stop.user, stop.terms);
}
