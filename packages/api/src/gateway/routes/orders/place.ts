/** Places one order; responds with its id, or with the result of matching. */

import type { OrderOutcome, SymbolSet } from '@bourse/core';
import { type Call, type Dialect, route, type Route } from '../../route.ts';
import { Type } from '../../schema.ts';
import { explain } from '../../errors/explain.ts';
import { placedOrderId } from '../../ids.ts';
import { orderBody, ORDER_REQUEST_SCHEMA } from '../../orders/order-schema.ts';
import type { Members } from '../../members.ts';
import { placeCommand, readOrder } from '../../orders/order-request.ts';
import { clientOidMember, SYNC_RESULT_SCHEMA, syncResult } from '../../orders/order-result.ts';
import { Raw, SentCommand } from '../../result.ts';
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
    if (outcome.kind !== 'order') throw new Error(`an order came to '${outcome.kind}'`);
    return show({ id: placedOrderId(outcome, time), outcome, time, symbol }, dialect);
  });
}

export const showId = ({ id, outcome }: Placed, dialect: Dialect): Raw =>
  new Raw(`{"orderId":"${id}"${clientOidMember(outcome.clientId, dialect)}}`);
