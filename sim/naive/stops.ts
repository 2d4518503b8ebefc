/** Stop orders, which wait outside the book until the last price reaches them, and OCO orders. */

import type {
  CancelForOthers,
  CancelOcoOrder,
  CancelStopOrder,
  OrderRequest,
  PlaceOcoOrder,
  PlaceStopOrder,
} from '../../packages/core/src/commands/commands.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import type { Rejection } from '../../packages/core/src/commands/rejections.ts';
import type { DoneReason, OcoDone, StopDone } from '../../packages/core/src/events/events.ts';
import { nextResting } from './book.ts';
import {
  checkOcoRules,
  checkOpen,
  checkPlacing,
  checkRequest,
  checkStopRules,
  checkTakesWaiting,
  termsOf,
} from './checks.ts';
import { type Cuttable, type State, takeId } from './state.ts';
import { type Instrument, isOpen, type Oco, type StopOrder } from './instrument.ts';
import { match } from './match.ts';
import { acceptOrder, cancelResting, freeClientId } from './order.ts';
import { checkName, checkNotHalted, isNamed, orderUnknown } from './orders.ts';
import {
  accepted,
  checkNotFrozen,
  checkOneOf,
  checkSymbol,
  checkUser,
  refuse,
  refused,
  valueInvalid,
} from './refusal.ts';
import { beginUnasked, isBusy, isUserBusy } from './unfinished.ts';

export function placeStopOrder(state: State, command: PlaceStopOrder): Outcome {
  const { user, stop, stopPrice } = command;
  const unfit = checkRequest(state, user, command, () => checkOneOf('stop', stop, ['loss', 'entry']));
  if (unfit !== null) return refused(unfit);
  const instrument = state.instruments[command.symbol]!;
  const terms = termsOf(command);
  const wrong = checkTakesWaiting(instrument, 'stop') ?? checkStopRules(instrument, stopPrice, terms);
  if (wrong !== null) return refused(wrong);
  const max = state.limits.stopOrdersPerSymbolMax;
  if (instrument.stops.filter((each) => each.user === user).length >= max) {
    return refuse('stop-orders-per-symbol', { max });
  }

  const id = takeId(state);
  beginStop(state, { id, user, stop, stopPrice, terms });
  return { kind: 'added', id };
}

