/** The required shape of a simulated day: a band for every figure that `sim -- market` prints. */

import type { PresetName } from '../../packages/sandbox/src/market/presets.ts';

type Band = readonly [low: number, high: number];

export const isWithin = (value: number, [low, high]: Band): boolean => value >= low && value <= high;

export interface Bands {
  /** Standard deviation of the returns of a minute, in basis points. */
  readonly deviation: Band;
  readonly kurtosis: Band;
  /** Autocorrelation of absolute returns over thirty minutes: mean and minimum. */
  readonly sizeMemory: Band;
  readonly sizeMemoryLeast: Band;
  /** Median spread of BTC-USDT and ETH-USDT in increments, of others in basis points. */
  readonly tightSpread: Band;
  readonly spread: Band;
  readonly smallSpread: Band;
  /** Depth of the bids within one per cent, in USDT: for BTC-USDT and ETH-USDT, and for the others. */
  readonly tightDepth: Band;
  readonly depth: Band;
  /** Tight books: orders in the queue at the best bid, and how often that price is unchanged a step later. */
  readonly queue: Band;
  readonly life: Band;
  /** The share of steps with bids and asks. */
  readonly quoted: Band;
  readonly smallQuoted: Band;
  readonly emptyMinutes: Band;
  readonly smallTrades: Band;
  /** The longest time without a trade in a small symbol, in minutes. */
  readonly smallWait: Band;
  /** Market orders: tail exponent of their sizes, and the share of sizes with one or two digits. */
  readonly tail: Band;
  readonly round: Band;
  /** Autocorrelation of their sides: at lag 1, and the mean of several lags. */
  readonly signs1: Band;
  readonly signs10: Band;
  readonly signs100: Band;
  /** Trades in the busiest four hours relative to the quietest four. */
  readonly dayShape: Band;
  readonly crossGain: Band;
  /**
   * No agent makes round trips through small symbols: only their makers keep them consistent, and react late when a
   * value jumps.
   */
  readonly smallCrossGain: Band;
  readonly commands: Band;
}

/** Three trades at the default taker fee: cross rates agree if a round trip gains no more than that. */
export const CROSS_MAX = 3 * 0.001;

const CALM: Bands = {
  deviation: [2, 25],
  kurtosis: [1, 500],
  sizeMemory: [0.02, 1],
  sizeMemoryLeast: [0, 1],
  tightSpread: [1, 5],
  spread: [0.5, 6],
  smallSpread: [5, 200],
  tightDepth: [100_000, 2_000_000],
  depth: [50_000, 600_000],
  queue: [2, 12],
  life: [0.6, 0.99],
  quoted: [0.999, 1],
  smallQuoted: [0.98, 1],
  emptyMinutes: [0, 0],
  smallTrades: [200, 5000],
  smallWait: [1, 6],
  tail: [1.2, 1.9],
  round: [0.5, 0.9],
  signs1: [0.08, 0.5],
  signs10: [0.04, 0.4],
  signs100: [0.004, 0.3],
  dayShape: [1.5, 5],
  crossGain: [-1, CROSS_MAX],
  smallCrossGain: [0, 0.001],
  commands: [0, 2e6],
};

/** A day of the example maker bot in BTC-USDT. */
export interface BotBands {
  /** Trading profit in USDT. */
  readonly earned: Band;
  /** Change of the price over the day. */
  readonly change: Band;
}

export const BOT_BANDS: Readonly<Partial<Record<PresetName, BotBands>>> = {
  calm: { earned: [0, 20_000], change: [-0.2, 0.2] },
  crash: { earned: [-150_000, 0], change: [-0.75, -0.4] },
};

export const BANDS: Readonly<Partial<Record<PresetName, Bands>>> = {
  calm: CALM,
  wild: {
    ...CALM,
    deviation: [10, 120],
    tightSpread: [2, 40],
    spread: [1, 40],
    smallSpread: [10, 600],
    tightDepth: [30_000, 2_000_000],
    depth: [15_000, 600_000],
    life: [0.4, 0.99],
    quoted: [0.99, 1],
    smallQuoted: [0.9, 1],
    smallTrades: [200, 20_000],
    smallCrossGain: [0, 0.02],
    commands: [0, 4e6],
  },
};
