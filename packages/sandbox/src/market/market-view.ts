/** The market as the control interface shows it. */

import type { Exchange } from '@bourse/core';
import { agentsIn } from './agents.ts';
import { MARKET_NOTE, type MarketState, readState } from './market-state.ts';
import type { PresetName } from './presets.ts';
import type { Surroundings } from './surroundings.ts';

export interface MarketView {
  readonly preset: PresetName;
  readonly seed: number;
  readonly symbols: readonly {
    readonly symbol: string;
    /** The latent price, a decimal. */
    readonly value: string;
    readonly agents: number;
  }[];
}

export const stateOf = ({ reference }: Exchange): MarketState | null =>
  readState(reference.note(MARKET_NOTE));

export function viewOf(exchange: Exchange, surroundings: Surroundings, startSeed: number): MarketView {
  const state = stateOf(exchange);
  if (state === null || state.preset === 'quiet') {
    return { preset: 'quiet', seed: state?.seed ?? startSeed, symbols: [] };
  }
  const valueOf = (code: string) => state.currencies.find((currency) => currency.code === code)?.value ?? 0;
  const symbols = state.books.map(({ code }) => {
    const symbol = surroundings.symbol(code);
    const value = symbol.decimalOf(valueOf(symbol.baseCode) - valueOf(symbol.quoteCode));
    return { symbol: code, value, agents: agentsIn(code) };
  });
  return { preset: state.preset, seed: state.seed, symbols };
}
