/** How orders end or shrink: what they hold is released, the book and the lists forget them. */

import { Amount } from '../values/amount.ts';
import { DONE_REASONS, REDUCE_REASONS } from '../events/event-rows.ts';
import type { DoneReason } from '../events/events.ts';
import { CAUSE } from '../ledger/ledger.ts';
import type { State } from '../state.ts';
import { payingAccount, setNeed } from './hold.ts';
import * as orderFlags from './orders/order-flags.ts';
import { rememberClientId } from './remember-client-id.ts';

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
} as const;

/** What matching comes to, instead of a reason, when something is left to rest. */
export const RESTS = -1;
/** The same when the record allows no further trade: the order goes on in the next record. */
export const UNFINISHED = -2;

export const REDUCED = {
  requested: REDUCE_REASONS.indexOf('requested'),
  selfTrade: REDUCE_REASONS.indexOf('self-trade'),
} as const;

export const NOTHING = new Amount();
/** Copied from the imports, which V8 would load at every use: see event-batch.ts. */
const { GTT, timeBits } = orderFlags;
const RELEASE = CAUSE.release;
const none = NOTHING;
const held = new Amount();
const need = new Amount();

/** Ends an order that is in the book, wherever it stands in its queue. */
export function cancelResting(state: State, row: number, why: number): void {
  state.instruments.all[state.orders.symbol(row)].book.leave(row);
  release(state, row);
  finish(state, row, why, none);
}

/**
 * Writes the end of an order that is out of the book and holds nothing, and forgets it. `cancelledFunds` is what
 * came back of the funds of an order by funds.
 */
export function finish(state: State, row: number, why: number, cancelledFunds: Amount): void {
  const { orders } = state;
  state.instruments.all[orders.symbol(row)].book.countMessage(row);
  state.events.done(orders, row, why, cancelledFunds);
  if (orders.hasRested(row)) {
    state.traders.unlink(orders, row, orders.user(row));
    if (timeBits(orders.flags(row)) === GTT) state.expiries.delete(orders.id(row));
  }
  if (orders.isPaired(row)) state.stirPair(row, false);
  const clientId = orders.textsOf(row)?.clientId;
  // An altered order's client id passes to the order that replaces it.
  if (clientId && why !== DONE.altered) rememberClientId(state, orders.user(row), clientId);
  orders.markDone(row, why, cancelledFunds);
}

/** Gives back all that an order still holds. */
export function release(state: State, row: number): void {
  const { orders } = state;
  orders.readHold(row, held);
  if (held.isZero()) return;
  state.ledger.release(payingAccount(state, row), held, RELEASE, orders.id(row));
  orders.setHold(row, none);
}

/** Takes `by` off what remains of an order, less than all of it; it keeps its place, if it has one. */
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
