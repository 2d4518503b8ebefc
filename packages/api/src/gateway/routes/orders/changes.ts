/**
 * Cancels orders, one by its id or the client's, or many; changes resting orders (partial cancel, replace); and test
 * orders.
 */

import type { Command, OrderOutcome, SymbolSet } from '@bourse/core';
import { submit } from '@bourse/engine';
import { unitsOf } from '../../decimals.ts';
import { explain, refuseInexpressible } from '../../errors/explain.ts';
import { invalid, Refusal } from '../../errors/refusal.ts';
import { markedId, orderId, parseOrderId, placedOrderId } from '../../ids.ts';
import { queryText, requiredText, shown, symbolOf } from '../../members.ts';
import { CANCEL_RESULT_SCHEMA, cancelResult, clientOidMember, endOf } from '../../orders/order-detail.ts';
import { findByClientOid, findById } from '../../orders/order-finder.ts';
import {
  clientOidOf,
  decimalOf,
  ORDER_REQUEST_SCHEMA,
  orderBody,
  placeCommand,
  readOrder,
} from '../../orders/order-request.ts';
import { Raw, SentCommand } from '../../result.ts';
import { type Call, route, type Route, type Shape } from '../../route.ts';
import { type TSchema, Type } from '../../schema.ts';
import type { Services } from '../../services.ts';
import { openSymbols, symbolAsked } from './lookup.ts';

/** The caller and the time. */
export type CancelContext = Pick<Call, 'user' | 'once' | 'time'>;

export interface Cancelled {
  readonly outcome: OrderOutcome;
  readonly symbol: SymbolSet;
}

export function cancelRoutes(services: Services): Route[] {
  const row = (id: string, path: string, summary: string, shape: Shape, answer: TSchema) => ({
    id,
    path,
    summary,
    shape,
    answer,
    method: 'DELETE' as const,
    access: 'spot' as const,
    pool: 'spot' as const,
    weight: 1,
    query: { symbol: Type.String() },
  });
  const text = Type.String();
  const orderIdParams = { orderId: text };
  const clientOidParams = { clientOid: text };
  return [
    route({
      ...row(
        'cancel-order',
        '/api/v1/hf/orders/:orderId',
        'Cancels an order by its id.',
        'A',
        Type.Object({ orderId: text }),
      ),
      isIdempotent: true,
      params: orderIdParams,
      handle(call) {
        const { orderId: id } = call.params;
        return cancelById(
          services,
          call,
          symbolAsked(services, call),
          id,
          () => new Raw(`{"orderId":"${id}"}`),
        );
      },
    }),
    route({
      ...row(
        'cancel-order-by-client-oid',
        '/api/v1/hf/orders/client-order/:clientOid',
        "Cancels an order by the client's id.",
        'A',
        Type.Object({ clientOid: text }),
      ),
      params: clientOidParams,
      handle(call) {
        const show = ({ outcome }: Cancelled): Raw => new Raw(`{"clientOid":"${outcome.clientId}"}`);
        return cancelByClientOid(services, call, symbolAsked(services, call), call.params.clientOid, show);
      },
    }),
    route({
      ...row(
        'sync-cancel-order',
        '/api/v1/hf/orders/sync/:orderId',
        'Cancels an order by its id and returns the result.',
        'bare',
        CANCEL_RESULT_SCHEMA,
      ),
      isIdempotent: true,
      params: orderIdParams,
      handle(call) {
        const { dialect, params } = call;
        const { orderId: id } = params;
        const show = ({ outcome, symbol }: Cancelled): Raw =>
          new Raw(cancelResult(id, outcome, symbol, dialect));
        return cancelById(services, call, symbolAsked(services, call), id, show);
      },
    }),
    route({
      ...row(
        'sync-cancel-order-by-client-oid',
        '/api/v1/hf/orders/sync/client-order/:clientOid',
        "Cancels an order by the client's id and returns the result.",
        'bare',
        CANCEL_RESULT_SCHEMA,
      ),
      params: clientOidParams,
      handle(call) {
        const { dialect } = call;
        const show = async ({ outcome, symbol }: Cancelled): Promise<Raw> => {
          const id = orderId(outcome.order, (await orderOf(services, outcome.order)).createdAt);
          return new Raw(cancelResult(id, outcome, symbol, dialect));
        };
        return cancelByClientOid(services, call, symbolAsked(services, call), call.params.clientOid, show);
      },
    }),
  ];
}