export function cancelStopOrder(state: State, command: CancelStopOrder): Outcome {
  const wrong = checkName(state, command) ?? checkNotHalted(state.instruments[command.symbol]!);
  if (wrong !== null) return refused(wrong);
  const instrument = state.instruments[command.symbol]!;
  const stop = instrument.stops.find(
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

/** Checks the symbols that have traded since, ascending. */
export function triggerStops(state: State): void {
  settleOcos(state);
  const symbols = [...state.stirred].toSorted((one, other) => one - other);
  for (const symbol of symbols) triggerIn(state, symbol);
  state.stirred.clear();
}

/** Work that the previous record left over. */
export function carryOn(state: State): void {
  const symbols = [...state.leftOver].toSorted((one, other) => one - other);
  state.leftOver.clear();
  for (const symbol of symbols) triggerIn(state, symbol);
}

/** Places due stop orders one by one, because each may move the price for the next. */
function triggerIn(state: State, symbol: number): void {
  const instrument = state.instruments[symbol]!;
  for (let stop = nextDue(instrument); stop !== null; stop = nextDue(instrument)) {
    const isOwnerBusy = isUserBusy(state, stop.user);
    if (state.stepsLeft <= 0 || isBusy(state, symbol) || isOwnerBusy) {
      state.leftOver.add(symbol);
      return;
    }
    const { trades } = instrument;
    trigger(state, instrument, stop);
    settleOcos(state);
    state.stepsLeft -= 1 + instrument.trades - trades;
  }
}

/** The list is in order of ids, so the first due one has the smallest id. */
function nextDue(instrument: Instrument): StopOrder | null {
  const { lastPrice } = instrument;
  if (lastPrice === null || !isOpen(instrument)) return null;
  return instrument.stops.find((stop) => isDue(stop, lastPrice)) ?? null;
}

function trigger(state: State, instrument: Instrument, stop: StopOrder): void {
  endPairOf(state, stop, 'triggered');
  const wrong =
    checkNotFrozen(state, stop.user, 'trading') ??
    checkOpen(instrument) ??
    checkPlacing(state, stop.user, stop.terms, null);
  if (wrong !== null) {
    endStop(state, stop, 'rejected', 0, wrong.code);
    return;
  }
  const id = takeId(state);
  endStop(state, stop, 'triggered', id, '');
  beginUnasked(state, stop.user, match(state, acceptOrder(state, id, stop.user, stop.terms)));
}

/** A delisting cancels everything: stop orders with their pairs, then buys, then sells, within the record's limit. */
export function delist(state: State, symbol: number): void {
  beginUnasked(state, NOBODY, cancelEverything(state, state.instruments[symbol]!, 'delisted', 'oco', ''));
}

/** The same for an operator, who may also name one order or one user. */
export function cancelForOthers(state: State, command: CancelForOthers): Outcome {
  const { user, symbol, order, why = '' } = command;
  const wrong =
    (user === undefined ? null : checkUser(state, user)) ??
    (symbol === undefined ? null : checkSymbol(state, symbol));
  if (wrong !== null) return refused(wrong);
  const hasBoth = user !== undefined && symbol !== undefined;
  if ((user === undefined && symbol === undefined) || (order !== undefined && !hasBoth)) {
    const field = user === undefined ? 'user' : 'symbol';
    return refuse('field-missing', { field, because: 'others' });
  }
  const halted = symbol === undefined ? null : checkNotHalted(state.instruments[symbol]!);
  if (halted !== null) return refused(halted);
  if (user === undefined) {
    const instrument = state.instruments[symbol!]!;
    beginUnasked(state, NOBODY, cancelEverything(state, instrument, 'operator', 'operator', why));
    return { kind: 'cancelled', orders: [] };
  }
  const meant = state.instruments.filter(
    (each) => each.symbol === (symbol ?? each.symbol) && checkNotHalted(each) === null,
  );
  const stopId = state.ocos.find((each) => each.id === order)?.stop.id ?? order;
  const stops = meant
    .flatMap((instrument) => instrument.stops)
    .filter((each) => each.user === user && each.id === (stopId ?? each.id))
    .toSorted((one, other) => one.id - other.id);
  const cancelled: number[] = [];
  for (const stop of stops) {
    const pair = state.ocos.find((each) => each.stop === stop);
    if (pair !== undefined) cancelled.push(pair.order.id);
    endPairOf(state, stop, 'cancelled', 'operator');
    endStop(state, stop, 'operator', 0, why);
    cancelled.push(stop.id);
  }
  if (order === undefined || stops.length === 0) {
    for (const instrument of meant) {
      const orders = state.users[user]!.orders.filter(
        ({ id, terms }) => terms.symbol === instrument.symbol && id === (order ?? id),
      );
      for (const each of orders) {
        cancelled.push(each.id);
        cancelResting(state, each, 'operator');
      }
    }
  }
  if (order !== undefined && cancelled.length === 0) {
    return refuse('order-unknown', { order, clientId: '' });
  }
  return {
    kind: 'cancelled',
    orders: order === undefined ? cancelled.toSorted((one, other) => one - other) : cancelled.toReversed(),
  };
}

const NOBODY = -2;

function* cancelEverything(
  state: State,
  instrument: Instrument,
  reason: 'delisted' | 'operator',
  ofPair: 'oco' | 'operator',
  why: string,
): Cuttable<void> {
  for (;;) {
    const stop = instrument.stops[0];
    const order = nextResting(instrument, 'sell') ?? nextResting(instrument, 'buy');
    if (stop === undefined && order === null) return;
    while (state.meetingsLeft === 0) yield { order: 0, symbols: [instrument.symbol] };
    state.meetingsLeft -= 1;
    if (stop !== undefined) {
      endPairOf(state, stop, 'cancelled', ofPair);
      endStop(state, stop, reason, 0, why);
    } else cancelResting(state, order!, reason);
  }
}

// OCO orders: pairs of a limit order and a stop order.

export function placeOcoOrder(state: State, command: PlaceOcoOrder): Outcome {
  const { user, symbol, side, price, size, stopPrice, limitPrice, clientId = '', tags, remark } = command;
  const request = { symbol, type: 'limit', side, price, size, clientId, tags, remark } as OrderRequest;
  const wrong =
    checkRequest(state, user, request, () => checkStopPrice(command)) ??
    checkTakesWaiting(state.instruments[symbol]!, 'oco') ??
    checkOcoRules(state, user, termsOf(request), stopPrice, limitPrice);
  if (wrong !== null) return refused(wrong);

  const [id, stopId, orderId] = [takeId(state), takeId(state), takeId(state)];
  if (clientId !== '') state.users[user]!.clientIds.set(clientId, { id, doneAt: null });
  const ids = { oco: id, stopOrder: stopId, order: orderId };
  state.events.push({
    kind: 'oco-placed',
    ...ids,
    user,
    symbol,
    side,
    price,
    size,
    stopPrice,
    limitPrice,
    clientId,
  });
  const terms = { ...termsOf(request), clientId: '' };
  const stop: StopOrder = {
    id: stopId,
    user,
    stop: side === 'buy' ? 'entry' : 'loss',
    stopPrice,
    terms: { ...terms, price: limitPrice },
  };
  beginStop(state, stop);
  const order = acceptOrder(state, orderId, user, terms);
  beginUnasked(state, user, match(state, order));
  state.ocos.push({ id, user, symbol, clientId, order, stop });
  return { kind: 'added', id };
}

function checkStopPrice({ side, price, stopPrice }: PlaceOcoOrder): Rejection | null {
  const isFar = side === 'buy' ? stopPrice > price : stopPrice < price;
  return isFar ? null : valueInvalid('stopPrice', stopPrice, 'on the other side of the price');
}

export function cancelOcoOrder(state: State, command: CancelOcoOrder): Outcome {
  const wrong = checkName(state, command) ?? checkNotHalted(state.instruments[command.symbol]!);
  if (wrong !== null) return refused(wrong);
  const oco = state.ocos.find(
    (each) =>
      each.user === command.user &&
      each.symbol === command.symbol &&
      (command.order === undefined ? each.clientId === command.clientId : each.id === command.order),
  );
  if (oco === undefined) return orderUnknown(command);
  endPair(state, oco, 'requested', 'cancelled');
  endStop(state, oco.stop, 'requested', 0, '');
  return { kind: 'cancelled', orders: [oco.stop.id, oco.order.id] };
}

/** The stop order is about to end: if it is part of a pair, the limit order is cancelled first. */
function endPairOf(state: State, stop: StopOrder, reason: OcoDone['reason'], why: DoneReason = 'oco'): void {
  const oco = state.ocos.find((each) => each.stop === stop);
  if (oco !== undefined) endPair(state, oco, why, reason);
}

function endPair(state: State, oco: Oco, why: DoneReason, reason: OcoDone['reason']): void {
  cancelResting(state, oco.order, why);
  close(state, oco, reason);
}

function close(state: State, oco: Oco, reason: OcoDone['reason']): void {
  state.ocos.splice(state.ocos.indexOf(oco), 1);
  freeClientId(state, oco.user, oco.clientId, oco.id);
  state.events.push({ kind: 'oco-done', oco: oco.id, user: oco.user, symbol: oco.symbol, reason });
}

/** If the limit order has traded or ended, cancels the stop order. */
function settleOcos(state: State): void {
  for (const oco of state.ocos.filter(({ order }) => order.dealSize > 0 || order.done !== '')) {
    close(state, oco, oco.order.dealSize > 0 ? 'traded' : 'cancelled');
    endStop(state, oco.stop, 'oco', 0, '');
  }
}

// How stop orders begin and end.

function beginStop(state: State, stop: StopOrder): void {
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

function endStop(
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
