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
import { busynessAt, profileOf } from './profiles.ts';
import { Random } from './random.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TWO_YEARS_MS = 730 * DAY_MS;
/** Of each interval, where two years have as many; of a small symbol fewer. */
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
/** Busy and quiet hours of a symbol: how far the logarithm of what is traded spreads, and how soon it is forgotten. */
const BUSYNESS = 0.5;
const BUSYNESS_MS = 120 * MINUTE_MS;
/** Of what is traded, the part that is there without any movement of the price; the rest grows with it. */
const STEADY = 0.4;
/** What a stretch moves on average, in deviations. */
const MEAN_MOVE = 0.8;
const MOVE_MAX = 4;

/** Side by side, oldest first: objects for each of more than ten thousand would take longer than all that is computed. */
interface Stretches {
  readonly count: number;
  readonly starts: Float64Array;
  readonly lengths: Float64Array;
  readonly wildness: Float64Array;
  /** Of each currency: logarithms of its value, at the beginning of the first and at the end of each. */
  readonly logs: readonly Float64Array[];
  /** The values themselves. */
  readonly values: readonly Float64Array[];
}

/**
 * Candles of every symbol that has never traded, up to the minute that is going on at `time`: for each symbol its
 * commands, made when they are asked for.
 */
export function pastCommands(exchange: Exchange, state: MarketState, time: number): Iterable<Command[]> {
  const symbols = state.books
    .map(({ code }) => new LivingSymbol(exchange, exchange.reference.symbolNumber(code)))
    .filter(({ number }) => exchange.lastPrice(number) === 0);
  return commandsOf(symbols, state, time);
}

function* commandsOf(
  symbols: readonly LivingSymbol[],
  state: MarketState,
  time: number,
): Generator<Command[]> {
  const random = new Random(state.seed, -1);
  const stretches = followBack(state, time, random);
  for (const symbol of symbols) {
    const trading = tradingOf(symbol, state, stretches, random);
    const kept = Math.round(CANDLES * profileOf(symbol.code).past);
    yield INTERVAL_NAMES.map((interval): Command => {
      const length = INTERVALS[interval];
      const from = length === 0 ? 0 : startOf(interval, time) - kept * length;
      const candles = addUp(interval, stretches.starts, trading, from);
      return { kind: 'import-candles', symbol: symbol.number, interval, candles };
    });
  }
}

/** Of each zone: where it begins and ends. The latest comes first. */
function zonesUntil(time: number): { readonly ms: number; readonly begin: number; readonly end: number }[] {
  let end = startOf('1min', time);
  return ZONES.map(({ interval, days }) => {
    // Whole weeks at the far end; elsewhere whole days, which all lengths divide.
    const isLast = interval === '4hour';
    const begin = isLast ? startOf('1week', time - TWO_YEARS_MS) : startOf('1day', time - days * DAY_MS);
    const zone = { ms: INTERVALS[interval], begin, end };
    end = Math.min(end, begin);
    return zone;
  });
}

function followBack(state: MarketState, time: number, random: Random): Stretches {
  const zones = zonesUntil(time);
  const count = zones.reduce(
    (sum, { ms, begin, end }) => sum + Math.max(0, Math.ceil((end - begin) / ms)),
    0,
  );
  const deviations = state.currencies.map(({ code }) => livingCurrency(code)!.dailyDeviation);
  const starts = new Float64Array(count);
  const lengths = new Float64Array(count);
  const wildness = new Float64Array(count);
  const logs = state.currencies.map(({ value }) => new Float64Array(count + 1).fill(value, count));
  let wild = 0;
  let at = count;
  for (const { ms, begin, end } of zones) {
    const kept = Math.max(0, 1 - ms / DAY_MS / WILDNESS_DAYS);
    const spread = WILDNESS * Math.sqrt(1 - kept * kept);
    const scale = Math.sqrt(ms / DAY_MS);
    for (let start = end - ms; start > begin - ms; start -= ms) {
      at -= 1;
      wild = wild * kept + spread * random.normal();
      const moved = exp(wild - WILDNESS * WILDNESS) * scale;
      const common = random.normal();
      starts[at] = start;
      lengths[at] = ms;
      wildness[at] = moved / scale;
      for (let currency = 0; currency < logs.length; currency++) {
        const own = random.normal();
        logs[currency][at] =
          logs[currency][at + 1] - deviations[currency] * moved * (COMMON * common + OWN * own);
      }
    }
  }
  return { count, starts, lengths, wildness, logs, values: logs.map((each) => each.map(exp)) };
}

