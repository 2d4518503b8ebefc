/**
 * The past of a market that has just begun: two years of candles that end where the values are now. The values are
 * followed backwards in stretches, short ones lately and longer ones further back, and every interval is added up from
 * the same stretches, so that candles of all intervals agree.
 */

import {
  type Command,
  type Exchange,
  type ImportedCandle,
  INTERVAL_NAMES,
  INTERVALS,
  type Interval,
  startOf,
} from '@bourse/core';
import { exp } from './arithmetic.ts';
import { livingCurrency, NUMERAIRE } from './currencies.ts';
import { LivingSymbol } from './living-symbol.ts';
import type { MarketState } from './market-state.ts';
import { Random } from './random.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const TWO_YEARS_MS = 730 * DAY_MS;
/** Of each interval, where two years have as many. */
const CANDLES = 1500;

/**
 * Up to so many days ago a stretch is as long as this interval, which divides every interval that reaches back further.
 */
const ZONES: readonly { readonly interval: Interval; readonly days: number }[] = [
  { interval: '1min', days: (CANDLES * 3) / 1440 },
  { interval: '5min', days: (CANDLES * 5) / 1440 },
  { interval: '15min', days: (CANDLES * 15) / 1440 },
  { interval: '30min', days: (CANDLES * 30) / 1440 },
  { interval: '1hour', days: (CANDLES * 60) / 1440 },
  { interval: '2hour', days: (CANDLES * 360) / 1440 },
  { interval: '4hour', days: 730 },
];

/** The parts of a currency's movement that are everybody's and its own. */
const COMMON = 0.7;
const OWN = Math.sqrt(1 - COMMON * COMMON);
/** Wild and calm times: how far the logarithm spreads, and in how many days it is forgotten. */
const WILDNESS = 0.45;
const WILDNESS_DAYS = 1.5;
/** What a symbol trades in a day, in USDT. */
const DAILY_TURNOVER = 30e6;

interface Stretch {
  readonly start: number;
  readonly ms: number;
  /** Logarithms of the values at its beginning and end, in the order of the currencies. */
  readonly opens: Float64Array;
  readonly closes: Float64Array;
  readonly wildness: number;
}

/** Candles of every symbol that has never traded, up to the minute that is going on at `time`. */
export function pastCommands(exchange: Exchange, state: MarketState, time: number): Command[] {
  const random = new Random(state.seed, -1);
  const stretches = followBack(state, time, random);
  return state.books.flatMap(({ code }) => {
    const symbol = new LivingSymbol(exchange, exchange.reference.symbolNumber(code));
    if (exchange.lastPrice(symbol.number) > 0) return [];
    const all = addUpAll(candlesOf(symbol, state, stretches, random), time);
    return Array.from(
      all,
      ([interval, candles]): Command => ({
        kind: 'import-candles',
        symbol: symbol.number,
        interval,
        candles,
      }),
    );
  });
}

/** Oldest first. */
function followBack(state: MarketState, time: number, random: Random): Stretch[] {
  const deviations = state.currencies.map(({ code }) => livingCurrency(code)!.dailyDeviation);
  const stretches: Stretch[] = [];
  let closes = Float64Array.from(state.currencies, ({ value }) => value);
  let end = startOf('1min', time);
  let wildness = 0;
  for (const { interval, days } of ZONES) {
    const ms = INTERVALS[interval];
    // Whole weeks at the far end; elsewhere whole days, which all lengths divide.
    const isLast = interval === '4hour';
    const begin = isLast ? startOf('1week', time - TWO_YEARS_MS) : startOf('1day', time - days * DAY_MS);
    const kept = Math.max(0, 1 - ms / DAY_MS / WILDNESS_DAYS);
    const spread = WILDNESS * Math.sqrt(1 - kept * kept);
    const scale = Math.sqrt(ms / DAY_MS);
    while (end > begin) {
      const start = end - ms;
      wildness = wildness * kept + spread * random.normal();
      const moved = exp(wildness - WILDNESS * WILDNESS) * scale;
      const common = random.normal();
      const opens = closes.map(
        (close, at) => close - deviations[at] * moved * (COMMON * common + OWN * random.normal()),
      );
      stretches.push({ start, ms, opens, closes, wildness: moved / scale });
      closes = opens;
      end = start;
    }
  }
  return stretches.toReversed();
}

