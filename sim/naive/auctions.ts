/** Call auctions: orders are collected, and trade at one price when the call ends. */

import type { BeginAuction, CancelAuction, MarketState } from '../../packages/core/src/commands/commands.ts';
import type { AuctionEnded } from '../../packages/core/src/events/events.ts';
import type { Outcome } from '../../packages/core/src/commands/outcomes.ts';
import { reject, type Rejection } from '../../packages/core/src/commands/rejections.ts';
import { levelsOf } from './book.ts';
import { checkStopPriceGrid } from './checks.ts';
import type { Cuttable, State } from './state.ts';
import { inUnits, parseDecimal } from './decimal.ts';
import type { Auction, Instrument, Order } from './instrument.ts';
import { accepted, checkInteger, checkOneOf, checkSymbol, refuse, refused, valueInvalid } from './refusal.ts';
import { isBookCrossed, emitSymbol } from './symbols.ts';
import { tradeInAuction } from './trade.ts';
import { beginUnasked } from './unfinished.ts';

const NEXT = ['open', 'post-only', 'cancel-only', 'halted'];

export function beginAuction(state: State, command: BeginAuction): Outcome {
  const { symbol, endsInMs, referencePrice, band, thenState } = command;
  const unknown = checkSymbol(state, symbol);
  if (unknown !== null) return refused(unknown);
  const instrument = state.instruments[symbol]!;
  const wrong =
    checkInteger('endsInMs', endsInMs, 1, 604_800_000) ??
    (band === undefined || bandOf(band) !== null
      ? null
      : valueInvalid('band', band, 'a decimal up to 1000')) ??
    checkOneOf('thenState', thenState, NEXT) ??
    checkNotInAuction(instrument) ??
    (instrument.state === 'delisted' ? reject('market-closed', { symbol, state: 'delisted' }) : null) ??
    (referencePrice === undefined ? null : checkStopPriceGrid(instrument.rules, referencePrice));
  if (wrong !== null) return refused(wrong);
  callUntil(state, instrument, {
    endsAt: state.time + endsInMs,
    lastsMs: endsInMs,
    reference: referencePrice ?? null,
    band: band === undefined ? null : bandOf(band),
    thenState,
    extended: false,
  });
  instrument.state = 'auction';
  emitSymbol(state, instrument);
  return accepted;
}

/** In units of 10^-6. */
function bandOf(text: string): bigint | null {
  const decimal = parseDecimal(text);
  const units = decimal === null ? null : inUnits(decimal, 6);
  return units === null || units > 1_000_000_000n ? null : units;
}

function checkNotInAuction({ auction, symbol }: Instrument): Rejection | null {
  return auction === null ? null : reject('in-auction', { symbol });
}

export function cancelAuction(state: State, { symbol }: CancelAuction): Outcome {
  const unknown = checkSymbol(state, symbol);
  if (unknown !== null) return refused(unknown);
  const instrument = state.instruments[symbol]!;
  if (instrument.auction === null) return refuse('no-auction', { symbol });
  endAuction(state, instrument, 'cancelled', 0, 0, 'halted');
  return accepted;
}

function callUntil(state: State, instrument: Instrument, auction: Auction): void {
  instrument.auction = auction;
  const { endsAt, extended: isExtended, thenState } = auction;
  state.events.push({ kind: 'auction-set', symbol: instrument.symbol, endsAt, isExtended, thenState });
}

function endAuction(
  state: State,
  instrument: Instrument,
  result: AuctionEnded['result'],
  price: number,
  size: number,
  next: MarketState,
): void {
  const { symbol } = instrument;
  instrument.auction = null;
  state.events.push({ kind: 'auction-ended', symbol, result, price, size });
  const isBarred = isBookCrossed(instrument) && (next === 'open' || next === 'post-only');
  instrument.state = isBarred ? 'halted' : next;
  emitSymbol(state, instrument);
  state.stirred.add(symbol);
}

/** Ends the call: trades at the auction price, or ends without a trade. */
export function uncross(state: State, instrument: Instrument): void {
  const auction = instrument.auction!;
  const found = auctionPrice(instrument);
  if (found === null) {
    endAuction(state, instrument, 'no-cross', 0, 0, auction.thenState);
    return;
  }
  const { price, size, reference } = found;
  const away = BigInt(Math.abs(price - reference));
  if (auction.band !== null && away > (BigInt(reference) * auction.band) / 1_000_000n) {
    if (auction.extended) endAuction(state, instrument, 'outside-band', 0, 0, 'halted');
    else callUntil(state, instrument, { ...auction, endsAt: state.time + auction.lastsMs, extended: true });
    return;
  }
  auction.isUncrossing = true;
  // Half of the record's remaining matches are for its commands.
  const all = state.meetingsLeft;
  state.meetingsLeft = Math.ceil(all / 2);
  const others = all - state.meetingsLeft;
  beginUnasked(state, NOBODY, tradeAll(state, instrument, price, size));
  state.meetingsLeft += others;
}

