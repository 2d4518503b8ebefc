/** Market states, call auctions, and pausing the exchange. */

import type { AuctionView, ImportedCandle, Interval, SymbolSet } from '@bourse/core';
import { INTERVAL_NAMES, isInterval, shortened } from '@bourse/engine';
import { formatSmall, moneyOf, unitsOf } from '../decimals.ts';
import { Type } from '../schema.ts';
import { operatorRefusal } from './operator-errors.ts';
import { MarketStates, showSymbol, Text } from './reference-routes.ts';
import { findSymbol, parsePrice } from './resolve.ts';
import { type OperatorRoute, operatorRoute, type OperatorServices } from './route.ts';

const WEEK_MS = 7 * 24 * 3_600_000;
const BAND = /^\d{1,4}(\.\d{1,6})?$/;

const NextStates = Type.Union([
  Type.Literal('open'),
  Type.Literal('post-only'),
  Type.Literal('cancel-only'),
  Type.Literal('halted'),
]);

export const MARKET_ROUTES: readonly OperatorRoute[] = [
  operatorRoute({
    id: 'begin-auction',
    method: 'POST',
    path: '/v1/symbols/:symbol/auction',
    roles: ['listing'],
    summary:
      'Collects limit orders without matching, and lets them trade at one price after `endsInMs`. Outside `band` of the reference price the call is extended once.',
    params: { symbol: Text },
    body: {
      endsInMs: Type.Integer({ minimum: 1, maximum: WEEK_MS }),
      referencePrice: Type.Optional(Type.String()),
      band: Type.Optional(Type.String()),
      thenState: NextStates,
    },
    async handle({ services, params, body, act }) {
      const symbol = findSymbol(services, params.symbol);
      const { endsInMs, referencePrice, band, thenState } = body;
      if (band !== undefined && !BAND.test(band)) {
        const msg = `band: '${band.slice(0, 20)}' is not a fraction of the reference price. Expected a decimal from 0 to 1000, such as 0.1.`;
        throw operatorRefusal('value-invalid', msg);
      }
      await act({
        kind: 'begin-auction',
        symbol: symbol.symbol,
        endsInMs,
        ...(referencePrice !== undefined && { referencePrice: parsePrice(referencePrice, symbol) }),
        ...(band !== undefined && { band }),
        thenState,
      });
      return readAuction(services, params.symbol);
    },
  }),
  operatorRoute({
    id: 'get-auction',
    method: 'GET',
    path: '/v1/symbols/:symbol/auction',
    summary:
      'The running auction of the symbol, and its result if it ended now. `endsAt` is null if there is none.',
    params: { symbol: Text },
    handle: ({ services, params }) => readAuction(services, params.symbol),
  }),
  operatorRoute({
    id: 'cancel-auction',
    method: 'POST',
    path: '/v1/symbols/:symbol/auction/cancel',
    roles: ['listing'],
    summary: 'Ends an auction without a trade. The symbol is `halted` with its orders.',
    params: { symbol: Text },
    body: {},
    async handle({ services, params, act }) {
      const { symbol } = findSymbol(services, params.symbol);
      await act({ kind: 'cancel-auction', symbol });
      return showSymbol(services, findSymbol(services, params.symbol));
    },
  }),
  operatorRoute({
    id: 'set-market-state',
    method: 'POST',
    path: '/v1/symbols/:symbol/state',
    roles: ['listing'],
    summary:
      'Sets the state of a market: `open`, `post-only` (only orders that rest), `cancel-only`, `halted` (neither orders nor cancels), or `delisted` (permanent; cancels all orders).',
    params: { symbol: Text },
    body: { state: MarketStates },
    async handle({ services, params, body, act }) {
      const { symbol } = findSymbol(services, params.symbol);
      await act({ kind: 'set-market-state', symbol, state: body.state });
      return showSymbol(services, findSymbol(services, params.symbol));
    },
  }),
  operatorRoute({
    id: 'get-pause',
    method: 'GET',
    path: '/v1/pause',
    summary: 'Whether the whole exchange is paused.',
    handle: ({ services }) => ({ paused: services.catalogue.isPaused }),
  }),
  operatorRoute({
    id: 'pause-exchange',
    method: 'POST',
    path: '/v1/pause',
    roles: ['listing', 'admin'],
    summary: 'Stops every market: no orders, no changes, no cancels, until the exchange is resumed.',
    body: {},
    async handle({ act }) {
      await act({ kind: 'pause-exchange' });
      return { paused: true };
    },
  }),
  operatorRoute({
    id: 'resume-exchange',
    method: 'POST',
    path: '/v1/resume',
    roles: ['listing', 'admin'],
    summary: 'Resumes the exchange: every market returns to its own state, and auctions that are due end.',
    body: {},
    async handle({ act }) {
      await act({ kind: 'resume-exchange' });
      return { paused: false };
    },
  }),
];

async function readAuction(services: OperatorServices, code: string) {
  const symbol = findSymbol(services, code);
  const auction = await services.port.read(({ reference }) => reference.auction(symbol.symbol));
  return { symbol: symbol.code, ...(auction ? showAuction(auction, symbol) : NO_AUCTION) };
}

const RATE_DECIMALS = 6;
/** The same members without an auction. */
const NO_AUCTION = {
  endsAt: null,
  extended: false,
  thenState: null,
  referencePrice: null,
  band: null,
  price: null,
  size: '0',
  imbalance: '0',
  side: null,
};

function showAuction(
  { endsAt, isExtended, thenState, referencePrice, band, price, size, imbalance, side }: AuctionView,
  { priceDecimals, sizeDecimals }: { readonly priceDecimals: number; readonly sizeDecimals: number },
) {
  const shownPrice = (units: number) => (units === 0 ? null : formatSmall(units, priceDecimals));
  return {
    endsAt,
    extended: isExtended,
    thenState,
    referencePrice: shownPrice(referencePrice),
    band: band < 0 ? null : formatSmall(band, RATE_DECIMALS),
    price: shownPrice(price),
    size: formatSmall(size, sizeDecimals),
    imbalance: formatSmall(imbalance, sizeDecimals),
    side: side === '' ? null : side,
  };
}

const SECOND_MS = 1000;
const SECONDS = /^\d{1,11}$/;
/** Start in seconds, open, close, high, low, volume, turnover: as in the public API. */
const Row = Type.Array(Type.String(), { minItems: 7, maxItems: 7 });

/** Candles from before the exchange started, for a venue that migrates here. */
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
