/**
 * The facts that every real market shows, of a simulated day: no memory in the direction of returns, much in their
 * size, fat tails, plausible spreads and depths, both sides there, cross rates that agree, trades in every minute. Each
 * figure has a band that it must be in.
 */

import { TRIANGLE } from '../../packages/server/src/sandbox/market/agents.ts';
import { DEFAULT_SYMBOLS } from '../../packages/server/src/sandbox/market/currencies.ts';
import type { PresetName } from '../../packages/server/src/sandbox/market/presets.ts';
import { SimulatedMarket, START_MS } from '@bourse/test-tools/simulated-market.ts';
import {
  autocorrelation,
  autocorrelationError,
  deviation,
  excessKurtosis,
  logReturns,
  mean,
  quantile,
} from './statistics.ts';

const MINUTE_MS = 60_000;
const LAGS = 30;
const BASIS_POINT = 1e-4;
/** Three trades at the ordinary taker's fee: cross rates agree where going around brings nobody more than that. */
const CROSS_MAX = 3 * 0.001;
/** Of a normal estimate one in 370 is farther off: many figures of many days are looked at. */
const ERRORS = 3;
/** Values of their own: those of BTC, ETH and KCS. The fourth symbol follows from two of them. */
const INDEPENDENT = 3;

export interface Fact {
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

export const isHeld = ({ value, low, high }: Fact): boolean => value >= low && value <= high;

interface Bands {
  readonly spread: readonly [low: number, high: number];
  /** Of the bids within one per cent, in USDT. */
  readonly depth: readonly [low: number, high: number];
  readonly deviation: readonly [low: number, high: number];
  readonly quoted: number;
}

const BANDS: Readonly<Partial<Record<PresetName, Bands>>> = {
  calm: {
    spread: [0.5, 6],
    depth: [50_000, 600_000],
    deviation: [2, 25],
    quoted: 0.999,
  },
  wild: {
    spread: [1, 40],
    depth: [15_000, 600_000],
    deviation: [10, 120],
    quoted: 0.99,
  },
};

interface Watched {
  readonly code: string;
  /** At the end of each minute: the last trade, and the middle between the best prices. */
  readonly closes: number[];
  readonly middles: number[];
  readonly spreads: number[];
  readonly depths: number[];
  quoted: number;
  emptyMinutes: number;
  tradesOfMinute: number;
}

/** Runs the market for so many hours and tells what it was like. */
export function findFacts(preset: PresetName, seed: number, hours: number): Fact[] {
  const bands = BANDS[preset] as Bands;
  const market = new SimulatedMarket(preset, seed);
  const watched = DEFAULT_SYMBOLS.map(
    (code): Watched => ({
      code,
      closes: [],
      middles: [],
      spreads: [],
      depths: [],
      quoted: 0,
      emptyMinutes: 0,
      tradesOfMinute: 0,
    }),
  );
  const gains: number[] = [];
  let steps = 0;
  let minute = START_MS + MINUTE_MS;
  while (market.time < START_MS + hours * 60 * MINUTE_MS) {
    while (market.state.nextAt >= minute) {
      for (const symbol of watched) endMinute(market, symbol);
      minute += MINUTE_MS;
    }
    for (const event of market.step().applied.events.decodeMarket()) {
      const symbol = event.kind === 'trade' ? watched[event.symbol] : undefined;
      if (symbol) symbol.tradesOfMinute += 1;
    }
    for (const symbol of watched) look(market, symbol);
    gains.push(gainAround(market));
    steps += 1;
  }
  return [
    ...watched.flatMap((symbol) => factsOf(symbol, bands, steps)),
    memoryOfAll(watched),
    {
      name: 'cross rates: largest gain of going around, before fees',
      value: quantile(gains, 1),
      low: -1,
      high: CROSS_MAX,
    },
    { name: 'commands in a day', value: (market.commands * 24) / hours, low: 0, high: 2e6 },
  ];
}

function factsOf(symbol: Watched, bands: Bands, steps: number): Fact[] {
  const returns = logReturns(symbol.middles);
  const closes = logReturns(symbol.closes);
  const sizes = returns.map(Math.abs);
  const memories = Array.from({ length: LAGS }, (_, at) => autocorrelation(sizes, at + 1));
  const near = ERRORS * autocorrelationError(returns, 1);
  const nearOfCloses = ERRORS * autocorrelationError(closes, 1);
  const band = ([low, high]: readonly [number, number]) => ({ low, high });
  const fact = (name: string, value: number, low: number, high: number): Fact => ({
    name: `${symbol.code} ${name}`,
    value,
    low,
    high,
  });
  return [
    fact('autocorrelation of returns, lag 1', autocorrelation(returns, 1), -near, near),
    fact(
      'the same of the last trades',
      autocorrelation(closes, 1),
      -nearOfCloses - bounce(symbol, closes),
      nearOfCloses,
    ),
    fact('excess kurtosis of returns', excessKurtosis(returns), 1, 500),
    fact(`autocorrelation of their size, mean of lags 1 to ${LAGS}`, mean(memories), 0.02, 1),
    fact(`autocorrelation of their size, least of lags 1 to ${LAGS}`, Math.min(...memories), 0, 1),
    fact('deviation of returns of a minute, bp', deviation(returns) / BASIS_POINT, ...bands.deviation),
    {
      ...fact('median spread, bp', quantile(symbol.spreads, 0.5) / BASIS_POINT, 0, 0),
      ...band(bands.spread),
    },
    { ...fact('median depth, USDT', quantile(symbol.depths, 0.5), 0, 0), ...band(bands.depth) },
    fact('both sides quoted', symbol.quoted / steps, bands.quoted, 1),
    fact('minutes without a trade', symbol.emptyMinutes, 0, 0),
  ];
}

/**
 * Trades jump between bid and ask though no value moves. A jump of half a spread takes so much from the autocorrelation
 * of the returns (Roll); the spread is its mean, not its median, because wide ones weigh by their square.
 */
function bounce({ spreads }: Watched, closes: readonly number[]): number {
  return mean(spreads.map((spread) => spread ** 2)) / 4 / deviation(closes) ** 2;
}

/** All symbols together say it more exactly than each. */
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
  symbol.tradesOfMinute = 0;
}

function look({ exchange, state }: SimulatedMarket, symbol: Watched): void {
  const number = exchange.reference.symbolNumber(symbol.code);
  const [bid, ask] = [exchange.bestPrice(number, 'buy'), exchange.bestPrice(number, 'sell')];
  if (bid === 0 || ask === 0) return;
  symbol.quoted += 1;
  if (state.step % 10 !== 0) return;
  symbol.spreads.push((2 * (ask - bid)) / (ask + bid));
  const near = exchange.depth(number, 'buy', 1000).filter(({ price }) => price >= 0.99 * bid);
  const { quote } = exchange.reference.symbol(number);
  const { code, scale } = exchange.reference.currencies[quote] as { code: string; scale: number };
  const money = near.reduce((sum, { price, size }) => sum + price * size, 0) / 10 ** scale;
  symbol.depths.push(money * worthOf(state, code));
}

function worthOf({ currencies }: SimulatedMarket['state'], code: string): number {
  return Math.exp(currencies.find((currency) => currency.code === code)?.value ?? 0);
}

/**
 * What somebody gains who buys ETH by way of BTC and sells it directly, or the other way round, at the best prices that
 * stand; below 0 where it costs. The middles of the books may be farther apart: in wild times spreads are wide, and
 * nobody can trade at a middle.
 */
function gainAround({ exchange }: SimulatedMarket): number {
  const [bitcoin, ether, cross] = TRIANGLE.map((code) => {
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
