/** Public market data: the last trades, the best prices, candles, 24-hour statistics, and the value of currencies. */

import type { PriceLevel, SymbolSet } from '@bourse/core';
import { INTERVAL_NAMES, isInterval, shortened } from '@bourse/engine';
import type { Statistics } from '../../../views/market.ts';
import { formatMoney, formatSmall } from '../../decimals.ts';
import { Refusal } from '../../errors/refusal.ts';
import { queryText, symbolOf } from '../../members.ts';
import type { QueryOf } from '../../paging.ts';
import { Raw } from '../../result.ts';
import { route, type Route } from '../../route.ts';
import { Type, wordOf } from '../../schema.ts';
import type { Services } from '../../services.ts';

export function marketRoutes({ market, catalogue }: Services): Route[] {
  const text = Type.String();
  const common = {
    method: 'GET',
    access: 'public',
    pool: 'public',
    shape: 'bare',
    query: { symbol: text },
  } as const;
  const symbolAsked = ({ query }: QueryOf<'symbol'>) =>
    symbolOf(catalogue, queryText(query.symbol, 'symbol'));
  return [
    route({
      ...common,
      id: 'get-trade-histories',
      path: '/api/v1/market/histories',
      summary: 'The last 100 trades, oldest first; times in nanoseconds.',
      weight: 3,
      answer: Type.Array(
        Type.Object({
          sequence: text,
          price: text,
          size: text,
          side: wordOf('buy', 'sell'),
          time: Type.Integer(),
        }),
      ),
      handle(call) {
        const { symbol, priceDecimals, sizeDecimals } = symbolAsked(call);
        const trades = market.trades(symbol).toReversed();
        // Nanoseconds are beyond 2^53, where a JSON number made by JavaScript is no longer exact.
        const texts = trades.map(
          ({ trade, price, size, side, time }) =>
            `{"sequence":"${trade}","price":"${formatSmall(price, priceDecimals)}",` +
            `"size":"${formatSmall(size, sizeDecimals)}","side":"${side}","time":${time}000000}`,
        );
        return new Raw(`[${texts.join(',')}]`);
      },
    }),
    route({
      ...common,
      id: 'get-ticker',
      path: '/api/v1/market/orderbook/level1',
      summary:
        'The last price and the best prices. Without a trade or an order, a price is an empty string (null in the family dialect).',
      weight: 2,
      answer: Type.Object({
        sequence: text,
        price: text,
        size: text,
        bestAsk: text,
        bestAskSize: text,
        bestBid: text,
        bestBidSize: text,
        time: Type.Integer(),
      }),
      handle(call) {
        const { symbol, priceDecimals, sizeDecimals } = symbolAsked(call);
        const { sequence, last, bestAsk, bestBid, time } = market.ticker(symbol);
        // Clients of the family read an empty string as a price of 0.
        const none = call.dialect.isLiteral ? '' : null;
        const price = (level: PriceLevel | undefined) =>
          level ? formatSmall(level.price, priceDecimals) : none;
        const size = (level: PriceLevel | undefined) =>
          level ? formatSmall(level.size, sizeDecimals) : none;
        return {
          sequence: String(sequence),
          price: price(last),
          size: size(last),
          bestAsk: price(bestAsk),
          bestAskSize: size(bestAsk),
          bestBid: price(bestBid),
          bestBidSize: size(bestBid),
          time,
        };
      },
    }),
  ];
}

/** Per response. */
const CANDLES_MAX = 1500;
const SECOND_MS = 1000;

const text = Type.String();

