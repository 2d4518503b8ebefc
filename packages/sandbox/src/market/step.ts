/**
 * One step of the market: computes its commands from the state of the exchange and the notes of the previous step. It
 * uses no clock and no randomness except the seed's, so the same exchange and notes give the same commands anywhere.
 */

import type { Command } from '@bourse/core';
import { replayState } from '../replay/replay-state.ts';
import { type LivingBook, livingBooks, STAY_UNITS, type Surroundings } from './symbol.ts';
import { makeMarkets } from './makers.ts';
import type { GroupState, SimulationState } from './market-state.ts';
import { type Preset, PRESETS } from './presets.ts';
import { Random } from './random.ts';
import { StepOrders } from './step-orders.ts';
import { comeAndGo, correctPrice, runAfterPrice, type Scene } from './takers.ts';
import { moveGroup, moveTogether } from './values.ts';
import { TRIANGLE } from './agents.ts';

const GAP_MS_MIN = 50;
const MINUTE_MS = 60_000;
/** Small groups have their own random stream, so that they do not affect the liquid symbols. */
const SMALL_STREAM = 2 ** 40;

/** The step due at `time`; empty without agents. The market's note is the last command. */
export function stepCommands(surroundings: Surroundings, time: number): Command[] {
  const { exchange } = surroundings;
  const state = surroundings.written.take(exchange.reference);
  if (state === null || state.preset === 'quiet' || time < state.nextAt) return [];
  const preset = PRESETS[state.preset];
  const random = new Random(state.seed, state.step);
  const smallRandom = new Random(state.seed, SMALL_STREAM + state.step);
  const randomOf = ({ number }: GroupState) => (number === 0 ? random : smallRandom);
  // Before anybody acts, so that values and volatility follow from the seed alone, whatever is traded.
  moveTogether(state, preset, random);
  for (const group of state.groups) moveGroup(state, group, preset, randomOf(group));
  const gapMs = drawGap(preset, random);
  if (preset.isOneSided) turnSides(state, random);
  const orders = new StepOrders(exchange);
  for (const group of state.groups) {
    act({ surroundings, state, preset, random: randomOf(group), orders }, group);
    group.ranMs = state.ranMs;
    group.common = state.common;
  }
  // Steps missed while the exchange did not run are skipped: the market continues from its last state.
  state.nextAt = Math.max(state.nextAt, time) + gapMs;
  state.ranMs += gapMs;
  state.step += 1;
  return [...orders.commands, ...surroundings.written.put(state)];
}

function drawGap({ gapMs }: Preset, random: Random): number {
  return Math.max(GAP_MS_MIN, Math.round(gapMs * random.between(0.4, 1.6)));
}

function act(scene: Scene, group: GroupState): void {
  const { surroundings, state, preset, orders } = scene;
  const { tapes } = replayState(surroundings.exchange);
  const isOurs = ({ symbol: { state: open, code } }: LivingBook) =>
    open === 'open' && !tapes.some(({ symbol }) => symbol === code);
  const books = livingBooks(surroundings, state, group, preset).filter(isOurs);
  for (const book of books) correctPrice(scene, book);
  if (group.number === 0) arbitrage(scene, books);
  makeMarkets(surroundings, state, preset, books, orders);
  for (const book of books) {
    runAfterPrice(scene, book);
    comeAndGo(scene, book);
  }
}

/** Both sides for a minute or two, then only one for some minutes. */
function turnSides(state: SimulationState, random: Random): void {
  if (state.nextAt < state.sideUntil) return;
  const isOver = state.side !== 0;
  state.side = isOver ? 0 : random.chance(0.5) ? 1 : 2;
  const minutes = isOver ? random.between(1, 2) : random.between(2, 5);
  state.sideUntil = state.nextAt + Math.round(minutes * MINUTE_MS);
}

/** The fees of three trades and the minimum worthwhile gain, as a fraction of the price. */
const COST = 0.0004;
const NAME = 'agent-arbitrage-1';

/**
 * The arbitrageur: makes round trips through the three pairs of BTC, ETH and USDT if they gain more than they cost.
 */
function arbitrage(scene: Scene, books: readonly LivingBook[]): void {
  const of = (code: string) => books.find(({ symbol }) => symbol.code === code);
  const [bitcoin, ether, cross] = TRIANGLE.map(of);
  if (!bitcoin || !ether || !cross) return;
  if ([bitcoin, ether, cross].some(({ bid, ask }) => bid === 0 || ask === 0)) return;
  // The cost of one ETH through BTC relative to its direct cost, as fractions of the latent prices.
  const buyAround = (cross.ask / cross.value) * (bitcoin.ask / bitcoin.value);
  const sellAround = (cross.bid / cross.value) * (bitcoin.bid / bitcoin.value);
  // Ignore gaps that the makers of a tight book will close themselves.
  const staying = [bitcoin, ether, cross].reduce(
    (sum, { profile, unit }) => sum + (profile.isTight ? STAY_UNITS * unit : 0),
    0,
  );
  const cost = COST + staying;
  if (ether.bid / ether.value > buyAround * (1 + cost)) goAround(scene, bitcoin, ether, cross, 'buy');
  else if (sellAround > (ether.ask / ether.value) * (1 + cost))
    goAround(scene, bitcoin, ether, cross, 'sell');
}

/** Trades the size of the smallest of the three best orders. */
function goAround(
  { surroundings, orders }: Scene,
  bitcoin: LivingBook,
  ether: LivingBook,
  cross: LivingBook,
  around: 'buy' | 'sell',
): void {
  const [here, there] = around === 'buy' ? (['buy', 'sell'] as const) : (['sell', 'buy'] as const);
  const opposite = { buy: 'sell', sell: 'buy' } as const;
  const worth = (book: LivingBook, side: 'buy' | 'sell') => {
    const [level] = surroundings.exchange.depth(book.symbol.number, opposite[side], 1);
    return level ? (level.size / book.symbol.sizeOf(1)) * book.baseWorth : 0;
  };
  const least = Math.min(worth(cross, here), worth(bitcoin, here), worth(ether, there));
  const user = surroundings.user(NAME);
  const order = (book: LivingBook, side: 'buy' | 'sell') => {
    const { symbol, bid, ask, baseWorth } = book;
    orders.limit(
      user,
      symbol,
      side,
      side === 'buy' ? ask : bid,
      symbol.sizeOf(least / baseWorth),
      'immediate',
    );
  };
  order(cross, here);
  order(bitcoin, here);
  order(ether, there);
}
