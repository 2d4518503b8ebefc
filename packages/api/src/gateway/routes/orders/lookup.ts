/** Looks up orders: one by its id, active ones at any time, done ones and fills within the look-up window. */

import { RATE_DECIMALS, type OrderView, type SymbolSet } from '@bourse/core';
import type { Counted, FillFilter, FillRow, OrderFilter } from '@bourse/engine';
import type { Catalogue } from '../../../views/catalogue.ts';
import { formatMoney, formatSmall } from '../../decimals.ts';
import { Refusal } from '../../errors/refusal.ts';
import { parseOrderId } from '../../ids.ts';
import { queryText, shown, symbolOf } from '../../members.ts';
import { type AnyOrder, ORDER_SCHEMA, orderDetail } from '../../orders/order-detail.ts';
import {
  findByClientOid,
  findById,
  idsOfOrders,
  type OrderIds,
  type Lookup,
} from '../../orders/order-finder.ts';
import {
  queryValue,
  queryWord,
  type QueryOf,
  CURSOR_QUERY,
  cursorOf,
  pagedSchema,
  pageOf,
  pageOfTexts,
  SPAN_QUERY,
  spanOf,
} from '../../paging.ts';
import { Raw } from '../../result.ts';
import { type Call, route, type Route } from '../../route.ts';
import { Type, wordOf } from '../../schema.ts';
import type { Services } from '../../services.ts';

type LookupCall<Params> = Call<Params, { readonly symbol?: string }, unknown>;

export function lookupRoutes(services: Services): Route[] {
  const common = {
    method: 'GET',
    access: 'general',
    pool: 'spot',
    weight: 2,
    shape: 'A',
    query: { symbol: Type.String() },
    answer: ORDER_SCHEMA,
  } as const;
  return [
    route({
      ...common,
      id: 'get-order',
      path: '/api/v1/hf/orders/:orderId',
      summary: 'An order by its id.',
      params: { orderId: Type.String() },
      async handle(call) {
        const { orderId } = call.params;
        const lookup = lookupOf(services, call);
        return detail(services, call, lookup, await findById(services, lookup, orderId), 'id', orderId);
      },
    }),
    route({
      ...common,
      id: 'get-order-by-client-oid',
      path: '/api/v1/hf/orders/client-order/:clientOid',
      summary: "An order by the client's id.",
      params: { clientOid: Type.String() },
      async handle(call) {
        const { clientOid } = call.params;
        const lookup = lookupOf(services, call);
        const order = await findByClientOid(services, lookup, clientOid);
        return detail(services, call, lookup, order, 'clientOid', clientOid);
      },
    }),
  ];
}

function lookupOf({ catalogue }: Services, { user, query, time }: LookupCall<unknown>): Required<Lookup> {
  return { user, symbol: symbolOf(catalogue, queryText(query.symbol, 'symbol')), time };
}

function detail(
  { catalogue }: Services,
  { dialect }: LookupCall<unknown>,
  { symbol }: Required<Lookup>,
  order: AnyOrder | null,
  name: string,
  value: string,
): Raw {
  if (order !== null) return new Raw(orderDetail(order, catalogue, dialect));
  throw new Refusal(
    'order-not-found',
    `You have no order with the ${name} ${shown(value)} in ${symbol.code}.`,
  );
}

type OpenCall = QueryOf<'symbol'> & { readonly user: number };

const PAGE_SIZE = 20;

/** The caller's orders in the book: all of a symbol, by page, and the symbols that have any. */
export function openOrderRoutes(services: Services): Route[] {
  const { port, catalogue } = services;
  const text = Type.Optional(Type.String());
  const common = { method: 'GET', access: 'general', pool: 'spot', weight: 2, shape: 'A' } as const;
  const openOf = async (call: OpenCall): Promise<readonly OrderView[]> => {
    const { symbol } = symbolAsked(services, call);
    // Newest first, like the other lists.
    return (await port.read((exchange) => exchange.openOrders(call.user, symbol))).toReversed();
  };
  return [
    route({
      ...common,
      id: 'list-open-orders',
      path: '/api/v1/hf/orders/active',
      summary: "The caller's active orders of a symbol, newest first.",
      query: { symbol: Type.String() },
      answer: Type.Array(ORDER_SCHEMA),
      async handle(call) {
        const orders = await openOf(call);
        return new Raw(`[${orders.map((order) => orderDetail(order, catalogue, call.dialect)).join(',')}]`);
      },
    }),
    route({
      ...common,
      id: 'page-open-orders',
      path: '/api/v1/hf/orders/active/page',
      summary: "The caller's active orders of a symbol, page by page.",
      query: { symbol: Type.String(), pageNum: text, pageSize: text },
      answer: pagedSchema(ORDER_SCHEMA),
      async handle(call) {
        const page = pageOf(call, PAGE_SIZE, 'pageNum');
        const orders = await openOf(call);
        const texts = orders
          .slice(page.skip, page.skip + page.limit)
          .map((order) => orderDetail(order, catalogue, call.dialect));
        return pageOfTexts(page, orders.length, texts);
      },
    }),
    route({
      ...common,
      id: 'list-open-symbols',
      path: '/api/v1/hf/orders/active/symbols',
      summary: 'The symbols in which the caller has active orders.',
      access: 'spot',
      answer: Type.Object({ symbols: Type.Array(Type.String()) }),
      handle: async ({ user }) => ({ symbols: (await openSymbols(services, user)).map(({ code }) => code) }),
    }),
  ];
}

export function openSymbols({ port, catalogue }: Services, user: number): Promise<SymbolSet[]> {
  return port.read((exchange) =>
    catalogue.symbols().filter(({ symbol }) => exchange.hasOrders(user, symbol)),
  );
}

