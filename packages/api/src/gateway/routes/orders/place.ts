/**
 * Places one order, and responds with its id or with the result of matching; or several limit orders of one trading
 * pair, in order, each of which succeeds or fails independently.
 */

import type { Command, OrderOutcome, OrderRequest, PlaceOrders, SymbolSet } from '@bourse/core';
import type { CommandResult } from '@bourse/engine';
import { explain } from '../../errors/explain.ts';
import { invalid, Refusal } from '../../errors/refusal.ts';
import { placedOrderId } from '../../ids.ts';
import { type Members, membersOf } from '../../members.ts';
import {
  BATCH_RESULT_SCHEMA,
  clientOidMember,
  SYNC_BATCH_RESULT_SCHEMA,
  SYNC_RESULT_SCHEMA,
  syncBatchResult,
  syncResult,
} from '../../orders/order-detail.ts';
import {
  ORDER_REQUEST_SCHEMA,
  orderBody,
  orderListBody,
  placeCommand,
  readOrder,
} from '../../orders/order-request.ts';
import { errorText, Raw, SentCommand, withDetail } from '../../result.ts';
import { type Call, type Dialect, route, type Route } from '../../route.ts';
import { type TSchema, Type } from '../../schema.ts';
import type { Services } from '../../services.ts';

type PlaceCall = Call<unknown, unknown, unknown>;

export interface Placed {
  readonly id: string;
  readonly outcome: OrderOutcome;
  readonly time: number;
  readonly symbol: SymbolSet;
}

export function placeRoutes(services: Services): Route[] {
  const common = {
    method: 'POST',
    access: 'spot',
    pool: 'spot',
    weight: 1,
    shape: 'A',
    body: ORDER_REQUEST_SCHEMA.properties,
    checksBody: true,
  } as const;
  return [
    route({
      ...common,
      id: 'place-order',
      path: '/api/v1/hf/orders',
      summary: 'Places an order. It can be looked up as soon as its id is returned.',
      answer: Type.Object({ orderId: Type.String() }),
      handle: (call) => place(services, call, orderBody(call), showId),
    }),
    route({
      ...common,
      id: 'sync-place-order',
      path: '/api/v1/hf/orders/sync',
      summary: 'Places an order and returns the result of matching.',
      answer: SYNC_RESULT_SCHEMA,
      handle: (call) =>
        place(
          services,
          call,
          orderBody(call),
          ({ id, outcome, time, symbol }, dialect) =>
            new Raw(syncResult(id, outcome, time, symbol, services.catalogue, dialect)),
        ),
    }),
  ];
}

/** Returns `show(result)`; throws errors that are known before the order is sent. */
export function place(
  { port, catalogue }: Services,
  call: PlaceCall,
  members: Members,
  show: (placed: Placed, dialect: Dialect) => Raw,
): SentCommand {
  const order = readOrder(members, catalogue, call);
  const symbol = catalogue.symbolAt(order.symbol);
  // Keep only what the response needs: thousands may be pending, and the garbage collector moves all of it.
  const { user, once, dialect } = call;
  return new SentCommand(port, placeCommand(user, order, once), user, ({ outcome, time }) => {
    if (outcome.kind === 'rejected') throw explain(outcome.rejection, catalogue, { symbol });
    if (outcome.kind !== 'order') throw new Error(`unexpected outcome '${outcome.kind}' of an order`);
    return show({ id: placedOrderId(outcome, time), outcome, time, symbol }, dialect);
  });
}

export const showId = ({ id, outcome }: Placed, dialect: Dialect): Raw =>
  new Raw(`{"orderId":"${id}"${clientOidMember(outcome.clientId, dialect)}}`);

// Batches.

const ORDERS_MAX = 5;
const SYNC_ORDERS_MAX = 20;

type BatchCall = Call<unknown, unknown, unknown>;

export function batchRoutes(services: Services): Route[] {
  const batch = (
    row: { id: string; path: string; summary: string; answer: TSchema },
    isSync: boolean,
    ordersMax: number,
  ) =>
    route({
      ...row,
      method: 'POST',
      access: 'spot',
      pool: 'spot',
      weight: 1,
      shape: 'B',
      body: orderListBody(ordersMax),
      checksBody: true,
      handle: (call) => placeAll(services, call, isSync, ordersMax),
    });
  return [
    batch(
      {
        id: 'place-orders',
        path: '/api/v1/hf/orders/multi',
        summary: `Places up to ${ORDERS_MAX} limit orders of one trading pair.`,
        answer: BATCH_RESULT_SCHEMA,
      },
      false,
      ORDERS_MAX,
    ),
    batch(
      {
        id: 'sync-place-orders',
        path: '/api/v1/hf/orders/multi/sync',
        summary: `Places up to ${SYNC_ORDERS_MAX} limit orders of one trading pair and returns the results of matching.`,
        answer: SYNC_BATCH_RESULT_SCHEMA,
      },
      true,
      SYNC_ORDERS_MAX,
    ),
  ];
}

