/** The life cycle of an order without matching: acceptance, resting, reduction, end. */

import type { DoneReason, OrderReduced } from '../../packages/core/src/events/events.ts';
import type { OrderOutcome } from '../../packages/core/src/commands/outcomes.ts';
import { putInBook, takeFromBook, emitBookChange } from './book.ts';
import { amountToHold } from './checks.ts';
import { costWithFee, ratesFor } from './fees.ts';
import { balanceOf, heldCurrency, release, takeHold } from './ledger.ts';
import type { Order, Terms } from './instrument.ts';
import { heaviest } from './decimal.ts';
import { masterOf, type State } from './state.ts';

/** The caller gives the id, because the end of a stop order names it before the order's first event. */
export function acceptOrder(state: State, id: number, user: number, terms: Terms): Order {
  const rates = ratesFor(state, user, terms.symbol);
  const order: Order = {
    id,
    user,
    terms,
    makerRate: BigInt(rates.maker),
    takerRate: BigInt(rates.taker),
    createdAt: state.time,
    expiresAt: terms.timeInForce === 'GTT' ? state.time + terms.cancelAfterSec * 1000 : 0,
    remaining: terms.size,
    slice: 0,
    held: 0n,
    dealSize: 0,
    dealFunds: 0n,
    fee: 0n,
    slack: 0n,
    cancelledSize: 0,
    cancelledFunds: 0n,
    rested: false,
    done: '',
  };
  if (terms.clientId !== '') state.users[user]!.clientIds.set(terms.clientId, { id, doneAt: null });
  state.events.push({
    kind: 'order-received',
    order: id,
    user,
    symbol: terms.symbol,
    side: terms.side,
    type: terms.type,
    price: terms.price,
    size: terms.size,
    funds: terms.funds,
    timeInForce: terms.timeInForce,
    cancelAfterSec: terms.cancelAfterSec,
    postOnly: terms.postOnly,
    hidden: terms.hidden,
    iceberg: terms.iceberg,
    visibleSize: terms.visibleSize,
    stp: terms.stp,
    makerRate: rates.maker,
    takerRate: rates.taker,
    clientId: terms.clientId,
    tags: terms.tags,
    remark: terms.remark,
  });
  const { available } = balanceOf(state, user, 'trade', heldCurrency(state, order));
  takeHold(state, order, amountToHold(state, user, terms, available));
  return order;
}

/** The hold that a limit order needs for its remainder. */
export function neededHold(state: State, order: Order): bigint {
  const { side, price, symbol } = order.terms;
  if (side === 'sell') return BigInt(order.remaining) * state.instruments[symbol]!.rules.sizeUnit;
  return costWithFee(order, BigInt(price) * BigInt(order.remaining));
}

export function restOrder(state: State, order: Order): void {
  const instrument = state.instruments[order.terms.symbol]!;
  putInBook(instrument, order);
  order.rested = true;
  state.users[order.user]!.orders.push(order);
  if (order.expiresAt > 0) state.expiring.push(order);
  state.events.push({
    kind: 'order-opened',
    order: order.id,
    user: order.user,
    symbol: instrument.symbol,
    remaining: order.remaining,
  });
  if (!order.terms.hidden) emitBookChange(state, instrument, order);
}

export function cancelResting(state: State, order: Order, reason: DoneReason): void {
  const instrument = state.instruments[order.terms.symbol]!;
  takeFromBook(instrument, order);
  if (!order.terms.hidden) emitBookChange(state, instrument, order);
  endOrder(state, order, reason);
}