/** Returns show(result). If the order is not active, it is looked up, and the error says whether it is done. */
export function cancelById(
  services: Services,
  call: CancelContext,
  symbol: SymbolSet,
  id: string,
  show: (cancelled: Cancelled) => unknown,
): SentCommand {
  const parsed = parseOrderId(id);
  if (parsed === null) throw new Refusal('order-not-there', notThere('id', id, symbol));
  const name = { order: parsed.number, createdSec: parsed.seconds };
  const { user, time } = call;
  return cancel(services, call, symbol, name, show, async () => {
    const order = await findById(services, { user, symbol, time }, id);
    throw notActive(order, notThere('id', id, symbol));
  });
}

/** The same with the client's id. */
export function cancelByClientOid(
  services: Services,
  call: CancelContext,
  symbol: SymbolSet,
  clientOid: string,
  show: (cancelled: Cancelled) => unknown,
): SentCommand {
  if (clientOid === '') throw new Refusal('order-not-there', notThere('clientOid', '', symbol));
  const { user, time } = call;
  return cancel(services, call, symbol, { clientId: clientOid }, show, async () => {
    const order = await findByClientOid(services, { user, symbol, time }, clientOid);
    throw notActive(order, notThere('clientOid', clientOid, symbol));
  });
}

function notActive(order: Awaited<ReturnType<typeof findById>>, detail: string): Refusal {
  if (order !== null && 'done' in order) return new Refusal('order-done', `The order is ${endOf(order)}.`);
  return new Refusal('order-not-there', detail);
}

/** `refuse` is called if the caller has no such active order. */
function cancel(
  { port, catalogue }: Services,
  { user, once }: CancelContext,
  symbol: SymbolSet,
  name: { readonly order: number; readonly createdSec: number } | { readonly clientId: string },
  show: (cancelled: Cancelled) => unknown,
  refuse: () => Promise<never>,
): SentCommand {
  const command = { kind: 'cancel-order', user, symbol: symbol.symbol, ...name, ...(once && { once }) };
  return new SentCommand(port, command as Command, user, ({ outcome }) => {
    if (outcome.kind === 'order') return show({ outcome, symbol });
    if (outcome.kind !== 'rejected')
      throw new Error(`unexpected outcome '${outcome.kind}' of a cancellation`);
    if (outcome.rejection.code === 'order-unknown') return refuse();
    throw explain(outcome.rejection, catalogue, { symbol, purpose: 'cancel' });
  });
}

/** What the outcome of a cancellation does not carry: the client's id, and the time of creation, which the id contains. */
async function orderOf({ port, history }: Services, order: number) {
  const found =
    (await port.read((exchange) => exchange.order(order) ?? exchange.doneOrder(order))) ??
    history.order(order);
  if (found === null) throw new Error(`order ${order} is neither in the exchange nor in history`);
  return found;
}

const notThere = (name: string, value: string, { code }: SymbolSet): string =>
  `You have no order with the ${name} ${shown(value)} in ${code}.`;

// Changes of resting orders: mass cancel, partial cancel, replace; and test orders.

interface ChangeQuery {
  readonly symbol?: string;
  readonly cancelSize?: string;
}
type ChangeCall = Call<unknown, ChangeQuery, unknown>;
type PartCall = Call<{ readonly orderId: string }, ChangeQuery, unknown>;

const text = Type.String();
const optional = Type.Optional(text);

