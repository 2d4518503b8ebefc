/**
 * The market's state between steps. It is written to the log with every step, as notes of
 * the exchange, in integers: it is read back exactly, so a restart, a restore or a fork continues
 * seamlessly. Money and orders are not part of it: the exchange has them.
 *
 * Symbols belong to groups. Group 0, the liquid ones, acts in every step and is in the market's own note. The groups of
 * small symbols take turns and have a note each, read and written only in their turns: so fifteen small symbols cost a
 * step less than one liquid symbol.
 */

import type { Command } from '@bourse/core';
import type { PresetName } from './presets.ts';

/** The name of the note; those of the other groups end with the group's number. */
export const MARKET_NOTE = 'market';
/** Groups of small symbols, so that one turn has two to four symbols. */
export const SMALL_GROUPS = 5;
/** A small group acts once per this many steps. */
const TURN_STEPS = 10;
/** Logarithms of prices are in units of 10^-9, other factors in 10^-6. */
const LOG_UNIT = 1e9;
const FACTOR_UNIT = 1e6;
/** Concurrent parent orders per book, which are sent in pieces. */
export const PARENTS = 2;

export interface CurrencyState {
  readonly code: string;
  /** The latent value and the makers' estimate of it, as logarithms. */
  value: number;
  seen: number;
}

export interface BookState {
  readonly code: string;
  /** Extra arrivals of noise traders per second, caused by earlier ones. */
  heat: number;
  /** Time since the last of them, in milliseconds. */
  idleMs: number;
  /** Two averages of the price, as logarithms, one slower than the other; 0 before the first price. */
  fast: number;
  slow: number;
  /** In a tight book: the price that the makers quote around, in units; 0 before the first. */
  anchor: number;
  /** Remaining pieces of each parent order: positive to buy, negative to sell. */
  readonly parents: number[];
}

/** Symbols that act in the same steps, and the currencies whose values change in those. */
export interface GroupState {
  readonly number: number;
  /** `ranMs` and `common` of the market at the group's last turn. */
  ranMs: number;
  common: number;
  readonly currencies: CurrencyState[];
  readonly books: BookState[];
}

export interface SimulationState {
  /** The settings of the last start; a start with the same settings continues. */
  startPreset: PresetName;
  startSeed: number;
  preset: PresetName;
  seed: number;
  /** When the preset was set, in milliseconds. */
  since: number;
  step: number;
  /** When the next step is due. */
  nextAt: number;
  /** How long the market will have run by then: times without an exchange do not count. */
  ranMs: number;
  /** Logarithms of the volatility: a component that fades in minutes, and one that lasts for hours. */
  fastWildness: number;
  slowWildness: number;
  /** While it lasts, only one side is quoted: 1 bids, 2 asks, 0 both. */
  side: 0 | 1 | 2;
  sideUntil: number;
  /** The common movement so far: a logarithm, for a currency with a daily deviation of 1. */
  common: number;
  /** By number. Always includes group 0; of the others all, or those that act in this step. */
  readonly groups: GroupState[];
}

export const currenciesIn = ({ groups }: SimulationState): CurrencyState[] =>
  groups.flatMap(({ currencies }) => currencies);

export const booksIn = ({ groups }: SimulationState): BookState[] => groups.flatMap(({ books }) => books);

/** How many turns the group had before this step. */
export const turnsOf = (group: number, step: number): number =>
  group === 0 ? step : Math.floor(step / TURN_STEPS);

/** All act in the first step, so that every symbol is quoted at once. */
const isTurn = (group: number, step: number): boolean =>
  group === 0 || step === 0 || step % TURN_STEPS === 2 * group - 1;

type SetNote = Extract<Command, { kind: 'set-note' }>;
type CurrencyRow = readonly [code: string, value: number, seen: number];
type BookRow = readonly [
  code: string,
  heat: number,
  idleMs: number,
  fast: number,
  slow: number,
  anchor: number,
  ...parents: number[],
];
type GroupRow = readonly [ranMs: number, common: number, readonly CurrencyRow[], readonly BookRow[]];
type Row = readonly [
  startPreset: PresetName,
  startSeed: number,
  preset: PresetName,
  seed: number,
  since: number,
  step: number,
  nextAt: number,
  ranMs: number,
  fastWildness: number,
  slowWildness: number,
  side: SimulationState['side'],
  sideUntil: number,
  common: number,
  ...main: GroupRow,
];

const logUnits = (value: number): number => Math.round(value * LOG_UNIT);
const factorUnits = (value: number): number => Math.round(value * FACTOR_UNIT);

/** The market's own note comes last, so that a step with rejected commands is repeated. */
export function writeState(state: SimulationState): SetNote[] {
  const [main, ...small] = state.groups;
  const row: Row = [
    state.startPreset,
    state.startSeed,
    state.preset,
    state.seed,
    state.since,
    state.step,
    state.nextAt,
    state.ranMs,
    factorUnits(state.fastWildness),
    factorUnits(state.slowWildness),
    state.side,
    state.sideUntil,
    logUnits(state.common),
    ...groupRow(main),
  ];
  return [
    ...small.map((group) =>
      note(group.number, group.books.length === 0 ? '' : JSON.stringify(groupRow(group))),
    ),
    note(0, JSON.stringify(row)),
  ];
}

