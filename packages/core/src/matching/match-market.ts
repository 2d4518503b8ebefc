/** Matching a market order: within the price bound, as far as its size, its funds or its balance allow. */

import { Amount, RATE_ONE } from '../values/amount.ts';
import type { Instrument } from '../reference/instrument.ts';
import type { State } from '../state.ts';
import { DONE, UNFINISHED } from './finish.ts';
import { isWithin, offered } from './next.ts';
import { BUY, STP_NONE, stpBits } from './orders/order-flags.ts';
import { isOwn, preventSelfTrade } from './self-trade.ts';
import { trade } from './trade.ts';

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
