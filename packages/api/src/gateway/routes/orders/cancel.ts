/** Cancels one order, by its id or the client's; responds when it is done. */

import type { Command, OrderOutcome, SymbolSet } from '@bourse/core';
import { type TSchema, Type } from '../../schema.ts';
import { explain } from '../../errors/explain.ts';
import { orderId, parseOrderId } from '../../ids.ts';
import { endOf } from '../../orders/order-detail.ts';
import { queryText, shown, symbolOf } from '../../members.ts';
import { findByClientOid, findById } from '../../orders/order-finder.ts';
import { CANCEL_RESULT_SCHEMA, cancelResult } from '../../orders/order-result.ts';
import { Refusal } from '../../errors/refusal.ts';
import { Raw, SentCommand } from '../../result.ts';
import { type Call, route, type Route, type Shape } from '../../route.ts';
import type { Services } from '../../services.ts';

interface Query {
  readonly symbol?: string;
}
type CancelCall<Params> = Call<Params, Query, unknown>;

/** The caller and the time. */
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
          const id = orderId(outcome.order, await createdAtOf(services, outcome.order));
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
  call: Canceller,
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
  call: Canceller,
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

function symbolAsked({ catalogue }: Services, { query }: CancelCall<unknown>): SymbolSet {
  return symbolOf(catalogue, queryText(query.symbol, 'symbol'));
}

/** `refuse` is called if the caller has no such active order. */
function cancel(
  { port, catalogue }: Services,
  { user, once }: Canceller,
  symbol: SymbolSet,
  name: { readonly order: number; readonly createdSec: number } | { readonly clientId: string },
  show: (cancelled: Cancelled) => unknown,
  refuse: () => Promise<never>,
): SentCommand {
  const command = { kind: 'cancel-order', user, symbol: symbol.symbol, ...name, ...(once && { once }) };
  return new SentCommand(port, command as Command, user, ({ outcome }) => {
    if (outcome.kind === 'order') return show({ outcome, symbol });
    if (outcome.kind !== 'rejected') throw new Error(`a cancellation came to '${outcome.kind}'`);
    if (outcome.rejection.code === 'order-unknown') return refuse();
    throw explain(outcome.rejection, catalogue, { symbol, purpose: 'cancel' });
  });
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
  `You have no order with the ${name} ${shown(value)} in ${code}.`;
