/**
 * Matching an incoming order, trade by trade: a limit order after price protection and FOK; a market order within the
 * price bound, as far as its size, its funds or its balance allow.
 */

import type { Instrument } from '../reference/instrument.ts';
import type { State } from '../state.ts';
import * as ends from './finish.ts';
import { cancelResting, REDUCED, reduce } from './finish.ts';
import * as orderFlags from './orders/order-flags.ts';
import { STP_CB, STP_CN, STP_CO } from './orders/order-flags.ts';
import { canFill, wouldPass } from './reach.ts';
import { trade } from './trade.ts';
import { Amount, RATE_ONE } from '../values/amount.ts';

/** Local copies of imported constants: see event-batch.ts. */
const { FOK, IOC, STP_NONE, stpBits, timeBits } = orderFlags;
const { DONE, RESTS, UNFINISHED } = ends;
const BUY = 0;

/** Returns the reason it is done, RESTS or UNFINISHED. */
export function matchLimit(state: State, instrument: Instrument, row: number): number {
  const { orders } = state;
  const side = orders.side(row);
  const time = timeBits(orders.flags(row));
  const limit = orders.price(row);
  const best = instrument.book.bestPrice(1 - side);
  const crosses = best > 0 && isWithin(side, best, limit);

  if (crosses) {
    const bound = priceBound(instrument, side);
    if (!isWithin(side, limit, bound) && wouldPass(state, instrument, row, bound)) return DONE.protection;
  }
  if (time === FOK && !(crosses && canFill(state, instrument, row))) return DONE.fok;
  if (crosses) return continueLimit(state, instrument, row);
  return time === IOC ? DONE.ioc : RESTS;
}

/** The same for an order that passed price protection and FOK when it came. */
export function continueLimit(state: State, instrument: Instrument, row: number): number {
  const done = matchWithin(state, instrument, row);
  return done === RESTS && timeBits(state.orders.flags(row)) === IOC ? DONE.ioc : done;
}

function matchWithin(state: State, instrument: Instrument, row: number): number {
  const { orders, steps } = state;
  const { book } = instrument;
  const side = orders.side(row);
  const mode = stpBits(orders.flags(row));
  const postOnly = orders.isPostOnly(row);
  const limit = orders.price(row);
  for (;;) {
    const remaining = orders.remaining(row);
    if (remaining === 0) return DONE.filled;
    const resting = book.next(1 - side);
    if (resting < 0 || !isWithin(side, orders.price(resting), limit)) return RESTS;
    if (postOnly && !orders.isReserved(resting)) return DONE.postOnly;
    if (steps.meetingsLeft === 0) return UNFINISHED;
    steps.meetingsLeft--;
    if (mode !== STP_NONE && isOwn(state, row, resting)) {
      if (preventSelfTrade(state, mode, row, resting)) return DONE.selfTrade;
      continue;
    }
    trade(state, instrument, row, resting, Math.min(remaining, offered(state, resting)));
  }
}

const budget = new Amount();
const cost = new Amount();
const fee = new Amount();
const RATE_ONE_BIG = BigInt(RATE_ONE);

/**
 * Returns the reason it is done, or UNFINISHED; a market order never rests. `bound` is the price bound when the order
 * arrived. The remaining quantity is computed from the order itself, so that an order continued in a later record behaves
 * the same.
 */
export function matchMarket(state: State, instrument: Instrument, row: number, bound: number): number {
  const { orders, steps } = state;
  const { book, rules } = instrument;
  const side = orders.side(row);
  const mode = stpBits(orders.flags(row));
  const byFunds = orders.isByFunds(row);
  const hasBudget = side === BUY || byFunds;
  if (hasBudget) setBudget(state, row, side);
  const dealt = orders.dealt(row);
  let left = byFunds
    ? side === BUY
      ? Infinity
      : sellable(state, instrument, row)
    : orders.sizeOf(row) - dealt;
  let traded = dealt > 0;
  for (;;) {
    if (byFunds ? traded && budget.isZero() : left === 0) return DONE.filled;
    const resting = book.next(1 - side);
    if (resting < 0) return DONE.bookEnd;
    const price = orders.price(resting);
    const affordable = hasBudget ? floorTo(budget.divideFloor(price), rules.baseIncrement) : left;
    if (affordable === 0) return byFunds && traded ? DONE.filled : DONE.fundsEnd;
    if (left === 0) return DONE.fundsEnd;
    if (!isWithin(side, price, bound)) return DONE.protection;
    if (steps.meetingsLeft === 0) return UNFINISHED;
    steps.meetingsLeft--;
    if (mode !== STP_NONE && isOwn(state, row, resting)) {
      if (preventSelfTrade(state, mode, row, resting)) return DONE.selfTrade;
      continue;
    }
    const size = Math.min(offered(state, resting), affordable, left);
    if (hasBudget) {
      cost.setProduct(price, size);
      budget.subtract(cost);
    }
    left -= size;
    traded = true;
    trade(state, instrument, row, resting, size);
  }
}

