/** An operator cancels users' orders. The reason becomes each order's remark, which its owner sees. */

import type { CancelForOthers } from '../commands/commands.ts';
import type { CancelledOutcome } from '../commands/outcomes.ts';
import { type Rejection, reject } from '../commands/rejections.ts';
import type { State } from '../state.ts';
import { checkNotHalted, unknownOrder } from './cancel.ts';
import { cancelResting, DONE } from './finish.ts';
import { BUY, SELL } from './orders/order-rows.ts';
import { endPairOf, closeStop } from './stops/stops.ts';
import type { StopOrder } from './stops/stop-table.ts';
import type { UnfinishedMarket } from './unfinished/unfinished.ts';

export function cancelForOthers(state: State, command: CancelForOthers): CancelledOutcome | Rejection {
  const { user, symbol, order, why = '' } = command;
  const refused =
    (user === undefined ? null : state.users.unknown(user)) ??
    (symbol === undefined ? null : state.instruments.unknown(symbol)) ??
    checkFields(command) ??
    (symbol === undefined ? null : checkNotHalted(state.instruments.all[symbol]));
  if (refused) return refused;
  if (user === undefined) {
    clear(state, symbol as number, why);
    return { kind: 'cancelled', orders: [] };
  }
  if (order !== undefined) return cancelOne(state, { user, symbol: symbol as number, order }, why);
  return { kind: 'cancelled', orders: cancelAll(state, user, symbol, why) };
}

/** A single order needs its user and symbol, because unfinished work is looked up by these. */
function checkFields({ user, symbol, order }: CancelForOthers): Rejection | null {
  if (user === undefined && symbol === undefined) {
    return reject('field-missing', { field: 'user', because: 'user-or-symbol' });
  }
  if (order === undefined || (user !== undefined && symbol !== undefined)) return null;
  return reject('field-missing', { field: user === undefined ? 'user' : 'symbol', because: 'one-order' });
}

interface Named {
  readonly user: number;
  readonly symbol: number;
  readonly order: number;
}

/** If `order` is an OCO pair or a part of one, both parts end. */
function cancelOne(state: State, name: Named, why: string): CancelledOutcome | Rejection {
  const { user, symbol, order } = name;
  const stop = state.stops.get(state.ocos.get(order)?.stopOrder ?? order);
  if (stop !== null && stop.user === user && stop.request.symbol === symbol) {
    return { kind: 'cancelled', orders: cancelStop(state, stop, why) };
  }
  const row = state.orders.rowOf(order);
  if (row < 0 || state.orders.user(row) !== user || state.orders.symbol(row) !== symbol) {
    return unknownOrder(name);
  }
  cancelRow(state, row, why);
  return { kind: 'cancelled', orders: [order] };
}

/** Stop orders first, each with its pair. Skips halted markets. */
function cancelAll(state: State, user: number, only: number | undefined, why: string): number[] {
  const cancelled: number[] = [];
  const { instruments, orders, traders } = state;
  for (const stop of state.stops.listOf(user)) {
    const { symbol } = stop.request;
    if (symbol === (only ?? symbol) && !instruments.all[symbol].isHalted) {
      cancelled.push(...cancelStop(state, stop, why));
    }
  }
  for (const { number, isHalted } of instruments.all) {
    if (number !== (only ?? number) || isHalted) continue;
    let row = traders.firstOrder(traders.find(user, number));
    while (row >= 0) {
      const next = traders.nextOrder(orders, row);
      cancelled.push(orders.id(row));
      cancelRow(state, row, why);
      row = next;
    }
  }
  return cancelled.toSorted((a, b) => a - b);
}

function cancelStop(state: State, stop: StopOrder, why: string): number[] {
  const pair = state.ocos.ofStopOrder(stop.id);
  if (pair) {
    remark(state, state.orders.rowOf(pair.order), why);
    endPairOf(state, stop.id, 'cancelled', DONE.operator);
  }
  closeStop(state, { ...stop, request: { ...stop.request, remark: why } }, 'operator', why);
  return pair ? [stop.id, pair.order] : [stop.id];
}

function cancelRow(state: State, row: number, why: string): void {
  remark(state, row, why);
  cancelResting(state, row, DONE.operator);
}

function remark({ orders }: State, row: number, why: string): void {
  orders.setTexts(row, { clientId: '', tags: '', ...orders.textsOf(row), remark: why });
}

function clear(state: State, symbol: number, why: string): void {
  continueClearing(state, state.unfinished.addMarket({ task: 'clear', symbol, price: 0, size: 0, why }));
}

/** Cancels as many as the record allows: stop orders first, then buys, then sells, by priority. */
export function continueClearing(state: State, task: UnfinishedMarket): void {
  const { steps, stops } = state;
  const { symbol, why = '' } = task;
  const { book } = state.instruments.all[symbol];
  for (;;) {
    const stop = stops.firstIn(symbol);
    const buy = book.next(BUY);
    const row = buy >= 0 ? buy : book.next(SELL);
    if (!stop && row < 0) break;
    if (steps.meetingsLeft === 0) return;
    steps.meetingsLeft--;
    if (task.task === 'clear') {
      if (stop) cancelStop(state, stop, why);
      else cancelRow(state, row, why);
    } else if (stop) {
      endPairOf(state, stop.id, 'cancelled');
      closeStop(state, stop, 'delisted', '');
    } else cancelResting(state, row, DONE.delisted);
  }
  state.unfinished.remove(task);
}
