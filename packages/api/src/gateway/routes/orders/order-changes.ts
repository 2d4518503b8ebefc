/** Changes of resting orders: mass cancel, partial cancel, replace; and test orders. */

import type { Command, SymbolSet } from '@bourse/core';
import { submit } from '@bourse/engine';
import { Type } from '../../schema.ts';
import { unitsOf } from '../../decimals.ts';
import { explain, refuseInexpressible } from '../../errors/explain.ts';
import { markedId, parseOrderId, placedOrderId } from '../../ids.ts';
import { orderBody, ORDER_REQUEST_SCHEMA } from '../../orders/order-schema.ts';
import { clientOidOf, decimalOf } from '../../orders/order-fields.ts';
import { invalid, Refusal } from '../../errors/refusal.ts';
import { queryText, requiredText, shown, symbolOf } from '../../members.ts';
import { placeCommand, readOrder } from '../../orders/order-request.ts';
import { clientOidMember } from '../../orders/order-result.ts';
import { Raw } from '../../result.ts';
import { type Call, route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';
import { openSymbols } from './lookup.ts';

interface Query {
  readonly symbol?: string;
  readonly cancelSize?: string;
}
type ChangeCall = Call<unknown, Query, unknown>;
type PartCall = Call<{ readonly orderId: string }, Query, unknown>;

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
        // cancel-all skips orders of halted markets; all others are cancelled.
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
      handle: (call) => tryOut(services, call, orderBody(call)),
    }),
  ];
}

function symbolAsked({ catalogue }: Services, { query }: ChangeCall): SymbolSet {
  return symbolOf(catalogue, queryText(query.symbol, 'symbol'));
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
  if (parsed === null) throw new Refusal('order-not-there', `${shown(id)} is no id of an order.`);
  const name = { user, symbol: symbol.symbol, order: parsed.number, createdSec: parsed.seconds };
  const { outcome } = await submit(
    port,
    { kind: 'reduce-order', ...name, size, ...(once && { once }) },
    user,
  );
  if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue, { symbol, purpose: 'cancel' });
  return { orderId: id, cancelSize };
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
  if (outcome.kind !== 'cancelled') throw new Error(`cancelling orders came to '${outcome.kind}'`);
  return outcome.orders;
}

/** No new order if the new size is already filled; then `newOrderId` is null. */
async function alter({ port, catalogue }: Services, call: ChangeCall) {
  const { user, once, dialect } = call;
  const strict = dialect.isLiteral;
  const members = orderBody(call);
  const symbol = symbolOf(catalogue, requiredText(members['symbol'], 'symbol', strict));
  const clientId = clientOidOf(members['clientOid'], strict);
  const id = members['orderId'] ? requiredText(members['orderId'], 'orderId', strict) : undefined;
  if (id === undefined && clientId === undefined) throw invalid('One of orderId and clientOid is required.');
  const parsed = id === undefined ? null : parseOrderId(id);
  if (id !== undefined && parsed === null) {
    throw new Refusal('order-not-there', `${shown(id)} is no id of an order.`);
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
  if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue, { symbol });
  if (outcome.kind !== 'altered') throw new Error(`altering came to '${outcome.kind}'`);
  const { replacement } = outcome;
  return {
    newOrderId: replacement && placedOrderId(replacement, time),
    clientOid: replacement?.clientId ?? clientId ?? '',
  };
}

export async function tryOut(
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