function placeAll(services: Services, call: BatchCall, isSync: boolean, ordersMax: number): unknown {
  const { dialect } = call;
  return placeList(services, call, listOf(orderBody(call), ordersMax), (entries) => {
    const texts = entries.map((entry) =>
      entry instanceof Refusal ? failure(entry, dialect) : answered(entry, dialect, isSync),
    );
    return new Raw(`[${texts.join(',')}]`);
  });
}

/** One order of a batch that was placed. */
export interface ListedOrder {
  readonly id: string;
  readonly outcome: OrderOutcome;
  /** The record's time. */
  readonly time: number;
  readonly symbol: SymbolSet;
}

/** Returns `show(result)` for each entry, in order; an invalid entry fails alone. */
export function placeList(
  services: Services,
  call: BatchCall,
  list: readonly unknown[],
  show: (entries: readonly (ListedOrder | Refusal)[]) => unknown,
): unknown {
  const entries = list.map((entry) => read(services, entry, call));
  const orders = entries.filter((entry): entry is OrderRequest => !(entry instanceof Refusal));
  if (orders.length === 0) return show(entries as Refusal[]);
  const { user, once } = call;
  const command: PlaceOrders = { kind: 'place-orders', user, orders };
  const sent = (once ? { ...command, once } : command) as Command;
  return new SentCommand(services.port, sent, user, (answer) => {
    if (answer.outcome.kind === 'rejected') throw explain(answer.outcome.rejection, services.catalogue);
    let next = 0;
    return show(
      entries.map((entry) => (entry instanceof Refusal ? entry : listed(services, answer, next++, entry))),
    );
  });
}

/** An invalid list is rejected completely. */
export function listOf(body: Members, ordersMax: number): readonly unknown[] {
  const { orderList } = body;
  if (!Array.isArray(orderList)) throw invalid('orderList is required: an array of orders.');
  if (orderList.length === 0) throw invalid('orderList is empty: send at least one order.');
  if (orderList.length > ordersMax) {
    throw invalid(`orderList has ${orderList.length} orders; the maximum is ${ordersMax}.`);
  }
  const symbols = orderList.map((entry) => (entry as Members | null)?.['symbol']);
  const pairs = new Set(symbols.filter((symbol) => typeof symbol === 'string'));
  if (pairs.size > 1) {
    throw invalid(
      `orderList names ${pairs.size} trading pairs; the orders of one request must be of one pair.`,
    );
  }
  return orderList;
}

function read({ catalogue }: Services, entry: unknown, call: BatchCall): OrderRequest | Refusal {
  try {
    if (membersOf(entry, 'An order')['type'] === 'market') {
      return invalid('type must be limit: market orders cannot be placed in a batch.');
    }
    return readOrder(entry, catalogue, call);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function listed(
  { catalogue }: Services,
  { outcome, time }: CommandResult,
  index: number,
  order: OrderRequest,
): ListedOrder | Refusal {
  if (outcome.kind !== 'orders') throw new Error(`unexpected outcome '${outcome.kind}' of a batch`);
  const placed = outcome.outcomes[index];
  const symbol = catalogue.symbolAt(order.symbol);
  if (placed.kind === 'rejected') return explain(placed.rejection, catalogue, { symbol });
  return { id: placedOrderId(placed, time), outcome: placed, time, symbol };
}

function answered({ id, outcome, time, symbol }: ListedOrder, dialect: Dialect, isSync: boolean): string {
  if (isSync) return syncBatchResult(id, outcome, time, symbol, dialect);
  return `{"orderId":"${id}"${clientOidMember(outcome.clientId, dialect)},"success":true,"status":"success"}`;
}

/** The reason, as in an error: with the explanation in the literal dialect, without it in the family dialect. */
function failure(refusal: Refusal, dialect: Dialect): string {
  const text = errorText(dialect, refusal);
  const { detail } = refusal;
  const message = JSON.stringify(dialect.isLiteral ? withDetail(text, detail) : text);
  const extra = dialect.isLiteral || !detail ? '' : `,"detail":${JSON.stringify(detail)}`;
  return `{"success":false,"status":"fail","failMsg":${message}${extra}}`;
}