/** Candles of every interval, newest first. Intervals without a trade have none. */
export function candleRoutes({ catalogue, history, historyCaughtUp }: Services): Route[] {
  return [
    route({
      id: 'list-candles',
      method: 'GET',
      path: '/api/v1/market/candles',
      summary: 'Candles as [start in seconds, open, close, high, low, volume, turnover], newest first.',
      access: 'public',
      pool: 'public',
      weight: 3,
      shape: 'A',
      query: {
        symbol: text,
        type: wordOf(...INTERVAL_NAMES),
        startAt: Type.Optional(text),
        endAt: Type.Optional(text),
      },
      answer: Type.Array(Type.Array(text, { minItems: 7, maxItems: 7 })),
      async handle({ query }) {
        const symbol = symbolOf(catalogue, queryText(query.symbol, 'symbol'));
        const interval = queryText(query.type, 'type');
        if (!isInterval(interval)) {
          throw new Refusal(
            'parameter-invalid',
            `type is '${shortened(interval)}': it must be one of ${INTERVAL_NAMES.join(', ')}.`,
          );
        }
        const from = secondsOf(query.startAt, 'startAt') * SECOND_MS;
        const until = (secondsOf(query.endAt, 'endAt') || Number.MAX_SAFE_INTEGER / SECOND_MS) * SECOND_MS;
        await historyCaughtUp();
        const { priceDecimals, sizeDecimals, quote } = symbol;
        const { scale } = catalogue.currencyAt(quote);
        return history
          .candles({ symbol: symbol.symbol, interval, from, until: Math.floor(until), limit: CANDLES_MAX })
          .map(({ start, open, close, high, low, volume, turnover }) => [
            String(start / SECOND_MS),
            ...[open, close, high, low].map((price) => formatSmall(price, priceDecimals)),
            formatMoney(volume, sizeDecimals),
            formatMoney(turnover, scale),
          ]);
      },
    }),
  ];
}

/** 0 means unbounded. */
function secondsOf(value: string | undefined, field: string): number {
  if (!value) return 0;
  if (/^\d{1,11}$/.test(value)) return Number(value);
  throw new Refusal(
    'parameter-invalid',
    `${field} is '${shortened(value)}': it must be a time in whole seconds since 1970.`,
  );
}

/** Currencies that count as a dollar. */
const DOLLAR = 'USDT';
/** Supported base currencies of prices: there is no exchange rate to others. */
const PRICE_BASES: readonly string[] = ['USD', DOLLAR];

const common = { method: 'GET', access: 'public', pool: 'public', shape: 'A' } as const;

const textOrNone = Type.Union([text, Type.Null()]);
const SIZES = { bestBidSize: textOrNone, bestAskSize: textOrNone };
/** null without trades, or if the side is empty. */
const FIGURES = {
  buy: textOrNone,
  sell: textOrNone,
  changeRate: textOrNone,
  changePrice: textOrNone,
  high: textOrNone,
  low: textOrNone,
  vol: text,
  volValue: text,
  last: textOrNone,
  averagePrice: textOrNone,
  takerFeeRate: text,
  makerFeeRate: text,
  takerCoefficient: text,
  makerCoefficient: text,
};

export function tickerRoutes(services: Services): Route[] {
  const { catalogue, clock } = services;
  return [
    route({
      ...common,
      id: 'list-tickers',
      path: '/api/v1/market/allTickers',
      summary: 'Prices and the last 24 hours of every symbol.',
      weight: 15,
      answer: Type.Object({
        time: Type.Integer(),
        ticker: Type.Array(Type.Object({ symbol: text, symbolName: text, ...SIZES, ...FIGURES })),
      }),
      handle() {
        const ticker = catalogue.symbols().map((symbol) => {
          const { bestBidSize, bestAskSize, ...figures } = figuresOf(services, symbol);
          return { symbol: symbol.code, symbolName: symbol.name, bestBidSize, bestAskSize, ...figures };
        });
        return { time: clock.now(), ticker };
      },
    }),
    route({
      ...common,
      id: 'get-statistics',
      path: '/api/v1/market/stats',
      summary: 'Prices and the last 24 hours of a symbol.',
      weight: 15,
      answer: Type.Object({ time: Type.Integer(), symbol: text, ...FIGURES }),
      query: { symbol: Type.String() },
      handle({ query }) {
        const symbol = symbolOf(catalogue, queryText(query.symbol, 'symbol'));
        const { bestBidSize: _bid, bestAskSize: _ask, ...figures } = figuresOf(services, symbol);
        return { time: clock.now(), symbol: symbol.code, ...figures };
      },
    }),
    route({
      ...common,
      id: 'list-prices',
      path: '/api/v1/prices',
      summary: 'The last price of each currency in US dollars, by currency code.',
      weight: 3,
      answer: Type.Record(text, text),
      query: { base: Type.Optional(Type.String()), currencies: Type.Optional(Type.String()) },
      handle({ query }) {
        checkBase(query.base);
        return pricesOf(services, query.currencies);
      },
    }),
  ];
}

