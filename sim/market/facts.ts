/**
 * The stylized facts of real markets, measured on a simulated day: no autocorrelation of returns but much in their
 * absolute size, fat tails, plausible spreads and depths, queues at the best prices, order sizes with a power law and
 * round numbers, sides with long memory, busy and quiet hours, consistent cross rates. Each figure has a band
 * (bands.ts).
 */

import type { Command, Exchange } from '@bourse/core';
import { SimulatedMarket, START_MS } from '@bourse/test-kit/simulated-market.ts';
import { TRIANGLE } from '../../packages/sandbox/src/market/agents.ts';
import { currenciesIn } from '../../packages/sandbox/src/market/market-state.ts';
import { type PresetName, profileOf } from '../../packages/sandbox/src/market/presets.ts';
import { SYMBOLS } from '../../packages/sandbox/src/reference-data.ts';
import { BANDS, type Bands, CROSS_MAX } from './bands.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/**
 * Steps between samples of spreads and depths, and of queues. Small groups act in one of ten steps, and 11 samples
 * each phase.
 */
const SAMPLE = 11;
const QUEUE_SAMPLE = 10 * SAMPLE;
const SMALL_TRIANGLES: readonly (readonly string[])[] = [
  ['BTC-USDT', 'LTC-USDT', 'LTC-BTC'],
  ['BTC-USDT', 'XRP-USDT', 'XRP-BTC'],
  ['BTC-USDT', 'KCS-USDT', 'KCS-BTC'],
  ['ETH-USDT', 'KCS-USDT', 'KCS-ETH'],
];
const LAGS = 30;
const BASIS_POINT = 1e-4;
/** One in 370 normal estimates is outside this range: many figures of many days are checked. */
const ERRORS = 3;
/** Independent values are BTC, ETH and KCS. The fourth symbol follows from two of them. */
const INDEPENDENT = 3;
const isSmall = (code: string): boolean => profileOf(code).isSmall;
const isTight = (code: string): boolean => profileOf(code).isTight;

