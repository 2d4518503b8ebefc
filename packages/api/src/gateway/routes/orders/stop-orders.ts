/**
 * Stop orders: they wait outside the book until the last price reaches theirs. Their results can be looked up
 * afterwards.
 */

import type { Command, StopOrder, SymbolSet } from '@bourse/core';
import { submit } from '@bourse/engine';
import { Type, wordOf } from '../../schema.ts';
import { unitsOf } from '../../decimals.ts';
import { explain, refuseInexpressible } from '../../errors/explain.ts';
import { markedId } from '../../ids.ts';
import {
  decimalOf,
  isOfSpot,
  ORDER_REQUEST_SCHEMA,
  orderBody,
  placeCommand,
  readOrder,
  refuseOtherTrading,
  TRADE_TYPE_QUERY,
} from '../../orders/order-request.ts';
import { invalid, Refusal } from '../../errors/refusal.ts';
import { type Members, shown } from '../../members.ts';
import {
  PAGE_QUERY,
  pagedSchema,
  pageOf,
  pageOfTexts,
  refuseEmptyFilters,
  SPAN_QUERY,
} from '../../paging.ts';
import { Raw } from '../../result.ts';
import { route, type Route, type UserContext } from '../../route.ts';
import type { Services } from '../../services.ts';
import {
  queryStatus,
  doneStops,
  findStop,
  findStopByClientOid,
  findPendingStop,
  pendingStops,
} from '../../orders/order-finder.ts';
import { type AnyStop, STOP_ORDER_SCHEMA, stopOrderDetail } from '../../orders/order-detail.ts';

const text = Type.String();
const optional = Type.Optional(text);
export const CANCELLED = Type.Object({ cancelledOrderIds: Type.Array(text) });

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
        'Places a stop order, which triggers when the last price reaches stopPrice. It holds no funds until then.',
      weight: 1,
      body: {
        ...ORDER_REQUEST_SCHEMA.properties,
        stopPrice: text,
        stop: Type.Optional(
          Type.String({ description: 'loss: at or below; entry: at or above; otherwise by the last price.' }),
        ),
      },
      checksBody: true,
      answer: Type.Object({ orderId: text }),
      handle: (call) => placeStop(services, call, orderBody(call)),
    }),
    route({
      ...look,
      id: 'list-stop-orders',
      path: '/api/v1/stop-order',
      summary:
        'The caller’s pending stop orders, or with status=done the others, newest first, including those of OCO orders.',
      weight: 8,
      query: {
        symbol: optional,
        side: Type.Optional(wordOf('buy', 'sell')),
        type: Type.Optional(wordOf('limit', 'market')),
        stop: Type.Optional(Type.String({ description: 'loss, entry, stop (no OCO) or oco.' })),
        status: Type.Optional(Type.String({ description: 'active, the default, or done.' })),
        orderIds: optional,
        ...TRADE_TYPE_QUERY,
        ...SPAN_QUERY,
        ...PAGE_QUERY,
      },
      answer: pagedSchema(STOP_ORDER_SCHEMA),
      async handle(call) {
        const page = pageOf(call);
        if (!isOfSpot(call)) return pageOfTexts(page, 0, []);
        const show = (stop: AnyStop) => stopOrderDetail(stop, services.catalogue);
        if (queryStatus(call) === 'done') {
          const { total, rows } = await doneStops(services, call, page);
          return pageOfTexts(page, total, rows.map(show));
        }
        const stops = await pendingStops(services, call);
        return pageOfTexts(page, stops.length, stops.slice(page.skip, page.skip + page.limit).map(show));
      },
    }),
    route({
      ...look,
      id: 'get-stop-order',
      path: '/api/v1/stop-order/:orderId',
      summary: 'A stop order by its id: pending, or done within the look-up window.',
      weight: 3,
      params: { orderId: text },
      answer: STOP_ORDER_SCHEMA,
      async handle(call) {
        const { orderId } = call.params;
        const stop = await findStop(services, call, orderId);
        if (!stop) throw new Refusal('order-not-found', `You have no stop order ${shown(orderId)}.`);
        return new Raw(stopOrderDetail(stop, services.catalogue));
      },
    }),
    route({
      ...look,
      id: 'get-stop-order-by-client-oid',
      path: '/api/v1/stop-order/queryOrderByClientOid',
      summary: "A stop order by the client's id, as a list: the pending one, the latest done one, or empty.",
      weight: 3,
      query: { clientOid: text, symbol: optional },
      answer: Type.Array(STOP_ORDER_SCHEMA),
      async handle(call) {
        const stop = await findStopByClientOid(services, call, call.query['clientOid'] ?? '');
        return new Raw(stop ? `[${stopOrderDetail(stop, services.catalogue)}]` : '[]');
      },
    }),
    route({
      ...spot,
      id: 'cancel-stop-order',
      method: 'DELETE',
      path: '/api/v1/stop-order/:orderId',
      summary: 'Cancels a stop order by its id.',
      weight: 3,
      isIdempotent: true,
      params: { orderId: text },
      answer: CANCELLED,
      async handle(call) {
        const { orderId } = call.params;
        const stop = await findPendingStop(services, call.user, orderId);
        if (!stop) throw new Refusal('order-not-there', notPending(orderId));
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
      query: { clientOid: text, symbol: optional },
      answer: Type.Object({ cancelledOrderId: text, clientOid: text }),
      async handle(call) {
        const { clientOid = '' } = call.query;
        const stop = (await pendingStops(services, call)).find(isNamed(clientOid));
        if (!stop) throw new Refusal('order-not-there', notPending(clientOid));
        await cancelStop(services, call, stop);
        return { cancelledOrderId: markedId('stop-order', stop.id), clientOid };
      },
    }),
    route({
      ...spot,
      id: 'cancel-stop-orders',
      method: 'DELETE',
      path: '/api/v1/stop-order/cancel',
      summary: 'Cancels stop orders by id, by symbol, or all.',
      weight: 3,
      query: { symbol: optional, orderIds: optional, ...TRADE_TYPE_QUERY },
      answer: CANCELLED,
      async handle(call) {
        refuseEmptyFilters(call, 'symbol', 'orderIds');
        if (!isOfSpot(call)) return { cancelledOrderIds: [] };
        const stops = await pendingStops(services, call);
        // Each command gets an idempotency key of its own, derived from the request's.
        const cancelled = await cancelEach(call, stops, async (stop, at) =>
          (await cancelStop(services, partOf(call, at), stop, true)) ? [markedId('stop-order', stop.id)] : [],
        );
        return { cancelledOrderIds: cancelled };
      },
    }),
  ];
}

