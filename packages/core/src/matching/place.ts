/** Placing: a checked draft becomes an order, gets its hold, matches, and rests or ends. */

import { Amount } from '../values/amount.ts';
import type { OrderRequest } from '../commands/commands.ts';
import { CAUSE } from '../ledger/ledger.ts';
import type { State } from '../state.ts';
import { checkOrder } from './check.ts';
import { DONE, finish, RESTS, release, UNFINISHED, payingAccount } from './finish.ts';
import { continueLimit, matchLimit, matchMarket, priceBound } from './match.ts';
import { restAtOnce } from './rest-at-once.ts';
import type { UnfinishedOrder } from './unfinished/unfinished.ts';

/** Local copies of imported constants: see event-batch.ts. */
const HOLD = CAUSE.hold;
const FILLED = DONE.filled;

const held = new Amount();
const cancelledFunds = new Amount();
const sum = new Amount();

/** Places or rejects the order and writes the outcome. Returns false, without an outcome, if the order continues in the next record. */
export function place(state: State, user: number, request: OrderRequest): boolean {
  if (restAtOnce(state, user, request)) return true;
  const draft = state.orders.draft();
  const rejection = checkOrder(state, draft, user, request);
  if (rejection) {
    state.outcomes.rejected(rejection);
    return true;
  }
  state.orders.commit(draft, state.newId());
  return accept(state, draft, true);
}

/**
 * Matches a checked and committed draft. Writes its outcome if the caller awaits it. Returns false if the record allows no
 * further match: then the order is the latest unfinished one.
 */
export function accept(state: State, row: number, isAwaited: boolean): boolean {
  const { orders } = state;
  const id = orders.id(row);
  orders.create(row, state.time);
  const clientId = orders.textsOf(row)?.clientId;
  if (clientId) state.clientIds.claim(orders.user(row), clientId, id);
  const instrument = state.instruments.all[orders.symbol(row)];
  instrument.book.countMessage(row);
  state.events.received(orders, row);
  orders.readHold(row, held);
  state.ledger.hold(payingAccount(state, row), held, HOLD, id);

  let bound = 0;
  let done: number;
  if (orders.isMarket(row)) {
    bound = priceBound(instrument, orders.side(row));
    done = matchMarket(state, instrument, row, bound);
  } else done = instrument.state === 'auction' ? RESTS : matchLimit(state, instrument, row);
  if (done === UNFINISHED) {
    const user = orders.user(row);
    state.unfinished.add({
      order: id,
      user,
      symbol: instrument.number,
      bound,
      funds: orders.funds.toBigInt(),
    });
    return false;
  }
  settle(state, row, done, isAwaited);
  return true;
}

/** Continues an unfinished order. Returns false if it is still not complete. */
export function continueOrder(state: State, order: UnfinishedOrder, isAwaited: boolean): boolean {
  const { orders } = state;
  const row = orders.rowOf(order.order);
  const instrument = state.instruments.all[order.symbol];
  orders.funds.setBigInt(order.funds);
  const done = orders.isMarket(row)
    ? matchMarket(state, instrument, row, order.bound)
    : continueLimit(state, instrument, row);
  if (done === UNFINISHED) return false;
  settle(state, row, done, isAwaited);
  return true;
}

/** Matching is complete: the remainder rests, or the order is done. */
function settle(state: State, row: number, done: number, isAwaited: boolean): void {
  const { orders } = state;
  if (done === RESTS) rest(state, row);
  setCancelledFunds(state, row, done);
  if (isAwaited) state.outcomes.order(orders, row, done, orders.funds, cancelledFunds);
  if (done !== RESTS) {
    release(state, row);
    finish(state, row, done, cancelledFunds);
  }
}

/** Adds the remainder to the book. */
function rest(state: State, row: number): void {
  const { orders } = state;
  orders.setRested(row);
  state.traders.append(orders, row, orders.user(row));
  const expiresAt = orders.expiresAt(row);
  if (expiresAt > 0) state.expiries.set(orders.id(row), expiresAt);
  state.events.opened(orders, row);
  state.instruments.all[orders.symbol(row)].book.rest(row);
}

/** The unspent funds of an order by funds. The funds of a buy include its fee. */
function setCancelledFunds(state: State, row: number, done: number): void {
  const { orders } = state;
  cancelledFunds.clear();
  if (!orders.isByFunds(row) || done === FILLED) return;
  cancelledFunds.copy(orders.funds);
  orders.readDealFunds(row, sum);
  cancelledFunds.subtract(sum);
  if (!orders.isBuy(row)) return;
  orders.readFee(row, sum);
  cancelledFunds.subtract(sum);
}
