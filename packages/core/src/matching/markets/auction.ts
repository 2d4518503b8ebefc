/**
 * Call auctions. Orders are collected without matching; when the call ends, those that can trade do so at one price:
 * better prices first, at one price the earlier order first, visible or hidden. A record makes as many trades as
 * it allows, and the next one continues (T3); until then, commands for the symbol wait.
 */

import type { BeginAuction, CancelAuction, MarketState, SetMarketState } from '../../commands/commands.ts';
import { reject, type Rejection } from '../../commands/rejections.ts';
import type { AuctionEnded } from '../../events/events.ts';
import { type Auction, deviationOf, type Instrument, parseRate } from '../../reference/instrument.ts';
import type { State } from '../../state.ts';
import { invalidValue } from '../../values/text.ts';
import { checkPrice } from '../increments.ts';
import { BUY, SELL } from '../orders/order-flags.ts';
import { tradeInAuction } from '../trade.ts';
import type { UnfinishedMarket } from '../unfinished/unfinished.ts';
import { type AuctionPrice, findAuctionPrice } from './auction-price.ts';
import { continueClearing } from '../cancel-for-others.ts';

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
  steps.take(1);
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
    const kept = steps.keepMeetings(SHARERS);
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

/** A crossed book must not get there. */
export const doesMatch = (state: MarketState): boolean => state === 'open' || state === 'post-only';

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