/**
 * Without `stop`: `entry` or `loss` follows from whether the stop price is above or below the last price; before the
 * first trade it follows from the order's side.
 */
async function placeStop({ port, catalogue }: Services, call: UserContext, members: Members) {
  const { user, once, dialect } = call;
  refuseOtherTrading(members);
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
  const { outcome } = await submit(port, command, user);
  if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue, { symbol });
  if (outcome.kind !== 'added') throw new Error(`unexpected outcome '${outcome.kind}' of a stop order`);
  return { orderId: markedId('stop-order', outcome.id) };
}

function stopOf(value: unknown): StopOrder['stop'] | undefined {
  if (value === 'loss' || value === 'entry') return value;
  if (value === undefined || value === null || value === '') return undefined;
  throw invalid(`stop ${shown(value)} must be loss or entry.`);
}

const isNamed =
  (clientOid: string | undefined) =>
  ({ request }: StopOrder): boolean =>
    Boolean(clientOid) && request.clientId === clientOid;

/** The `once` of one of several commands of a request. */
export function partOf<Caller extends Pick<UserContext, 'once'>>(call: Caller, at: number): Caller {
  return call.once && at > 0 ? { ...call, once: { ...call.once, id: `${call.once.id}.${at}` } } : call;
}

/**
 * Cancels several orders and returns the ids. Those of halted markets stay, unless the caller names orders or a symbol and
 * none of them can be cancelled.
 */
export async function cancelEach<T>(
  { query }: { readonly query: { readonly symbol?: string; readonly orderIds?: string } },
  all: readonly T[],
  cancel: (each: T, at: number) => Promise<readonly string[]>,
): Promise<string[]> {
  const ids: string[] = [];
  let suspended: Refusal | undefined;
  for (const [at, each] of all.entries()) {
    try {
      ids.push(...(await cancel(each, at)));
    } catch (error) {
      if (!(error instanceof Refusal) || error.error !== 'cancel-suspended') throw error;
      suspended ??= error;
    }
  }
  const isAll = query.symbol === undefined && query.orderIds === undefined;
  if (!isAll && ids.length === 0 && suspended) throw suspended;
  return ids;
}

/** False if the order was already done, which is not an error when several are cancelled. */
async function cancelStop(
  { port, catalogue }: Services,
  { user, once }: Pick<UserContext, 'user' | 'once'>,
  stop: StopOrder,
  mayBeGone = false,
): Promise<boolean> {
  const symbol: SymbolSet = catalogue.symbolAt(stop.request.symbol);
  const name = { user, symbol: symbol.symbol, order: stop.id };
  const { outcome } = await submit(port, { kind: 'cancel-stop-order', ...name, ...(once && { once }) }, user);
  if (outcome.kind !== 'rejected') return true;
  if (mayBeGone && outcome.rejection.code === 'order-unknown') return false;
  throw explain(outcome.rejection, catalogue, { symbol, purpose: 'cancel' });
}

const notPending = (name: string): string => `You have no pending stop order ${shown(name)}.`;