const NOBODY = -2;

function* tradeAll(state: State, instrument: Instrument, price: number, size: number): Cuttable<void> {
  for (;;) {
    const buy = earliest(instrument, 'buy');
    const sell = earliest(instrument, 'sell');
    if (buy === null || sell === null || buy.terms.price < price || sell.terms.price > price) break;
    while (state.meetingsLeft === 0) yield { order: 0, symbols: [instrument.symbol] };
    state.meetingsLeft -= 1;
    tradeInAuction(state, instrument, buy, sell, price);
  }
  endAuction(state, instrument, 'traded', price, size, instrument.auction!.thenState);
}

/** The earliest order at the best price, visible or hidden. */
function earliest(instrument: Instrument, side: 'buy' | 'sell'): Order | null {
  const level = levelsOf(instrument, side)[0];
  if (level === undefined) return null;
  const [shown, hidden] = [level.visible[0], level.hidden[0]];
  if (shown === undefined || hidden === undefined) return shown ?? hidden ?? null;
  return shown.id < hidden.id ? shown : hidden;
}

/**
 * The four steps in order. Between two adjacent limits neither side changes, so only candidates next to a limit
 * matter.
 */
function auctionPrice(instrument: Instrument): { price: number; size: number; reference: number } | null {
  const tick = instrument.rules.priceIncrement;
  const listed = (side: 'buy' | 'sell') =>
    levelsOf(instrument, side).flatMap(({ price, visible, hidden }) =>
      [...visible, ...hidden].map(({ remaining }) => ({ price, remaining })),
    );
  const [buys, sells] = [listed('buy'), listed('sell')];
  const limits = [...buys, ...sells].map(({ price }) => price);
  if (limits.length === 0) return null;
  const [lowest, highest] = [
    limits.reduce((a, b) => Math.min(a, b)),
    limits.reduce((a, b) => Math.max(a, b)),
  ];
  const near = new Set<number>();
  for (const limit of limits) {
    const down = Math.floor(limit / tick);
    for (const step of [down - 1, down, down + 1, down + 2]) {
      if (step * tick >= lowest && step * tick <= highest) near.add(step);
    }
  }
  const sum = (orders: typeof buys) => orders.reduce((total, { remaining }) => total + remaining, 0);
  let left = [...near]
    .toSorted((one, other) => one - other)
    .map((step) => {
      const demand = sum(buys.filter(({ price }) => price >= step * tick));
      const supply = sum(sells.filter(({ price }) => price <= step * tick));
      return { step, size: Math.min(demand, supply), surplus: demand - supply };
    });
  const most = left.reduce((max, { size }) => Math.max(max, size), 0);
  if (most === 0) return null;
  left = left.filter(({ size }) => size === most);
  const least = left.reduce((min, { surplus }) => Math.min(min, Math.abs(surplus)), Infinity);
  left = left.filter(({ surplus }) => Math.abs(surplus) === least);
  const isBuyOnly = left.every(({ surplus }) => surplus > 0);
  const isSellOnly = left.every(({ surplus }) => surplus < 0);
  if (!isBuyOnly && !isSellOnly && least > 0) {
    const [highestBuy, lowestSell] = [
      left.findLast(({ surplus }) => surplus > 0)!,
      left.find(({ surplus }) => surplus < 0)!,
    ];
    left = left.filter(({ step }) => step >= highestBuy.step && step <= lowestSell.step);
  }
  const low = left[0]!.step;
  const high = left.at(-1)!.step;
  const middle = Math.ceil((low + high) / 2);
  const known = instrument.lastPrice ?? instrument.auction?.reference ?? null;
  const reference = known ?? middle * tick;
  let step: number;
  if (isBuyOnly) step = high;
  else if (isSellOnly) step = low;
  else {
    const wanted = known === null ? middle : nearestStep(known, tick);
    step = Math.min(Math.max(wanted, low), high);
  }
  return { price: step * tick, size: most, reference };
}

/** The higher of two equally near prices. */
function nearestStep(price: number, tick: number): number {
  const down = Math.floor(price / tick);
  return price - down * tick < (down + 1) * tick - price ? down : down + 1;
}
