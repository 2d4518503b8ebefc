/** Candles of every interval, newest first. Intervals without a trade have none. */

import { INTERVAL_NAMES, isInterval, shortened } from '@bourse/engine';
import { Type, wordOf } from '../../schema.ts';
import { formatMoney, formatSmall } from '../../decimals.ts';
import { queryText } from '../../members.ts';
import { symbolOf } from '../../symbol-code.ts';
import { Refusal } from '../../errors/refusal.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

/** Per response. */
const CANDLES_MAX = 1500;
const SECOND_MS = 1000;

const text = Type.String();

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
