/** One trade between an incoming and a resting order: fees, postings, the book. */

import type { Fill } from '../../packages/core/src/events/events.ts';
import { showNextSlice, takeFromBook, emitBookChange } from './book.ts';
import { chargeFee, incomingRate, restingRate } from './fees.ts';
import { SYSTEM, post } from './ledger.ts';
import type { Instrument, Order } from './instrument.ts';
import { endOrder, neededHold } from './order.ts';
import type { State } from './state.ts';

/** Does not end the incoming order, which may continue to match. */
export function trade(
  state: State,
  instrument: Instrument,
  incoming: Order,
  resting: Order,
  size: number,
): void {
  const price = resting.terms.price;
  const funds = BigInt(price) * BigInt(size);
  // An incoming postOnly order counts as the maker.
  const incomingMakes = incoming.terms.postOnly;
  const incomingFill = fill(incoming, size, funds, incomingRate(incoming), incomingMakes ? 'maker' : 'taker');
  const restingFill = fill(resting, size, funds, restingRate(resting), incomingMakes ? 'taker' : 'maker');
  settle(state, instrument, price, size, [incoming, incomingFill], [resting, restingFill]);
  updateResting(state, instrument, resting, size);
}

/** Both orders rest, and both pay as makers. The later one takes the role of the incoming order. */
export function tradeInAuction(
  state: State,
  instrument: Instrument,
  buy: Order,
  sell: Order,
  price: number,
): void {
  const size = Math.min(buy.remaining, sell.remaining);
  const funds = BigInt(price) * BigInt(size);
  const [later, earlier] = buy.id > sell.id ? [buy, sell] : [sell, buy];
  const laterFill = fill(later, size, funds, 'maker', 'maker');
  const earlierFill = fill(earlier, size, funds, 'maker', 'maker');
  settle(state, instrument, price, size, [later, laterFill], [earlier, earlierFill]);
  for (const order of [earlier, later]) shrinkInBook(state, instrument, order);
  for (const order of [earlier, later]) if (order.remaining === 0) endOrder(state, order, 'filled');
}

/** It keeps its priority, and an iceberg shows a full slice of the remainder. */
function shrinkInBook(state: State, instrument: Instrument, order: Order): void {
  const { hidden, iceberg, visibleSize } = order.terms;
  const before = order.slice;
  if (!hidden) order.slice = iceberg ? Math.min(visibleSize, order.remaining) : order.remaining;
  const isChanged = order.slice !== before;
  if (order.remaining === 0) takeFromBook(instrument, order);
  if (isChanged) emitBookChange(state, instrument, order);
}

/** The event, and the postings of both sides. */
function settle(
  state: State,
  instrument: Instrument,
  price: number,
  size: number,
  [incoming, incomingFill]: readonly [Order, Fill],
  [resting, restingFill]: readonly [Order, Fill],
): void {
  const funds = BigInt(price) * BigInt(size);
  instrument.trades += 1;
  instrument.lastPrice = price;
  state.stirred.add(instrument.symbol);
  state.events.push({
    kind: 'trade',
    symbol: instrument.symbol,
    trade: instrument.trades,
    price,
    size,
    funds,
    side: incoming.terms.side,
    incoming: incomingFill,
    resting: restingFill,
  });

  if (incoming.terms.side === 'buy') {
    settleBuyer(state, instrument, incoming, size, funds, incomingFill.fee);
    settleSeller(state, instrument, resting, size, funds, restingFill.fee);
  } else {
    settleBuyer(state, instrument, resting, size, funds, restingFill.fee);
    settleSeller(state, instrument, incoming, size, funds, incomingFill.fee);
  }
  post(state, {
    user: SYSTEM,
    account: 'fees',
    currency: instrument.quote,
    available: incomingFill.fee + restingFill.fee,
    cause: 'trade',
    order: incoming.id,
    trade: instrument.trades,
  });
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
  instrument: Instrument,
  order: Order,
  size: number,
  funds: bigint,
  fee: bigint,
): void {
  const { user, id } = order;
  const paid = funds + fee;
  // A limit order's savings from a better price or a lower fee are released at once; a market order's at its end.
  const keep = order.terms.type === 'limit' ? neededHold(state, order) : order.held - paid;
  const unheld = order.held - keep;
  order.held = keep;
  const of = { user, account: 'trade', cause: 'trade', order: id, trade: instrument.trades } as const;
  post(state, { ...of, currency: instrument.quote, available: unheld - paid, hold: -unheld });
  post(state, { ...of, currency: instrument.base, available: BigInt(size) * instrument.rules.sizeUnit });
}

function settleSeller(
  state: State,
  instrument: Instrument,
  order: Order,
  size: number,
  funds: bigint,
  fee: bigint,
): void {
  const { user, id } = order;
  const sold = BigInt(size) * instrument.rules.sizeUnit;
  order.held -= sold;
  const of = { user, account: 'trade', cause: 'trade', order: id, trade: instrument.trades } as const;
  post(state, { ...of, currency: instrument.base, hold: -sold });
  post(state, { ...of, currency: instrument.quote, available: funds - fee });
}

function updateResting(state: State, instrument: Instrument, resting: Order, size: number): void {
  if (!resting.terms.hidden) {
    resting.slice -= size;
    emitBookChange(state, instrument, resting);
    if (resting.slice === 0 && resting.remaining > 0) {
      showNextSlice(instrument, resting);
      emitBookChange(state, instrument, resting);
    }
  }
  if (resting.remaining === 0) {
    takeFromBook(instrument, resting);
    endOrder(state, resting, 'filled');
  }
}
