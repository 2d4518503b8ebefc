/**
 * Call auctions, and the other changes of a market's state. Orders are collected without matching; when the call ends, those
 * that can trade do so at one price: better prices first, at one price the earlier order first, visible or hidden. A record
 * makes as many trades as it allows, and the next one continues (T3); until then, commands for the symbol wait.
 */

import type { BeginAuction, CancelAuction, MarketState, SetMarketState } from '../commands/commands.ts';
import { reject, type Rejection } from '../commands/rejections.ts';
import type { AuctionEnded } from '../events/events.ts';
import type { Book } from './book/book.ts';
import { rankOf } from './book/price-levels.ts';
import { continueClearing } from './cancel-for-others.ts';
import { tradeInAuction } from './trade.ts';
import type { UnfinishedMarket } from './unfinished/unfinished.ts';
import { type Auction, deviationOf, type Instrument, parseRate } from '../reference/instrument.ts';
import type { State } from '../state.ts';
import { checkPrice, invalidValue } from '../values/checks.ts';

const WEEK_MS = 7 * 24 * 3_600_000;
const NEXT_STATES: readonly MarketState[] = ['open', 'post-only', 'cancel-only', 'halted'];
const NO_BAND = -1;
/** The uncross of a call that has just ended leaves half of the record's meetings to its commands. */
const SHARERS = 2;

export function beginAuction(state: State, command: BeginAuction): Rejection | null {
  const { symbol, endsInMs, referencePrice, band, thenState } = command;
  const refused = state.instruments.unknown(symbol);
  if (refused) return refused;
  const instrument = state.instruments.all[symbol];
  const rate = band === undefined ? NO_BAND : parseRate(band);
  const wrong =
    (Number.isInteger(endsInMs) && endsInMs >= 1 && endsInMs <= WEEK_MS
      ? null
      : invalidValue('endsInMs', endsInMs, `an integer from 1 to ${WEEK_MS}`)) ??
    (rate === null ? invalidValue('band', band, 'a decimal from 0 to 1000, 6 decimals') : null) ??
    (NEXT_STATES.includes(thenState)
      ? null
      : invalidValue('thenState', thenState, `one of ${NEXT_STATES.join(', ')}`)) ??
    checkNoAuction(instrument) ??
    (instrument.state === 'delisted' ? reject('market-closed', { symbol, state: 'delisted' }) : null) ??
    (referencePrice === undefined ? null : checkPrice(referencePrice, instrument.rules.priceIncrement));
  if (wrong) return wrong;
  setAuction(state, instrument, {
    endsAt: state.time + endsInMs,
    durationMs: endsInMs,
    referencePrice: referencePrice ?? 0,
    band: rate as number,
    thenState,
    isExtended: false,
  });
  state.instruments.enter(instrument, 'auction');
  return null;
}

const checkNoAuction = ({ auction, number }: Instrument): Rejection | null =>
  auction === null ? null : reject('in-auction', { symbol: number });

export function cancelAuction(state: State, { symbol }: CancelAuction): Rejection | null {
  const refused = state.instruments.unknown(symbol);
  if (refused) return refused;
  const instrument = state.instruments.all[symbol];
  if (instrument.auction === null) return reject('no-auction', { symbol });
  close(state, instrument, 'halted', 'cancelled', 0, 0);
  return null;
}

/** The call that is due first ends. */
export function endCall(state: State): void {
  const { instruments, auctions, steps } = state;
  const instrument = instruments.all[auctions.firstKey];
  const auction = instrument.auction as Auction;
  steps.use(1);
  const found = priceNow(instrument);
  if (found === null) close(state, instrument, auction.thenState, 'no-cross', 0, 0);
  else if (!isWithinBand(auction, found)) {
    if (auction.isExtended) close(state, instrument, 'halted', 'outside-band', 0, 0);
    else
      setAuction(state, instrument, {
        ...auction,
        endsAt: state.time + auction.durationMs,
        isExtended: true,
      });
  } else {
    auctions.delete(instrument.number);
    const { price, size } = found;
    const task = state.unfinished.addMarket({ task: 'uncross', symbol: instrument.number, price, size });
    const kept = steps.reserveMeetings(SHARERS);
    continueUncross(state, task);
    steps.meetingsLeft += kept;
  }
}

