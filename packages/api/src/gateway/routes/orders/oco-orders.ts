/**
 * OCO orders: a limit order in the book and a pending stop order; when one trades or triggers, the other is done. A
 * pair is NEW while both are active, then DONE (the limit part traded), TRIGGERED (the stop part did) or CANCELLED.
 */

import type { DoneOcoOrder, OcoOrder, PlaceOcoOrder, SymbolSet } from '@bourse/core';
import { submit } from '@bourse/engine';
import { Type, wordOf } from '../../schema.ts';
import { formatSmall, unitsOf } from '../../decimals.ts';
import { explain, refuseInexpressible } from '../../errors/explain.ts';
import { markedId, orderId } from '../../ids.ts';
import {
  clientOidOf,
  decimalOf,
  noteOf,
  orderBody,
  refuseOtherTrading,
  sideOf,
} from '../../orders/order-request.ts';
import { invalid, Refusal } from '../../errors/refusal.ts';
import { requiredText, symbolOf } from '../../members.ts';
import { type AnyOco, type AnyOrder, type AnyStop, stopStatus } from '../../orders/order-detail.ts';
import {
  queryStatus,
  doneOcos,
  findOco,
  findPendingOco,
  type OcoName,
  pendingOcos,
} from '../../orders/order-finder.ts';
import {
  cutPage,
  PAGE_QUERY,
  pagedSchema,
  pageOf,
  pageWith,
  refuseEmptyFilters,
  SPAN_QUERY,
} from '../../paging.ts';
import { type Call, route, type Route, type UserContext } from '../../route.ts';
import type { Services } from '../../services.ts';
import { CANCELLED, cancelEach, partOf } from './stop-orders.ts';

const text = Type.String();
const optional = Type.Optional(text);
const PARAMS = { orderId: text };
const CLIENT_PARAMS = { clientOid: text };
const OCO = {
  orderId: text,
  symbol: text,
  clientOid: text,
  orderTime: Type.Integer(),
  status: Type.String({ description: 'NEW, DONE, TRIGGERED or CANCELLED.' }),
};
const PART = Type.Object({
  id: text,
  symbol: text,
  side: wordOf('buy', 'sell'),
  price: text,
  stopPrice: text,
  size: text,
  status: Type.String({ description: 'NEW, DONE, TRIGGERED, REJECTED or CANCELLED.' }),
});

