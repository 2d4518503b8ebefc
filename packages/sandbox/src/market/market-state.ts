/**
 * What the market has to remember from one step to the next. It is written into the log with every step, as a note of
 * the exchange, in whole numbers: what is read back is what was there, so that a restart, a restore or a fork goes on
 * as if nothing had happened. Money and orders are not in it: those the exchange knows.
 */

import type { PresetName } from './presets.ts';

/** The name of the note. */
export const MARKET_NOTE = 'market';
/** Logarithms of prices are counted in 10^-9, other factors in 10^-6. */
const LOG_UNIT = 1e9;
const FACTOR_UNIT = 1e6;
/** Of those who send much in pieces, so many are in a book at a time. */
export const PARENTS = 2;

export interface CurrencyState {
  readonly code: string;
  /** The latent value, and what the makers take it for: logarithms. */
  value: number;
  seen: number;
}

export interface BookState {
  readonly code: string;
  /** How many noise traders more than usual come in a second, because others came before. */
  heat: number;
  /** Since the last of them, in milliseconds. */
  idleMs: number;
  /** Two averages of the price, as logarithms, one slower than the other; 0 before the first price. */
  fast: number;
  slow: number;
  /** Of a tight book: the price that the makers quote around, in units; 0 before the first. */
  anchor: number;
  /** How many more pieces those who want much will send: above 0 to buy, below 0 to sell. */
  readonly parents: number[];
}

export interface MarketState {
  /** What the last start said; a start that says the same goes on with what is. */
  startPreset: PresetName;
  startSeed: number;
  preset: PresetName;
  seed: number;
  /** When the preset was set, in milliseconds. */
  since: number;
  step: number;
  /** When the next step is due, and how long after the one before. */
  nextAt: number;
  gapMs: number;
  /** Logarithms of how wild the times are: what passes in minutes, and what lasts for hours. */
  fastWildness: number;
  slowWildness: number;
  /** While it lasts only one side is quoted: 1 bids, 2 asks, 0 both. */
  side: 0 | 1 | 2;
  sideUntil: number;
  readonly currencies: CurrencyState[];
  readonly books: BookState[];
}

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

export function writeState(state: MarketState): string {
  const logs = (value: number) => Math.round(value * LOG_UNIT);
  const factor = (value: number) => Math.round(value * FACTOR_UNIT);
  return JSON.stringify([
    state.startPreset,
    state.startSeed,
    state.preset,
    state.seed,
    state.since,
    state.step,
    state.nextAt,
    state.gapMs,
    factor(state.fastWildness),
    factor(state.slowWildness),
    state.side,
    state.sideUntil,
    state.currencies.map(({ code, value, seen }): CurrencyRow => [code, logs(value), logs(seen)]),
    state.books.map(
      ({ code, heat, idleMs, fast, slow, anchor, parents }): BookRow => [
        code,
        factor(heat),
        idleMs,
        logs(fast),
        logs(slow),
        anchor,
        ...parents,
      ],
    ),
  ]);
}

type Row = readonly [
  PresetName,
  number,
  PresetName,
  number,
  number,
  number,
  number,
  number,
  number,
  number,
  MarketState['side'],
  number,
  readonly CurrencyRow[],
  readonly BookRow[],
];

/** When the next step is due by what `writeState` wrote; Infinity while nobody is in the market. Reads nothing else. */
export function nextStepAt(text: string): number {
  const [, , preset, , , , nextAt] = text.split(',', 7);
  return text === '' || preset === JSON.stringify('quiet') ? Infinity : Number(nextAt);
}

/** What `writeState` wrote; null for an empty text. */
export function readState(text: string): MarketState | null {
  if (text === '') return null;
  const [
    startPreset,
    startSeed,
    preset,
    seed,
    since,
    step,
    nextAt,
    gapMs,
    fast,
    slow,
    side,
    sideUntil,
    currencies,
    books,
  ] = JSON.parse(text) as Row;
  return {
    startPreset,
    startSeed,
    preset,
    seed,
    since,
    step,
    nextAt,
    gapMs,
    fastWildness: fast / FACTOR_UNIT,
    slowWildness: slow / FACTOR_UNIT,
    side,
    sideUntil,
    currencies: currencies.map(([code, value, seen]) => ({
      code,
      value: value / LOG_UNIT,
      seen: seen / LOG_UNIT,
    })),
    // Notes of earlier versions end before the anchor.
    books: books.map(([code, heat, idleMs, quick, slowly, anchor = 0, ...parents]) => ({
      code,
      heat: heat / FACTOR_UNIT,
      idleMs,
      fast: quick / LOG_UNIT,
      slow: slowly / LOG_UNIT,
      anchor,
      parents: Array.from({ length: PARENTS }, (_, at) => parents[at] ?? 0),
    })),
  };
}
