/** The last 24 hours of one symbol or of all, and what currencies are worth. */

import type { SymbolSet } from '@bourse/core';
import { Type } from '../../schema.ts';
import type { Statistics } from '../../../views/statistics.ts';
import { formatMoney, formatSmall } from '../../decimals.ts';
import { queryText } from '../../orders/order-fields.ts';
import { symbolOf } from '../../orders/order-request.ts';
import { type Call, route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

const FEE_DECIMALS = 8;
const RATE_DECIMALS = 4;
const AVERAGE_DECIMALS = 8;
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

/** null where nothing was traded: clients take an empty text for a broken number. */
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

/** Rounded to the nearest of its last place; exact integers all the way. */
export function changeRate({ open, last }: Statistics): string {
  const change = BigInt(Math.abs(last - open)) * 10n ** BigInt(RATE_DECIMALS + 1);
  const rate = (change / BigInt(open) + 5n) / 10n;
  return `${last < open && rate > 0n ? '-' : ''}${formatMoney(rate, RATE_DECIMALS)}`;
}

/** Turnover by volume. Price x size is the amount in quote units, so the quotient is a price in the symbol's units. */
function averagePrice({ volume, turnover }: Statistics, { priceDecimals }: SymbolSet): string | null {
  if (volume === 0n) return null;
  const extra = Math.max(0, AVERAGE_DECIMALS - priceDecimals);
  return formatMoney((turnover * 10n ** BigInt(extra)) / volume, priceDecimals + extra);
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