/** The indicative price: the result if the auction ended now. */
export const priceNow = ({ book, rules, auction }: Instrument): AuctionPrice | null =>
  findAuctionPrice(book, rules.priceIncrement, book.lastPrice || (auction?.referencePrice ?? 0));

function isWithinBand({ band }: Auction, { price, reference }: AuctionPrice): boolean {
  return band === NO_BAND || Math.abs(price - reference) <= deviationOf(reference, band);
}

export function continueUncross(state: State, task: UnfinishedMarket): void {
  const { orders, steps } = state;
  const { price, size } = task;
  const instrument = state.instruments.all[task.symbol];
  const { book } = instrument;
  for (;;) {
    const buy = book.earliest(BUY);
    const sell = book.earliest(SELL);
    if (buy < 0 || sell < 0 || orders.price(buy) < price || orders.price(sell) > price) break;
    if (steps.meetingsLeft === 0) return;
    steps.meetingsLeft--;
    tradeInAuction(state, instrument, buy, sell, price);
  }
  state.unfinished.remove(task);
  const { thenState } = instrument.auction as Auction;
  close(state, instrument, thenState, 'traded', price, size);
}

/** Whether orders match in this state; a crossed book must not enter it. */
const doesMatch = (state: MarketState): boolean => state === 'open' || state === 'post-only';

function setAuction(state: State, instrument: Instrument, auction: Auction): void {
  const { number: symbol } = instrument;
  instrument.auction = auction;
  state.auctions.set(symbol, auction.endsAt);
  const { endsAt, isExtended, thenState } = auction;
  state.events.rare({ kind: 'auction-set', symbol, endsAt, isExtended, thenState });
}

function close(
  state: State,
  instrument: Instrument,
  next: MarketState,
  result: AuctionEnded['result'],
  price: number,
  size: number,
): void {
  const { number: symbol } = instrument;
  instrument.auction = null;
  state.auctions.delete(symbol);
  state.events.rare({ kind: 'auction-ended', symbol, result, price, size });
  // Limits that are not multiples of the increment may still cross, because no price lies between them.
  const mayEnter = !doesMatch(next) || !instrument.book.isCrossed;
  state.instruments.enter(instrument, mayEnter ? next : 'halted');
  state.touch(symbol);
}

export function setMarketState(state: State, command: SetMarketState): Rejection | null {
  const { instruments } = state;
  const { symbol, state: next } = command;
  const refused = instruments.unknown(symbol) ?? instruments.checkState(next);
  if (refused) return refused;
  const instrument = instruments.all[symbol];
  const wrong = checkNoAuction(instrument);
  if (wrong) return wrong;
  if (doesMatch(next) && instrument.book.isCrossed) return reject('book-crossed', { symbol });
  instruments.enter(instrument, next);
  state.touch(symbol);
  if (next === 'delisted') {
    continueClearing(state, state.unfinished.addMarket({ task: 'delist', symbol, price: 0, size: 0 }));
  }
  return null;
}

export function setPaused(state: State, isPaused: boolean): Rejection | null {
  const { instruments } = state;
  if (instruments.isPaused === isPaused) return reject(isPaused ? 'paused-already' : 'not-paused', {});
  instruments.isPaused = isPaused;
  for (const instrument of instruments.all) {
    instrument.isPaused = isPaused;
    // Stop orders may have come due meanwhile.
    if (!isPaused) state.touch(instrument.number);
  }
  state.events.rare({ kind: 'pause-set', isPaused });
  return null;
}

const BUY = 0;
const SELL = 1;

