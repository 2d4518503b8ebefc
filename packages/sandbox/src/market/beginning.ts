/** How a market begins, and what becomes of it when somebody wants another. */

import type { Command, Exchange } from '@bourse/core';
import { AGENTS, agentNumbers } from './agents.ts';
import { log } from './arithmetic.ts';
import { livingCurrency, NUMERAIRE } from './currencies.ts';
import { type BookState, type CurrencyState, type MarketState, PARENTS } from './market-state.ts';
import type { PresetName } from './presets.ts';

export interface MarketWords {
  readonly preset: PresetName;
  readonly seed: number;
  readonly symbols: readonly string[];
}

/**
 * The state of a market that begins at `time`. What lives on from the one before keeps its value, so that prices do not
 * jump because somebody has chosen another preset.
 */
export function beginning(
  exchange: Exchange,
  { preset, seed, symbols }: MarketWords,
  time: number,
  before: MarketState | null,
): MarketState {
  return {
    startPreset: before?.startPreset ?? preset,
    startSeed: before?.startSeed ?? seed,
    preset,
    seed,
    since: time,
    step: 0,
    nextAt: time,
    gapMs: 0,
    fastWildness: before?.fastWildness ?? 0,
    slowWildness: before?.slowWildness ?? 0,
    side: 0,
    sideUntil: 0,
    currencies: currenciesOf(exchange, symbols).map((code) => currencyState(code, before)),
    books: symbols.map((code) => before?.books.find((book) => book.code === code) ?? newBook(code)),
  };
}

function currencyState(code: string, before: MarketState | null): CurrencyState {
  const known = before?.currencies.find((currency) => currency.code === code);
  if (known) return known;
  const value = log(livingCurrency(code)!.value);
  return { code, value, seen: value };
}

function newBook(code: string): BookState {
  return {
    code,
    heat: 0,
    idleMs: 0,
    fast: 0,
    slow: 0,
    anchor: 0,
    parents: Array.from({ length: PARENTS }, () => 0),
  };
}

/** The base and quote currencies of these symbols, without the one that values are counted in. */
export function currenciesOf({ reference }: Exchange, symbols: readonly string[]): string[] {
  const codes = symbols.flatMap((code) => {
    const { base, quote } = reference.symbol(reference.symbolNumber(code));
    return [reference.currencies[base].code, reference.currencies[quote].code];
  });
  return [...new Set(codes)].filter((code) => code !== NUMERAIRE);
}

/** The agents leave these symbols: first of all they cancel what they have there. */
export function leavingCommands(exchange: Exchange, symbols: readonly string[]): Command[] {
  const numbers = agentNumbers(exchange);
  return symbols.flatMap((code) => {
    const symbol = exchange.reference.symbolNumber(code);
    return AGENTS.flatMap(({ name }): Command[] => {
      const user = numbers.get(name)!;
      const hasOrders = user >= 0 && exchange.hasOrders(user, symbol);
      return hasOrders ? [{ kind: 'cancel-orders', user, symbol }] : [];
    });
  });
}
