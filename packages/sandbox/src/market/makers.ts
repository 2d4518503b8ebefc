/**
 * Market makers: each quotes several prices on both sides of its estimate of the value, lower when it holds too much
 * of the base currency and higher when it holds too little. Its prices stay while the value moves between them: an
 * order is cancelled only if it is too close to the value, or too far away to matter. In a tight book three more
 * queue at the best prices.
 */

import type { Side } from '@bourse/core';
import type { LivingBook, LivingSymbol, Surroundings } from './symbol.ts';
import type { SimulationState } from './market-state.ts';
import type { Preset } from './presets.ts';
import { fixedFraction } from './random.ts';
import type { StepOrders } from './step-orders.ts';
import { wideningOf } from './values.ts';

interface Style {
  readonly name: string;
  /** It reviews its orders once per this many turns of the symbol. */
  readonly every: number;
  /**
   * Half its spread, and the distance between its prices, in units of the book; in a tight book farther away, behind
   * the best.
   */
  readonly width: number;
  readonly spacing: number;
  readonly tight: { readonly width: number; readonly spacing: number };
  /** The value of one of its orders, in USDT. */
  readonly size: number;
}

const STYLES: readonly Style[] = [
  {
    name: 'agent-maker-1',
    every: 1,
    width: 1,
    spacing: 2,
    tight: { width: 4, spacing: 4 },
    size: 4000,
  },
  {
    name: 'agent-maker-2',
    every: 3,
    width: 6,
    spacing: 12,
    tight: { width: 16, spacing: 16 },
    size: 15_000,
  },
  {
    name: 'agent-maker-3',
    every: 9,
    width: 30,
    spacing: 60,
    tight: { width: 40, spacing: 60 },
    size: 40_000,
  },
];

/** Makers that queue at the best prices of a tight book, with one order on each side. */
const QUEUE: readonly Pick<Style, 'name' | 'every' | 'size'>[] = [
  { name: 'agent-maker-4', every: 1, size: 1500 },
  { name: 'agent-maker-5', every: 2, size: 1000 },
  { name: 'agent-maker-6', every: 5, size: 2500 },
];

/** How much lower a maker quotes with twice its capital in the base currency. */
const SKEW = 0.004;
/** The nearest order may come this much closer than its half-spread before it is cancelled. */
const TOLERANCE = 0.5;
/** How many price steps too far away the farthest order may be. */
const SLACK = 6;

export function makeMarkets(
  surroundings: Surroundings,
  state: SimulationState,
  preset: Preset,
  books: readonly LivingBook[],
  orders: StepOrders,
): void {
  const { exchange } = surroundings;
  const widening = wideningOf(state);
  for (const [at, style] of STYLES.entries()) {
    const user = surroundings.user(style.name);
    for (const book of books) {
      const { profile, unit, symbol } = book;
      if (at >= profile.makers) continue;
      // Not all symbols in the same step.
      const isTurn = (book.turns + at + symbol.number) % style.every === 0;
      if (!isTurn && state.step > 0 && !isStale(book)) continue;
      const { width, spacing: apart } = profile.isTight ? style.tight : style;
      const fair = book.fair * (1 - SKEW * imbalance(surroundings, user, book.symbol));
      const halfSpread = unit * width * (profile.isTight ? 1 : widening);
      const spacing = niceStep(book.fair * unit * apart, book.symbol.increment);
      const size = (style.size * preset.depth * profile.depth) / book.baseWorth;
      const ladder: Ladder = {
        user,
        book,
        fair,
        halfSpread,
        spacing,
        size,
        levels: Math.max(1, Math.round(preset.levels * profile.levels)),
        maker: at,
      };
      const places = exchange.orderPlaces(user, symbol.number);
      for (const side of ['buy', 'sell'] as const) {
        const own = places.filter((place) => place.side === side);
        if (isQuoted(state, side)) quote(ladder, side, own, orders);
        else for (const { order } of own) orders.cancel(user, symbol, order);
      }
    }
  }
  for (const book of books) if (book.profile.isTight) queueAtBest(surroundings, state, preset, book, orders);
}

