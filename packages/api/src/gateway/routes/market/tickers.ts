/** 24-hour statistics of one symbol or of all, and the value of currencies. */

import { shortened } from '@bourse/engine';
import { Type } from '../../schema.ts';
import { figuresOf } from '../../day-figures.ts';
import { formatSmall } from '../../decimals.ts';
import { queryText, symbolOf } from '../../members.ts';
import { Refusal } from '../../errors/refusal.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

/** Currencies that count as a dollar. */
const DOLLAR = 'USDT';
/** Supported base currencies of prices: there is no exchange rate to others. */
const PRICE_BASES: readonly string[] = ['USD', DOLLAR];

const common = { method: 'GET', access: 'public', pool: 'public', shape: 'A' } as const;

const text = Type.String();
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
    `base is '${shortened(base)}': prices are known in ${PRICE_BASES.join(' and ')} only.`,
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
