/** One trade between an incoming and a resting order: fees, postings, the book. */

import type { Fill } from '../../packages/core/src/events.ts';
import { showNextSlice, takeFromBook, tellBookChange } from './book.ts';
import { chargeFee, incomingRate, restingRate } from './fees.ts';
import { HOUSE, post } from './ledger.ts';
import type { Market, Order } from './market.ts';
import { endOrder, neededHold } from './order.ts';
import type { State } from './state.ts';

/** The incoming order's own end is left to the matching: it may go on. */
export function trade(state: State, market: Market, incoming: Order, resting: Order, size: number): void {
  const price = resting.terms.price;
  const funds = BigInt(price) * BigInt(size);
  market.trades += 1;
  market.lastPrice = price;
  state.stirred.add(market.symbol);

  // A postOnly order counts as the one that made the market even though it came second.
  const incomingMakes = incoming.terms.postOnly;
  const incomingFill = fill(incoming, size, funds, incomingRate(incoming), incomingMakes ? 'maker' : 'taker');
  const restingFill = fill(resting, size, funds, restingRate(resting), incomingMakes ? 'taker' : 'maker');
  state.events.push({
    kind: 'trade',
    symbol: market.symbol,
    trade: market.trades,
    price,
    size,
    funds,
    side: incoming.terms.side,
    incoming: incomingFill,
    resting: restingFill,
  });

  if (incoming.terms.side === 'buy') {
    settleBuyer(state, market, incoming, size, funds, incomingFill.fee);
    settleSeller(state, market, resting, size, funds, restingFill.fee);
  } else {
    settleBuyer(state, market, resting, size, funds, restingFill.fee);
    settleSeller(state, market, incoming, size, funds, incomingFill.fee);
  }
  post(state, {
    user: HOUSE,
    account: 'fees',
    currency: market.quote,
    available: incomingFill.fee + restingFill.fee,
    cause: 'trade',
    order: incoming.id,
    trade: market.trades,
  });
  updateResting(state, market, resting, size);
}

function fill(
  order: Order,
  size: number,
  funds: bigint,
  rate: 'maker' | 'taker',
  liquidity: 'maker' | 'taker',
): Fill {
  const fee = chargeFee(order, rate, funds);
  order.dealSize += size;
  order.dealFunds += funds;
  if (!order.terms.byFunds) order.remaining -= size;
  return { order: order.id, user: order.user, remaining: order.remaining, fee, rate, liquidity };
}

function settleBuyer(
  state: State,
  market: Market,
  order: Order,
  size: number,
  funds: bigint,
  fee: bigint,
): void {
  const { user, id } = order;
  const paid = funds + fee;
  // What a better price or a lower fee spares a limit order is free at once; a market order waits for its end.
  const keep = order.terms.type === 'limit' ? neededHold(state, order) : order.held - paid;
  const unheld = order.held - keep;
  order.held = keep;
  const of = { user, account: 'trade', cause: 'trade', order: id, trade: market.trades } as const;
  post(state, { ...of, currency: market.quote, available: unheld - paid, hold: -unheld });
  post(state, { ...of, currency: market.base, available: BigInt(size) * market.rules.sizeUnit });
}

function settleSeller(
  state: State,
  market: Market,
  order: Order,
  size: number,
  funds: bigint,
  fee: bigint,
): void {
  const { user, id } = order;
  const sold = BigInt(size) * market.rules.sizeUnit;
  order.held -= sold;
  const of = { user, account: 'trade', cause: 'trade', order: id, trade: market.trades } as const;
  post(state, { ...of, currency: market.base, hold: -sold });
  post(state, { ...of, currency: market.quote, available: funds - fee });
}

function updateResting(state: State, market: Market, resting: Order, size: number): void {
  if (!resting.terms.hidden) {
    resting.slice -= size;
    tellBookChange(state, market, resting);
    if (resting.slice === 0 && resting.remaining > 0) {
      showNextSlice(market, resting);
      tellBookChange(state, market, resting);
    }
  }
  if (resting.remaining === 0) {
    takeFromBook(market, resting);
    endOrder(state, resting, 'filled');
  }
}
