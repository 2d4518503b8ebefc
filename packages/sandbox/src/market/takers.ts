/**
 * Takers: noise traders, who arrive in clusters and trade at random; value traders, who trade when the price deviates
 * from the value; momentum traders, who follow the trend.
 */

import type { Side } from '@bourse/core';
import { exp, log, type Random } from './random.ts';
import { type LivingBook, STAY_UNITS, type Surroundings } from './symbol.ts';
import { type SimulationState, type BookState, PARENTS } from './market-state.ts';
import { busynessAt, moodAt, type Preset } from './presets.ts';
import type { StepOrders } from './step-orders.ts';

export interface Scene {
  readonly surroundings: Surroundings;
  readonly state: SimulationState;
  readonly preset: Preset;
  readonly random: Random;
  readonly orders: StepOrders;
}

/** The time for which an arrival triggers further ones. */
const HEAT_SECONDS = 20;
/** The largest number of noise traders that arrive in one symbol in one step. */
const ARRIVALS_MAX = 4;
const NOISE_TRADERS = ['agent-noise-1', 'agent-noise-2', 'agent-noise-3', 'agent-noise-4'] as const;
/** The share of noise traders that place a limit order instead of taking one. */
const PATIENT = 0.3;
const PATIENT_ORDERS_MAX = 3;
/** In a tight book, the share of them that queue at the best price. */
const QUEUE = 0.6;

export function comeAndGo(scene: Scene, living: LivingBook): void {
  const { state, preset, random } = scene;
  const { book, profile, seconds } = living;
  const { hurry } = moodOf(scene);
  const rate = preset.arrivals * profile.activity * busynessAt(state.nextAt) * hurry + book.heat;
  book.idleMs += Math.round(seconds * 1000);
  const isOverdue = book.idleMs >= profile.idleMsMax || state.step === 0;
  const count = Math.min(ARRIVALS_MAX, Math.max(isOverdue ? 1 : 0, random.poisson(rate * seconds)));
  book.heat = book.heat * exp(-seconds / HEAT_SECONDS) + (count * preset.excitement) / HEAT_SECONDS;
  if (living.isMoved) withdrawStale(scene, living);
  for (let i = 0; i < count; i++) tradeAtRandom(scene, living, isOverdue);
}

const moodOf = ({ preset, state }: Scene) => moodAt(preset, (state.nextAt - state.since) / 1000);

function tradeAtRandom(scene: Scene, living: LivingBook, mustTake: boolean): void {
  const { surroundings, preset, random, orders } = scene;
  const { symbol, book, profile, bid, ask, fair, baseWorth } = living;
  const user = surroundings.user(NOISE_TRADERS[random.below(NOISE_TRADERS.length)]);
  const size = symbol.sizeOf(drawSize((preset.tradeSize * profile.tradeSize) / baseWorth, random));
  if (!mustTake && random.chance(PATIENT)) {
    leaveOrder(scene, living, user, random.chance(0.5) ? 'buy' : 'sell', size);
    return;
  }
  const drawn = drawSide(book, moodOf(scene).sellShare, random);
  // Nobody takes from an empty side; if both are empty, the makers have just arrived.
  const side = bid === ask ? drawn : bid === 0 ? 'buy' : ask === 0 ? 'sell' : drawn;
  const price = Math.max(ask, symbol.up(fair));
  if (orders.market(user, symbol, side, price, size)) book.idleMs = 0;
}

/** Near the best price of its side, often better; the oldest is cancelled if there are too many. */
function leaveOrder(scene: Scene, living: LivingBook, user: number, side: Side, size: number): void {
  const { surroundings, state, random, orders } = scene;
  if (state.side === (side === 'buy' ? 2 : 1)) return;
  const { symbol, fair, unit, profile, bid, ask, isMoved } = living;
  const open = surroundings.exchange.orderPlaces(user, symbol.number);
  if (open.length >= PATIENT_ORDERS_MAX) orders.cancel(user, symbol, open[0].order);
  const away = unit * random.between(0.4, 5);
  const isQueued = profile.isTight && random.chance(QUEUE);
  const best = side === 'buy' ? bid : ask;
  const price =
    isQueued && best > 0 && !isMoved
      ? best
      : side === 'buy'
        ? symbol.down(fair * (1 - away))
        : symbol.up(fair * (1 + away));
  orders.limit(user, symbol, side, price, size, profile.isTight ? 'post-only' : 'ordinary');
}

/** The makers have moved to another price: cancel orders that are now on the wrong side of it. */
function withdrawStale({ surroundings, orders }: Scene, { symbol, fair }: LivingBook): void {
  for (const name of NOISE_TRADERS) {
    const user = surroundings.user(name);
    for (const { order, side, price } of surroundings.exchange.orderPlaces(user, symbol.number)) {
      if (side === 'buy' ? price >= fair : price <= fair) orders.cancel(user, symbol, order);
    }
  }
}

const VALUE_TRADERS = [
  { name: 'agent-value-1', threshold: 2.5, worth: 2000 },
  { name: 'agent-value-2', threshold: 6, worth: 8000 },
] as const;
const VALUE_LOOKS = 0.6;
const VALUE_LOOKS_TIGHT = 0.1;

