/** Looks up one order: an active one at any time, a done one within the look-up window. */

import type { OrderView, SymbolSet } from '@bourse/core';
import { Type } from '../../schema.ts';
import { type AnyOrder, ORDER_SCHEMA, orderDetail } from '../../orders/order-detail.ts';
import { queryText, shown, symbolOf } from '../../members.ts';
import { findByClientOid, findById, type Seeker } from '../../orders/order-finder.ts';
import { Refusal } from '../../errors/refusal.ts';
import { Raw } from '../../result.ts';
import { type Call, route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';
import { type Asking, pagedSchema, pageOf, pageOfTexts } from '../../paging.ts';

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
        const seeker = seekerOf(services, call);
        return detail(services, call, seeker, await findById(services, seeker, orderId), 'id', orderId);
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
        const seeker = seekerOf(services, call);
        const order = await findByClientOid(services, seeker, clientOid);
        return detail(services, call, seeker, order, 'clientOid', clientOid);
      },
    }),
  ];
}

function seekerOf({ catalogue }: Services, { user, query, time }: LookupCall<unknown>): Required<Seeker> {
  return { user, symbol: symbolOf(catalogue, queryText(query.symbol, 'symbol')), time };
}

function detail(
  { catalogue }: Services,
  { dialect }: LookupCall<unknown>,
  { symbol }: Required<Seeker>,
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

type OpenCall = Asking<'symbol'> & { readonly user: number };

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

function symbolAsked({ catalogue }: Services, { query }: OpenCall): SymbolSet {
  return symbolOf(catalogue, queryText(query.symbol, 'symbol'));
}
