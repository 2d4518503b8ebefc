/** The commands on orders: place, test, cancel, reduce, alter, and the dead man's switch. */

import type {
  AlterOrder,
  CancelOrder,
  CancelOrders,
  OrderName,
  OrderRequest,
  PlaceOrders,
  ReduceOrder,
  SetSwitch,
} from '../../packages/core/src/commands/commands.ts';
import type { DoneReason } from '../../packages/core/src/events/events.ts';
import type { OrderOutcome, Outcome, Rejected } from '../../packages/core/src/commands/outcomes.ts';
import { reject, type Rejection } from '../../packages/core/src/commands/rejections.ts';
import {
  checkOpen,
  checkPlacing,
  checkRequest,
  checkSizeIncrement,
  checkTakes,
  termsOf,
  visibleSizeMin,
} from './checks.ts';
import type { Instrument, Order, Terms } from './instrument.ts';
import { placeChecked } from './match.ts';
import { cancelResting, freeClientId, outcomeOf, placedOutcome, reduceBy } from './order.ts';
import {
  accepted,
  checkNotFrozen,
  checkSymbol,
  checkUser,
  refuse,
  refused,
  valueInvalid,
} from './refusal.ts';
import type { Cuttable, State } from './state.ts';

function checkOrder(state: State, user: number, request: OrderRequest): Rejection | null {
  const unfit = checkRequest(state, user, request);
  if (unfit !== null) return unfit;
  const terms = termsOf(request);
  const closed = checkTakes(state.instruments[request.symbol]!, terms);
  if (closed !== null) return closed;
  return checkPlacing(state, user, terms, null);
}

export function* placeOrder(
  state: State,
  user: number,
  request: OrderRequest,
): Cuttable<OrderOutcome | Rejected> {
  const wrong = checkOrder(state, user, request);
  if (wrong !== null) return refused(wrong);
  return placedOutcome(state, yield* placeChecked(state, user, termsOf(request)));
}

/** While one of them is unfinished, the symbols of the later ones are blocked too. */
export function* placeOrders(state: State, { user, orders }: PlaceOrders): Cuttable<Outcome> {
  const wrong = checkUser(state, user) ?? checkNotFrozen(state, user, 'trading');
  if (wrong !== null) return refused(wrong);
  const outcomes: (OrderOutcome | Rejected)[] = [];
  state.meetingsLeft = Math.max(state.meetingsLeft, orders.length);
  for (const [index, request] of orders.entries()) {
    const behind = orders.slice(index + 1).map(({ symbol }) => symbol);
    const placing = placeOrder(state, user, request);
    let step = placing.next();
    for (; !step.done; step = placing.next()) {
      yield { order: step.value.order, symbols: [...step.value.symbols, ...behind] };
    }
    outcomes.push(step.value);
  }
  return { kind: 'orders', outcomes };
}

export function testOrder(state: State, user: number, request: OrderRequest): Outcome {
  const wrong = checkOrder(state, user, request);
  return wrong === null ? accepted : refused(wrong);
}

/** A halt also prevents cancelling; trading disabled by the terms does not. */
export function checkNotHalted(instrument: Instrument): Rejection | null {
  const { symbol } = instrument;
  if (instrument.paused) return reject('market-closed', { symbol, state: 'paused' });
  return instrument.state === 'halted' ? reject('market-closed', { symbol, state: 'halted' }) : null;
}

/** The first checks of every command on a single order. */
export function checkName(state: State, name: OrderName): Rejection | null {
  const wrong = checkUser(state, name.user) ?? checkSymbol(state, name.symbol);
  if (wrong !== null) return wrong;
  const byId = name.order !== undefined;
  const byClientId = (name.clientId ?? '') !== '';
  if (byId === byClientId) {
    return reject('field-missing', {
      field: 'order',
      because: 'exactly one of order and clientId is needed',
    });
  }
  return null;
}

export function orderUnknown(name: OrderName): Rejected {
  return refuse('order-unknown', { order: name.order ?? 0, clientId: name.clientId ?? '' });
}

export function isNamed(name: OrderName, id: number, terms: Terms): boolean {
  if (terms.symbol !== name.symbol) return false;
  return name.order === undefined ? terms.clientId === name.clientId : id === name.order;
}

function findOrder(state: State, name: OrderName): Order | Rejected {
  const wrong = checkName(state, name) ?? checkNotHalted(state.instruments[name.symbol]!);
  if (wrong !== null) return refused(wrong);
  const found = state.users[name.user]!.orders.find((order) => isNamed(name, order.id, order.terms));
  if (found === undefined) return orderUnknown(name);
  const isMeant = name.createdSec === undefined || name.createdSec === Math.floor(found.createdAt / 1000);
  return isMeant ? found : orderUnknown(name);
}

export function cancelOrder(state: State, command: CancelOrder): Outcome {
  const order = findOrder(state, command);
  if ('kind' in order) return order;
  cancelResting(state, order, 'requested');
  return outcomeOf(order);
}

export function reduceOrder(state: State, command: ReduceOrder): Outcome {
  const order = findOrder(state, command);
  if ('kind' in order) return order;
  const { size: value } = command;
  const wrong = checkSizeIncrement(state.instruments[command.symbol]!.rules, value);
  if (wrong !== null) return refused(wrong);
  if (value > order.remaining) return refuse('size-above-max', { value, max: order.remaining });
  if (value === order.remaining) cancelResting(state, order, 'requested');
  else reduceBy(state, order, value, 'requested');
  return outcomeOf(order);
}

