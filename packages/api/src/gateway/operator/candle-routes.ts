/** Candles from before the exchange started, for a venue that migrates here. */

import type { ImportedCandle, Interval, SymbolSet } from '@bourse/core';
import { INTERVAL_NAMES, isInterval, shortened } from '@bourse/engine';
import { Type } from '../schema.ts';
import { moneyOf, unitsOf } from '../decimals.ts';
import { operatorRefusal } from './operator-errors.ts';
import { findSymbol } from './resolve.ts';
import { type OperatorRoute, operatorRoute } from './route.ts';

const SECOND_MS = 1000;
const SECONDS = /^\d{1,11}$/;
/** Start in seconds, open, close, high, low, volume, turnover: as in the public API. */
const Row = Type.Array(Type.String(), { minItems: 7, maxItems: 7 });

export const CANDLE_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'import-candles',
    method: 'POST',
    path: '/v1/symbols/:symbol/candles',
    roles: ['listing'],
    summary:
      'Candles from before the first trade here, oldest first: [start in seconds, open, close, high, low, volume, turnover].',
    params: { symbol: Type.String() },
    body: { interval: Type.String(), candles: Type.Array(Row, { minItems: 1, maxItems: 2000 }) },
    async handle({ services, params, body, act }) {
      const symbol = findSymbol(services, params.symbol);
      const { scale } = services.catalogue.currencyAt(symbol.quote);
      const interval = intervalOf(body.interval);
      const candles = body.candles.map((row, at) => candleOf(row, at, symbol, scale));
      await act({ kind: 'import-candles', symbol: symbol.symbol, interval, candles });
      return { symbol: symbol.code, interval, imported: candles.length };
    },
  }),
];

function intervalOf(name: string): Interval {
  if (isInterval(name)) return name;
  const msg = `interval is '${shortened(name)}': it must be one of ${INTERVAL_NAMES.join(', ')}.`;
  throw operatorRefusal('value-invalid', msg);
}

function candleOf(
  [start, open, close, high, low, volume, turnover]: readonly string[],
  at: number,
  { priceDecimals, sizeDecimals }: SymbolSet,
  scale: number,
): ImportedCandle {
  const wrong = (field: string, value: string, expected: string) =>
    operatorRefusal('value-invalid', `candles[${at}]: ${field} is '${shortened(value)}', not ${expected}.`);
  const price = (field: string, text: string): number => {
    const units = unitsOf(text, priceDecimals);
    if (units < 0) throw wrong(field, text, `a price of at most ${priceDecimals} decimals`);
    return units;
  };
  const amount = (field: string, text: string, places: number): bigint => {
    const units = moneyOf(text, places);
    if (typeof units !== 'bigint') throw wrong(field, text, `a decimal of at most ${places} places`);
    return units;
  };
  if (!SECONDS.test(start)) throw wrong('start', start, 'a time in whole seconds since 1970');
  return {
    start: Number(start) * SECOND_MS,
    open: price('open', open),
    close: price('close', close),
    high: price('high', high),
    low: price('low', low),
    volume: amount('volume', volume, sizeDecimals),
    turnover: amount('turnover', turnover, scale),
  };
}