/**
 * Computes the remaining budget. A buy pays its fee from the same money, rounded up once over all fills: the largest sum
 * with sum + ceil(sum * rate) <= held is floor(held / (1 + rate)), where `held` is the hold before the first fill.
 */
function setBudget(state: State, row: number, side: number): void {
  const { orders } = state;
  orders.readDealFunds(row, cost);
  if (side === BUY) {
    orders.readHold(row, budget);
    budget.add(cost);
    orders.readFee(row, fee);
    budget.add(fee);
    budget.setBigInt((budget.toBigInt() * RATE_ONE_BIG) / (RATE_ONE_BIG + BigInt(orders.takerRate(row))));
  } else budget.copy(orders.funds);
  budget.subtract(cost);
}

/** The largest size a sell by funds can deliver: its hold, in whole increments. */
function sellable(state: State, instrument: Instrument, row: number): number {
  state.orders.readHold(row, cost);
  const units = Number(cost.toBigInt() / instrument.baseUnits);
  return floorTo(Math.min(units, Number.MAX_SAFE_INTEGER), instrument.rules.baseIncrement);
}

const floorTo = (size: number, increment: number) => Math.floor(size / increment) * increment;

/** Whether a price is no worse than the limit, for an incoming order of this side. */
function isWithin(side: number, price: number, limit: number): boolean {
  return side === BUY ? price <= limit : price >= limit;
}

/**
 * R11: the worst price at which an order of this side may trade. The reference is the best visible opposite price, so
 * that a hidden order cannot cancel others; if none is visible, the last trade; before the first trade, the best hidden
 * price.
 */
export function priceBound(instrument: Instrument, side: number): number {
  const { book } = instrument;
  const from = book.bestShownPrice(1 - side) || book.lastPrice || book.bestPrice(1 - side);
  return side === BUY ? from + instrument.deviation(from) : from - instrument.deviation(from);
}

/** The size that a resting order offers now: an iceberg's visible slice, all of any other order. */
function offered(state: State, resting: number): number {
  const { orders } = state;
  return (orders.isReserved(resting) && orders.slice(resting)) || orders.remaining(resting);
}

/** R7, self-trade prevention: the incoming order's mode decides; a sub-account is another user. */
function isOwn(state: State, incoming: number, resting: number): boolean {
  return state.orders.user(incoming) === state.orders.user(resting);
}

/** The incoming order matches its user's own: returns true if that ends the incoming order. */
function preventSelfTrade(state: State, mode: number, incoming: number, resting: number): boolean {
  if (mode === STP_CN) return true;
  if (mode === STP_CO || mode === STP_CB) {
    cancelResting(state, resting, DONE.selfTrade);
    return mode === STP_CB;
  }
  return decreaseAndCancel(state, incoming, resting);
}

/** DC: the smaller is cancelled and the larger reduced by it; equal ones are both cancelled. */
function decreaseAndCancel(state: State, incoming: number, resting: number): boolean {
  const incomingLeft = state.orders.remaining(incoming);
  const restingLeft = state.orders.remaining(resting);
  if (incomingLeft < restingLeft) reduce(state, resting, incomingLeft, REDUCED.selfTrade);
  else cancelResting(state, resting, DONE.selfTrade);
  if (incomingLeft <= restingLeft) return true;
  reduce(state, incoming, restingLeft, REDUCED.selfTrade);
  return false;
}
