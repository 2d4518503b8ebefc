/**
 * The order book: the visible size at each price, best first, with the sequence from which the feed's changes
 * continue.
 */

import { Type } from '../../schema.ts';
import type { Exchange, PriceLevel, ShownOrder, SymbolSet } from '@bourse/core';
import { formatSmall } from '../../decimals.ts';
import { orderId } from '../../ids.ts';
import { queryText, symbolOf } from '../../members.ts';
import type { QueryOf } from '../../paging.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

const LEVELS_MAX = Number.MAX_SAFE_INTEGER;

const text = Type.String();
const level = Type.Array(text, { minItems: 2, maxItems: 2 });
const answer = Type.Object({
  time: Type.Integer(),
  sequence: text,
  bids: Type.Array(level),
  asks: Type.Array(level),
});

const orderRow = Type.Array(text, {
  minItems: 4,
  maxItems: 4,
  description: 'Order id, price, size that shows, milliseconds of its placing.',
});
const ordersAnswer = Type.Object({
  time: Type.Integer(),
  sequence: text,
  bids: Type.Array(orderRow),
  asks: Type.Array(orderRow),
});

/** The visible levels of a book, rendered for a response. */
interface Levels {
  readonly bids: readonly string[][];
  readonly asks: readonly string[][];
}

export function bookRoutes({ port, catalogue }: Services): Route[] {
  const readBest =
    (levelsMax: number): ReadLevels =>
    (exchange, symbol) =>
      levelsOf(exchange, symbol, levelsMax);
  const book = (readLevels: ReadLevels) => async (call: QueryOf<'symbol'>) => {
    const symbol = symbolOf(catalogue, queryText(call.query.symbol, 'symbol'));
    return port.read((exchange) => ({
      time: exchange.time,
      sequence: String(exchange.bookSequence(symbol.symbol)),
      ...readLevels(exchange, symbol),
    }));
  };
  const readWhole = cachedLevels();
  const common = { method: 'GET', shape: 'A', query: { symbol: text }, answer } as const;
  const part = (levels: number) =>
    route({
      ...common,
      id: `get-book-${levels}`,
      path: `/api/v1/market/orderbook/level2_${levels}`,
      summary: `The best ${levels} levels of each side.`,
      access: 'public',
      pool: 'public',
      weight: 2,
      handle: book(readBest(levels)),
    });
  const whole = (version: number) =>
    route({
      ...common,
      id: `get-book-v${version}`,
      path: `/api/v${version}/market/orderbook/level2`,
      summary: 'Every level of both sides.',
      access: 'general',
      pool: 'spot',
      weight: 3,
      handle: book(readWhole),
    });
  const readOrders = cachedOrders();
  const orders = (version: number) =>
    route({
      ...common,
      answer: ordersAnswer,
      id: `get-book-orders-v${version}`,
      path: `/api/v${version}/market/orderbook/level3`,
      summary: 'Every visible order of both sides in order of priority: the snapshot for /spotMarket/level3.',
      access: 'public',
      pool: 'public',
      weight: 30,
      async handle(call) {
        const symbol = symbolOf(catalogue, queryText(call.query.symbol, 'symbol'));
        return port.read((exchange) => ({ time: exchange.time, ...readOrders(exchange, symbol) }));
      },
    });
  return [part(20), part(100), whole(3), whole(2), orders(3), orders(2)];
}

interface Orders {
  readonly sequence: string;
  readonly bids: readonly string[][];
  readonly asks: readonly string[][];
}

/** Like `cachedLevels`, for single orders. */
function cachedOrders(): (exchange: Exchange, symbol: SymbolSet) => Orders {
  let last: { symbol: SymbolSet; orders: Orders } | undefined;
  return ({ level3 }, symbol) => {
    const sequence = String(level3.sequence(symbol.symbol));
    if (last?.symbol !== symbol || last.orders.sequence !== sequence) {
      const rows = (side: 'buy' | 'sell') =>
        level3.orders(symbol.symbol, side).map((each) => orderRowOf(each, symbol));
      last = { symbol, orders: { sequence, bids: rows('buy'), asks: rows('sell') } };
    }
    return last.orders;
  };
}

const orderRowOf = (
  { order, price, size, createdAt }: ShownOrder,
  { priceDecimals, sizeDecimals }: SymbolSet,
) => [
  orderId(order, createdAt),
  formatSmall(price, priceDecimals),
  formatSmall(size, sizeDecimals),
  String(createdAt),
];

type ReadLevels = (exchange: Exchange, symbol: SymbolSet) => Levels;

function levelsOf(exchange: Exchange, symbol: SymbolSet, levelsMax: number): Levels {
  return {
    bids: exchange.depth(symbol.symbol, 'buy', levelsMax).map((each) => pair(each, symbol)),
    asks: exchange.depth(symbol.symbol, 'sell', levelsMax).map((each) => pair(each, symbol)),
  };
}

/** A complete book may have thousands of levels. The last one is cached until the book changes. */
function cachedLevels(): ReadLevels {
  let last: { symbol: SymbolSet; sequence: number; levels: Levels } | undefined;
  return (exchange, symbol) => {
    const sequence = exchange.bookSequence(symbol.symbol);
    if (last?.symbol !== symbol || last.sequence !== sequence) {
      last = { symbol, sequence, levels: levelsOf(exchange, symbol, LEVELS_MAX) };
    }
    return last.levels;
  };
}

const pair = ({ price, size }: PriceLevel, { priceDecimals, sizeDecimals }: SymbolSet) => [
  formatSmall(price, priceDecimals),
  formatSmall(size, sizeDecimals),
];
