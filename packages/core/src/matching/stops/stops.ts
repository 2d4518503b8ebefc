/** Stop orders and OCO orders (one cancels the other): placing, cancelling, triggering, and their end. */

import type {
  CancelOcoOrder,
  CancelStopOrder,
  OrderRequest,
  PlaceOcoOrder,
  PlaceStopOrder,
} from '../../commands/commands.ts';
import type { AddedOutcome, CancelledOutcome } from '../../commands/outcomes.ts';
import { firstOf, reject, type Rejection } from '../../commands/rejections.ts';
import type { OcoDone, StopDone } from '../../events/events.ts';
import { checkName, unknownOrder } from '../cancel.ts';
import {
  checkClientIdFree,
  checkMarketFor,
  checkOrder,
  checkRulesAndMoney,
  checkShape,
  checkTerms,
  NO_ORDER,
  readDraft,
  requestOf,
} from '../check.ts';
import { cancelResting, DONE, rememberClientId } from '../finish.ts';
import { withPaired } from '../orders/order-rows.ts';
import { accept } from '../place.ts';
import type { OcoOrder, StopOrder } from './stop-table.ts';
import type { State } from '../../state.ts';
import { checkClientId, checkPrice, invalidValue, pick } from '../../values/checks.ts';

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
      state.steps.defer(symbol);
      return;
    }
    const { trades } = book;
    trigger(state, first);
    settleOcos(state);
    state.steps.use(1 + book.trades - trades);
  }
}

/** Whether it would use money that an unfinished order of its user still holds. */
function overtakesOwn({ unfinished }: State, { user }: StopOrder): boolean {
  return unfinished.isOf(user);
}

/** Runs checks 6 to 9 now, including minFunds; the client id passes from the stop order to the order. */
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

