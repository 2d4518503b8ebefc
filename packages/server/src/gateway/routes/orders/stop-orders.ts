/** Stop orders: they wait outside the book until the last price reaches theirs. Lists show those that still wait. */

import type { Command, StopOrder, SymbolSet } from '@bourse/core';
import { Type } from '../../schema.ts';
import { unitsOf } from '../../decimals.ts';
import { explain } from '../../errors/explain.ts';
import { markedId, parseMarkedId } from '../../ids.ts';
import { refuseInexpressible } from '../../errors/inexpressible.ts';
import { orderBody } from '../../orders/order-body.ts';
import { decimalOf } from '../../orders/order-fields.ts';
import { invalid, shown } from '../../errors/invalid.ts';
import type { Members } from '../../members.ts';
import { symbolOf } from '../../symbol-code.ts';
import { placeCommand, readOrder } from '../../orders/order-request.ts';
import { ORDER_REQUEST_SCHEMA } from '../../orders/order-schema.ts';
import {
  asked,
  askedWord,
  type ListCall,
  PAGE_QUERY,
  pagedSchema,
  pageOf,
  pageOfTexts,
  SPAN_QUERY,
  spanOf,
} from '../../paging.ts';
import { Refusal } from '../../errors/refusal.ts';
import { Raw } from '../../errors/render.ts';
import { type Call, route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';
import { STOP_ORDER_SCHEMA, stopOrderDetail } from '../../orders/stop-order-detail.ts';

type StopCall<Params = unknown> = Call<Params, Record<string, string | undefined>, unknown>;
type ById = { readonly orderId: string };

const IDS_MAX = 100;

const text = Type.String();
const optional = Type.Optional(text);
const CANCELLED = Type.Object({ cancelledOrderIds: Type.Array(text) });

export function stopOrderRoutes(services: Services): Route[] {
  const spot = { access: 'spot', pool: 'spot', shape: 'A' } as const;
  const look = { method: 'GET', access: 'general', pool: 'spot', shape: 'A' } as const;
  return [
    route({
      ...spot,
      id: 'place-stop-order',
      method: 'POST',
      path: '/api/v1/stop-order',
      summary:
        'Places an order that waits until the last price reaches stopPrice. Nothing is held meanwhile.',
      weight: 1,
      body: Type.Object({
        ...ORDER_REQUEST_SCHEMA.properties,
        stopPrice: text,
        stop: Type.Optional(
          Type.String({ description: 'loss: at or below; entry: at or above; otherwise by the last price.' }),
        ),
      }),
      checksBody: true,
      answer: Type.Object({ orderId: text }),
      handle: (call: StopCall) => placeStop(services, call, orderBody(call)),
    }),
    route({
      ...look,
      id: 'list-stop-orders',
      path: '/api/v1/stop-order',
      summary: 'The stop orders of the caller that wait, the newest first, those of OCO orders included.',
      weight: 8,
      query: Type.Object({
        symbol: optional,
        side: optional,
        type: optional,
        stop: Type.Optional(Type.String({ description: 'loss, entry, stop (no OCO) or oco.' })),
        orderIds: optional,
        ...SPAN_QUERY,
        ...PAGE_QUERY,
      }),
      answer: pagedSchema(STOP_ORDER_SCHEMA),
      async handle(call: StopCall) {
        const page = pageOf(call);
        const stops = await listOf(services, call);
        const { catalogue } = services;
        const texts = stops
          .slice(page.skip, page.skip + page.limit)
          .map((stop) => stopOrderDetail(stop, catalogue));
        return pageOfTexts(page, stops.length, texts);
      },
    }),
    route({
      ...look,
      id: 'get-stop-order',
      path: '/api/v1/stop-order/:orderId',
      summary: 'A stop order that waits, by its id.',
      weight: 3,
      params: Type.Object({ orderId: text }),
      answer: STOP_ORDER_SCHEMA,
      async handle({ user, params }: StopCall<ById>) {
        const stop = await findStop(services, user, params.orderId);
        if (!stop) throw new Refusal('order-not-found', notWaiting(params.orderId));
        return new Raw(stopOrderDetail(stop, services.catalogue));
      },
    }),
    route({
      ...look,
      id: 'get-stop-order-by-client-oid',
      path: '/api/v1/stop-order/queryOrderByClientOid',
      summary: "Stop orders that wait, by the client's id: one or none.",
      weight: 3,
      query: Type.Object({ clientOid: text, symbol: optional }),
      answer: Type.Array(STOP_ORDER_SCHEMA),
      async handle(call: StopCall) {
        const stops = (await listOf(services, call)).filter(isNamed(call.query['clientOid']));
        return new Raw(`[${stops.map((stop) => stopOrderDetail(stop, services.catalogue)).join(',')}]`);
      },
    }),
    route({
      ...spot,
      id: 'cancel-stop-order',
      method: 'DELETE',
      path: '/api/v1/stop-order/:orderId',
      summary: 'Cancels a stop order by its id.',
      weight: 3,
      isRepeatable: true,
      params: Type.Object({ orderId: text }),
      answer: CANCELLED,
      async handle(call: StopCall<ById>) {
        const { orderId } = call.params;
        const stop = await findStop(services, call.user, orderId);
        if (!stop) throw new Refusal('order-not-there', notWaiting(orderId));
        await cancelStop(services, call, stop);
        return { cancelledOrderIds: [orderId] };
      },
    }),
    route({
      ...spot,
      id: 'cancel-stop-order-by-client-oid',
      method: 'DELETE',
      path: '/api/v1/stop-order/cancelOrderByClientOid',
      summary: "Cancels a stop order by the client's id.",
      weight: 5,
      query: Type.Object({ clientOid: text, symbol: optional }),
      answer: Type.Object({ cancelledOrderId: text, clientOid: text }),
      async handle(call: StopCall) {
        const { clientOid = '' } = call.query;
        const stop = (await listOf(services, call)).find(isNamed(clientOid));
        if (!stop) throw new Refusal('order-not-there', notWaiting(clientOid));
        await cancelStop(services, call, stop);
        return { cancelledOrderId: markedId('stop-order', stop.id), clientOid };
      },
    }),
    route({
      ...spot,
      id: 'cancel-stop-orders',
      method: 'DELETE',
      path: '/api/v1/stop-order/cancel',
      summary: 'Cancels stop orders: those named, those of a symbol, or all.',
      weight: 3,
      query: Type.Object({ symbol: optional, orderIds: optional }),
      answer: CANCELLED,
      async handle(call: StopCall) {
        const stops = await listOf(services, call);
        // One request acts at most once, and here it is several commands: each has its own id made of the request's.
        const ids: string[] = [];
        for (const [at, stop] of stops.entries()) {
          if (await cancelStop(services, partOf(call, at), stop, true))
            ids.push(markedId('stop-order', stop.id));
        }
        return { cancelledOrderIds: ids };
      },
    }),
  ];
}

/**
 * Without `stop`: `entry` or `loss` follows from whether the stop price is above or below the last price; before the
 * first trade it follows from the order's side.
 */
async function placeStop({ port, catalogue }: Services, call: StopCall, members: Members) {
  const { user, once, dialect } = call;
  const order = readOrder(members, catalogue, call);
  const symbol = catalogue.symbolAt(order.symbol);
  const price = decimalOf(members['stopPrice'], 'stopPrice', dialect.isLiteral);
  if (price === undefined) throw invalid('stopPrice is required.');
  const stopPrice = unitsOf(price, symbol.priceDecimals);
  if (stopPrice < 0) {
    throw refuseInexpressible({ price, size: undefined, visibleSize: undefined, funds: undefined }, symbol);
  }
  const stop =
    stopOf(members['stop']) ??
    (await port.read((exchange) => {
      const last = exchange.lastPrice(symbol.symbol);
      if (last === 0) return order.side === 'buy' ? 'entry' : 'loss';
      return stopPrice >= last ? 'entry' : 'loss';
    }));
  const command = {
    ...placeCommand(user, order, once),
    kind: 'place-stop-order',
    stopPrice,
    stop,
  } as Command;
  const { outcome } = await port.submit(command);
  if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue, { symbol });
  if (outcome.kind !== 'added') throw new Error(`a stop order came to '${outcome.kind}'`);
  return { orderId: markedId('stop-order', outcome.id) };
}