function checkBase(base: string | undefined): void {
  if (!base || PRICE_BASES.includes(base)) return;
  throw new Refusal(
    'parameter-invalid',
    `base is '${shortened(base)}': expected ${PRICE_BASES.join(' or ')}.`,
  );
}

function pricesOf({ catalogue, market }: Services, list: string | undefined): Record<string, string> {
  const wanted = list ? new Set(list.split(',')) : null;
  const prices = new Map<string, string>();
  for (const { code } of catalogue.currencies()) {
    if (wanted && !wanted.has(code)) continue;
    const symbol = catalogue
      .symbols()
      .find(
        ({ base, quote }) =>
          catalogue.currencyAt(base).code === code && catalogue.currencyAt(quote).code === DOLLAR,
      );
    const last = symbol && market.ticker(symbol.symbol).last;
    if (code === DOLLAR) prices.set(code, '1');
    else if (symbol && last) prices.set(code, formatSmall(last.price, symbol.priceDecimals));
  }
  return Object.fromEntries(prices);
}

// The 24-hour statistics of a symbol in decimals, as tickers and the feed's snapshots show them.

const FEE_DECIMALS = 8;
const RATE_DECIMALS = 4;
const AVERAGE_DECIMALS = 8;

/** null without trades: clients would misread an empty string as a number. */
export function figuresOf({ catalogue, market, statistics, clock }: Services, symbol: SymbolSet) {
  const { priceDecimals, sizeDecimals } = symbol;
  const { bestAsk, bestBid } = market.ticker(symbol.symbol);
  const day = statistics.of(symbol.symbol, clock.now());
  const { maker, taker } = catalogue.rates(-1, symbol.symbol);
  const price = (units: number | undefined) => (units ? formatSmall(units, priceDecimals) : null);
  return {
    buy: price(bestBid?.price),
    bestBidSize: bestBid ? formatSmall(bestBid.size, sizeDecimals) : null,
    sell: price(bestAsk?.price),
    bestAskSize: bestAsk ? formatSmall(bestAsk.size, sizeDecimals) : null,
    changeRate: day.open ? changeRate(day) : null,
    changePrice: day.open ? signed(day.last - day.open, priceDecimals) : null,
    high: price(day.high),
    low: price(day.low),
    vol: formatMoney(day.volume, sizeDecimals),
    volValue: formatMoney(day.turnover, catalogue.currencyAt(symbol.quote).scale),
    last: price(day.last),
    averagePrice: averagePrice(day, symbol),
    takerFeeRate: formatSmall(taker, FEE_DECIMALS),
    makerFeeRate: formatSmall(maker, FEE_DECIMALS),
    takerCoefficient: '1',
    makerCoefficient: '1',
  };
}

const signed = (units: number, decimals: number): string =>
  units < 0 ? `-${formatSmall(-units, decimals)}` : formatSmall(units, decimals);

/** Rounded half up at the last decimal; all arithmetic is on exact integers. */
export function changeRate({ open, last }: Statistics): string {
  const change = BigInt(Math.abs(last - open)) * 10n ** BigInt(RATE_DECIMALS + 1);
  const rate = (change / BigInt(open) + 5n) / 10n;
  return `${last < open && rate > 0n ? '-' : ''}${formatMoney(rate, RATE_DECIMALS)}`;
}

/**
 * Turnover divided by volume. Price × size is the amount in quote units, so the quotient is a price in the symbol's
 * units.
 */
function averagePrice({ volume, turnover }: Statistics, { priceDecimals }: SymbolSet): string | null {
  if (volume === 0n) return null;
  const extra = Math.max(0, AVERAGE_DECIMALS - priceDecimals);
  return formatMoney((turnover * 10n ** BigInt(extra)) / volume, priceDecimals + extra);
}
