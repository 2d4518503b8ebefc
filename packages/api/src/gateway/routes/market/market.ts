/** Public market data: the last trades and the best prices. */

import type { PriceLevel } from '@bourse/core';
import { Type, wordOf } from '../../schema.ts';
import { formatSmall } from '../../decimals.ts';
import { queryText } from '../../members.ts';
import type { Asking } from '../../paging.ts';
import { symbolOf } from '../../symbol-code.ts';
import { Raw } from '../../errors/render.ts';
import { route, type Route } from '../../route.ts';
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