function stopOf(value: unknown): StopOrder['stop'] | undefined {
  if (value === 'loss' || value === 'entry') return value;
  if (value === undefined || value === null || value === '') return undefined;
  throw invalid(`stop ${shown(value)} must be loss or entry.`);
}

/** The newest first. */
async function listOf(
  { port, catalogue }: Services,
  call: ListCall & { user: number },
): Promise<StopOrder[]> {
  const { user } = call;
  const code = asked(call, 'symbol');
  const symbol = code === undefined ? undefined : symbolOf(catalogue, code).symbol;
  const side = askedWord(call, 'side', ['buy', 'sell']);
  const type = askedWord(call, 'type', ['limit', 'market']);
  const stop = askedWord(call, 'stop', ['loss', 'entry', 'stop', 'oco']);
  const numbers = idsOf(asked(call, 'orderIds'), 'stop-order');
  const { from = 0, until = Infinity } = spanOf(call);
  const { stops, paired } = await port.read(({ reference }) => ({
    stops: reference.stopOrdersOf(user),
    paired: new Set(reference.ocoOrdersOf(user).map(({ stopOrder }) => stopOrder)),
  }));
  const isKind = (each: StopOrder): boolean => {
    if (stop === 'oco' || stop === 'stop') return paired.has(each.id) === (stop === 'oco');
    return stop === undefined || each.stop === stop;
  };
  return stops
    .filter(({ request }) => symbol === undefined || request.symbol === symbol)
    .filter(({ request }) => (!side || request.side === side) && (!type || request.type === type))
    .filter(({ id }) => numbers === undefined || numbers.has(id))
    .filter(({ createdAt }) => createdAt >= from && createdAt <= until)
    .filter(isKind)
    .toReversed();
}