export interface AuctionPrice {
  readonly price: number;
  /** The volume that trades at that price. */
  readonly size: number;
  /** The surplus, and the side that has it; '' if both sides are equal. */
  readonly imbalance: number;
  readonly side: 'buy' | 'sell' | '';
  /** The reference price of A2 in docs/concepts/rules-markets.md. */
  readonly reference: number;
}

/**
 * The price of a call auction: the multiple of the price increment with (1) most volume, (2) of those the least surplus,
 * (3) if all of them have a surplus of buys the highest, of sells the lowest, (4) otherwise the one nearest to the
 * reference price (0 for none, then the middle of the prices that are left). null: nothing would trade.
 *
 * Demand falls and supply rises with the price, so their difference changes sign once: two binary searches find where.
 * Each probe takes one step per block of 64 levels, so a book of 100,000 levels takes about a millisecond.
 */
export function findAuctionPrice(book: Book, increment: number, reference: number): AuctionPrice | null {
  const ask = book.bestPrice(SELL);
  const bid = book.bestPrice(BUY);
  if (ask === 0 || bid === 0) return null;
  // Prices are counted in increments. Outside these two, one side is empty.
  const first = Math.ceil(ask / increment);
  const last = Math.floor(bid / increment);
  if (first > last) return null;
  const demand = (at: number): number => book.sides[BUY].totalFrom(rankOf(BUY, at * increment));
  const supply = (at: number): number => book.sides[SELL].totalFrom(rankOf(SELL, at * increment));
  const surplus = (at: number): number => demand(at) - supply(at);

  const firstSettled = firstWhere(first, last, (at) => surplus(at) <= 0);
  const lastBuy = firstSettled - 1;
  const firstSell = firstWhere(firstSettled, last, (at) => surplus(at) < 0);
  const isSame = (one: number, other: number): boolean =>
    demand(one) === demand(other) && supply(one) === supply(other);
  const found = (at: number, low: number, high: number): AuctionPrice => {
    const imbalance = surplus(at);
    return {
      price: at * increment,
      size: Math.min(demand(at), supply(at)),
      imbalance: Math.abs(imbalance),
      side: imbalance > 0 ? 'buy' : imbalance < 0 ? 'sell' : '',
      reference: reference || middleOf(low, high) * increment,
    };
  };
  const nearest = (low: number, high: number): AuctionPrice => {
    const wanted =
      reference === 0 ? middleOf(low, high) : Math.floor((2 * reference + increment) / (2 * increment));
    return found(Math.min(Math.max(wanted, low), high), low, high);
  };
  const highestBuy = (): AuctionPrice =>
    found(
      lastBuy,
      firstWhere(first, lastBuy, (at) => isSame(at, lastBuy)),
      lastBuy,
    );
  const lowestSell = (): AuctionPrice =>
    found(firstSell, firstSell, firstWhere(firstSell, last, (at) => !isSame(at, firstSell)) - 1);

  if (firstSell - lastBuy > 1) return nearest(lastBuy + 1, firstSell - 1);
  if (lastBuy < first) return lowestSell();
  if (firstSell > last) return highestBuy();
  // Two neighbours, with a surplus of buys at the lower and of sells at the higher one.
  const moreVolume = supply(lastBuy) - demand(firstSell);
  const lessSurplus = -surplus(firstSell) - surplus(lastBuy);
  if (moreVolume > 0 || (moreVolume === 0 && lessSurplus > 0)) return highestBuy();
  if (moreVolume < 0 || lessSurplus < 0) return lowestSell();
  return nearest(lastBuy, firstSell);
}

/** Rounded up. */
const middleOf = (low: number, high: number): number => Math.ceil((low + high) / 2);

/** The first of `low` to `high` that holds, `high + 1` where none does; all behind one that holds do. */
function firstWhere(low: number, high: number, holds: (at: number) => boolean): number {
  let from = low;
  let end = high + 1;
  while (from < end) {
    const middle = Math.floor((from + end) / 2);
    if (holds(middle)) end = middle;
    else from = middle + 1;
  }
  return from;
}
