/** Matching of an accepted order against the book. */

import type { Side } from '../../packages/core/src/commands/commands.ts';
import type { DoneReason } from '../../packages/core/src/events/events.ts';
import { isWithin, levelsOf, nextResting, opposite } from './book.ts';
import { type Cuttable, type State, takeId } from './state.ts';
import { RATE_ONE } from './decimal.ts';
import { costWithFee, isOrdinary } from './fees.ts';
import type { Instrument, Level, Order, Terms } from './instrument.ts';
import { acceptOrder, cancelResting, endOrder, reduceBy, restOrder } from './order.ts';
import { trade } from './trade.ts';

/** Accepts an order that has passed its checks, and matches it. */
export function* placeChecked(state: State, user: number, terms: Terms): Cuttable<Order> {
  const order = acceptOrder(state, takeId(state), user, terms);
  yield* match(state, order);
  return order;
}

/** Matches an accepted order, which then rests or ends. */
export function* match(state: State, order: Order): Cuttable<void> {
  const { type, symbol } = order.terms;
  const instrument = state.instruments[symbol]!;
  if (instrument.state === 'auction') {
    restOrder(state, order);
    return;
  }
  const matching = type === 'limit' ? matchLimit : matchMarket;
  const end = yield* matching(state, instrument, order);
  if (end === null) restOrder(state, order);
  else endOrder(state, order, end);
}

/** Every matched resting order counts, whatever the result; a record allows a limited number. */
function* meet(state: State, incoming: Order): Cuttable<void> {
  while (state.meetingsLeft === 0) yield { order: incoming.id, symbols: [incoming.terms.symbol] };
  state.meetingsLeft -= 1;
}

/** The done reason of the incoming order, or null if its remainder rests. */
function* matchLimit(state: State, instrument: Instrument, incoming: Order): Cuttable<DoneReason | null> {
  const { side, price: limit, timeInForce, postOnly } = incoming.terms;
  const first = nextResting(instrument, side);
  if (first !== null && isWithin(side, limit, first.terms.price)) {
    const reach = reachOf(instrument, incoming);
    const bound = priceBound(instrument, side);
    if (reach.price !== null && !isWithin(side, bound, reach.price)) return 'price-protection';
  }
  if (timeInForce === 'FOK' && !reachOf(instrument, incoming).fillsAll) return 'fok';

  while (incoming.remaining > 0) {
    const resting = nextResting(instrument, side);
    if (resting === null || !isWithin(side, limit, resting.terms.price)) break;
    if (postOnly && isOrdinary(resting)) return 'post-only';
    yield* meet(state, incoming);
    if (isSelfTrade(incoming, resting)) {
      if (preventSelfTrade(state, incoming, resting)) return 'self-trade';
      continue;
    }
    trade(state, instrument, incoming, resting, Math.min(incoming.remaining, offered(resting)));
  }
  if (incoming.remaining === 0) return 'filled';
  return timeInForce === 'IOC' ? 'ioc' : null;
}

function isSelfTrade(incoming: Order, resting: Order): boolean {
  return incoming.user === resting.user && incoming.terms.stp !== '';
}

/** The size of the resting order that trades now. */
function offered(resting: Order): number {
  return resting.terms.hidden ? resting.remaining : resting.slice;
}

/** Applies the incoming order's self-trade mode; returns whether that ends the incoming order. */
function preventSelfTrade(state: State, incoming: Order, resting: Order): boolean {
  switch (incoming.terms.stp) {
    case 'CO':
      cancelResting(state, resting, 'self-trade');
      return false;
    case 'CB':
      cancelResting(state, resting, 'self-trade');
      return true;
    case 'DC':
      return decrease(state, incoming, resting);
    default:
      return true;
  }
}

/**
 * DC: the smaller order is cancelled, the larger reduced by it; equal orders are both cancelled. The resting order
 * comes first.
 */
function decrease(state: State, incoming: Order, resting: Order): boolean {
  if (resting.remaining > incoming.remaining) {
    reduceBy(state, resting, incoming.remaining, 'self-trade');
    return true;
  }
  const by = resting.remaining;
  cancelResting(state, resting, 'self-trade');
  if (by === incoming.remaining) return true;
  reduceBy(state, incoming, by, 'self-trade');
  return false;
}

function* matchMarket(state: State, instrument: Instrument, incoming: Order): Cuttable<DoneReason> {
  const { side } = incoming.terms;
  const bound = priceBound(instrument, side);

  for (;;) {
    if (isSatisfied(incoming)) return 'filled';
    const resting = nextResting(instrument, side);
    if (resting === null) return 'book-end';
    const { price } = resting.terms;
    const short = endOfFunds(instrument, incoming, price);
    if (short !== null) return short;
    if (!isWithin(side, bound, price)) return 'price-protection';
    yield* meet(state, incoming);
    if (isSelfTrade(incoming, resting)) {
      if (preventSelfTrade(state, incoming, resting)) return 'self-trade';
      continue;
    }
    trade(state, instrument, incoming, resting, tradable(instrument, incoming, price, offered(resting)));
  }
}

