/** The initial state of a market, and the transition to another preset. */

import type { Command, Exchange } from '@bourse/core';
import { AGENTS, agentNumbers } from './agents.ts';
import { log } from './random.ts';
import { livingCurrency, NUMERAIRE } from './values.ts';
import {
  type BookState,
  booksIn,
  currenciesIn,
  type CurrencyState,
  type GroupState,
  type SimulationState,
  PARENTS,
  SMALL_GROUPS,
} from './market-state.ts';
import { type PresetName, profileOf } from './presets.ts';

export interface MarketWords {
  readonly preset: PresetName;
  readonly seed: number;
  readonly symbols: readonly string[];
}

/**
 * The state of a market that starts at `time`. Currencies of the previous market keep their values, so that prices do
 * not jump when the preset changes.
 */
export function beginning(
  exchange: Exchange,
  { preset, seed, symbols }: MarketWords,
  time: number,
  before: SimulationState | null,
): SimulationState {
  return {
    startPreset: before?.startPreset ?? preset,
    startSeed: before?.startSeed ?? seed,
    preset,
    seed,
    since: time,
    step: 0,
    nextAt: time,
    ranMs: 0,
    fastWildness: before?.fastWildness ?? 0,
    slowWildness: before?.slowWildness ?? 0,
    side: 0,
    sideUntil: 0,
    common: 0,
    groups: groupsOf(exchange, symbols, before),
  };
}

/**
 * Small symbols with the same base are in the same group. A currency in which others are quoted belongs to group 0,
 * because symbols of every group need its value.
 */
function groupsOf(
  exchange: Exchange,
  symbols: readonly string[],
  before: SimulationState | null,
): GroupState[] {
  const groups = Array.from(
    { length: 1 + SMALL_GROUPS },
    (_, number): GroupState => ({ number, ranMs: 0, common: 0, currencies: [], books: [] }),
  );
  const knownBooks = new Map((before ? booksIn(before) : []).map((book) => [book.code, book]));
  const knownCurrencies = new Map(
    (before ? currenciesIn(before) : []).map((currency) => [currency.code, currency]),
  );
  const pairs = symbols.map((code) => ({ code, ...pairOf(exchange, code) }));
  const isLiquid = (code: string) => !profileOf(code).isSmall;
  const moveAlways = new Set(
    pairs.flatMap(({ code, base, quote }) => (isLiquid(code) ? [base, quote] : [quote])),
  );
  const groupOfBase = new Map<string, number>();
  for (const { code, base } of pairs) {
    if (!isLiquid(code) && !groupOfBase.has(base))
      groupOfBase.set(base, 1 + (groupOfBase.size % SMALL_GROUPS));
    const group = isLiquid(code) ? 0 : groupOfBase.get(base)!;
    groups[group].books.push(knownBooks.get(code) ?? newBook(code));
  }
  for (const code of currenciesOf(exchange, symbols)) {
    const group = moveAlways.has(code) ? 0 : groupOfBase.get(code)!;
    groups[group].currencies.push(knownCurrencies.get(code) ?? newCurrency(code));
  }
  return groups;
}

function newCurrency(code: string): CurrencyState {
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

/** The base and quote currencies of these symbols, except the currency in which values are measured. */
export function currenciesOf(exchange: Exchange, symbols: readonly string[]): string[] {
  const codes = symbols.flatMap((code) => {
    const { base, quote } = pairOf(exchange, code);
    return [base, quote];
  });
  return [...new Set(codes)].filter((code) => code !== NUMERAIRE);
}

function pairOf({ reference }: Exchange, code: string): { readonly base: string; readonly quote: string } {
  const { base, quote } = reference.symbol(reference.symbolNumber(code));
  return { base: reference.currencies[base].code, quote: reference.currencies[quote].code };
}

/** The agents leave these symbols after cancelling their orders there. */
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