export function ocoOrderRoutes(services: Services): Route[] {
  const { catalogue } = services;
  const spot = { access: 'spot', pool: 'spot', shape: 'A' } as const;
  const cancel = { ...spot, method: 'DELETE', weight: 3, answer: CANCELLED } as const;
  const look = { method: 'GET', access: 'general', pool: 'spot', weight: 2, shape: 'A' } as const;
  const show = (oco: AnyOco) => showOco(oco, catalogue.symbolAt(oco.symbol));
  return [
    route({
      ...spot,
      id: 'place-oco-order',
      method: 'POST',
      path: '/api/v3/oco/order',
      summary:
        'Places a limit order at price, which is replaced by one at limitPrice when the last price reaches stopPrice.',
      weight: 2,
      body: {
        clientOid: text,
        side: wordOf('buy', 'sell'),
        symbol: text,
        price: text,
        size: text,
        stopPrice: text,
        limitPrice: text,
        remark: optional,
      },
      checksBody: true,
      answer: Type.Object({ orderId: text }),
      handle: (call) => placeOco(services, call),
    }),
    route({
      ...cancel,
      id: 'cancel-oco-order',
      path: '/api/v3/oco/order/:orderId',
      summary: 'Cancels both parts of an OCO order, by its id.',
      isIdempotent: true,
      params: PARAMS,
      async handle(call) {
        const oco = await requirePending(services, call.user, { id: call.params.orderId });
        return { cancelledOrderIds: await cancelOco(services, call, oco) };
      },
    }),
    route({
      ...cancel,
      id: 'cancel-oco-order-by-client-oid',
      path: '/api/v3/oco/client-order/:clientOid',
      summary: "Cancels both parts of an OCO order, by the client's id.",
      params: CLIENT_PARAMS,
      async handle(call) {
        const oco = await requirePending(services, call.user, { clientOid: call.params.clientOid });
        return { cancelledOrderIds: await cancelOco(services, call, oco) };
      },
    }),
    route({
      ...cancel,
      id: 'cancel-oco-orders',
      path: '/api/v3/oco/orders',
      summary: 'Cancels OCO orders by id, by symbol, or all.',
      query: { orderIds: optional, symbol: optional },
      async handle(call) {
        refuseEmptyFilters(call, 'orderIds', 'symbol');
        const cancelled = await cancelEach(call, await pendingOcos(services, call), (oco, at) =>
          cancelOco(services, partOf(call, at), oco, true),
        );
        return { cancelledOrderIds: cancelled };
      },
    }),
    route({
      ...look,
      id: 'get-oco-order',
      path: '/api/v3/oco/order/:orderId',
      summary: 'An OCO order by its id: pending, or done within the look-up window.',
      params: PARAMS,
      answer: Type.Object(OCO),
      handle: async (call) => show(await requireAny(services, call, { id: call.params.orderId })),
    }),
    route({
      ...look,
      id: 'get-oco-order-by-client-oid',
      path: '/api/v3/oco/client-order/:clientOid',
      summary: "An OCO order by the client's id: the pending one, or the latest done one.",
      params: CLIENT_PARAMS,
      answer: Type.Object(OCO),
      handle: async (call) => show(await requireAny(services, call, { clientOid: call.params.clientOid })),
    }),
    route({
      ...look,
      id: 'get-oco-order-details',
      path: '/api/v3/oco/order/details/:orderId',
      summary: 'An OCO order with its two parts and their states.',
      params: PARAMS,
      answer: Type.Object({ ...OCO, orders: Type.Array(PART) }),
      async handle(call) {
        const oco = await requireAny(services, call, { id: call.params.orderId });
        return { ...show(oco), orders: await partsOf(services, oco) };
      },
    }),
    route({
      ...look,
      id: 'list-oco-orders',
      path: '/api/v3/oco/orders',
      summary: 'The caller’s pending OCO orders, or with status=done the others, newest first.',
      query: {
        symbol: optional,
        orderIds: optional,
        status: Type.Optional(Type.String({ description: 'active, the default, or done.' })),
        ...SPAN_QUERY,
        ...PAGE_QUERY,
      },
      answer: pagedSchema(Type.Object(OCO)),
      async handle(call) {
        const page = pageOf(call);
        if (queryStatus(call) === 'active')
          return cutPage(page, (await pendingOcos(services, call)).map(show));
        const { total, rows } = await doneOcos(services, call, page);
        return pageWith(page, total, rows.map(show));
      },
    }),
  ];
}

async function placeOco({ port, catalogue }: Services, call: Call<unknown, unknown>) {
  const { user, once, dialect } = call;
  const strict = dialect.isLiteral;
  const members = orderBody(call);
  refuseOtherTrading(members);
  const symbol = symbolOf(catalogue, requiredText(members['symbol'], 'symbol', strict));
  const side = sideOf(members['side'], strict);
  const decimal = (field: string): string => {
    const value = decimalOf(members[field], field, strict);
    if (value === undefined) throw invalid(`${field} is required.`);
    return value;
  };
  const price = unitsIn('price', decimal('price'), symbol);
  const size = unitsIn('size', decimal('size'), symbol);
  const stopPrice = unitsIn('price', decimal('stopPrice'), symbol);
  const limitPrice = unitsIn('price', decimal('limitPrice'), symbol);
  const clientId = clientOidOf(members['clientOid'], strict);
  if (clientId === undefined) throw invalid('clientOid is required.');
  const remark = noteOf(members['remark'], 'remark', strict);
  const prices = { price, size, stopPrice, limitPrice };
  const command: PlaceOcoOrder = {
    kind: 'place-oco-order',
    user,
    symbol: symbol.symbol,
    side,
    ...prices,
    clientId,
    ...(remark !== undefined && { remark }),
  };
  const { outcome } = await submit(port, { ...command, ...(once && { once }) }, user);
  if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue, { symbol });
  if (outcome.kind !== 'added') throw new Error(`unexpected outcome '${outcome.kind}' of an OCO order`);
  return { orderId: markedId('oco-order', outcome.id) };
}