function candlesOf(
  symbol: LivingSymbol,
  { currencies }: MarketState,
  stretches: readonly Stretch[],
  random: Random,
): ImportedCandle[] {
  const base = currencies.findIndex(({ code }) => code === symbol.baseCode);
  const quote = currencies.findIndex(({ code }) => code === symbol.quoteCode);
  const { dailyDeviation } = livingCurrency(symbol.baseCode)!;
  const priceOf = (logs: Float64Array) =>
    symbol.down(symbol.priceOf(logs[base] - (symbol.quoteCode === NUMERAIRE ? 0 : logs[quote])));
  // Each begins where the one before has ended.
  let last = stretches.length === 0 ? 0 : priceOf(stretches[0].opens);
  return stretches.map(({ start, ms, closes, wildness }) => {
    const open = last;
    const close = priceOf(closes);
    last = close;
    const reach = 0.4 * dailyDeviation * wildness * Math.sqrt(ms / DAY_MS);
    const high = symbol.up(Math.max(open, close) * (1 + reach * Math.abs(random.normal())));
    const low = symbol.down(Math.min(open, close) * (1 - reach * Math.abs(random.normal())));
    const worth = DAILY_TURNOVER * (ms / DAY_MS) * (0.5 + 0.5 * wildness) * exp(0.35 * random.normal());
    const volume = BigInt(symbol.sizeOf(worth / exp(closes[base])));
    const mean = Math.floor((open + close + high + low) / 4);
    return { start, open, close, high, low, volume, turnover: volume * BigInt(mean) };
  });
}

/** What an interval is added up from: another of which it is made, or the stretches themselves. */
const MADE_OF: Readonly<Partial<Record<Interval, Interval>>> = {
  '15min': '5min',
  '30min': '15min',
  '1hour': '30min',
  '2hour': '1hour',
  '4hour': '2hour',
  '6hour': '2hour',
  '8hour': '4hour',
  '12hour': '4hour',
  '1day': '12hour',
  '1week': '1day',
  '1month': '1day',
};

/** Those that others are made of are added up as far back as there are stretches. */
const WHOLE: ReadonlySet<Interval> = new Set(Object.values(MADE_OF));

/** The latest candles of every interval; the last of each may still be going on. */
function addUpAll(stretches: readonly ImportedCandle[], time: number): Map<Interval, ImportedCandle[]> {
  const whole = new Map<Interval, ImportedCandle[]>();
  const latest = new Map<Interval, ImportedCandle[]>();
  for (const interval of INTERVAL_NAMES) {
    const parts = MADE_OF[interval];
    const length = INTERVALS[interval];
    const from = length === 0 ? 0 : startOf(interval, time) - CANDLES * length;
    const all = parts === undefined ? stretches : whole.get(parts)!;
    const added = addUp(interval, WHOLE.has(interval) ? all : all.filter(({ start }) => start >= from));
    whole.set(interval, added);
    latest.set(
      interval,
      added.filter(({ start }) => start >= from),
    );
  }
  return latest;
}

interface Sum {
  readonly start: number;
  readonly open: number;
  close: number;
  high: number;
  low: number;
  volume: bigint;
  turnover: bigint;
}

/** A part that is longer than the interval stays as it is: so far back nobody asks for candles of this interval. */
function addUp(interval: Interval, parts: readonly ImportedCandle[]): ImportedCandle[] {
  const added: ImportedCandle[] = [];
  let sum: Sum | undefined;
  let start = -1;
  for (const part of parts) {
    const of = startOf(interval, part.start);
    if (of !== start) {
      added.push(of === part.start ? part : { ...part, start: of });
      sum = undefined;
      start = of;
      continue;
    }
    // A part that stands alone is shared by all intervals; one to which others are added is a copy.
    if (sum === undefined) {
      sum = { ...added[added.length - 1] };
      added[added.length - 1] = sum;
    }
    sum.close = part.close;
    sum.high = Math.max(sum.high, part.high);
    sum.low = Math.min(sum.low, part.low);
    sum.volume += part.volume;
    sum.turnover += part.turnover;
  }
  return added;
}