/** Numbers of a list of ids with commas between; what is no id names nothing. */
export function idsOf(list: string | undefined, kind: 'stop-order' | 'oco-order'): Set<number> | undefined {
  if (list === undefined) return undefined;
  const ids = list.split(',');
  if (ids.length > IDS_MAX)
    throw invalid(`orderIds names ${ids.length} orders; at most ${IDS_MAX} are taken at once.`);
  return new Set(ids.map((id) => parseMarkedId(kind, id)));
}

const isNamed =
  (clientOid: string | undefined) =>
  ({ request }: StopOrder): boolean =>
    Boolean(clientOid) && request.clientId === clientOid;

async function findStop({ port }: Services, user: number, id: string): Promise<StopOrder | null> {
  const number = parseMarkedId('stop-order', id);
  if (number < 0) return null;
  const stop = await port.read(({ reference }) => reference.stopOrder(number));
  return stop?.user === user ? stop : null;
}

/** The `once` of one command among several of a request. */
export function partOf<Caller extends Pick<Call, 'once'>>(call: Caller, at: number): Caller {
  return call.once && at > 0 ? { ...call, once: { ...call.once, id: `${call.once.id}.${at}` } } : call;
}

/** False when the order was gone already, which is no error when several are cancelled at once. */
async function cancelStop(
  { port, catalogue }: Services,
  { user, once }: Pick<Call, 'user' | 'once'>,
  stop: StopOrder,
  mayBeGone = false,
): Promise<boolean> {
  const symbol: SymbolSet = catalogue.symbolAt(stop.request.symbol);
  const name = { user, symbol: symbol.symbol, order: stop.id };
  const { outcome } = await port.submit({ kind: 'cancel-stop-order', ...name, ...(once && { once }) });
  if (outcome.kind !== 'rejected') return true;
  if (mayBeGone && outcome.rejection.code === 'order-unknown') return false;
  throw explain(outcome.rejection, catalogue, { symbol, purpose: 'cancel' });
}

const notWaiting = (name: string): string => `No stop order ${shown(name)} of yours waits.`;
