/** The hold of an active order. */

import { Amount } from '../values/amount.ts';
import type { State } from '../state.ts';

const cost = new Amount();

/** A limit buy: its cost plus the largest fee that can still be charged on it. */
export function setBuyNeed(
  need: Amount,
  price: number,
  remaining: number,
  takerRate: number,
  slack: number,
): void {
  cost.setProduct(price, remaining);
  need.setFee(cost, takerRate, slack);
  need.add(cost);
}

/** The hold that the remainder of a limit order needs. */
export function setNeed(need: Amount, state: State, row: number): void {
  const { orders } = state;
  if (orders.isBuy(row)) {
    setBuyNeed(need, orders.price(row), orders.remaining(row), orders.takerRate(row), orders.slack(row));
  } else state.instruments.all[orders.symbol(row)].setBase(need, orders.remaining(row));
}

/** The account the order is paid from: quote for a buy, base for a sell. */
export function payingAccount(state: State, row: number): number {
  const { orders, traders } = state;
  const trader = orders.trader(row);
  return orders.isBuy(row) ? traders.quoteAccount(trader) : traders.baseAccount(trader);
}
