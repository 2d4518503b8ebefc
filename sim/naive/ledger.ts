/** Balances. Every change is a posting with an event; postings of 0 are omitted. */

import type { BalanceCause } from '../../packages/core/src/events/events.ts';
import type { Order } from './instrument.ts';
import type { Account, Balance, State } from './state.ts';

export const SYSTEM = -1;

export interface Posting {
  readonly user: number;
  readonly account: Account;
  readonly currency: number;
  readonly available?: bigint;
  readonly hold?: bigint;
  readonly cause: BalanceCause;
  readonly order?: number;
  readonly trade?: number;
  readonly reference?: number;
}

export function balanceOf(state: State, user: number, account: Account, currency: number): Balance {
  const key = `${user}/${account}/${currency}`;
  let balance = state.balances.get(key);
  if (balance === undefined) {
    balance = { available: 0n, hold: 0n };
    state.balances.set(key, balance);
  }
  return balance;
}

export function post(state: State, posting: Posting): void {
  const { user, account, currency, available = 0n, hold = 0n } = posting;
  if (available === 0n && hold === 0n) return;
  const balance = balanceOf(state, user, account, currency);
  state.usedCurrencies.add(currency);
  balance.available += available;
  balance.hold += hold;
  if (account !== 'outside' && (balance.available < 0n || balance.hold < 0n)) {
    throw new Error(`balance below zero: user ${user} ${account} currency ${currency}`);
  }
  state.events.push({
    kind: 'balance-changed',
    user,
    account,
    currency,
    availableChange: available,
    holdChange: hold,
    available: balance.available,
    hold: balance.hold,
    cause: posting.cause,
    order: posting.order ?? 0,
    trade: posting.trade ?? 0,
    reference: posting.reference ?? 0,
  });
}

/** The currency that an order holds and pays with. */
export function heldCurrency(state: State, order: Order): number {
  const instrument = state.instruments[order.terms.symbol]!;
  return order.terms.side === 'buy' ? instrument.quote : instrument.base;
}

export function takeHold(state: State, order: Order, amount: bigint): void {
  const currency = heldCurrency(state, order);
  order.held += amount;
  post(state, {
    user: order.user,
    account: 'trade',
    currency,
    available: -amount,
    hold: amount,
    cause: 'hold',
    order: order.id,
  });
}

/** Releases the part of the order's hold beyond `keep`. */
export function release(state: State, order: Order, keep: bigint): void {
  const amount = order.held - keep;
  const currency = heldCurrency(state, order);
  order.held = keep;
  post(state, {
    user: order.user,
    account: 'trade',
    currency,
    available: amount,
    hold: -amount,
    cause: 'release',
    order: order.id,
  });
}
