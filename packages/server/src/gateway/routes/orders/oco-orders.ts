/** OCO orders: a limit order in the book and a stop order that waits; when one trades or triggers, the other ends. */

import type { OcoOrder, PlaceOcoOrder, SymbolSet } from '@bourse/core';
import { Type } from '../../schema.ts';
import { formatSmall, unitsOf } from '../../decimals.ts';
import { explain } from '../../errors/explain.ts';
import { markedId, orderId, parseMarkedId } from '../../ids.ts';
import { refuseInexpressible } from '../../errors/inexpressible.ts';
import { orderBody } from '../../orders/order-body.ts';
import { clientOidOf, decimalOf, noteOf, sideOf } from '../../orders/order-fields.ts';
import { invalid } from '../../errors/invalid.ts';
import { requiredText } from '../../members.ts';
import { symbolOf } from '../../symbol-code.ts';
import { asked, cutPage, PAGE_QUERY, pagedSchema, pageOf, SPAN_QUERY, spanOf } from '../../paging.ts';
import { Refusal } from '../../errors/refusal.ts';
import { type Call, route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';
import { idsOf, partOf } from './stop-orders.ts';

type OcoCall<Params = unknown> = Call<Params, Record<string, string | undefined>, unknown>;
type ById = { readonly orderId: string };
type ByClientOid = { readonly clientOid: string };

const text = Type.String();
const optional = Type.Optional(text);
const PARAMS = Type.Object({ orderId: text });
const CLIENT_PARAMS = Type.Object({ clientOid: text });
const CANCELLED = Type.Object({ cancelledOrderIds: Type.Array(text) });
const OCO = {
  orderId: text,
  symbol: text,
  clientOid: text,
  orderTime: Type.Integer(),
  status: Type.Literal('NEW'),
};
const PART = Type.Object({
  id: text,
  symbol: text,
  side: text,
  price: text,
  stopPrice: text,
  size: text,
  status: Type.Literal('NEW'),
});

export function ocoOrderRoutes(services: Services): Route[] {
  const { catalogue } = services;
  const spot = { access: 'spot', pool: 'spot', shape: 'A' } as const;
  const cancel = { ...spot, method: 'DELETE', weight: 3, answer: CANCELLED } as const;
  const look = { method: 'GET', access: 'general', pool: 'spot', weight: 2, shape: 'A' } as const;
  const show = (oco: OcoOrder) => showOco(oco, catalogue.symbolAt(oco.symbol));
  return [
    route({
      ...spot,
      id: 'place-oco-order',
      method: 'POST',
      path: '/api/v3/oco/order',
      summary:
        'Places a limit order at price and, for when stopPrice is reached, one at limitPrice instead of it.',
      weight: 2,
      body: Type.Object({
        clientOid: text,
        side: text,
        symbol: text,
        price: text,
        size: text,
        stopPrice: text,
        limitPrice: text,
        remark: optional,
      }),
      checksBody: true,
      answer: Type.Object({ orderId: text }),
      handle: (call: OcoCall) => placeOco(services, call),
    }),
    route({
      ...cancel,
      id: 'cancel-oco-order',
      path: '/api/v3/oco/order/:orderId',
      summary: 'Cancels both parts of an OCO order, by its id.',
      isRepeatable: true,
      params: PARAMS,
      async handle(call: OcoCall<ById>) {
        const oco = await findOco(services, call.user, 'order-not-there', byId(call.params.orderId));
        return { cancelledOrderIds: await cancelOco(services, call, oco) };
      },
    }),
    route({
      ...cancel,
      id: 'cancel-oco-order-by-client-oid',
      path: '/api/v3/oco/client-order/:clientOid',
      summary: "Cancels both parts of an OCO order, by the client's id.",
      params: CLIENT_PARAMS,
      async handle(call: OcoCall<ByClientOid>) {
        const oco = await findOco(services, call.user, 'order-not-there', byName(call.params.clientOid));
        return { cancelledOrderIds: await cancelOco(services, call, oco) };
      },
    }),
    route({
      ...cancel,
      id: 'cancel-oco-orders',
      path: '/api/v3/oco/orders',
      summary: 'Cancels OCO orders: those named, those of a symbol, or all.',
      query: Type.Object({ orderIds: optional, symbol: optional }),
      async handle(call: OcoCall) {
        const cancelled: string[] = [];
        for (const [at, oco] of (await listOf(services, call)).entries()) {
          cancelled.push(...(await cancelOco(services, partOf(call, at), oco, true)));
        }
        return { cancelledOrderIds: cancelled };
      },
    }),
    route({
      ...look,
      id: 'get-oco-order',
      path: '/api/v3/oco/order/:orderId',
      summary: 'An OCO order of which both parts still wait, by its id.',
      params: PARAMS,
      answer: Type.Object(OCO),
      handle: async ({ user, params }: OcoCall<ById>) =>
        show(await findOco(services, user, 'order-not-found', byId(params.orderId))),
    }),
    route({
      ...look,
      id: 'get-oco-order-by-client-oid',
      path: '/api/v3/oco/client-order/:clientOid',
      summary: "An OCO order of which both parts still wait, by the client's id.",
      params: CLIENT_PARAMS,
      answer: Type.Object(OCO),
      handle: async ({ user, params }: OcoCall<ByClientOid>) =>
        show(await findOco(services, user, 'order-not-found', byName(params.clientOid))),
    }),
    route({
      ...look,
      id: 'get-oco-order-details',
      path: '/api/v3/oco/order/details/:orderId',
      summary: 'An OCO order with its two parts.',
      params: PARAMS,
      answer: Type.Object({ ...OCO, orders: Type.Array(PART) }),
      async handle({ user, params }: OcoCall<ById>) {
        const oco = await findOco(services, user, 'order-not-found', byId(params.orderId));
        return { ...show(oco), orders: await partsOf(services, oco) };
      },
    }),
    route({
      ...look,
      id: 'list-oco-orders',
      path: '/api/v3/oco/orders',
      summary: 'The OCO orders of the caller of which both parts still wait, the newest first.',
      query: Type.Object({ symbol: optional, orderIds: optional, ...SPAN_QUERY, ...PAGE_QUERY }),
      answer: pagedSchema(Type.Object(OCO)),
      async handle(call: OcoCall) {
        const page = pageOf(call);
        return cutPage(page, (await listOf(services, call)).map(show));
      },
    }),
  ];
}

async function placeOco({ port, catalogue }: Services, call: OcoCall) {
  const { user, once, dialect } = call;
  const strict = dialect.isLiteral;
  const members = orderBody(call);
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
  const { outcome } = await port.submit({ ...command, ...(once && { once }) });
  if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue, { symbol });
  if (outcome.kind !== 'added') throw new Error(`an OCO order came to '${outcome.kind}'`);
  return { orderId: markedId('oco-order', outcome.id) };
}