/** Releases the hold and emits the end of the order; the book was updated before. */
export function endOrder(state: State, order: Order, reason: DoneReason): void {
  const { terms } = order;
  release(state, order, 0n);
  order.done = reason;
  order.cancelledSize += order.remaining;
  order.remaining = 0;
  if (terms.byFunds && reason !== 'filled') {
    order.cancelledFunds = terms.funds - order.dealFunds - (terms.side === 'buy' ? order.fee : 0n);
  }
  const user = state.users[order.user]!;
  if (order.rested) {
    user.orders.splice(user.orders.indexOf(order), 1);
    if (order.expiresAt > 0) state.expiring.splice(state.expiring.indexOf(order), 1);
  }
  // The client id of an altered order passes to its replacement.
  if (reason !== 'altered') freeClientId(state, order.user, terms.clientId, order.id);
  state.events.push({
    kind: 'order-done',
    order: order.id,
    user: order.user,
    symbol: terms.symbol,
    reason,
    dealSize: order.dealSize,
    dealFunds: order.dealFunds,
    fee: order.fee,
    cancelledSize: order.cancelledSize,
    cancelledFunds: order.cancelledFunds,
    rested: order.rested,
  });
}

/** Starts the look-up window. */
export function freeClientId(state: State, user: number, clientId: string, id: number): void {
  const use = state.users[user]!.clientIds.get(clientId);
  if (use?.id !== id) return;
  use.doneAt = state.time;
  state.doneIds.push({ user, clientId, id });
  makeRoomForClientIds(state, user);
}

/** After an order is done, frees at most two ids of its master, and at most two of the master with the most. */
function makeRoomForClientIds(state: State, user: number): void {
  const { clientIdsPerUserMax, clientIdsMax } = state.limits;
  if (state.doneIds.length <= Math.min(clientIdsPerUserMax, clientIdsMax)) return;
  const listDone = () => state.doneIds.map((each) => ({ ...each, master: masterOf(state, each.user) }));
  const forgetOldestOf = (master: number): void => {
    const oldest = listDone().find((each) => each.master === master)!;
    state.users[oldest.user]!.clientIds.delete(oldest.clientId);
    state.doneIds.splice(
      state.doneIds.findIndex(({ id }) => id === oldest.id),
      1,
    );
  };
  const own = masterOf(state, user);
  for (let times = 0; times < 2; times += 1) {
    if (listDone().filter(({ master }) => master === own).length > clientIdsPerUserMax) forgetOldestOf(own);
  }
  for (let times = 0; times < 2; times += 1) {
    const done = listDone();
    if (done.length > clientIdsMax) forgetOldestOf(heaviest(done.map(({ master }) => master)));
  }
}

/** Reduces an order by less than its remainder; an iceberg loses its hidden rest first. */
export function reduceBy(state: State, order: Order, by: number, reason: OrderReduced['reason']): void {
  const instrument = state.instruments[order.terms.symbol]!;
  order.remaining -= by;
  order.cancelledSize += by;
  if (order.slice > order.remaining) {
    order.slice = order.remaining;
    emitBookChange(state, instrument, order);
  }
  release(state, order, neededHold(state, order));
  state.events.push({
    kind: 'order-reduced',
    order: order.id,
    user: order.user,
    symbol: instrument.symbol,
    by,
    remaining: order.remaining,
    reason,
  });
}

/** The same outcome for an order that may have been split over records, with its times. */
export function placedOutcome({ time }: State, order: Order): OrderOutcome {
  return { ...outcomeOf(order), createdAt: order.createdAt, matchedAt: time };
}

export function outcomeOf(order: Order): OrderOutcome {
  return {
    kind: 'order',
    order: order.id,
    clientId: order.terms.clientId,
    done: order.done,
    size: order.terms.size,
    funds: order.terms.funds,
    dealSize: order.dealSize,
    dealFunds: order.dealFunds,
    remaining: order.remaining,
    cancelledSize: order.cancelledSize,
    cancelledFunds: order.cancelledFunds,
  };
}

/**
 * At the start of a record, frees a bounded number of ids whose orders have been done for the whole window, oldest first.
 */
export function forgetClientIds(state: State, commands: number): void {
  const { doneIds, limits } = state;
  let left = 4 * limits.stepsPerRecordMax + 32 * commands;
  while (left > 0 && doneIds.length > 0) {
    const { user, clientId } = doneIds[0]!;
    const { clientIds } = state.users[user]!;
    if (state.time - clientIds.get(clientId)!.doneAt! < limits.lookupWindowMs) return;
    doneIds.shift();
    clientIds.delete(clientId);
    left -= 1;
  }
}