/** What became of one symbol in each stretch, side by side. */
interface Trading {
  readonly opens: Float64Array;
  readonly closes: Float64Array;
  readonly highs: Float64Array;
  readonly lows: Float64Array;
  /** Of all stretches before each, and of all: what was traded in several is the difference of two. */
  readonly volumes: readonly bigint[];
  readonly turnovers: readonly bigint[];
}

function tradingOf(
  symbol: LivingSymbol,
  { currencies }: MarketState,
  { count, starts, lengths, wildness, logs, values }: Stretches,
  random: Random,
): Trading {
  const base = currencies.findIndex(({ code }) => code === symbol.baseCode);
  const quote = currencies.findIndex(({ code }) => code === symbol.quoteCode);
  const { dailyDeviation } = livingCurrency(symbol.baseCode)!;
  const isInNumeraire = symbol.quoteCode === NUMERAIRE;
  const priceAt = (at: number) =>
    symbol.down(symbol.priceAt(isInNumeraire ? values[base][at] : exp(logs[base][at] - logs[quote][at])));
  const [opens, closes] = [new Float64Array(count), new Float64Array(count)];
  const [highs, lows] = [new Float64Array(count), new Float64Array(count)];
  const volumes = [0n];
  const turnovers = [0n];
  // Each begins where the one before has ended.
  let close = count === 0 ? 0 : priceAt(0);
  let busyness = 0;
  const turnover = DAILY_TURNOVER * profileOf(symbol.code).turnover;
  for (let at = 0; at < count; at++) {
    const open = close;
    close = priceAt(at + 1);
    const share = lengths[at] / DAY_MS;
    const reach = 0.4 * dailyDeviation * wildness[at] * Math.sqrt(share);
    const high = symbol.up(Math.max(open, close) * (1 + reach * Math.abs(random.normal())));
    const low = symbol.down(Math.min(open, close) * (1 - reach * Math.abs(random.normal())));
    const kept = BUSYNESS_MS / (BUSYNESS_MS + lengths[at]);
    busyness = busyness * kept + BUSYNESS * Math.sqrt(1 - kept * kept) * random.normal();
    const deviation = dailyDeviation * wildness[at] * Math.sqrt(share);
    const moved = Math.min(MOVE_MAX, Math.abs(close - open) / (open * deviation) / MEAN_MOVE);
    const worth =
      turnover *
      share *
      (lengths[at] <= HOUR_MS ? busynessAt(starts[at]) : 1) *
      (0.5 + 0.5 * wildness[at]) *
      (STEADY + (1 - STEADY) * moved) *
      exp(busyness - (BUSYNESS * BUSYNESS) / 2);
    const volume = BigInt(symbol.sizeOf(worth / values[base][at + 1]));
    const mean = Math.floor((open + close + high + low) / 4);
    opens[at] = open;
    closes[at] = close;
    highs[at] = high;
    lows[at] = low;
    volumes.push(volumes[at] + volume);
    turnovers.push(turnovers[at] + volume * BigInt(mean));
  }
  return { opens, closes, highs, lows, volumes, turnovers };
}

/**
 * The candles of an interval that begin at `from` or later; the last may still be going on. So late no stretch is longer
 * than the interval.
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
    const volume = volumes[next] - volumes[first];
    const turnover = turnovers[next] - turnovers[first];
    candles.push({ start, open: opens[first], close: closes[next - 1], high, low, volume, turnover });
    first = next;
  }
  return candles;
}

/** The longest month has 31 days, and no two months together fit into 32. */
const endOf = (interval: Interval, start: number): number =>
  INTERVALS[interval] > 0 ? start + INTERVALS[interval] : startOf(interval, start + 32 * DAY_MS);
