/** Cancels: one order, all of a symbol, all; and reductions. */

import type { CancelOrder, CancelOrders, OrderName, ReduceOrder } from '../commands/commands.ts';
import type { CancelledOutcome } from '../commands/outcomes.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { Instrument } from '../reference/instrument.ts';
import type { State } from '../state.ts';
import { cancelUntouched } from './cancel-untouched.ts';
import * as ends from './finish.ts';
import { cancelResting, reduce } from './finish.ts';
import { isPositiveMultiple, neighbours } from '../values/checks.ts';

/** Local copies of imported constants: see event-batch.ts. */
const { DONE, ZERO_AMOUNT, REDUCED, RESTS } = ends;

/** The row of the user's own active order, or a rejection. Nothing can be cancelled in a `halted` market. */
export function findOwn(state: State, name: OrderName): number | Rejection {
  const { orders } = state;
  const refused = checkName(state, name);
  if (refused) return refused;
  const row = orders.rowOf(name.order ?? state.clientIds.find(name.user, name.clientId ?? ''));
  if (row < 0 || orders.user(row) !== name.user || orders.symbol(row) !== name.symbol)
    return unknownOrder(name);
  const { createdSec } = name;
  if (createdSec !== undefined && createdSec !== Math.floor(orders.createdAt(row) / 1000))
    return unknownOrder(name);
  return row;
}

export function unknownOrder({ order = 0, clientId = '' }: OrderName): Rejection {
  return reject('order-unknown', { order, clientId });
}

/** Exactly one of id and client id is given; an empty client id counts as not given. */
export function checkName(state: State, name: OrderName): Rejection | null {
  const { user, symbol } = name;
  if (state.users.all[user] === undefined) return reject('user-unknown', { user });
  const instrument = state.instruments.all[symbol];
  if (instrument === undefined || instrument.removed) return reject('symbol-unknown', { symbol });
  if ((name.order !== undefined) === Boolean(name.clientId)) {
    return reject('field-missing', { field: 'order', because: 'one-name' });
  }
  return checkNotHalted(instrument);
}

export function checkNotHalted(instrument: Instrument): Rejection | null {
  if (!instrument.isHalted) return null;
  const state = instrument.isPaused ? 'paused' : 'halted';
  return reject('market-closed', { symbol: instrument.number, state });
}

export function cancelOrder(state: State, command: CancelOrder): Rejection | null {
  if (cancelUntouched(state, command)) return null;
  const row = findOwn(state, command);
  if (typeof row !== 'number') return row;
  end(state, row);
  return null;
}

export function reduceOrder(state: State, command: ReduceOrder): Rejection | null {
  const row = findOwn(state, command);
  if (typeof row !== 'number') return row;
  const { baseIncrement } = state.instruments.all[command.symbol].rules;
  const { size } = command;
  if (!isPositiveMultiple(size, baseIncrement)) {
    return reject('size-increment', { value: size, ...neighbours(size, baseIncrement) });
  }
  const remaining = state.orders.remaining(row);
  if (size > remaining) return reject('size-above-max', { value: size, max: remaining });
  if (size === remaining) end(state, row);
  else {
    reduce(state, row, size, REDUCED.requested);
    state.outcomes.order(state.orders, row, RESTS, ZERO_AMOUNT, ZERO_AMOUNT);
  }
  return null;
}

export function cancelOrders(state: State, command: CancelOrders): CancelledOutcome | Rejection {
  const { user, symbol } = command;
  const refused =
    state.users.unknown(user) ?? (symbol === undefined ? null : state.instruments.unknown(symbol));
  if (refused) return refused;
  const orders: number[] = [];
  if (symbol === undefined) {
    for (const instrument of state.instruments.all) {
      if (!instrument.isHalted) cancelAllOf(state, user, instrument.number, DONE.requested, orders);
    }
  } else {
    const halted = checkNotHalted(state.instruments.all[symbol]);
    if (halted) return halted;
    cancelAllOf(state, user, symbol, DONE.requested, orders);
  }
  return { kind: 'cancelled', orders };
}

/** The user's orders in one symbol, in ascending id. */
export function cancelAllOf(state: State, user: number, symbol: number, why: number, ids: number[]): void {
  const { orders, traders } = state;
  let row = traders.firstOrder(traders.find(user, symbol));
  while (row >= 0) {
    const next = traders.nextOrder(orders, row);
    ids.push(orders.id(row));
    cancelResting(state, row, why);
    row = next;
  }
}

function end(state: State, row: number): void {
  state.outcomes.order(state.orders, row, DONE.requested, ZERO_AMOUNT, ZERO_AMOUNT);
  cancelResting(state, row, DONE.requested);
}
