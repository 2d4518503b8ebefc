/**
 * The history of a market that has just started: two years of candles that end at the current values. The values are
 * simulated backwards in stretches, short recent ones and longer earlier ones, and every interval is aggregated from
 * the same stretches, so that candles of all intervals agree.
 */

import {
  type Command,
  DAY_MS,
  type Exchange,
  HOUR_MS,
  type ImportedCandle,
  INTERVAL_NAMES,
  INTERVALS,
  type Interval,
  startOf,
} from '@bourse/core';
import { exp, Random } from './random.ts';
import { COMMON, livingCurrency, NUMERAIRE, OWN } from './values.ts';
import { LivingSymbol } from './symbol.ts';
import { booksIn, type CurrencyState, type SimulationState } from './market-state.ts';
import { busynessAt, type Profile, profileOf, SMALL } from './presets.ts';

const MINUTE_MS = 60_000;
const TWO_YEARS_MS = 730 * DAY_MS;
/** Candles per interval, if two years have that many; fewer for a small symbol. */
const CANDLES = 1500;

/**
 * With `kept` candles per interval, a stretch has the length of this interval up to `days` ago. It divides every
 * interval that reaches back further.
 */
const ZONES: readonly { readonly interval: Interval; readonly days: (kept: number) => number }[] = [
  { interval: '1min', days: (kept) => (kept * 3) / 1440 },
  { interval: '5min', days: (kept) => (kept * 5) / 1440 },
  { interval: '15min', days: (kept) => (kept * 15) / 1440 },
  { interval: '30min', days: (kept) => (kept * 30) / 1440 },
  { interval: '1hour', days: (kept) => (kept * 60) / 1440 },
  { interval: '2hour', days: (kept) => (kept * 360) / 1440 },
  { interval: '4hour', days: (kept) => (kept * 720) / 1440 },
  { interval: '1day', days: () => Infinity },
];

/** Volatile and calm times: the deviation of their logarithm, and the days in which it reverts. */
const WILDNESS = 0.45;
const WILDNESS_DAYS = 1.5;
/** The daily turnover of a symbol, in USDT. */
const DAILY_TURNOVER = 30e6;
/** Busy and quiet hours of a symbol: the deviation of the turnover's logarithm, and how fast it reverts. */
const BUSYNESS = 0.5;
const BUSYNESS_MS = 120 * MINUTE_MS;
/** The share of the turnover that is independent of price moves; the rest grows with them. */
const STEADY = 0.4;
/** The mean absolute move of a stretch, in deviations. */
const MEAN_MOVE = 0.8;
const MOVE_MAX = 4;
/** How far a stretch's high and low are beyond its open and close at most, in deviations. */
const REACH = 0.65;

/**
 * Parallel arrays, oldest first: an object per stretch, for more than ten thousand, would take longer than the
 * computation.
 */
interface Stretches {
  readonly count: number;
  readonly starts: Float64Array;
  readonly lengths: Float64Array;
  readonly wildness: Float64Array;
  /** The common movement at the end of each stretch: a logarithm, for a daily deviation of 1. */
  readonly common: Float64Array;
  readonly codes: readonly string[];
  /** For each currency: logarithms of its value, at the start of the first stretch and at the end of each. */
  readonly logs: readonly Float64Array[];
  /** The values themselves. */
  readonly values: readonly Float64Array[];
}

/**
 * Candles of every symbol that has never traded, up to the current minute at `time`: for each symbol its
 * commands, generated on demand.
 */
export function pastCommands(exchange: Exchange, state: SimulationState, time: number): Iterable<Command[]> {
  const symbols = booksIn(state)
    .map(({ code }) => new LivingSymbol(exchange, exchange.reference.symbolNumber(code)))
    .filter(({ number }) => exchange.lastPrice(number) === 0);
  return commandsOf(symbols, state, time);
}

/** Small symbols have fewer candles from coarser stretches, and their own random stream. */
function* commandsOf(
  symbols: readonly LivingSymbol[],
  state: SimulationState,
  time: number,
): Generator<Command[]> {
  const [main, ...small] = state.groups;
  const random = new Random(state.seed, -1);
  const stretches = followBack(main.currencies, time, random);
  const isSmall = ({ code }: LivingSymbol) => profileOf(code).isSmall;
  for (const symbol of symbols) if (!isSmall(symbol)) yield candlesOf(symbol, stretches, time, random);
  const smallSymbols = symbols.filter(isSmall);
  if (smallSymbols.length === 0) return;
  const smallRandom = new Random(state.seed, -2);
  const smallCurrencies = small.flatMap(({ currencies }) => currencies);
  const coarse = coarsen(stretches, smallCurrencies, time, smallRandom);
  for (const symbol of smallSymbols) yield candlesOf(symbol, coarse, time, smallRandom);
}

const keptOf = ({ past }: Profile): number => Math.round(CANDLES * past);

