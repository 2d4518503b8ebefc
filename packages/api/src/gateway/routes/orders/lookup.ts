/** Looks up one order: an active one at any time, a done one within the look-up window. */

import { Type } from '../../schema.ts';
import { type AnyOrder, ORDER_SCHEMA, orderDetail } from '../../orders/order-detail.ts';
import { queryText } from '../../members.ts';
import { symbolOf } from '../../symbol-code.ts';
import { findByClientOid, findById, type Seeker } from '../../orders/order-finder.ts';
import { Refusal } from '../../errors/refusal.ts';
import { Raw } from '../../errors/render.ts';
import { type Call, route, type Route } from '../../route.ts';
import type { Services } from '../../services.ts';
import { shown } from '../../errors/invalid.ts';

type LookupCall<Params> = Call<Params, { readonly symbol?: string }, unknown>;

export function lookupRoutes(services: Services): Route[] {
  const common = {
    method: 'GET',
    access: 'general',
    pool: 'spot',
    weight: 2,
    shape: 'A',
    query: { symbol: Type.String() },
    answer: ORDER_SCHEMA,
  } as const;
  return [
    route({
      ...common,
      id: 'get-order',
      path: '/api/v1/hf/orders/:orderId',
      summary: 'An order by its id.',
      params: { orderId: Type.String() },
      async handle(call) {
        const { orderId } = call.params;
        const seeker = seekerOf(services, call);
        return detail(services, call, seeker, await findById(services, seeker, orderId), 'id', orderId);
      },
    }),
    route({
      ...common,
      id: 'get-order-by-client-oid',
      path: '/api/v1/hf/orders/client-order/:clientOid',
      summary: "An order by the client's id.",
      params: { clientOid: Type.String() },
      async handle(call) {
        const { clientOid } = call.params;
        const seeker = seekerOf(services, call);
        const order = await findByClientOid(services, seeker, clientOid);
        return detail(services, call, seeker, order, 'clientOid', clientOid);
      },
    }),
  ];
}

function seekerOf({ catalogue }: Services, { user, query, time }: LookupCall<unknown>): Required<Seeker> {
  return { user, symbol: symbolOf(catalogue, queryText(query.symbol, 'symbol')), time };
}

function detail(
  { catalogue }: Services,
  { dialect }: LookupCall<unknown>,
  { symbol }: Required<Seeker>,
  order: AnyOrder | null,
  name: string,
  value: string,
): Raw {
  if (order !== null) return new Raw(orderDetail(order, catalogue, dialect));
  throw new Refusal(
    'order-not-found',
    `You have no order with the ${name} ${shown(value)} in ${symbol.code}.`,
  );
}
