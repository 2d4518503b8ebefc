/** Cancelling one order, by its id or by the client's; answered when it is done. */

import type { Command, OrderOutcome, SymbolSet } from '@bourse/core';
import { type TSchema, Type } from '../../schema.ts';
import { explain } from '../../errors/explain.ts';
import { orderId, parseOrderId } from '../../ids.ts';
import { endOf } from '../../orders/order-detail.ts';
import { queryText } from '../../members.ts';
import { symbolOf } from '../../symbol-code.ts';
import { findByClientOid, findById } from '../../orders/order-finder.ts';
import { CANCEL_RESULT_SCHEMA, cancelResult } from '../../orders/order-result.ts';
import { Refusal } from '../../errors/refusal.ts';
import { Raw } from '../../errors/render.ts';
import { type Call, route, type Route, type Shape } from '../../route.ts';
import type { Services } from '../../services.ts';
import { submit } from '../../../engine/submit.ts';

interface Query {
  readonly symbol?: string;
}
type CancelCall<Params> = Call<Params, Query, unknown>;
type ById = { readonly orderId: string };
type ByClientOid = { readonly clientOid: string };

/** Who cancels, and when. */
export type Canceller = Pick<Call, 'user' | 'once' | 'time'>;

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
    query: Type.Object({ symbol: Type.String() }),
  });
  const text = Type.String();
  const orderIdParams = Type.Object({ orderId: text });
  const clientOidParams = Type.Object({ clientOid: text });
  return [
    route({
      ...row(
        'cancel-order',
        '/api/v1/hf/orders/:orderId',
        'Cancels an order by its id.',
        'A',
        Type.Object({ orderId: text }),
      ),
      isRepeatable: true,
      params: orderIdParams,
      async handle(call: CancelCall<ById>) {
        await cancelById(services, call, symbolAsked(services, call), call.params.orderId);
        return new Raw(`{"orderId":"${call.params.orderId}"}`);
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
      async handle(call: CancelCall<ByClientOid>) {
        const asked = symbolAsked(services, call);
        const { outcome } = await cancelByClientOid(services, call, asked, call.params.clientOid);
        return new Raw(`{"clientOid":"${outcome.clientId}"}`);
      },
    }),
    route({
      ...row(
        'sync-cancel-order',
        '/api/v1/hf/orders/sync/:orderId',
        'Cancels an order by its id and answers with what became of it.',
        'bare',
        CANCEL_RESULT_SCHEMA,
      ),
      isRepeatable: true,
      params: orderIdParams,
      async handle(call: CancelCall<ById>) {
        const { orderId: id } = call.params;
        const { outcome, symbol } = await cancelById(services, call, symbolAsked(services, call), id);
        return new Raw(cancelResult(id, outcome, symbol, call.dialect));
      },
    }),
    route({
      ...row(
        'sync-cancel-order-by-client-oid',
        '/api/v1/hf/orders/sync/client-order/:clientOid',
        "Cancels an order by the client's id and answers with what became of it.",
        'bare',
        CANCEL_RESULT_SCHEMA,
      ),
      params: clientOidParams,
      async handle(call: CancelCall<ByClientOid>) {
        const asked = symbolAsked(services, call);
        const { outcome, symbol } = await cancelByClientOid(services, call, asked, call.params.clientOid);
        const id = orderId(outcome.order, await createdAtOf(services, outcome.order));
        return new Raw(cancelResult(id, outcome, symbol, call.dialect));
      },
    }),
  ];
}

export async function cancelById(
  services: Services,
  call: Canceller,
  symbol: SymbolSet,
  id: string,
): Promise<Cancelled> {
  const parsed = parseOrderId(id);
  if (parsed === null) throw new Refusal('order-not-there', notThere('id', id, symbol));
  const name = { order: parsed.number, createdSec: parsed.seconds };
  const outcome = await cancel(services, call, symbol, name);
  if (outcome !== null) return { outcome, symbol };
  const order = await findById(services, { user: call.user, symbol, time: call.time }, id);
  if (order !== null && 'done' in order) throw new Refusal('order-done', `The order is ${endOf(order)}.`);
  throw new Refusal('order-not-there', notThere('id', id, symbol));
}

export async function cancelByClientOid(
  services: Services,
  call: Canceller,
  symbol: SymbolSet,
  clientOid: string,
): Promise<Cancelled> {
  const outcome = clientOid === '' ? null : await cancel(services, call, symbol, { clientId: clientOid });
  if (outcome !== null) return { outcome, symbol };
  const order = await findByClientOid(services, { user: call.user, symbol, time: call.time }, clientOid);
  if (order !== null && 'done' in order) throw new Refusal('order-done', `The order is ${endOf(order)}.`);
  throw new Refusal('order-not-there', notThere('clientOid', clientOid, symbol));
}

function symbolAsked({ catalogue }: Services, { query }: CancelCall<unknown>): SymbolSet {
  return symbolOf(catalogue, queryText(query.symbol, 'symbol'));
}

/** Null when the caller has no such active order. */
async function cancel(
  { port, catalogue }: Services,
  { user, once }: Canceller,
  symbol: SymbolSet,
  name: { readonly order: number; readonly createdSec: number } | { readonly clientId: string },
): Promise<OrderOutcome | null> {
  const command = { kind: 'cancel-order', user, symbol: symbol.symbol, ...name, ...(once && { once }) };
  const { outcome } = await submit(port, command as Command);
  if (outcome.kind === 'order') return outcome;
  if (outcome.kind !== 'rejected') throw new Error(`a cancellation came to '${outcome.kind}'`);
  if (outcome.rejection.code === 'order-unknown') return null;
  throw explain(outcome.rejection, catalogue, { symbol, purpose: 'cancel' });
}

/** An order's id contains its time of creation, which the outcome of a cancel does not carry. */
async function createdAtOf({ port, history }: Services, order: number): Promise<number> {
  const found =
    (await port.read((exchange) => exchange.order(order) ?? exchange.doneOrder(order))) ??
    history.order(order);
  if (found === null) throw new Error(`order ${order} is neither in the exchange nor in history`);
  return found.createdAt;
}

const notThere = (name: string, value: string, { code }: SymbolSet): string =>
  `You have no order with the ${name} ${JSON.stringify(value.slice(0, 60))} in ${code}.`;
