/** Public market data: the last trades and the best prices. */

import type { PriceLevel } from '@bourse/core';
import { INTERVAL_NAMES, isInterval, shortened } from '@bourse/engine';
import { Type, wordOf } from '../../schema.ts';
import { formatSmall, formatMoney } from '../../decimals.ts';
import { queryText, symbolOf } from '../../members.ts';
import type { Asking } from '../../paging.ts';
import { Raw } from '../../result.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';
import { Refusal } from '../../errors/refusal.ts';

export function marketRoutes({ market, catalogue }: Services): Route[] {
  const text = Type.String();
  const common = {
    method: 'GET',
    access: 'public',
    pool: 'public',
    shape: 'bare',
    query: { symbol: text },
  } as const;
  const symbolAsked = ({ query }: Asking<'symbol'>) => symbolOf(catalogue, queryText(query.symbol, 'symbol'));
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