export interface Fact {
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export const isHeld = ({ value, low, high }: Fact): boolean => value >= low && value <= high;

const factOf = (name: string, value: number, [low, high]: readonly [number, number]): Fact => ({
  name,
  value,
  low,
  high,
});

interface Watched {
  readonly code: string;
  /** At the end of each minute: the last trade and the mid price. */
  readonly closes: number[];
  readonly middles: number[];
  readonly spreads: number[];
  /** The same in increments. */
  readonly ticks: number[];
  readonly depths: number[];
  /** Orders at the best bid. */
  readonly queues: number[];
  /** Steps after which the best bid was unchanged. */
  lived: number;
  lastBid: number;
  quoted: number;
  trades: number;
  emptyMinutes: number;
  /** Consecutive minutes without a trade: current and maximum. */
  waited: number;
  waitedMax: number;
  tradesOfMinute: number;
}

/** Runs the market for this many hours and computes its figures. */
export function findFacts(preset: PresetName, seed: number, hours: number): Fact[] {
  const bands = BANDS[preset] as Bands;
  const symbols = SYMBOLS.map(({ code }) => code);
  const market = new SimulatedMarket(preset, seed, { symbols });
  const watched = symbols.map(
    (code): Watched => ({
      code,
      closes: [],
      middles: [],
      spreads: [],
      ticks: [],
      depths: [],
      queues: [],
      lived: 0,
      lastBid: 0,
      quoted: 0,
      trades: 0,
      emptyMinutes: 0,
      waited: 0,
      waitedMax: 0,
      tradesOfMinute: 0,
    }),
  );
  const flow = new OrderFlow(market.exchange, TRIANGLE[0] as string);
  const byHour: number[] = Array.from({ length: 24 }, () => 0);
  const gains: number[] = [];
  const smallGains: number[] = [];
  let steps = 0;
  let minute = START_MS + MINUTE_MS;
  while (market.time < START_MS + hours * HOUR_MS) {
    const { nextAt } = market;
    while (nextAt >= minute) {
      for (const symbol of watched) endMinute(market, symbol);
      minute += MINUTE_MS;
    }
    const { commands, applied } = market.step();
    for (const event of applied.events.decodeMarket()) {
      const symbol = event.kind === 'trade' ? watched[event.symbol] : undefined;
      if (!symbol) continue;
      symbol.tradesOfMinute += 1;
      symbol.trades += 1;
      const hour = Math.floor((market.time - START_MS) / HOUR_MS) % 24;
      if (isTight(symbol.code)) byHour[hour] = (byHour[hour] as number) + 1;
    }
    flow.see(commands);
    steps += 1;
    const isSample = steps % SAMPLE === 0;
    const state = isSample ? market.state : null;
    for (const symbol of watched) {
      look(market.exchange, symbol);
      if (state) sample(market.exchange, state, symbol, steps % QUEUE_SAMPLE === 0);
    }
    gains.push(gainAround(market, TRIANGLE));
    if (isSample) smallGains.push(...SMALL_TRIANGLES.map((triangle) => gainAround(market, triangle)));
  }
  const large = watched.filter(({ code }) => !isSmall(code));
  return [
    ...large.flatMap((symbol) => factsOf(symbol, bands, steps)),
    memoryOfAll(large),
    ...smallFacts(
      watched.filter(({ code }) => isSmall(code)),
      bands,
      steps,
      hours,
    ),
    ...flow.facts(bands).map(([name, value, band]) => factOf(name, value, band)),
    ...(hours >= 24
      ? [factOf('trades of the busiest four hours, against the quietest', shapeOf(byHour), bands.dayShape)]
      : []),
    factOf('cross rates: largest gain of going around, before fees', quantile(gains, 1), bands.crossGain),
    factOf(
      'small symbols: part of the looks with a gain above three fees',
      mean(smallGains.map((gain) => (gain > CROSS_MAX ? 1 : 0))),
      bands.smallCrossGain,
    ),
    factOf('commands in a day', (market.commands * 24) / hours, bands.commands),
  ];
}

/** Sums over four consecutive hours, wrapping around midnight. */
function shapeOf(byHour: readonly number[]): number {
  const sums = byHour.map((_, at) =>
    [0, 1, 2, 3].reduce((sum, next) => sum + (byHour[(at + next) % byHour.length] as number), 0),
  );
  return Math.max(...sums) / Math.min(...sums);
}

function smallFacts(small: readonly Watched[], bands: Bands, steps: number, hours: number): Fact[] {
  const spreads = small.map((symbol) => quantile(symbol.spreads, 0.5) / BASIS_POINT);
  const trades = small.map((symbol) => (symbol.trades * 24) / hours);
  const deviations = small.map(({ middles }) => deviation(logReturns(middles)) / BASIS_POINT);
  const kurtoses = small.map(({ middles }) => excessKurtosis(logReturns(middles)));
  return [
    factOf(
      'small symbols: least deviation of returns of a minute, bp',
      Math.min(...deviations),
      bands.deviation,
    ),
    factOf(
      'small symbols: most deviation of returns of a minute, bp',
      Math.max(...deviations),
      bands.deviation,
    ),
    factOf('small symbols: least excess kurtosis of returns', Math.min(...kurtoses), bands.kurtosis),
    factOf(
      'small symbols: longest wait for a trade, minutes',
      Math.max(...small.map(({ waitedMax }) => waitedMax)),
      bands.smallWait,
    ),
    factOf('small symbols: least trades in a day', Math.min(...trades), bands.smallTrades),
    factOf('small symbols: most trades in a day', Math.max(...trades), bands.smallTrades),
    factOf('small symbols: narrowest median spread, bp', Math.min(...spreads), bands.smallSpread),
    factOf('small symbols: widest median spread, bp', Math.max(...spreads), bands.smallSpread),
    factOf(
      'small symbols: both sides quoted, least',
      Math.min(...small.map(({ quoted }) => quoted / steps)),
      bands.smallQuoted,
    ),
  ];
}

function factsOf(symbol: Watched, bands: Bands, steps: number): Fact[] {
  const returns = logReturns(symbol.middles);
  const closes = logReturns(symbol.closes);
  const sizes = returns.map(Math.abs);
  const memories = Array.from({ length: LAGS }, (_, at) => autocorrelation(sizes, at + 1));
  const near = ERRORS * autocorrelationError(returns, 1);
  const nearOfCloses = ERRORS * autocorrelationError(closes, 1);
  const fact = (name: string, value: number, band: readonly [number, number]): Fact =>
    factOf(`${symbol.code} ${name}`, value, band);
  const spread = quantile(symbol.spreads, 0.5);
  return [
    fact('autocorrelation of returns, lag 1', autocorrelation(returns, 1), [-near, near]),
    fact('the same of the last trades', autocorrelation(closes, 1), [
      -nearOfCloses - bounce(symbol, closes),
      nearOfCloses,
    ]),
    fact('excess kurtosis of returns', excessKurtosis(returns), bands.kurtosis),
    fact(`autocorrelation of their size, mean of lags 1 to ${LAGS}`, mean(memories), bands.sizeMemory),
    fact(
      `autocorrelation of their size, least of lags 1 to ${LAGS}`,
      Math.min(...memories),
      bands.sizeMemoryLeast,
    ),
    fact('deviation of returns of a minute, bp', deviation(returns) / BASIS_POINT, bands.deviation),
    ...(isTight(symbol.code)
      ? [
          fact('median spread, increments', quantile(symbol.ticks, 0.5), bands.tightSpread),
          fact('orders at the best bid, median', quantile(symbol.queues, 0.5), bands.queue),
          fact('best bid is the same a step later', symbol.lived / steps, bands.life),
          fact('median depth, USDT', quantile(symbol.depths, 0.5), bands.tightDepth),
        ]
      : [
          fact('median spread, bp', spread / BASIS_POINT, bands.spread),
          fact('median depth, USDT', quantile(symbol.depths, 0.5), bands.depth),
        ]),
    fact('both sides quoted', symbol.quoted / steps, bands.quoted),
    fact('minutes without a trade', symbol.emptyMinutes, bands.emptyMinutes),
  ];
}

/**
 * Trades bounce between bid and ask even if no value moves. A bounce of half a spread lowers the autocorrelation of
 * returns by this much (Roll); it uses the mean spread, not the median, because wide spreads weigh by their square.
 */
function bounce({ spreads }: Watched, closes: readonly number[]): number {
  return mean(spreads.map((spread) => spread ** 2)) / 4 / deviation(closes) ** 2;
}

/** All symbols together give a more precise estimate than each alone. */
function memoryOfAll(watched: readonly Watched[]): Fact {
  const returns = watched.map(({ middles }) => logReturns(middles));
  const near = (ERRORS * mean(returns.map((each) => autocorrelationError(each, 1)))) / Math.sqrt(INDEPENDENT);
  const value = mean(returns.map((each) => autocorrelation(each, 1)));
  return { name: 'autocorrelation of returns, lag 1, mean of all symbols', value, low: -near, high: near };
}

function endMinute({ exchange }: SimulatedMarket, symbol: Watched): void {
  const number = exchange.reference.symbolNumber(symbol.code);
  const last = exchange.lastPrice(number);
  if (last > 0) symbol.closes.push(last);
  const [bid, ask] = [exchange.bestPrice(number, 'buy'), exchange.bestPrice(number, 'sell')];
  if (bid > 0 && ask > 0) symbol.middles.push((bid + ask) / 2);
  if (symbol.tradesOfMinute === 0) symbol.emptyMinutes += 1;
  symbol.waited = symbol.tradesOfMinute === 0 ? symbol.waited + 1 : 0;
  symbol.waitedMax = Math.max(symbol.waitedMax, symbol.waited);
  symbol.tradesOfMinute = 0;
}

function look(exchange: Exchange, symbol: Watched): void {
  const number = exchange.reference.symbolNumber(symbol.code);
  const [bid, ask] = [exchange.bestPrice(number, 'buy'), exchange.bestPrice(number, 'sell')];
  if (bid === 0 || ask === 0) return;
  symbol.quoted += 1;
  if (bid === symbol.lastBid) symbol.lived += 1;
  symbol.lastBid = bid;
}

/** Expensive statistics, computed in some of the steps only. */
function sample(
  exchange: Exchange,
  state: SimulatedMarket['state'],
  symbol: Watched,
  withQueue: boolean,
): void {
  const number = exchange.reference.symbolNumber(symbol.code);
  const [bid, ask] = [exchange.bestPrice(number, 'buy'), exchange.bestPrice(number, 'sell')];
  if (bid === 0 || ask === 0) return;
  symbol.spreads.push((2 * (ask - bid)) / (ask + bid));
  if (isSmall(symbol.code)) return;
  const { priceIncrement, priceDecimals } = exchange.reference.symbol(number);
  symbol.ticks.push(Math.round((ask - bid) / (Number(priceIncrement) * 10 ** priceDecimals)));
  if (isTight(symbol.code) && withQueue) {
    symbol.queues.push(exchange.resting(number, 'buy').filter(({ price }) => price === bid).length);
  }
  const near = exchange.depth(number, 'buy', 1000).filter(({ price }) => price >= 0.99 * bid);
  const { quote } = exchange.reference.symbol(number);
  const { code, scale } = exchange.reference.currencies[quote] as { code: string; scale: number };
  const money = near.reduce((sum, { price, size }) => sum + price * size, 0) / 10 ** scale;
  symbol.depths.push(money * worthOf(state, code));
}

function worthOf(state: SimulatedMarket['state'], code: string): number {
  return Math.exp(currenciesIn(state).find((currency) => currency.code === code)?.value ?? 0);
}

/**
 * The gain of buying ETH through BTC and selling it directly, or the reverse, at the best prices (or LTC, XRP, KCS);
 * negative if it costs. Mid prices may diverge further: in volatile times spreads are wide, and nobody can trade at
 * the mid.
 */
function gainAround({ exchange }: SimulatedMarket, triangle: readonly string[]): number {
  const [bitcoin, ether, cross] = triangle.map((code) => {
    const number = exchange.reference.symbolNumber(code);
    const scale = 10 ** exchange.reference.symbol(number).priceDecimals;
    const price = (side: 'buy' | 'sell') => exchange.bestPrice(number, side) / scale;
    return { bid: price('buy'), ask: price('sell') };
  }) as [Quote, Quote, Quote];
  if ([bitcoin, ether, cross].some(({ bid, ask }) => bid === 0 || ask === 0)) return -1;
  const buyAround = ether.bid / (cross.ask * bitcoin.ask);
  const sellAround = (cross.bid * bitcoin.bid) / ether.ask;
  return Math.max(buyAround, sellAround) - 1;
}

interface Quote {
  readonly bid: number;
  readonly ask: number;
}

// The market orders of one symbol: sizes and sides.

/** The share of the largest sizes that is used to estimate the tail exponent (Hill). */
const TAIL_SHARE = 0.02;

type Named = readonly [name: string, value: number, band: readonly [number, number]];

class OrderFlow {
  readonly #code: string;
  readonly #symbol: number;
  readonly #sizes: number[] = [];
  readonly #sides: number[] = [];