/** `threshold` is in units. In a tight book they do not take orders that merely wait for the makers to move. */
export function correctPrice({ surroundings, random, orders }: Scene, living: LivingBook): void {
  const { symbol, value, bid, ask, baseWorth, unit, profile } = living;
  for (const { name, threshold, worth } of VALUE_TRADERS) {
    if (!random.chance(profile.isTight ? VALUE_LOOKS_TIGHT : VALUE_LOOKS)) continue;
    const margin = unit * (profile.isTight ? STAY_UNITS + 2 * threshold : threshold);
    const isCheap = ask > 0 && ask < value * (1 - margin);
    const isDear = bid > 0 && bid > value * (1 + margin);
    if (!isCheap && !isDear) continue;
    const off = Math.abs((isCheap ? ask : bid) / value - 1) / margin;
    const size = symbol.sizeOf((worth * Math.min(5, off) * random.between(0.5, 1.5)) / baseWorth);
    const user = surroundings.user(name);
    if (isCheap) orders.limit(user, symbol, 'buy', symbol.down(value * (1 - margin / 2)), size, 'immediate');
    else orders.limit(user, symbol, 'sell', symbol.up(value * (1 + margin / 2)), size, 'immediate');
  }
}

const FAST_SECONDS = 40;
const SLOW_SECONDS = 240;
const MOMENTUM_TRADERS = [
  { name: 'agent-momentum-1', threshold: 8, worth: 800 },
  { name: 'agent-momentum-2', threshold: 16, worth: 2500 },
] as const;
const MOMENTUM_LOOKS = 0.03;

export function runAfterPrice({ surroundings, random, orders }: Scene, living: LivingBook): void {
  const { symbol, book, bid, ask, baseWorth, unit, profile, seconds } = living;
  if (bid === 0 || ask === 0) return;
  const price = log((bid + ask) / 2);
  book.fast = book.fast === 0 ? price : book.fast + (price - book.fast) * Math.min(1, seconds / FAST_SECONDS);
  book.slow = book.slow === 0 ? price : book.slow + (price - book.slow) * Math.min(1, seconds / SLOW_SECONDS);
  const trend = book.fast - book.slow;
  for (const { name, threshold, worth } of MOMENTUM_TRADERS) {
    if (!random.chance(MOMENTUM_LOOKS) || Math.abs(trend) < threshold * unit) continue;
    const side: Side = trend > 0 ? 'buy' : 'sell';
    const size = symbol.sizeOf((worth * profile.depth * random.between(0.5, 1.5)) / baseWorth);
    orders.market(surroundings.user(name), symbol, side, ask, size);
  }
}

// Market orders: sizes follow a power law and prefer round numbers; sides have a long memory, because large orders are
// sent in many pieces (Lillo, Mike and Farmer): if their lengths follow a power law, the memory of sides fades as
// slowly as in real markets.

/** P(size > x) falls with this power of x. */
const SIZE_EXPONENT = 1.5;
/** Ratio of the median of such a distribution to its minimum. */
const MEDIAN = exp(log(2) / SIZE_EXPONENT);
const SIZE_FACTOR_MAX = 500;
/** One digit, two digits, or unrounded. */
const ROUND_ONE = 0.35;
const ROUND_TWO = 0.65;

const LENGTH_EXPONENT = 1.5;
const LENGTH_MAX = 3000;
/** The share of orders that are not part of a parent order. */
const ALONE = 0.35;

/** A size in coins with this median. */
function drawSize(median: number, random: Random): number {
  const size = (median / MEDIAN) * drawPower(SIZE_EXPONENT, SIZE_FACTOR_MAX, random);
  const liking = random.fraction();
  if (liking < ROUND_ONE) return rounded(size, 1);
  return liking < ROUND_TWO ? rounded(size, 10) : size;
}

/** At least 1, power-law distributed. */
function drawPower(exponent: number, max: number, random: Random): number {
  const rest = Math.max(1 - random.fraction(), 1e-12);
  return Math.min(max, exp(-log(rest) / exponent));
}

/** Written with an integer from `least` to below ten times that, and zeros. */
function rounded(size: number, least: number): number {
  let unit = 1;
  let scaled = size;
  for (; scaled >= 10 * least; scaled /= 10) unit *= 10;
  for (; scaled < least; scaled *= 10) unit /= 10;
  return Math.round(scaled) * unit;
}

/** `sellShare`: the probability that a new parent order sells. */
function drawSide(book: BookState, sellShare: number, random: Random): Side {
  const draw = (): -1 | 1 => (random.chance(sellShare) ? -1 : 1);
  if (random.chance(ALONE)) return draw() > 0 ? 'buy' : 'sell';
  const at = random.below(PARENTS);
  if (book.parents[at] === 0)
    book.parents[at] = draw() * Math.round(drawPower(LENGTH_EXPONENT, LENGTH_MAX, random));
  const left = book.parents[at];
  book.parents[at] = left > 0 ? left - 1 : left + 1;
  return left > 0 ? 'buy' : 'sell';
}