function unitsIn(field: 'price' | 'size', value: string, symbol: SymbolSet): number {
  const units = unitsOf(value, field === 'price' ? symbol.priceDecimals : symbol.sizeDecimals);
  if (units >= 0) return units;
  const none = { price: undefined, size: undefined, visibleSize: undefined, funds: undefined };
  throw refuseInexpressible({ ...none, [field]: value }, symbol);
}

async function requirePending(services: Services, user: number, name: OcoName): Promise<OcoOrder> {
  const oco = await findPendingOco(services, user, name);
  if (oco) return oco;
  throw new Refusal('order-not-there', 'You have no such pending OCO order.');
}

async function requireAny(services: Services, call: UserContext, name: OcoName): Promise<AnyOco> {
  const oco = await findOco(services, call, name);
  if (oco) return oco;
  throw new Refusal('order-not-found', 'You have no such OCO order.');
}

/** The ids of both parts; empty if it was already done, which is not an error when several are cancelled. */
async function cancelOco(
  services: Services,
  { user, once }: Pick<UserContext, 'user' | 'once'>,
  oco: OcoOrder,
  mayBeGone = false,
): Promise<string[]> {
  const { port, catalogue } = services;
  const symbol = catalogue.symbolAt(oco.symbol);
  const name = { user, symbol: oco.symbol, order: oco.id };
  const { outcome } = await submit(port, { kind: 'cancel-oco-order', ...name, ...(once && { once }) }, user);
  if (outcome.kind === 'rejected') {
    if (mayBeGone && outcome.rejection.code === 'order-unknown') return [];
    throw explain(outcome.rejection, catalogue, { symbol, purpose: 'cancel' });
  }
  return [markedId('stop-order', oco.stopOrder), orderId(oco.order, oco.createdAt)];
}

const STATUSES: Readonly<Record<DoneOcoOrder['reason'], string>> = {
  traded: 'DONE',
  triggered: 'TRIGGERED',
  cancelled: 'CANCELLED',
};

function showOco(oco: AnyOco, { code }: SymbolSet) {
  return {
    orderId: markedId('oco-order', oco.id),
    symbol: code,
    clientOid: oco.clientId,
    orderTime: oco.createdAt,
    status: 'reason' in oco ? STATUSES[oco.reason] : 'NEW',
  };
}

/** The limit part first; its stop price is its price, as it needs none. A part pruned from history is omitted. */
async function partsOf(services: Services, oco: AnyOco) {
  const { port, history, catalogue } = services;
  const symbol = catalogue.symbolAt(oco.symbol);
  const live = await port.read((exchange) => ({
    order: exchange.order(oco.order) ?? exchange.doneOrder(oco.order),
    stop: exchange.reference.stopOrder(oco.stopOrder),
  }));
  if ('reason' in oco) await services.historyCaughtUp();
  const order = live.order ?? history.order(oco.order);
  const stop = live.stop ?? history.stopOrder(oco.stopOrder);
  return [...(order ? [limitPart(order, symbol)] : []), ...(stop ? [stopPart(stop, symbol)] : [])];
}

function limitPart(order: AnyOrder, { code, priceDecimals, sizeDecimals }: SymbolSet) {
  const price = formatSmall(order.price, priceDecimals);
  const done = 'done' in order ? (order.done === 'filled' ? 'DONE' : 'CANCELLED') : 'NEW';
  return {
    id: orderId(order.order, order.createdAt),
    symbol: code,
    side: order.side,
    price,
    stopPrice: price,
    size: formatSmall(order.size, sizeDecimals),
    status: done,
  };
}

function stopPart(stop: AnyStop, { code, priceDecimals, sizeDecimals }: SymbolSet) {
  const { request, stopPrice } = stop;
  return {
    id: markedId('stop-order', stop.id),
    symbol: code,
    side: request.side,
    price: formatSmall(request.price ?? 0, priceDecimals),
    stopPrice: formatSmall(stopPrice, priceDecimals),
    size: formatSmall(request.size ?? 0, sizeDecimals),
    status: stopStatus(stop),
  };
}
