/** How orders end or shrink: the hold is released, the book and the lists drop them. */

import { DONE_REASONS, REDUCE_REASONS } from '../events/event-rows.ts';
import type { DoneReason } from '../events/events.ts';
import { CAUSE } from '../ledger/ledger.ts';
import * as orderFlags from './orders/order-rows.ts';
import type { State } from '../state.ts';
import { Amount } from '../values/amount.ts';

const reason = (name: DoneReason) => DONE_REASONS.indexOf(name);
export const DONE = {
  filled: reason('filled'),
  requested: reason('requested'),
  altered: reason('altered'),
  switch: reason('switch'),
  expired: reason('expired'),
  ioc: reason('ioc'),
  fok: reason('fok'),
  postOnly: reason('post-only'),
  protection: reason('price-protection'),
  selfTrade: reason('self-trade'),
  bookEnd: reason('book-end'),
  fundsEnd: reason('funds-end'),
  oco: reason('oco'),
  delisted: reason('delisted'),
  operator: reason('operator'),
} as const;

/** The result of matching, instead of a reason, if the remainder rests. */
export const RESTS = -1;
/** The result of matching if the record allows no further match: the order continues in the next one. */
export const UNFINISHED = -2;

export const REDUCED = {
  requested: REDUCE_REASONS.indexOf('requested'),
  selfTrade: REDUCE_REASONS.indexOf('self-trade'),
} as const;

export const ZERO_AMOUNT = new Amount();
/** Local copies of imported constants: see event-batch.ts. */
const { GTT, timeBits } = orderFlags;
const RELEASE = CAUSE.release;
const none = ZERO_AMOUNT;
const held = new Amount();
const need = new Amount();

/** Ends an order in the book, at any queue position. */
export function cancelResting(state: State, row: number, why: number): void {
  state.instruments.all[state.orders.symbol(row)].book.leave(row);
  release(state, row);
  finish(state, row, why, none);
}

/**
 * Writes the end of an order that has left the book and holds nothing, and frees its row. `cancelledFunds` are the
 * returned funds of an order by funds.
 */
export function finish(state: State, row: number, why: number, cancelledFunds: Amount): void {
  const { orders } = state;
  state.instruments.all[orders.symbol(row)].book.countMessage(row);
  state.events.done(orders, row, why, cancelledFunds);
  if (orders.hasRested(row)) {
    state.traders.unlink(orders, row, orders.user(row));
    if (timeBits(orders.flags(row)) === GTT) state.expiries.delete(orders.id(row));
  }
  if (orders.isPaired(row)) state.notePairChange(row, false);
  const clientId = orders.textsOf(row)?.clientId;
  // An altered order's client id passes to the order that replaces it.
  if (clientId && why !== DONE.altered) rememberClientId(state, orders.user(row), clientId);
  orders.markDone(row, why, cancelledFunds);
}

/** Releases the remaining hold of an order. */
export function release(state: State, row: number): void {
  const { orders } = state;
  orders.readHold(row, held);
  if (held.isZero()) return;
  state.ledger.release(payingAccount(state, row), held, RELEASE, orders.id(row));
  orders.setHold(row, none);
}

/** Reduces the remaining size of an order by `by`, less than all of it; it keeps its queue position, if it has one. */
export function reduce(state: State, row: number, by: number, why: number): void {
  const { orders } = state;
  orders.lowerRemaining(row, by);
  orders.update(row, state.time);
  if (orders.level(row) >= 0) state.instruments.all[orders.symbol(row)].book.reduce(row, by);
  setNeed(need, state, row);
  orders.readHold(row, held);
  held.subtract(need);
  orders.setHold(row, need);
  if (!held.isZero()) state.ledger.release(payingAccount(state, row), held, RELEASE, orders.id(row));
  state.events.reduced(orders, row, by, why);
}

/** The client id of a done order stays in use for the look-up window, or until its memory is needed. */
export function rememberClientId(state: State, user: number, clientId: string): void {
  state.clientIds.finish(user, clientId, state.time);
  const { clientIdsPerUserMax, clientIdsMax } = state.limits.values;
  state.clientIds.makeRoom(user, clientIdsPerUserMax, clientIdsMax);
}

const cost = new Amount();

/** The hold of a limit buy: its cost plus the largest fee that can still be charged on it. */
export function setBuyNeed(
  into: Amount,
  price: number,
  remaining: number,
  takerRate: number,
  slack: number,
): void {
  cost.setProduct(price, remaining);
  into.setFee(cost, takerRate, slack);
  into.add(cost);
}

/** The hold that the remainder of a limit order needs. */
export function setNeed(into: Amount, state: State, row: number): void {
  const { orders } = state;
  if (orders.isBuy(row)) {
    setBuyNeed(into, orders.price(row), orders.remaining(row), orders.takerRate(row), orders.slack(row));
  } else state.instruments.all[orders.symbol(row)].setBase(into, orders.remaining(row));
}

/** The account the order is paid from: quote for a buy, base for a sell. */
export function payingAccount(state: State, row: number): number {
  const { orders, traders } = state;
  const trader = orders.trader(row);
  return orders.isBuy(row) ? traders.quoteAccount(trader) : traders.baseAccount(trader);
}