function candlesOf(symbol: LivingSymbol, stretches: Stretches, time: number, random: Random): Command[] {
  const trading = tradingOf(symbol, stretches, random);
  const kept = keptOf(profileOf(symbol.code));
  return INTERVAL_NAMES.map((interval): Command => {
    const length = INTERVALS[interval];
    const from = length === 0 ? 0 : startOf(interval, time) - kept * length;
    const candles = addUp(interval, stretches.starts, trading, from);
    return { kind: 'import-candles', symbol: symbol.number, interval, candles };
  });
}

/** The start and end of each zone, latest first. */
function zonesUntil(
  time: number,
  kept: number,
): { readonly ms: number; readonly begin: number; readonly end: number }[] {
  const first = startOf('1week', time - TWO_YEARS_MS);
  let end = startOf('1min', time);
  return ZONES.map(({ interval, days }, at) => {
    const reach = days(kept) * DAY_MS;
    // Where a stretch of the previous zone ends.
    const before = ZONES[at + 1]?.interval ?? '1week';
    const begin = reach > TWO_YEARS_MS ? first : Math.min(end, startOf(before, time - reach));
    const zone = { ms: INTERVALS[interval], begin, end };
    end = begin;
    return zone;
  });
}

/** The starts of all stretches, oldest first, and the end of the last. */
function boundariesUntil(time: number, kept: number): Float64Array {
  const zones = zonesUntil(time, kept);
  const count = zones.reduce((sum, { ms, begin, end }) => sum + Math.ceil((end - begin) / ms), 0);
  const boundaries = new Float64Array(count + 1);
  boundaries[count] = zones[0].end;
  let at = count;
  for (const { ms, begin, end } of zones) {
    for (let start = end - ms; start > begin - ms; start -= ms) {
      at -= 1;
      boundaries[at] = start;
    }
  }
  return boundaries;
}

/** The stretches between these times, without computed values. */
function stretchesBetween(boundaries: Float64Array, codes: readonly string[]): Omit<Stretches, 'values'> {
  const count = boundaries.length - 1;
  return {
    count,
    starts: boundaries.subarray(0, count),
    lengths: Float64Array.from({ length: count }, (_, at) => boundaries[at + 1] - boundaries[at]),
    wildness: new Float64Array(count),
    common: new Float64Array(count + 1),
    codes,
    logs: codes.map(() => new Float64Array(count + 1)),
  };
}

const withValues = (stretches: Omit<Stretches, 'values'>): Stretches => ({
  ...stretches,
  values: stretches.logs.map((each) => each.map(exp)),
});

function followBack(currencies: readonly CurrencyState[], time: number, random: Random): Stretches {
  const stretches = stretchesBetween(
    boundariesUntil(time, CANDLES),
    currencies.map(({ code }) => code),
  );
  const { count, lengths, wildness, common, logs } = stretches;
  const deviations = currencies.map(({ code }) => livingCurrency(code)!.dailyDeviation);
  for (const [at, { value }] of currencies.entries()) logs[at][count] = value;
  let wild = 0;
  for (let at = count - 1; at >= 0; at--) {
    const days = lengths[at] / DAY_MS;
    const kept = Math.max(0, 1 - days / WILDNESS_DAYS);
    wild = wild * kept + WILDNESS * Math.sqrt(1 - kept * kept) * random.normal();
    wildness[at] = exp(wild - WILDNESS * WILDNESS);
    const moved = wildness[at] * Math.sqrt(days);
    const together = moved * random.normal();
    common[at] = common[at + 1] - together;
    for (let currency = 0; currency < logs.length; currency++) {
      const own = moved * random.normal();
      logs[currency][at] = logs[currency][at + 1] - deviations[currency] * (COMMON * together + OWN * own);
    }
  }
  return withValues(stretches);
}

/** Fewer and longer stretches with additional currencies; their boundaries are also boundaries of the fine stretches. */
function coarsen(
  fine: Stretches,
  currencies: readonly CurrencyState[],
  time: number,
  random: Random,
): Stretches {
  const codes = [...fine.codes, ...currencies.map(({ code }) => code)];
  const stretches = stretchesBetween(boundariesUntil(time, keptOf(SMALL)), codes);
  const { count, starts, lengths, wildness, common, logs } = stretches;
  const deviations = currencies.map(({ code }) => livingCurrency(code)!.dailyDeviation);
  const take = (at: number, fineAt: number) => {
    common[at] = fine.common[fineAt];
    for (let known = 0; known < fine.codes.length; known++) logs[known][at] = fine.logs[known][fineAt];
  };
  take(count, fine.count);
  for (const [at, { value }] of currencies.entries()) logs[fine.codes.length + at][count] = value;
  let fineAt = fine.count;
  for (let at = count - 1; at >= 0; at--) {
    let variance = 0;
    while (fineAt > 0 && fine.starts[fineAt - 1] >= starts[at]) {
      fineAt -= 1;
      variance += fine.wildness[fineAt] * fine.wildness[fineAt] * fine.lengths[fineAt];
    }
    take(at, fineAt);
    wildness[at] = Math.sqrt(variance / lengths[at]);
    const moved = Math.sqrt(variance / DAY_MS);
    const together = common[at + 1] - common[at];
    for (let currency = 0; currency < currencies.length; currency++) {
      const own = moved * random.normal();
      const all = logs[fine.codes.length + currency];
      all[at] = all[at + 1] - deviations[currency] * (COMMON * together + OWN * own);
    }
  }
  return withValues(stretches);
}