/** Cancels the user's orders in one market, oldest first. */
function cancelIn(state: State, user: number, symbol: number, reason: DoneReason): number[] {
  const orders = state.users[user]!.orders.filter((order) => order.terms.symbol === symbol);
  for (const order of orders) cancelResting(state, order, reason);
  return orders.map((order) => order.id);
}

export function cancelOrders(state: State, { user, symbol }: CancelOrders): Outcome {
  const wrong = checkUser(state, user) ?? (symbol === undefined ? null : checkSymbol(state, symbol));
  if (wrong !== null) return refused(wrong);
  if (symbol !== undefined) {
    const halted = checkNotHalted(state.instruments[symbol]!);
    if (halted !== null) return refused(halted);
    return { kind: 'cancelled', orders: cancelIn(state, user, symbol, 'requested') };
  }
  const cancelled: number[] = [];
  for (const instrument of state.instruments) {
    if (checkNotHalted(instrument) !== null) continue;
    cancelled.push(...cancelIn(state, user, instrument.symbol, 'requested'));
  }
  return { kind: 'cancelled', orders: cancelled };
}

export function* alterOrder(state: State, command: AlterOrder): Cuttable<Outcome> {
  const barred = checkUser(state, command.user) ?? checkNotFrozen(state, command.user, 'trading');
  const misnamed = barred ?? checkName(state, command);
  if (misnamed !== null) return refused(misnamed);
  const { newPrice, newSize } = command;
  if (newPrice === undefined && newSize === undefined) {
    return refuse('field-missing', { field: 'newPrice', because: 'newPrice or newSize is needed' });
  }
  const instrument = state.instruments[command.symbol]!;
  const closed = checkOpen(instrument);
  if (closed !== null) return refused(closed);
  const old = findOrder(state, command);
  if ('kind' in old) return old;
  const wrong = newSize === undefined ? null : checkSizeIncrement(instrument.rules, newSize);
  if (wrong !== null) return refused(wrong);

  if (newSize !== undefined && newSize <= old.dealSize) {
    cancelResting(state, old, 'altered');
    freeClientId(state, old.user, old.terms.clientId, old.id);
    return { kind: 'altered', cancelled: old.id, replacement: null };
  }
  const size = newSize === undefined ? old.remaining : newSize - old.dealSize;
  const price = newPrice ?? old.terms.price;
  let { visibleSize } = old.terms;
  if (old.terms.iceberg) {
    visibleSize = Math.max(Math.min(visibleSize, size), visibleSizeMin(instrument.rules, size));
  }
  const terms: Terms = { ...old.terms, price, size, visibleSize };
  const refusal = checkPlacing(state, command.user, terms, old);
  if (refusal !== null) return refused(refusal);
  cancelResting(state, old, 'altered');
  const replacement = placedOutcome(state, yield* placeChecked(state, command.user, terms));
  return { kind: 'altered', cancelled: old.id, replacement };
}

const SWITCH_OFF = -1;

export function setSwitch(state: State, command: SetSwitch): Outcome {
  const { user: number, timeoutSec } = command;
  const unknownUser = checkUser(state, number);
  if (unknownUser !== null) return refused(unknownUser);
  for (const symbol of command.symbols) {
    const unknown = checkSymbol(state, symbol);
    if (unknown !== null) return refused(unknown);
  }
  const inRange = Number.isInteger(timeoutSec) && timeoutSec >= 5 && timeoutSec <= 86_400;
  if (timeoutSec !== SWITCH_OFF && !inRange) {
    return refused(valueInvalid('timeoutSec', timeoutSec, '-1, or an integer from 5 to 86400'));
  }
  if (timeoutSec === SWITCH_OFF) {
    turnSwitchOff(state, number);
    return { kind: 'switch', triggerAt: 0 };
  }
  const triggerAt = state.time + timeoutSec * 1000;
  const symbols = [...new Set(command.symbols)].toSorted((one, other) => one - other);
  state.users[number]!.switch = { timeoutSec, triggerAt, symbols };
  state.events.push({ kind: 'switch-set', user: number, timeoutSec, triggerAt, symbols: [...symbols] });
  return { kind: 'switch', triggerAt };
}

function turnSwitchOff(state: State, user: number): void {
  state.users[user]!.switch = null;
  state.events.push({ kind: 'switch-set', user, timeoutSec: SWITCH_OFF, triggerAt: 0, symbols: [] });
}

/** The orders that it cancels when it fires. */
export function ordersOfSwitch(state: State, user: number): Order[] {
  const { orders, switch: set } = state.users[user]!;
  const { symbols } = set!;
  return orders.filter(({ terms }) => symbols.length === 0 || symbols.includes(terms.symbol));
}

/**
 * The switch was not renewed in time. It fires even in halted markets, because its user may be unable to come back.
 * Returns how many orders it cancelled.
 */
export function fireSwitch(state: State, user: number): number {
  const { symbols } = state.users[user]!.switch!;
  turnSwitchOff(state, user);
  let cancelled = 0;
  for (const instrument of state.instruments) {
    if (symbols.length === 0 || symbols.includes(instrument.symbol)) {
      cancelled += cancelIn(state, user, instrument.symbol, 'switch').length;
    }
  }
  return cancelled;
}