const note = (group: number, text: string): SetNote => ({ kind: 'set-note', name: nameOf(group), text });

const nameOf = (group: number): string => (group === 0 ? MARKET_NOTE : `${MARKET_NOTE}-${group}`);

function groupRow({ ranMs, common, currencies, books }: GroupState): GroupRow {
  return [
    ranMs,
    logUnits(common),
    currencies.map(({ code, value, seen }): CurrencyRow => [code, logUnits(value), logUnits(seen)]),
    books.map(
      ({ code, heat, idleMs, fast, slow, anchor, parents }): BookRow => [
        code,
        factorUnits(heat),
        idleMs,
        logUnits(fast),
        logUnits(slow),
        anchor,
        ...parents,
      ],
    ),
  ];
}

/** When the next step is due according to the market's note; Infinity without agents. Reads nothing else. */
export function nextStepAt(text: string): number {
  const [, , preset, , , , nextAt] = text.split(',', 7);
  return text === '' || preset === JSON.stringify('quiet') ? Infinity : Number(nextAt);
}

/** The source of the notes: `exchange.reference`. */
interface Notes {
  note(name: string): string;
}

/** Parses what `writeState` wrote, with all groups; null if no market has started. */
export function readState(notes: Notes): SimulationState | null {
  const text = notes.note(MARKET_NOTE);
  if (text === '') return null;
  const state = parseState(text);
  for (let group = 1; group <= SMALL_GROUPS; group++) {
    const small = notes.note(nameOf(group));
    if (small !== '') state.groups.push(parseGroup(group, small));
  }
  return state;
}

/**
 * A cache of the states that the last steps wrote: an unchanged note is not parsed again. A step removes the state it
 * changes and stores it under its new text, so a rejected step leaves nothing behind.
 */
export class WrittenStates {
  #text = '';
  #state: SimulationState | null = null;
  readonly #small = new Map<number, { readonly text: string; readonly group: GroupState }>();

  /** The state with the groups that act in this step; null if no market has begun. */
  take(notes: Notes): SimulationState | null {
    const text = notes.note(MARKET_NOTE);
    if (text === '') return null;
    const state = text === this.#text && this.#state !== null ? this.#state : parseState(text);
    this.#state = null;
    const [main] = state.groups;
    const groups = [main];
    for (let number = 1; number <= SMALL_GROUPS; number++) {
      const small = isTurn(number, state.step) ? notes.note(nameOf(number)) : '';
      if (small === '') continue;
      const written = this.#small.get(number);
      this.#small.delete(number);
      groups.push(written?.text === small ? written.group : parseGroup(number, small));
    }
    return { ...state, groups };
  }

  /** Returns the commands that write the state, and caches it as it will be read. */
  put(state: SimulationState): Command[] {
    const commands = writeState(state);
    for (const [at, group] of state.groups.slice(1).entries()) {
      roundGroup(group);
      this.#small.set(group.number, { text: commands[at].text, group });
    }
    roundMain(state);
    this.#state = state;
    this.#text = commands[commands.length - 1].text;
    return commands;
  }
}

function roundMain(state: SimulationState): void {
  state.fastWildness = factorUnits(state.fastWildness) / FACTOR_UNIT;
  state.slowWildness = factorUnits(state.slowWildness) / FACTOR_UNIT;
  state.common = logUnits(state.common) / LOG_UNIT;
  roundGroup(state.groups[0]);
}

function roundGroup(group: GroupState): void {
  group.common = logUnits(group.common) / LOG_UNIT;
  for (const currency of group.currencies) {
    currency.value = logUnits(currency.value) / LOG_UNIT;
    currency.seen = logUnits(currency.seen) / LOG_UNIT;
  }
  for (const book of group.books) {
    book.heat = factorUnits(book.heat) / FACTOR_UNIT;
    book.fast = logUnits(book.fast) / LOG_UNIT;
    book.slow = logUnits(book.slow) / LOG_UNIT;
  }
}

/** With group 0 only. */
function parseState(text: string): SimulationState {
  const row = JSON.parse(text) as Row;
  const [startPreset, startSeed, preset, seed, since, step, nextAt, ranMs] = row;
  const [, , , , , , , , fast, slow, side, sideUntil, common, ...main] = row;
  return {
    startPreset,
    startSeed,
    preset,
    seed,
    since,
    step,
    nextAt,
    ranMs,
    fastWildness: fast / FACTOR_UNIT,
    slowWildness: slow / FACTOR_UNIT,
    side,
    sideUntil,
    common: common / LOG_UNIT,
    groups: [readGroup(0, main)],
  };
}

const parseGroup = (number: number, text: string): GroupState =>
  readGroup(number, JSON.parse(text) as GroupRow);

function readGroup(number: number, [ranMs, common, currencies, books]: GroupRow): GroupState {
  return {
    number,
    ranMs,
    common: common / LOG_UNIT,
    currencies: currencies.map(([code, value, seen]) => ({
      code,
      value: value / LOG_UNIT,
      seen: seen / LOG_UNIT,
    })),
    books: books.map(([code, heat, idleMs, fast, slow, anchor, ...parents]) => ({
      code,
      heat: heat / FACTOR_UNIT,
      idleMs,
      fast: fast / LOG_UNIT,
      slow: slow / LOG_UNIT,
      anchor,
      parents,
    })),
  };
}