/** The size is filled, or it has traded and its funds are used up exactly. */
function isSatisfied(order: Order): boolean {
  if (!order.terms.byFunds) return order.remaining === 0;
  return order.dealSize > 0 && fundsLeft(order) === 0n;
}

/** The done reason if not even one increment can be traded at this price; null if it can. */
function endOfFunds(instrument: Instrument, order: Order, price: number): DoneReason | null {
  const one = instrument.rules.sizeIncrement;
  if (order.terms.byFunds && wantedByFunds(instrument, order, price, one) === 0) {
    return order.dealSize > 0 ? 'filled' : 'funds-end';
  }
  return coveredByHold(instrument, order, price, one) === 0 ? 'funds-end' : null;
}

/** The size that a market order trades with an order that offers `most`. */
function tradable(instrument: Instrument, order: Order, price: number, most: number): number {
  const covered = coveredByHold(instrument, order, price, most);
  if (order.terms.byFunds) return Math.min(covered, wantedByFunds(instrument, order, price, most));
  return Math.min(covered, order.remaining);
}

/** The largest multiple of the increment, up to `most`, for which `isFine` is true; smaller steps are never traded. */
function largest(instrument: Instrument, most: number, isFine: (size: bigint) => boolean): number {
  const increment = instrument.rules.sizeIncrement;
  let fine = 0;
  let tooMany = Math.floor(most / increment) + 1;
  while (tooMany - fine > 1) {
    const middle = fine + Math.floor((tooMany - fine) / 2);
    if (isFine(BigInt(middle) * BigInt(increment))) fine = middle;
    else tooMany = middle;
  }
  return fine * increment;
}

/** The remaining funds of an order by funds; for a buy they include the fee. */
function fundsLeft(order: Order): bigint {
  const { funds, side } = order.terms;
  const dealMax = side === 'buy' ? (funds * RATE_ONE) / (RATE_ONE + order.takerRate) : funds;
  return dealMax - order.dealFunds;
}

function wantedByFunds(instrument: Instrument, order: Order, price: number, most: number): number {
  return largest(instrument, most, (size) => BigInt(price) * size <= fundsLeft(order));
}

function coveredByHold(instrument: Instrument, order: Order, price: number, most: number): number {
  if (order.terms.side === 'sell') {
    return largest(instrument, most, (size) => size * instrument.rules.sizeUnit <= order.held);
  }
  return largest(instrument, most, (size) => costWithFee(order, BigInt(price) * size) <= order.held);
}

// How far an order would reach in the current book: for price protection (R11) and FOK (R8).

/**
 * The worst price that protection allows, relative to the best visible price, else the last trade, else the best
 * price.
 */
function priceBound(instrument: Instrument, side: Side): number {
  const levels = levelsOf(instrument, opposite(side));
  const shown = levels.find(({ visible }) => visible.length > 0)?.price;
  const from = shown ?? instrument.lastPrice ?? levels[0]?.price ?? 0;
  const allowance = Number((BigInt(from) * instrument.rules.priceLimitRate) / 1_000_000n);
  return side === 'buy' ? from + allowance : from - allowance;
}

export interface Reach {
  /** The last price at which something would trade; null if nothing would. */
  readonly price: number | null;
  readonly fillsAll: boolean;
}

function isOwn(incoming: Order, resting: Order): boolean {
  return incoming.user === resting.user;
}

function isStoppedBy(incoming: Order, resting: Order): boolean {
  if (incoming.terms.postOnly && isOrdinary(resting)) return true;
  return isOwn(incoming, resting) && (incoming.terms.stp === 'CN' || incoming.terms.stp === 'CB');
}

function isPassedOver(incoming: Order, resting: Order): boolean {
  return isOwn(incoming, resting) && incoming.terms.stp === 'CO';
}

/** The size that a level offers before an order stops the incoming one, and whether one does. */
function offerOf(level: Level, incoming: Order): { size: number; stops: boolean } {
  let slices = 0;
  let size = 0;
  for (const resting of level.visible) {
    // Later slices of the icebergs ahead would queue behind the order that stops this one.
    if (isStoppedBy(incoming, resting)) return { size: slices, stops: true };
    if (isPassedOver(incoming, resting)) continue;
    slices += resting.slice;
    size += resting.remaining;
  }
  for (const resting of level.hidden) {
    if (isStoppedBy(incoming, resting)) return { size, stops: true };
    if (!isPassedOver(incoming, resting)) size += resting.remaining;
  }
  return { size, stops: false };
}

function reachOf(instrument: Instrument, incoming: Order): Reach {
  const { side, price: limit } = incoming.terms;
  let need = incoming.remaining;
  let price: number | null = null;
  for (const level of levelsOf(instrument, opposite(side))) {
    if (!isWithin(side, limit, level.price)) break;
    const { size, stops } = offerOf(level, incoming);
    if (size > 0) price = level.price;
    if (size >= need) return { price, fillsAll: true };
    need -= size;
    if (stops) break;
  }
  return { price, fillsAll: false };
}