export function symbolAsked({ catalogue }: Services, { query }: QueryOf<'symbol'>): SymbolSet {
  return symbolOf(catalogue, queryText(query.symbol, 'symbol'));
}

// The caller's done orders and fills, newest first, by cursor.

const NO_ORDER = -1;

const text = Type.String();
const optional = Type.Optional(text);

export const KIND_QUERY = {
  symbol: optional,
  side: Type.Optional(wordOf('buy', 'sell')),
  type: Type.Optional(wordOf('limit', 'market')),
};

export const FILL_SCHEMA = Type.Object({
  id: Type.Integer(),
  orderId: text,
  counterOrderId: text,
  tradeId: Type.Integer(),
  symbol: text,
  side: wordOf('buy', 'sell'),
  liquidity: wordOf('maker', 'taker'),
  type: wordOf('limit', 'market'),
  forceTaker: Type.Boolean(),
  price: text,
  size: text,
  funds: text,
  fee: text,
  feeRate: text,
  feeCurrency: text,
  stop: text,
  tradeType: Type.Literal('TRADE'),
  taxRate: text,
  tax: text,
  createdAt: Type.Integer(),
});

export function doneOrderRoutes(services: Services): Route[] {
  const { catalogue, history, longLists } = services;
  const common = { method: 'GET', access: 'general', pool: 'spot', weight: 2, shape: 'A' } as const;
  return [
    route({
      ...common,
      id: 'list-done-orders',
      path: '/api/v1/hf/orders/done',
      summary: "The caller's done orders, newest first; `symbol` is optional.",
      query: { ...KIND_QUERY, ...CURSOR_QUERY, ...SPAN_QUERY },
      answer: Type.Object({ lastId: Type.Integer(), items: Type.Array(ORDER_SCHEMA) }),
      async handle(call) {
        const filter = { ...kindOf(call, catalogue), ...spanOf(call) };
        const page = cursorOf(call);
        await services.historyCaughtUp();
        let lastId = 0;
        const items = await longLists.collect({
          user: call.user,
          page,
          read: (piece) => history.orders({ ...filter, ...piece }),
          show(orders) {
            lastId = orders.at(-1)?.id ?? lastId;
            return orders.map((order) => orderDetail(order, catalogue, call.dialect));
          },
        });
        return new Raw(`{"lastId":${lastId},"items":[${items.join(',')}]}`);
      },
    }),
    route({
      ...common,
      id: 'list-fills',
      path: '/api/v1/hf/fills',
      summary: "The caller's fills, newest first: all, of one symbol, or of one order.",
      query: { ...KIND_QUERY, orderId: optional, ...CURSOR_QUERY, ...SPAN_QUERY },
      answer: Type.Object({ items: Type.Array(FILL_SCHEMA), lastId: Type.Integer() }),
      async handle(call) {
        const filter = { ...fillsOf(call, catalogue), ...spanOf(call) };
        const page = cursorOf(call);
        await services.historyCaughtUp();
        const items = await longLists.collect({
          user: call.user,
          page,
          read: (piece) => history.fills({ ...filter, ...piece }),
          show: (rows) => showFills(services, rows),
        });
        return { items, lastId: items.at(-1)?.id ?? 0 };
      },
    }),
  ];
}

/** The filters of both lists: the caller's own, with symbol, side and type if given. */
export function kindOf(
  call: QueryOf<keyof typeof KIND_QUERY> & { readonly user: number },
  catalogue: Catalogue,
): Counted<OrderFilter> {
  const code = queryValue(call, 'symbol');
  const side = queryWord(call, 'side', ['buy', 'sell']);
  const type = queryWord(call, 'type', ['limit', 'market']);
  return {
    user: call.user,
    ...(code !== undefined && { symbol: symbolOf(catalogue, code).symbol }),
    ...(side && { side }),
    ...(type && { type }),
  };
}

/** An id that belongs to no order gives an empty list of fills. */
export function fillsOf(
  call: QueryOf<keyof typeof KIND_QUERY | 'orderId'> & { readonly user: number },
  catalogue: Catalogue,
): Counted<FillFilter> {
  const id = queryValue(call, 'orderId');
  const order = id === undefined ? undefined : (parseOrderId(id)?.number ?? NO_ORDER);
  return { ...kindOf(call, catalogue), ...(order !== undefined && { order }) };
}

export async function showFills(services: Services, rows: readonly FillRow[]) {
  const { catalogue } = services;
  const ids = await idsOfOrders(
    services,
    rows.flatMap(({ order, counterOrder }) => [order, counterOrder]),
  );
  return rows.map((fill) => showFill(fill, catalogue.symbolAt(fill.symbol), catalogue, ids));
}

function showFill(fill: FillRow, symbol: SymbolSet, catalogue: Catalogue, ids: OrderIds) {
  const { time, order, counterOrder, price, size, funds, fee, feeRate, side, liquidity, type } = fill;
  const quote = catalogue.currencyAt(symbol.quote);
  return {
    id: fill.id,
    orderId: ids(order, time),
    counterOrderId: ids(counterOrder, time),
    tradeId: fill.trade,
    symbol: symbol.code,
    side,
    liquidity,
    type,
    forceTaker: false,
    price: formatSmall(price, symbol.priceDecimals),
    size: formatSmall(size, symbol.sizeDecimals),
    funds: formatMoney(funds, quote.scale),
    fee: formatMoney(fee, quote.scale),
    feeRate: formatSmall(feeRate, RATE_DECIMALS),
    feeCurrency: quote.code,
    stop: '',
    tradeType: 'TRADE',
    taxRate: '0',
    tax: '0',
    createdAt: time,
  };
}
