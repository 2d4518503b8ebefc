/** The market in the control API's format. */

import type { Exchange } from '@bourse/core';
import { agentsIn } from './agents.ts';
import { booksIn, currenciesIn, type SimulationState, readState } from './market-state.ts';
import type { PresetName } from './presets.ts';
import type { Surroundings } from './living-book.ts';

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