function unitsIn(field: 'price' | 'size', value: string, symbol: SymbolSet): number {
  const units = unitsOf(value, field === 'price' ? symbol.priceDecimals : symbol.sizeDecimals);
  if (units >= 0) return units;
  const none = { price: undefined, size: undefined, visibleSize: undefined, funds: undefined };
  throw refuseInexpressible({ ...none, [field]: value }, symbol);
}

type Named = (oco: OcoOrder) => boolean;

const byId = (id: string): Named => {
  const number = parseMarkedId('oco-order', id);
  return (oco) => oco.id === number;
};
const byName =
  (clientOid: string): Named =>
  (oco) =>
    clientOid !== '' && oco.clientId === clientOid;

async function findOco(
  { port }: Services,
  user: number,
  error: 'order-not-there' | 'order-not-found',
  isNamed: Named,
): Promise<OcoOrder> {
  const oco = await port.read(({ reference }) => reference.ocoOrdersOf(user).find(isNamed));
  if (oco) return oco;
  throw new Refusal(error, 'You have no such OCO order of which both parts still wait.');
}

async function listOf({ port, catalogue }: Services, call: OcoCall): Promise<OcoOrder[]> {
  const code = asked(call, 'symbol');
  const symbol = code === undefined ? undefined : symbolOf(catalogue, code).symbol;
  const numbers = idsOf(asked(call, 'orderIds'), 'oco-order');
  const { from = 0, until = Infinity } = spanOf(call);
  const own = await port.read(({ reference }) => reference.ocoOrdersOf(call.user));
  return own
    .filter((oco) => symbol === undefined || oco.symbol === symbol)
    .filter(({ id }) => numbers === undefined || numbers.has(id))
    .filter(({ createdAt }) => createdAt >= from && createdAt <= until)
    .toReversed();
}

/** The ids of both parts; empty when it was gone already, which is no error when several are cancelled at once. */
async function cancelOco(
  services: Services,
  { user, once }: Pick<Call, 'user' | 'once'>,
  oco: OcoOrder,
  mayBeGone = false,
): Promise<string[]> {
  const { port, catalogue } = services;
  const symbol = catalogue.symbolAt(oco.symbol);
  const name = { user, symbol: oco.symbol, order: oco.id };
  const { outcome } = await port.submit({ kind: 'cancel-oco-order', ...name, ...(once && { once }) });
  if (outcome.kind === 'rejected') {
    if (mayBeGone && outcome.rejection.code === 'order-unknown') return [];
    throw explain(outcome.rejection, catalogue, { symbol, purpose: 'cancel' });
  }
  return [markedId('stop-order', oco.stopOrder), orderId(oco.order, oco.createdAt)];
}

function showOco({ id, clientId, createdAt }: OcoOrder, { code }: SymbolSet) {
  return {
    orderId: markedId('oco-order', id),
    symbol: code,
    clientOid: clientId,
    orderTime: createdAt,
    status: 'NEW',
  };
}

/** The limit part first; its stop price is its price, as it needs none. */
async function partsOf({ port, catalogue }: Services, oco: OcoOrder) {
  const symbol = catalogue.symbolAt(oco.symbol);
  const { order, stop } = await port.read((exchange) => ({
    order: exchange.order(oco.order),
    stop: exchange.reference.stopOrder(oco.stopOrder),
  }));
  if (!order || !stop) return [];
  const price = (units: number) => formatSmall(units, symbol.priceDecimals);
  const size = (units: number) => formatSmall(units, symbol.sizeDecimals);
  const common = { symbol: symbol.code, side: order.side, status: 'NEW' };
  return [
    {
      id: orderId(order.order, order.createdAt),
      ...common,
      price: price(order.price),
      stopPrice: price(order.price),
      size: size(order.size),
    },
    {
      id: markedId('stop-order', stop.id),
      ...common,
      price: price(stop.request.price ?? 0),
      stopPrice: price(stop.stopPrice),
      size: size(stop.request.size ?? 0),
    },
  ];
}
