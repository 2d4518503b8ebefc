/** Stop orders: placing, cancelling, and triggering. */

import type { CancelStopOrder, OrderRequest, PlaceStopOrder } from '../../commands/commands.ts';
import type { AddedOutcome } from '../../commands/outcomes.ts';
import { firstOf, type Rejection, reject } from '../../commands/rejections.ts';
import type { State } from '../../state.ts';
import { invalidValue } from '../../values/text.ts';
import { checkName, unknownOrder } from '../cancel.ts';
import { checkClientIdFree, checkMarketFor, checkOrder, checkShape } from '../check.ts';
import { readDraft, requestOf } from '../draft.ts';
import { checkPrice } from '../increments.ts';
import { endPairOf, settleOcos } from './ocos.ts';
import { accept } from '../place.ts';
import { beginStop, closeStop, emitStopDone } from './stop-life.ts';
import type { StopOrder } from './stop-table.ts';

export function placeStopOrder(state: State, command: PlaceStopOrder): AddedOutcome | Rejection {
  const { user, symbol, stop, stopPrice } = command;
  const draft = state.orders.draft();
  const refused =
    readStopDraft(state, draft, command) ??
    checkClientIdFree(state, draft) ??
    checkStopTerms(state, draft, command);
  if (refused) return refused;
  const max = state.limits.values.stopOrdersPerSymbolMax;
  if (state.stops.count(user, symbol) >= max) return reject('stop-orders-per-symbol', { max });

  const id = state.newId();
  beginStop(state, { id, user, stop, stopPrice, createdAt: state.time, request: requestOf(command) });
  return { kind: 'added', id };
}

export function readStopDraft(state: State, draft: number, command: PlaceStopOrder): Rejection | null {
  const { user, stop } = command;
  const wrongStop = stop === 'loss' || stop === 'entry' ? null : invalidValue('stop', stop, 'loss or entry');
  return firstOf(readDraft(state, draft, user, command), wrongStop);
}

/** Checks the draft against the symbol's terms, which only operators change. */
export function checkStopTerms(state: State, draft: number, command: PlaceStopOrder): Rejection | null {
  const { symbol, stopPrice, funds } = command;
  const instrument = state.instruments.all[symbol];
  return (
    checkMarketFor(instrument, 'stop') ??
    firstOf(checkPrice(stopPrice, instrument.rules.priceIncrement), checkShape(state, draft, funds))
  );
}

export function cancelStopOrder(state: State, command: CancelStopOrder): Rejection | null {
  const refused = checkName(state, command);
  if (refused) return refused;
  const { user, symbol, order, clientId } = command;
  const stop = state.stops.get(order ?? state.clientIds.find(user, clientId ?? ''));
  if (!stop || stop.user !== user || stop.request.symbol !== symbol) {
    return unknownOrder(command);
  }
  endPairOf(state, stop.id, 'cancelled');
  closeStop(state, stop, 'requested', '');
  return null;
}

/**
 * Places everything that the symbol's last price has made due, oldest first, until nothing is due, the record has no steps
 * left, or an order of the symbol or of the stop order's user is unfinished: then the next record continues.
 */
export function triggerStops(state: State, symbol: number): void {
  const instrument = state.instruments.all[symbol];
  const { book } = instrument;
  if (!instrument.isOpen || !state.stops.anyDue(symbol, book.lastPrice)) return;
  for (;;) {
    const first = state.stops.firstDue(symbol, book.lastPrice);
    if (!first) return;
    if (!state.steps.areLeft || state.unfinished.isBusy(symbol) || overtakesOwn(state, first)) {
      state.steps.carryOn(symbol);
      return;
    }
    const { trades } = book;
    trigger(state, first);
    settleOcos(state);
    state.steps.take(1 + book.trades - trades);
  }
}

/** Whether it would use money that an unfinished order of its user still holds. */
function overtakesOwn({ unfinished }: State, { user }: StopOrder): boolean {
  return unfinished.isOf(user);
}

/** Rules 6 to 9 now, minFunds included; the client id passes from the stop order to the order. */
function trigger(state: State, stop: StopOrder): void {
  const { request, user } = stop;
  endPairOf(state, stop.id, 'triggered');
  const draft = state.orders.draft();
  const refused = checkOrder(state, draft, user, withoutClientId(request));
  if (refused) {
    closeStop(state, stop, 'rejected', refused.code);
    return;
  }
  state.stops.remove(stop);
  const { clientId = '', tags = '', remark = '' } = request;
  if (clientId !== '') state.orders.setTexts(draft, { clientId, tags, remark });
  const id = state.newId();
  emitStopDone(state, stop, 'triggered', id, '');
  state.orders.commit(draft, id);
  accept(state, draft, false);
}

/** For the check: the stop order itself uses the client id, so the check would reject it. */
function withoutClientId(request: OrderRequest): OrderRequest {
  const { clientId: _, ...rest } = request;
  return rest;
}
