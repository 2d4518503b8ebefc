/** The caller's orders in the book: all of a symbol, by page, and the symbols that have any. */

import type { OrderView, SymbolSet } from '@bourse/core';
import { Type } from '../../schema.ts';
import { ORDER_SCHEMA, orderDetail } from '../../orders/order-detail.ts';
import { queryText } from '../../members.ts';
import { symbolOf } from '../../symbol-code.ts';
import { type Asking, pagedSchema, pageOf, pageOfTexts } from '../../paging.ts';
import { Raw } from '../../errors/render.ts';
import { route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';

type OpenCall = Asking<'symbol'> & { readonly user: number };

const PAGE_SIZE = 20;

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