/** The data of one symbol per stretch, in parallel arrays. */
interface Trading {
  readonly opens: Float64Array;
  readonly closes: Float64Array;
  readonly highs: Float64Array;
  readonly lows: Float64Array;
  readonly volumes: Sums;
  readonly turnovers: Sums;
}

/**
 * Prefix sums over the stretches: the volume of a range is the difference of two. They count units
 * of 2^`shift`, so large that the last sum is an exact number, without a bigint for each stretch.
 */
interface Sums {
  readonly sums: Float64Array;
  readonly shift: bigint;
}

const EXACT_MAX = 2 ** 52;

function sumsOf(amounts: Float64Array): Sums {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  let [unit, shift] = [1, 0n];
  for (; total / unit > EXACT_MAX; unit *= 2) shift += 1n;
  const sums = new Float64Array(amounts.length + 1);
  for (let at = 0; at < amounts.length; at++) sums[at + 1] = sums[at] + Math.round(amounts[at] / unit);
  return { sums, shift };
}

const sumBetween = ({ sums, shift }: Sums, from: number, to: number): bigint =>
  BigInt(sums[to] - sums[from]) << shift;

function tradingOf(
  symbol: LivingSymbol,
  { count, starts, lengths, wildness, codes, logs, values }: Stretches,
  random: Random,
): Trading {
  const base = codes.indexOf(symbol.baseCode);
  const quote = codes.indexOf(symbol.quoteCode);
  const { dailyDeviation } = livingCurrency(symbol.baseCode)!;
  const isInNumeraire = symbol.quoteCode === NUMERAIRE;
  const priceAt = (at: number) =>
    symbol.down(symbol.priceAt(isInNumeraire ? values[base][at] : exp(logs[base][at] - logs[quote][at])));
  const [opens, closes] = [new Float64Array(count), new Float64Array(count)];
  const [highs, lows] = [new Float64Array(count), new Float64Array(count)];
  const [volumes, turnovers] = [new Float64Array(count), new Float64Array(count)];
  // Each begins where the previous one ended.
  let close = count === 0 ? 0 : priceAt(0);
  let busyness = 0;
  const turnover = DAILY_TURNOVER * profileOf(symbol.code).turnover;
  for (let at = 0; at < count; at++) {
    const open = close;
    close = priceAt(at + 1);
    const share = lengths[at] / DAY_MS;
    const deviation = dailyDeviation * wildness[at] * Math.sqrt(share);
    const reach = REACH * deviation;
    const high = symbol.up(Math.max(open, close) * (1 + reach * random.fraction()));
    const low = symbol.down(Math.min(open, close) * (1 - reach * random.fraction()));
    const kept = BUSYNESS_MS / (BUSYNESS_MS + lengths[at]);
    busyness = busyness * kept + BUSYNESS * Math.sqrt(1 - kept * kept) * random.normal();
    const moved = Math.min(MOVE_MAX, Math.abs(close - open) / (open * deviation) / MEAN_MOVE);
    const worth =
      turnover *
      share *
      (lengths[at] <= HOUR_MS ? busynessAt(starts[at]) : 1) *
      (0.5 + 0.5 * wildness[at]) *
      (STEADY + (1 - STEADY) * moved) *
      exp(busyness - (BUSYNESS * BUSYNESS) / 2);
    volumes[at] = symbol.sizeOf(worth / values[base][at + 1]);
    turnovers[at] = (volumes[at] * (open + close + high + low)) / 4;
    opens[at] = open;
    closes[at] = close;
    highs[at] = high;
    lows[at] = low;
  }
  return { opens, closes, highs, lows, volumes: sumsOf(volumes), turnovers: sumsOf(turnovers) };
}

/**
 * The candles of an interval that begin at `from` or later; the last may be incomplete. In this range no stretch is
 * longer than the interval.
 */
function addUp(
  interval: Interval,
  starts: Float64Array,
  { opens, closes, highs, lows, volumes, turnovers }: Trading,
  from: number,
): ImportedCandle[] {
  const count = starts.length;
  const candles: ImportedCandle[] = [];
  let first = count;
  while (first > 0 && starts[first - 1] >= from) first -= 1;
  while (first < count) {
    const start = startOf(interval, starts[first]);
    const end = endOf(interval, start);
    let high = highs[first];
    let low = lows[first];
    let next = first + 1;
    for (; next < count && starts[next] < end; next++) {
      if (highs[next] > high) high = highs[next];
      if (lows[next] < low) low = lows[next];
    }
    const volume = sumBetween(volumes, first, next);
    const turnover = sumBetween(turnovers, first, next);
    candles.push({ start, open: opens[first], close: closes[next - 1], high, low, volume, turnover });
    first = next;
  }
  return candles;
}

/** The longest month has 31 days, and no two months together fit into 32. */
const endOf = (interval: Interval, start: number): number =>
  INTERVALS[interval] > 0 ? start + INTERVALS[interval] : startOf(interval, start + 32 * DAY_MS);
