/**
 * One step of the market: from the exchange as it stands and the note of the step before to the commands of this one.
 * It knows no clock and no chance but the seed's, so the same exchange and note give the same commands anywhere.
 */

import type { Command } from '@bourse/core';
import { arbitrage } from './arbitrage.ts';
import { replayState } from '../replay/replay-state.ts';
import { type LivingBook, livingBooks } from './living-book.ts';
import { makeMarkets } from './makers.ts';
import { MARKET_NOTE, type MarketState, readState, writeState } from './market-state.ts';
import { type Preset, PRESETS } from './presets.ts';
import { Random } from './random.ts';
import { StepOrders } from './step-orders.ts';
import type { Surroundings } from './surroundings.ts';
import { comeAndGo, correctPrice, runAfterPrice, type Scene } from './takers.ts';
import { moveValues } from './values.ts';

const GAP_MS_MIN = 50;
const MINUTE_MS = 60_000;

/** The step that is due at `time`; none when nobody is in the market. The note of the next is the last command. */
export function stepCommands(surroundings: Surroundings, time: number): Command[] {
  const { exchange } = surroundings;
  const state = readState(exchange.reference.note(MARKET_NOTE));
  if (state === null || state.preset === 'quiet' || time < state.nextAt) return [];
  const preset = PRESETS[state.preset];
  const random = new Random(state.seed, state.step);
  moveValues(state, preset, random);
  if (preset.isOneSided) turnSides(state, random);
  const orders = new StepOrders(exchange);
  act(surroundings, state, preset, random, orders);
  schedule(state, preset, random, time);
  return [...orders.commands, { kind: 'set-note', name: MARKET_NOTE, text: writeState(state) }];
}

function act(
  surroundings: Surroundings,
  state: MarketState,
  preset: Preset,
  random: Random,
  orders: StepOrders,
): void {
  const replayed = new Set(replayState(surroundings.exchange).tapes.map(({ symbol }) => symbol));
  const isOurs = ({ symbol }: LivingBook) => symbol.state === 'open' && !replayed.has(symbol.code);
  const books = livingBooks(surroundings, state, preset).filter(isOurs);
  const scene: Scene = { surroundings, state, preset, random, orders };
  for (const book of books) correctPrice(scene, book);
  arbitrage(scene, books);
  makeMarkets(surroundings, state, preset, books, orders);
  for (const book of books) {
    runAfterPrice(scene, book);
    comeAndGo(scene, book);
  }
}

/** Steps that were missed, because the exchange did not run, are left out: the market goes on from where it was. */
function schedule(state: MarketState, { gapMs }: Preset, random: Random, time: number): void {
  state.step += 1;
  state.gapMs = Math.max(GAP_MS_MIN, Math.round(gapMs * random.between(0.4, 1.6)));
  state.nextAt = Math.max(state.nextAt, time) + state.gapMs;
}

/** Both sides for a minute or two, then one of them for some minutes. */
function turnSides(state: MarketState, random: Random): void {
  if (state.nextAt < state.sideUntil) return;
  const isOver = state.side !== 0;
  state.side = isOver ? 0 : random.chance(0.5) ? 1 : 2;
  const minutes = isOver ? random.between(1, 2) : random.between(2, 5);
  state.sideUntil = state.nextAt + Math.round(minutes * MINUTE_MS);
}