  constructor({ reference }: Exchange, code: string) {
    this.#code = code;
    this.#symbol = reference.symbolNumber(code);
  }

  see(commands: readonly Command[]): void {
    for (const command of commands) {
      if (command.kind !== 'place-order' || command.symbol !== this.#symbol) continue;
      if (command.type !== 'market' || command.size === undefined) continue;
      this.#sizes.push(command.size);
      this.#sides.push(command.side === 'buy' ? 1 : -1);
    }
  }

  facts(bands: Bands): Named[] {
    const round = this.#sizes.filter((size) => /^[1-9]\d?0*$/.test(String(size))).length / this.#sizes.length;
    const signs = (from: number, to: number) =>
      mean(Array.from({ length: to - from + 1 }, (_, at) => autocorrelation(this.#sides, from + at)));
    const of = (name: string) => `${this.#code} market orders: ${name}`;
    return [
      [of('exponent of the tail of sizes'), tailExponent(this.#sizes), bands.tail],
      [of('sizes with one or two digits'), round, bands.round],
      [of('autocorrelation of sides, lag 1'), signs(1, 1), bands.signs1],
      [of('the same, mean of lags 5 to 15'), signs(5, 15), bands.signs10],
      [of('the same, mean of lags 50 to 150'), signs(50, 150), bands.signs100],
    ];
  }
}

function tailExponent(sizes: readonly number[]): number {
  const sorted = sizes.toSorted((one, other) => other - one);
  const count = Math.max(2, Math.floor(sorted.length * TAIL_SHARE));
  const least = sorted[count] as number;
  return 1 / mean(sorted.slice(0, count).map((size) => Math.log(size / least)));
}

// Statistics of a series of numbers.

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function moment(values: readonly number[], power: number): number {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** power));
}

const deviation = (values: readonly number[]): number => Math.sqrt(moment(values, 2));

/** Excess kurtosis: how much fatter the tails are than those of a normal distribution. */
const excessKurtosis = (values: readonly number[]): number => moment(values, 4) / moment(values, 2) ** 2 - 3;

function autocorrelation(values: readonly number[], lag: number): number {
  const middle = mean(values);
  let sum = 0;
  for (let at = lag; at < values.length; at++) {
    sum += ((values[at] as number) - middle) * ((values[at - lag] as number) - middle);
  }
  return sum / values.length / moment(values, 2);
}

/**
 * The standard error of the autocorrelation of an uncorrelated series: 1/sqrt(n) if all values have the same
 * variance; more if large values cluster, because then few of them dominate (White's estimator).
 */
function autocorrelationError(values: readonly number[], lag: number): number {
  const middle = mean(values);
  const squares = values.map((value) => (value - middle) ** 2);
  let products = 0;
  for (let at = lag; at < squares.length; at++) {
    products += (squares[at] as number) * (squares[at - lag] as number);
  }
  return Math.sqrt(products) / squares.reduce((sum, square) => sum + square, 0);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(share * (sorted.length - 1))] as number;
}

const logReturns = (prices: readonly number[]): number[] =>
  prices.slice(1).map((price, at) => Math.log(price / (prices[at] as number)));