/** A maker with an order at the best price keeps it and its priority; the others join the end of the queue. */
function queueAtBest(
  surroundings: Surroundings,
  state: SimulationState,
  preset: Preset,
  { symbol, fair, profile, baseWorth, isMoved }: LivingBook,
  orders: StepOrders,
): void {
  const { exchange } = surroundings;
  const half = Math.floor(preset.touchTicks / 2) * symbol.increment;
  const bid = symbol.down(fair) - half;
  const prices = { buy: bid, sell: bid + preset.touchTicks * symbol.increment } as const;
  for (const [at, { name, every, size: worth }] of QUEUE.entries()) {
    if (!isMoved && (state.step + at) % every !== 0) continue;
    const user = surroundings.user(name);
    const quoted = new Set<Side>();
    for (const { order, side, price } of exchange.orderPlaces(user, symbol.number)) {
      if (price === prices[side] && !quoted.has(side) && isQuoted(state, side)) quoted.add(side);
      else orders.cancel(user, symbol, order);
    }
    for (const side of ['buy', 'sell'] as const) {
      if (quoted.has(side) || !isQuoted(state, side)) continue;
      const liking = 0.5 + fixedFraction(at, prices[side] / symbol.increment, symbol.number);
      const size = symbol.sizeOf((worth * liking * preset.depth * profile.depth) / baseWorth);
      orders.limit(user, symbol, side, prices[side], size, 'post-only');
    }
  }
}

const isQuoted = ({ side: only }: SimulationState, side: Side): boolean =>
  only === 0 || (only === 1) === (side === 'buy');

/** The value has passed a best price. A maker that quotes there reacts at once, before others trade at that price. */
function isStale({ bid, ask, fair }: LivingBook): boolean {
  return bid > fair || (ask > 0 && ask < fair);
}

interface Ladder {
  readonly user: number;
  readonly book: LivingBook;
  readonly fair: number;
  readonly halfSpread: number;
  readonly spacing: number;
  /** The size of an order, in coins of the base currency. */
  readonly size: number;
  readonly levels: number;
  readonly maker: number;
}

/** `own`: its orders on this side. */
function quote(
  ladder: Ladder,
  side: Side,
  own: readonly { readonly order: number; readonly price: number }[],
  orders: StepOrders,
): void {
  const { user, book, fair, halfSpread, spacing, size, levels, maker } = ladder;
  const { symbol } = book;
  const sign = side === 'buy' ? -1 : 1;
  // Prices are counted away from the mid: those of bids descend.
  const nearest = Math.ceil((sign * fair * (1 + sign * halfSpread)) / spacing);
  const closest = sign * fair * (1 + sign * halfSpread * TOLERANCE);
  const taken = new Set<number>();
  for (const { order, price } of own) {
    const away = sign * price;
    const rung = Math.floor(away / spacing);
    if (away < closest || rung >= nearest + levels + SLACK || taken.has(rung))
      orders.cancel(user, symbol, order);
    else taken.add(rung);
  }
  for (let rung = nearest; rung < nearest + levels; rung++) {
    if (taken.has(rung)) continue;
    const steps = Math.floor((fixedFraction(maker, rung, symbol.number) * spacing) / symbol.increment);
    const price = sign * (rung * spacing + steps * symbol.increment);
    if (price < symbol.increment) continue;
    const kind = book.profile.isTight ? 'post-only' : 'ordinary';
    orders.limit(user, symbol, side, price, symbol.sizeOf(size * sizeAt(rung - nearest, levels, rung)), kind);
  }
}

/** Small in front, largest in the middle, smaller again at the back; sizes never repeat. */
function sizeAt(level: number, levels: number, rung: number): number {
  const hump = 0.5 + 1.5 * ((level + 1) / levels) * (1.35 - (level + 1) / levels);
  return hump * (0.6 + 0.8 * fixedFraction(rung, level, levels));
}

/** How much more of its capital the maker holds in the base currency than in the quote currency. */
function imbalance(
  surroundings: Surroundings,
  user: number,
  { base, quote: money, baseCode, quoteCode }: LivingSymbol,
): number {
  return share(surroundings, user, base, baseCode) - share(surroundings, user, money, quoteCode);
}

function share(surroundings: Surroundings, user: number, currency: number, code: string): number {
  const { available, hold } = surroundings.exchange.balance(user, 'trade', currency);
  return Math.max(-1, Math.min(1, Number(available + hold) / surroundings.makerCapital(code) - 1));
}

/** The next 1, 2 or 5 times a power of ten increments, so that it stays the same while the price moves a little. */
function niceStep(wanted: number, increment: number): number {
  let step = increment;
  for (;;) {
    for (const factor of [1, 2, 5]) if (step * factor >= wanted) return step * factor;
    step *= 10;
  }
}