export function orderChangeRoutes(services: Services): Route[] {
  const { catalogue } = services;
  const common = { access: 'spot', pool: 'spot', shape: 'A' } as const;
  return [
    route({
      ...common,
      id: 'cancel-orders-of-symbol',
      method: 'DELETE',
      path: '/api/v1/hf/orders',
      summary: "Cancels all of the caller's orders in a symbol.",
      weight: 2,
      query: { symbol: text },
      answer: Type.Literal('success'),
      async handle(call) {
        await cancelOrders(services, call, symbolAsked(services, call));
        return 'success';
      },
    }),
    route({
      ...common,
      id: 'cancel-all-orders',
      method: 'DELETE',
      path: '/api/v1/hf/orders/cancelAll',
      summary: "Cancels all of the caller's orders, except in halted markets.",
      weight: 30,
      answer: Type.Object({
        succeedSymbols: Type.Array(text),
        failedSymbols: Type.Array(Type.Object({ symbol: text, error: text })),
      }),
      async handle(call) {
        const before = await openSymbols(services, call.user);
        await cancelOrders(services, call);
        // Orders of halted markets cannot be cancelled.
        const isHalted = ({ symbol }: SymbolSet) =>
          catalogue.isPaused || catalogue.symbolAt(symbol).state === 'halted';
        return {
          succeedSymbols: before.filter((symbol) => !isHalted(symbol)).map(({ code }) => code),
          failedSymbols: before
            .filter(isHalted)
            .map(({ code }) => ({ symbol: code, error: 'Order cancel for this pair suspended' })),
        };
      },
    }),
    route({
      ...common,
      id: 'cancel-part-of-order',
      method: 'DELETE',
      path: '/api/v1/hf/orders/cancel/:orderId',
      summary: 'Cancels part of an order. The rest keeps its queue position.',
      weight: 2,
      params: { orderId: text },
      query: { symbol: text, cancelSize: text },
      answer: Type.Object({ orderId: text, cancelSize: text }),
      handle: (call) => cancelPart(services, call),
    }),
    route({
      ...common,
      id: 'alter-order',
      method: 'POST',
      path: '/api/v1/hf/orders/alter',
      summary: 'Replaces an order with one of another price or size, atomically.',
      weight: 1,
      body: {
        symbol: text,
        orderId: optional,
        clientOid: optional,
        newPrice: optional,
        newSize: Type.Optional(Type.String({ description: 'Includes the filled part.' })),
      },
      checksBody: true,
      answer: Type.Object({ newOrderId: Type.Union([text, Type.Null()]), clientOid: text }),
      handle: (call) => alter(services, call),
    }),
    route({
      ...common,
      id: 'test-order',
      method: 'POST',
      path: '/api/v1/hf/orders/test',
      summary: 'Validates an order without placing it. The returned id does not belong to an order.',
      weight: 1,
      body: ORDER_REQUEST_SCHEMA.properties,
      checksBody: true,
      answer: Type.Object({ orderId: text }),
      handle: (call) => testOrder(services, call, orderBody(call)),
    }),
  ];
}

async function cancelPart(
  services: Services,
  call: PartCall,
): Promise<{ orderId: string; cancelSize: string }> {
  const { port, catalogue } = services;
  const { user, once, query } = call;
  const symbol = symbolAsked(services, call);
  const cancelSize = decimalText(queryText(query.cancelSize, 'cancelSize'));
  const size = sizeOf(cancelSize, symbol);
  const { orderId: id } = call.params;
  const parsed = parseOrderId(id);
  if (parsed === null) throw new Refusal('order-not-there', `${shown(id)} is not an order id.`);
  const name = { user, symbol: symbol.symbol, order: parsed.number, createdSec: parsed.seconds };
  const { outcome } = await submit(
    port,
    { kind: 'reduce-order', ...name, size, ...(once && { once }) },
    user,
  );
  if (outcome.kind === 'rejected') {
    await refuseDone(outcome, () => findById(services, { user, symbol, time: call.time }, id));
    throw explain(outcome.rejection, catalogue, { symbol, purpose: 'cancel' });
  }
  return { orderId: id, cancelSize };
}

/** Throws if the order that the exchange does not find among the active ones is done. */
async function refuseDone(
  { rejection }: { readonly rejection: { readonly code: string } },
  find: () => ReturnType<typeof findById>,
): Promise<void> {
  if (rejection.code !== 'order-unknown') return;
  const order = await find();
  if (order !== null && 'done' in order) throw notActive(order, '');
}

const decimalText = (value: string): string => decimalOf(value, 'cancelSize', true) as string;