/** Adds a pending stop order. If it is due already, it is placed at the end of the current command. */
function beginStop(state: State, stop: StopOrder): void {
  const { id, user, request } = stop;
  const { symbol, side, type, clientId = '' } = request;
  state.stops.add(stop);
  if (clientId !== '') state.clientIds.claim(user, clientId, id);
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

function emitStopDone(
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

// OCO orders: pairs of a limit order in the book and a pending stop order.

const SHARED = [
  'symbol',
  'side',
  'size',
  'tags',
  'remark',
] as const satisfies readonly (keyof PlaceOcoOrder)[];

/** The client id is the pair's; its parts have none. */
export function placeOcoOrder(state: State, command: PlaceOcoOrder): AddedOutcome | Rejection {
  const { user, symbol, side, price, size, stopPrice, limitPrice, clientId = '' } = command;
  const draft = state.orders.draft();
  const shared = pick<PlaceOcoOrder, (typeof SHARED)[number]>(command, SHARED);
  const refused =
    readOcoDraft(state, draft, command) ??
    checkPairIdFree(state, user, clientId) ??
    checkMarketFor(state.instruments.all[symbol], 'oco') ??
    checkBoth(state, draft, command);
  if (refused) return refused;

  const id = state.newId();
  const stopOrder = state.newId();
  const order = state.newId();
  const time = state.time;
  state.ocos.add({ id, user, symbol, clientId, order, stopOrder, createdAt: time });
  if (clientId !== '') state.clientIds.claim(user, clientId, id);
  const parts = { price, size, stopPrice, limitPrice, stopOrder, order };
  state.events.rare({ kind: 'oco-placed', oco: id, user, symbol, side, ...parts, clientId });
  const request: OrderRequest = { type: 'limit', price: limitPrice, ...shared };
  const stop = side === 'buy' ? 'entry' : 'loss';
  beginStop(state, { id: stopOrder, user, stop, stopPrice, createdAt: time, request });
  state.orders.addFlags(draft, withPaired(0));
  state.orders.commit(draft, order);
  accept(state, draft, false);
  return { kind: 'added', id };
}

export function readOcoDraft(state: State, draft: number, command: PlaceOcoOrder): Rejection | null {
  const { user, price, clientId = '' } = command;
  const shared = pick<PlaceOcoOrder, (typeof SHARED)[number]>(command, SHARED);
  return firstOf(
    firstOf(checkClientId(clientId), readDraft(state, draft, user, { type: 'limit', price, ...shared })),
    checkStopPrice(command),
  );
}

/** Checks the draft against the symbol's terms, which only operators change. They take precedence over limits and money. */
export function checkOcoTerms(state: State, draft: number, command: PlaceOcoOrder): Rejection | null {
  const instrument = state.instruments.all[command.symbol];
  const { priceIncrement } = instrument.rules;
  return (
    checkMarketFor(instrument, 'oco') ??
    [checkPrice(command.stopPrice, priceIncrement), checkPrice(command.limitPrice, priceIncrement)].reduce(
      firstOf,
      checkTerms(state, draft, instrument, undefined),
    )
  );
}

/** One of the two prices is above the market, the other below it. */
function checkStopPrice({ side, price, stopPrice }: PlaceOcoOrder): Rejection | null {
  if (side === 'buy' ? stopPrice > price : stopPrice < price) return null;
  return invalidValue('stopPrice', stopPrice, side === 'buy' ? 'above the price' : 'below the price');
}

function checkPairIdFree(state: State, user: number, clientId: string): Rejection | null {
  const order = clientId === '' ? 0 : state.clientIds.find(user, clientId);
  return order === 0 ? null : reject('client-id-used', { clientId, order });
}

/** The limit part as an order; of the stop part its prices and its place. */
function checkBoth(state: State, draft: number, command: PlaceOcoOrder): Rejection | null {
  const { user, symbol, stopPrice, limitPrice } = command;
  const { priceIncrement } = state.instruments.all[symbol].rules;
  const max = state.limits.values.stopOrdersPerSymbolMax;
  const isFull = state.stops.count(user, symbol) >= max;
  return [
    checkPrice(stopPrice, priceIncrement),
    checkPrice(limitPrice, priceIncrement),
    isFull ? reject('stop-orders-per-symbol', { max }) : null,
  ].reduce(firstOf, checkRulesAndMoney(state, draft, undefined, NO_ORDER));
}

export function cancelOcoOrder(state: State, command: CancelOcoOrder): CancelledOutcome | Rejection {
  const refused = checkName(state, command);
  if (refused) return refused;
  const { user, symbol, order, clientId } = command;
  const oco = state.ocos.get(order ?? state.clientIds.find(user, clientId ?? ''));
  if (!oco || oco.user !== user || oco.symbol !== symbol) return unknownOrder(command);
  endPair(state, oco, DONE.requested, 'cancelled');
  closeStop(state, stopOf(state, oco), 'requested', '');
  return { kind: 'cancelled', orders: [oco.stopOrder, oco.order] };
}

/** When a stop order ends that is part of a pair: the limit part is cancelled first. */
export function endPairOf(
  state: State,
  stopOrder: number,
  reason: 'triggered' | 'cancelled',
  why: number = DONE.oco,
): void {
  const oco = state.ocos.ofStopOrder(stopOrder);
  if (oco) endPair(state, oco, why, reason);
}

/** Ends the limit part, then the pair; the caller ends the stop part. */
function endPair(state: State, oco: OcoOrder, why: number, reason: OcoDone['reason']): void {
  const row = state.orders.rowOf(oco.order);
  unmark(state, row);
  cancelResting(state, row, why);
  close(state, oco, reason);
}

/** After a command or due event: if the limit part traded or ended, the stop part is cancelled. */
export function settleOcos(state: State): void {
  if (!state.ocos.hasChanged) return;
  for (const { oco, traded } of state.ocos.takeChanged()) {
    const row = state.orders.rowOf(oco.order);
    if (row >= 0) unmark(state, row);
    close(state, oco, traded ? 'traded' : 'cancelled');
    closeStop(state, stopOf(state, oco), 'oco', '');
  }
}

/** The remainder of the limit part becomes an ordinary order. */
function unmark({ orders }: State, row: number): void {
  orders.clearPaired(row);
}

function stopOf(state: State, oco: OcoOrder): StopOrder {
  return state.stops.get(oco.stopOrder) as StopOrder;
}

function close(state: State, oco: OcoOrder, reason: OcoDone['reason']): void {
  const { id, user, symbol, clientId } = oco;
  state.ocos.remove(oco);
  state.doneOcos.push({ ...oco, reason, doneAt: state.time });
  if (clientId !== '') rememberClientId(state, user, clientId);
  state.events.rare({ kind: 'oco-done', oco: id, user, symbol, reason });
}
