/** The market in the control API: its view, and the validation of requests before anything is changed. */

import type { Exchange } from '@bourse/core';
import { shortened } from '@bourse/engine';
import { type ReplayRequest, tapeOf } from '../replay/replay-state.ts';
import { agentsIn } from './agents.ts';
import { booksIn, currenciesIn, readState, type SimulationState } from './market-state.ts';
import { isPreset, PRESET_NAMES, type PresetName } from './presets.ts';
import type { Surroundings } from './symbol.ts';
import { canLive } from './values.ts';

export interface SimulatedMarket {
  readonly preset: PresetName;
  readonly seed: number;
  /** In the order of the exchange's list. */
  readonly symbols: readonly {
    readonly symbol: string;
    /** The latent price, a decimal. */
    readonly value: string;
    readonly agents: number;
  }[];
}

export const simulationState = ({ reference }: Exchange): SimulationState | null => readState(reference);

export function simulatedMarket(
  exchange: Exchange,
  surroundings: Surroundings,
  startSeed: number,
): SimulatedMarket {
  const state = simulationState(exchange);
  if (state === null || state.preset === 'quiet') {
    return { preset: 'quiet', seed: state?.seed ?? startSeed, symbols: [] };
  }
  const values = new Map(currenciesIn(state).map(({ code, value }) => [code, value]));
  const valueOf = (code: string) => values.get(code) ?? 0;
  const living = booksIn(state).map(({ code }) => surroundings.symbol(code));
  const symbols = living
    .toSorted((one, other) => one.number - other.number)
    .map((symbol) => {
      const value = symbol.decimalOf(valueOf(symbol.baseCode) - valueOf(symbol.quoteCode));
      return { symbol: symbol.code, value, agents: agentsIn(symbol.code) };
    });
  return { preset: state.preset, seed: state.seed, symbols };
}

export const SEED_MAX = 2 ** 32 - 1;

export function checkReplay(exchange: Exchange, { symbol }: ReplayRequest): void {
  const { reference } = exchange;
  if (reference.symbolNumber(symbol) < 0) throw new MarketRefusal(`unknown symbol '${shortened(symbol)}'.`);
  const { base, quote } = reference.symbol(reference.symbolNumber(symbol));
  const bare = [base, quote].map((each) => reference.currencies[each]).find(({ chains }) => !chains[0]);
  if (bare !== undefined) {
    throw new MarketRefusal(
      `${bare.code} has no chain, so the replay cannot fund its users. Add one with POST /operator/v1/currencies/${bare.code}.`,
    );
  }
  const tape = tapeOf(exchange, symbol);
  if (tape === undefined) return;
  throw new MarketRefusal(
    `${shortened(tape.file)} is already being replayed on ${symbol}. Stop it first: DELETE /market/replay?symbol=${symbol}.`,
  );
}

export function checkPreset(preset: string): PresetName {
  if (isPreset(preset)) return preset;
  throw new MarketRefusal(
    `preset: unknown preset '${shortened(preset)}'. Expected one of: ${PRESET_NAMES.join(', ')}.`,
  );
}

export function checkSeed(seed: number): number {
  if (Number.isInteger(seed) && seed >= 0 && seed <= SEED_MAX) return seed;
  throw new MarketRefusal(`seed: expected an integer from 0 to ${SEED_MAX}.`);
}

export function checkSymbols(exchange: Exchange, symbols: readonly string[]): readonly string[] {
  const all = exchange.reference.symbols().map(({ code }) => code);
  const livable = livableSymbols(exchange);
  const wrong = symbols.find((code) => !livable.includes(code));
  if (wrong !== undefined) {
    const why = all.includes(wrong) ? 'has no latent value, or a currency without a chain' : 'is not known';
    throw new MarketRefusal(`symbol '${shortened(wrong)}' ${why}: agents can trade ${livable.join(', ')}.`);
  }
  if (symbols.length === 0)
    throw new MarketRefusal("symbols is empty. For a market without agents, set the preset 'quiet'.");
  return [...new Set(symbols)];
}

/**
 * Where agents trade by default: all symbols whose currencies have a value and a chain, because agents are funded by
 * deposits.
 */
export function livableSymbols({ reference }: Exchange): string[] {
  const hasChain = (currency: number) => reference.currencies[currency].chains.length > 0;
  const codeOf = (currency: number) => reference.currencies[currency].code;
  return reference
    .symbols()
    .filter(({ base, quote }) => hasChain(base) && hasChain(quote) && canLive(codeOf(base), codeOf(quote)))
    .map(({ code }) => code);
}

export function shockedCurrency(
  { reference }: Exchange,
  state: SimulationState | null,
  symbol: string | undefined,
  currency: string | undefined,
): string {
  if ((symbol === undefined) === (currency === undefined)) {
    throw new MarketRefusal('a shock needs either a symbol or a currency.');
  }
  const codes = state?.preset === 'quiet' ? [] : (state ? currenciesIn(state) : []).map(({ code }) => code);
  if (codes.length === 0) throw new MarketRefusal("the market is 'quiet', so there are no values to shock.");
  const number = symbol === undefined ? -1 : reference.symbolNumber(symbol);
  if (symbol !== undefined && number < 0) throw new MarketRefusal(`unknown symbol '${shortened(symbol)}'.`);
  const code = currency ?? reference.currencies[reference.symbol(number).base].code;
  if (!codes.includes(code)) {
    throw new MarketRefusal(
      `'${shortened(code)}' has no simulated value. Expected one of: ${codes.join(', ')}.`,
    );
  }
  return code;
}

/** A request that the market cannot fulfil; the message says what would be valid, and nothing was changed. */
export class MarketRefusal extends Error {
  override readonly name = 'MarketRefusal';
}
