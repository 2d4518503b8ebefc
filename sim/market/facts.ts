/**
 * The facts that every real market shows, of a simulated day: no memory in the direction of returns, much in their
 * size, fat tails, plausible spreads and depths, both sides there, cross rates that agree, trades in every minute. Each
 * figure has a band that it must be in.
 */

import { DEFAULT_SYMBOLS } from '../../packages/server/src/sandbox/market/currencies.ts';
import type { PresetName } from '../../packages/server/src/sandbox/market/presets.ts';
import { SimulatedMarket, START_MS } from '@bourse/test-tools/simulated-market.ts';
import { autocorrelation, deviation, excessKurtosis, logReturns, mean, quantile } from './statistics.ts';

const MINUTE_MS = 60_000;
const LAGS = 30;
const BASIS_POINT = 1e-4;
/** Three trades at the ordinary taker's fee. */
const CROSS_MAX = 3 * 0.001;

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
  readonly crossMax: number;
}

const BANDS: Readonly<Partial<Record<PresetName, Bands>>> = {
  calm: {
    spread: [0.5, 6],
    depth: [50_000, 600_000],
    deviation: [2, 25],
    quoted: 0.999,
    crossMax: CROSS_MAX,
  },
  wild: {
    spread: [1, 40],
    depth: [15_000, 600_000],
    deviation: [10, 120],
    quoted: 0.99,
    crossMax: 10 * CROSS_MAX,
  },
};

interface Watched {
  readonly code: string;
  readonly closes: number[];
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
      spreads: [],
      depths: [],
      quoted: 0,
      emptyMinutes: 0,
      tradesOfMinute: 0,
    }),
  );
  const crosses: number[] = [];
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
    crosses.push(crossError(market));
    steps += 1;
  }
  return [
    ...watched.flatMap((symbol) => factsOf(symbol, bands, steps)),
    {
      name: 'cross rates: difference, 99.9 % of the time',
      value: quantile(crosses, 0.999),
      low: 0,
      high: CROSS_MAX,
    },
    { name: 'cross rates: largest difference', value: quantile(crosses, 1), low: 0, high: bands.crossMax },
    { name: 'commands in a day', value: (market.commands * 24) / hours, low: 0, high: 2e6 },
  ];
}

function factsOf(symbol: Watched, bands: Bands, steps: number): Fact[] {
  const returns = logReturns(symbol.closes);
  const sizes = returns.map(Math.abs);
  const memories = Array.from({ length: LAGS }, (_, at) => autocorrelation(sizes, at + 1));
  // Two deviations of the estimate, and what the bounce between bid and ask takes.
  const near = 2 / Math.sqrt(returns.length) + 0.1;
  const band = ([low, high]: readonly [number, number]) => ({ low, high });
  const fact = (name: string, value: number, low: number, high: number): Fact => ({
    name: `${symbol.code} ${name}`,
    value,
    low,
    high,
  });
  return [
    fact('autocorrelation of returns, lag 1', autocorrelation(returns, 1), -near, near),
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

function endMinute({ exchange }: SimulatedMarket, symbol: Watched): void {
  const last = exchange.lastPrice(exchange.reference.symbolNumber(symbol.code));
  if (last > 0) symbol.closes.push(last);
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

/** How far ETH-BTC is from what ETH-USDT and BTC-USDT say. */
function crossError({ exchange }: SimulatedMarket): number {
  const middle = (code: string): number => {
    const number = exchange.reference.symbolNumber(code);
    const { priceDecimals } = exchange.reference.symbol(number);
    return (exchange.bestPrice(number, 'buy') + exchange.bestPrice(number, 'sell')) / 2 / 10 ** priceDecimals;
  };
  return Math.abs((middle('ETH-BTC') * middle('BTC-USDT')) / middle('ETH-USDT') - 1);
}
