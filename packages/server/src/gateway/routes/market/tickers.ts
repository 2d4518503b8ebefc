/** The last 24 hours of one symbol or of all, and what currencies are worth. */

import { Type } from '../../schema.ts';
import { figuresOf } from '../../day-figures.ts';
import { formatSmall } from '../../decimals.ts';
import { queryText } from '../../members.ts';
import { symbolOf } from '../../symbol-code.ts';
import { type Call, route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

/** What counts as a dollar. */
const DOLLAR = 'USDT';

const any = Type.Any();
const common = { method: 'GET', access: 'public', pool: 'public', shape: 'A', answer: any } as const;

export function tickerRoutes(services: Services): Route[] {
  const { catalogue, clock } = services;
  return [
    route({
      ...common,
      id: 'list-tickers',
      path: '/api/v1/market/allTickers',
      summary: 'Prices and the last 24 hours of every symbol.',
      weight: 15,
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
      query: Type.Object({ symbol: Type.String() }),
      handle({ query }: Call<unknown, { symbol?: string }, unknown>) {
        const symbol = symbolOf(catalogue, queryText(query.symbol, 'symbol'));
        const { bestBidSize: _bid, bestAskSize: _ask, ...figures } = figuresOf(services, symbol);
        return { time: clock.now(), symbol: symbol.code, ...figures };
      },
    }),
    route({
      ...common,
      id: 'list-prices',
      path: '/api/v1/prices',
      summary: 'What currencies were last traded at against the dollar.',
      weight: 3,
      query: Type.Object({ base: Type.Optional(Type.String()), currencies: Type.Optional(Type.String()) }),
      handle: ({ query }: Call<unknown, { currencies?: string }, unknown>) =>
        pricesOf(services, query.currencies),
    }),
  ];
}

function pricesOf({ catalogue, market }: Services, list: string | undefined): Record<string, string> {
  const wanted = list ? new Set(list.split(',')) : null;
  const prices: Record<string, string> = {};
  for (const { code } of catalogue.currencies()) {
    if (wanted && !wanted.has(code)) continue;
    const symbol = catalogue
      .symbols()
      .find(
        ({ base, quote }) =>
          catalogue.currencyAt(base).code === code && catalogue.currencyAt(quote).code === DOLLAR,
      );
    const last = symbol && market.ticker(symbol.symbol).last;
    if (code === DOLLAR) prices[code] = '1';
    else if (symbol && last) prices[code] = formatSmall(last.price, symbol.priceDecimals);
  }
  return prices;
}