function sizeOf(size: string, symbol: SymbolSet): number {
  const units = unitsOf(size, symbol.sizeDecimals);
  if (units >= 0) return units;
  throw refuseInexpressible({ price: undefined, size, visibleSize: undefined, funds: undefined }, symbol);
}

/** The numbers of the cancelled orders. */
export async function cancelOrders(
  { port, catalogue }: Services,
  { user, once }: Pick<ChangeCall, 'user' | 'once'>,
  symbol?: SymbolSet,
): Promise<readonly number[]> {
  const where = symbol && { symbol: symbol.symbol };
  const { outcome } = await submit(
    port,
    { kind: 'cancel-orders', user, ...where, ...(once && { once }) },
    user,
  );
  if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue, { purpose: 'cancel' });
  if (outcome.kind !== 'cancelled')
    throw new Error(`unexpected outcome '${outcome.kind}' of cancelling orders`);
  return outcome.orders;
}

/** No new order if the new size is already filled; then `newOrderId` is null. */
async function alter(services: Services, call: ChangeCall) {
  const { port, catalogue } = services;
  const { user, once, dialect } = call;
  const strict = dialect.isLiteral;
  const members = orderBody(call);
  const symbol = symbolOf(catalogue, requiredText(members['symbol'], 'symbol', strict));
  const clientId = clientOidOf(members['clientOid'], strict);
  const id = members['orderId'] ? requiredText(members['orderId'], 'orderId', strict) : undefined;
  if (id === undefined && clientId === undefined) throw invalid('One of orderId and clientOid is required.');
  const parsed = id === undefined ? null : parseOrderId(id);
  if (id !== undefined && parsed === null) {
    throw new Refusal('order-not-there', `${shown(id)} is not an order id.`);
  }
  const price = decimalOf(members['newPrice'], 'newPrice', strict);
  const size = decimalOf(members['newSize'], 'newSize', strict);
  if (price === undefined && size === undefined) throw invalid('One of newPrice and newSize is required.');
  const newPrice = price === undefined ? undefined : unitsOf(price, symbol.priceDecimals);
  const newSize = size === undefined ? undefined : unitsOf(size, symbol.sizeDecimals);
  if ((newPrice ?? 0) < 0 || (newSize ?? 0) < 0) {
    throw refuseInexpressible({ price, size, visibleSize: undefined, funds: undefined }, symbol);
  }
  // The id takes precedence, because it is more specific.
  const name = parsed === null ? { clientId } : { order: parsed.number, createdSec: parsed.seconds };
  const { outcome, time } = await submit(
    port,
    {
      kind: 'alter-order',
      user,
      symbol: symbol.symbol,
      ...name,
      ...(newPrice !== undefined && { newPrice }),
      ...(newSize !== undefined && { newSize }),
      ...(once && { once }),
    } as Command,
    user,
  );
  if (outcome.kind === 'rejected') {
    const whose = { user, symbol, time: call.time };
    await refuseDone(outcome, () =>
      id === undefined ? findByClientOid(services, whose, clientId as string) : findById(services, whose, id),
    );
    throw explain(outcome.rejection, catalogue, { symbol });
  }
  if (outcome.kind !== 'altered') throw new Error(`unexpected outcome '${outcome.kind}' of altering`);
  const { replacement, cancelled } = outcome;
  if (replacement)
    return { newOrderId: placedOrderId(replacement, time), clientOid: replacement.clientId ?? '' };
  return { newOrderId: null, clientOid: (await orderOf(services, cancelled)).clientId ?? '' };
}

export async function testOrder(
  { port, catalogue }: Services,
  call: Pick<ChangeCall, 'user' | 'once' | 'dialect' | 'time'>,
  members: unknown,
): Promise<Raw> {
  const { user, once, dialect } = call;
  const order = readOrder(members, catalogue, call);
  const command = { ...placeCommand(user, order, once), kind: 'test-order' } as Command;
  const { outcome, seq } = await submit(port, command, user);
  const symbol = catalogue.symbolAt(order.symbol);
  if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue, { symbol });
  const id = markedId('test-order', seq);
  return new Raw(`{"orderId":"${id}"${clientOidMember(order.clientId ?? '', dialect)}}`);
}
