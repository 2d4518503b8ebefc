/**
 * Matching an incoming order, trade by trade: a limit order after price protection and FOK; a market order within the
 * price bound, as far as its size, its funds or its balance allow.
 */

import { HIDDEN_QUEUE, rankOf, VISIBLE_QUEUE } from './book/price-levels.ts';
import * as ends from './finish.ts';
import { cancelResting, reduce, REDUCED } from './finish.ts';
import * as orderFlags from './orders/order-rows.ts';
import { STP_CB, STP_CN, STP_CO } from './orders/order-rows.ts';
import { trade } from './trade.ts';
import type { Instrument } from '../reference/instrument.ts';
import type { State } from '../state.ts';
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

/** Like `matchLimit`, for an order that passed price protection and FOK when it arrived. */
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

// Looking ahead, without trading: how far an order would get on the current book. FOK (R8) and price protection (R11) need
// it. Own orders stop it with CN and CB and are skipped with CO; an ordinary order stops a postOnly one. A user can repeat
// this at no cost, so it must be cheap: one step for each block of levels, one for each order of the user, and a walk
// through the orders of the one level where the order stops.

/** R8: whether the complete order would trade within its limit. */
function canFill(state: State, instrument: Instrument, row: number): boolean {
  return reach(state, instrument, row, state.orders.price(row)) >= state.orders.sizeOf(row);
}

/** R11: whether the order, for its full size and within its limit, would trade past the bound. */
function wouldPass(state: State, instrument: Instrument, row: number, bound: number): boolean {
  const within = reach(state, instrument, row, bound);
  if (within >= state.orders.sizeOf(row)) return false;
  return reach(state, instrument, row, state.orders.price(row)) > within;
}

/** The quantity, hidden size included, at prices up to `priceEnd` or until the order is stopped. */
function reach(state: State, instrument: Instrument, row: number, priceEnd: number): number {
  const { levels } = state;
  const side = 1 - state.orders.side(row);
  const ladder = instrument.book.sides[side];
  const rankEnd = rankOf(side, priceEnd);
  const stop = stopLevel(state, instrument, row, rankEnd);
  // The level where it stops is examined order by order.
  const wholeFrom = stop < 0 ? rankEnd : rankOf(side, levels.price(stop)) + 1;
  const mode = ownMode(state, row);
  const own = mode === STP_CO ? ownFrom(state, row, side, wholeFrom).quantity : 0;
  return ladder.totalFrom(wholeFrom) - own + (stop < 0 ? 0 : reachInto(state, row, stop));
}

/** The best level, from the rank on, with an order that stops this one; -1 if there is none. */
function stopLevel(state: State, instrument: Instrument, row: number, rankEnd: number): number {
  const { book } = instrument;
  const { levels, orders } = state;
  const side = 1 - orders.side(row);
  const mode = ownMode(state, row);
  let rank = -Infinity;
  if (mode === STP_CN || mode === STP_CB) rank = ownFrom(state, row, side, rankEnd).bestRank;
  if (orders.isPostOnly(row)) {
    const level = book.sides[side].bestOrdinary();
    if (level >= 0) rank = Math.max(rank, rankOf(side, levels.price(level)));
  }
  return rank < rankEnd ? -1 : book.findLevel(side, Math.abs(rank));
}

/** The user's own orders on that side, from the rank on: their total and the best. */
function ownFrom(
  { orders, traders }: State,
  row: number,
  side: number,
  rankEnd: number,
): { readonly quantity: number; readonly bestRank: number } {
  let quantity = 0;
  let bestRank = -Infinity;
  for (let own = traders.firstOrder(orders.trader(row)); own >= 0; own = traders.nextOrder(orders, own)) {
    const rank = rankOf(side, orders.price(own));
    if (orders.side(own) !== side || rank < rankEnd) continue;
    quantity += orders.remaining(own);
    bestRank = Math.max(bestRank, rank);
  }
  return { quantity, bestRank };
}

/** The order's self-trade prevention mode; none if the user has no other order here, which saves the search. */
function ownMode(state: State, row: number): number {
  const hasOrders = state.traders.orderCount(state.orders.trader(row)) > 0;
  return hasOrders ? stpBits(state.orders.flags(row)) : STP_NONE;
}

/** The quantity ahead of the order that stops this one, within its level. */
function reachInto(state: State, row: number, level: number): number {
  const { orders, levels } = state;
  const user = orders.user(row);
  const mode = stpBits(orders.flags(row));
  const stopsAtOwn = mode === STP_CN || mode === STP_CB;
  const passesOwn = mode === STP_CO;
  const stopsAtOrdinary = orders.isPostOnly(row);

  let quantity = 0;
  for (const queue of [VISIBLE_QUEUE, HIDDEN_QUEUE]) {
    let ahead = 0;
    let all = 0;
    for (let at = levels.first(level, queue); at >= 0; at = orders.next(at)) {
      const own = orders.user(at) === user;
      if ((own && stopsAtOwn) || (stopsAtOrdinary && !orders.isReserved(at))) {
        return quantity + (queue === HIDDEN_QUEUE ? all : ahead);
      }
      if (own && passesOwn) continue;
      ahead += orders.visible(at);
      all += orders.remaining(at);
    }
    quantity += all;
  }
  return quantity;
}
