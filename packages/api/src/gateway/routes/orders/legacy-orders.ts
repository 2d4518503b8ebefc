/**
 * The family's old order endpoints, for old clients: other paths and formats of the same commands. They
 * need no symbol if an id is enough. Unlike in the family, `clientOid` is optional.
 */

import { Type } from '../../schema.ts';
import { orderBody, orderListBody, ORDER_REQUEST_SCHEMA } from '../../orders/order-schema.ts';
import { invalid, Refusal } from '../../errors/refusal.ts';
import { type Members, shown, symbolOf } from '../../members.ts';
import { findByClientOid, findById } from '../../orders/order-finder.ts';
import { idsOfOrders } from '../../orders/order-times.ts';
import { isOfSpot, refuseOtherTrading, TRADE_TYPE_QUERY } from '../../orders/order-fields.ts';
import { asked, refuseEmptyFilters } from '../../paging.ts';
import { errorText, settled } from '../../result.ts';
import { type Call, route, type Route, type UserContext } from '../../route.ts';
import type { Services } from '../../services.ts';
import { listOf, type ListedOrder, placeList } from './batch.ts';
import { cancelByClientOid, cancelById, type Cancelled } from './cancel.ts';
import { cancelOrders, tryOut } from './order-changes.ts';
import { place, showId } from './place.ts';

const ORDERS_MAX = 5;

const text = Type.String();
const optional = Type.Optional(text);
const CANCELLED = Type.Object({ cancelledOrderIds: Type.Array(text) });

export function legacyOrderRoutes(services: Services): Route[] {
  const common = { access: 'spot', pool: 'spot', shape: 'A' } as const;
  const oneOrder = {
    ...common,
    method: 'POST',
    weight: 2,
    body: ORDER_REQUEST_SCHEMA.properties,
    checksBody: true,
  } as const;
  return [
    route({
      ...oneOrder,
      id: 'old-place-order',
      path: '/api/v1/orders',
      summary: 'Places an order. The default type is limit.',
      answer: Type.Object({ orderId: text }),
      handle: (call) => place(services, call, oldOrder(orderBody(call)), showId),
    }),
    route({
      ...oneOrder,
      id: 'old-test-order',
      path: '/api/v1/orders/test',
      summary: 'Validates an order without placing it.',
      answer: Type.Object({ orderId: text }),
      handle: (call) => tryOut(services, call, oldOrder(orderBody(call))),
    }),
    route({
      ...common,
      id: 'old-place-orders',
      method: 'POST',
      path: '/api/v1/orders/multi',
      summary: `Places up to ${ORDERS_MAX} limit orders of one trading pair.`,
      weight: 3,
      body: orderListBody(ORDERS_MAX),
      checksBody: true,
      answer: Type.Object({ data: Type.Array(Type.Object({}, { additionalProperties: true })) }),
      handle: (call) => placeAll(services, call),
    }),
    route({
      ...common,
      id: 'old-cancel-orders',
      method: 'DELETE',
      path: '/api/v1/orders',
      summary: "Cancels the caller's orders in a symbol, or all.",
      weight: 20,
      query: { symbol: optional, ...TRADE_TYPE_QUERY },
      answer: CANCELLED,
      async handle(call) {
        refuseEmptyFilters(call, 'symbol');
        if (!isOfSpot(call)) return { cancelledOrderIds: [] };
        const code = asked(call, 'symbol');
        const symbol = code === undefined ? undefined : symbolOf(services.catalogue, code);
        const orders = await cancelOrders(services, call, symbol);
        const ids = await idsOfOrders(services, orders);
        return { cancelledOrderIds: orders.map((order) => ids(order, call.time)) };
      },
    }),
    route({
      ...common,
      id: 'old-cancel-order',
      method: 'DELETE',
      path: '/api/v1/orders/:orderId',
      summary: 'Cancels an order by its id.',
      weight: 3,
      isIdempotent: true,
      params: { orderId: text },
      answer: CANCELLED,
      async handle(call) {
        const { user, time, params } = call;
        const order = await findById(services, { user, time }, params.orderId);
        if (!order) throw notThere('id', params.orderId);
        const symbol = services.catalogue.symbolAt(order.symbol);
        const show = () => ({ cancelledOrderIds: [params.orderId] });
        return settled(cancelById(services, call, symbol, params.orderId, show));
      },
    }),
    route({
      ...common,
      id: 'old-cancel-order-by-client-oid',
      method: 'DELETE',
      path: '/api/v1/order/client-order/:clientOid',
      summary: "Cancels an order by the client's id.",
      weight: 3,
      params: { clientOid: text },
      answer: Type.Object({ cancelledOrderId: text, clientOid: text, cancelledOcoOrderIds: Type.Null() }),
      async handle(call) {
        const { user, time, params } = call;
        const { clientOid } = params;
        const order = await findByClientOid(services, { user, time }, clientOid);
        if (!order) throw notThere('clientOid', clientOid);
        const symbol = services.catalogue.symbolAt(order.symbol);
        const show = async ({ outcome }: Cancelled) => {
          const ids = await idsOfOrders(services, [outcome.order]);
          return { cancelledOrderId: ids(outcome.order, time), clientOid, cancelledOcoOrderIds: null };
        };
        return settled(cancelByClientOid(services, call, symbol, clientOid, show));
      },
    }),
  ];
}

const notThere = (name: string, value: string): Refusal =>
  new Refusal('order-not-there', `You have no order with the ${name} ${shown(value)}.`);

/** Stop parameters are rejected here: ignoring them would place an immediate order instead of a stop order. */
function oldOrder(members: Members): Members {
  refuseOtherTrading(members);
  if (members['stop'] || members['stopPrice'])
    throw invalid('Stop orders are placed with POST /api/v1/stop-order.');
  return members['type'] === undefined ? { ...members, type: 'limit' } : members;
}

/** An entry may omit its symbol and use the request's. */
function placeAll(services: Services, call: Call<unknown, unknown>): unknown {
  const body = orderBody(call);
  const symbol = body['symbol'] === undefined ? {} : { symbol: body['symbol'] };
  const entries = listOf(body, ORDERS_MAX).map((entry) =>
    typeof entry === 'object' && entry !== null ? oldOrder({ ...symbol, ...(entry as Members) }) : entry,
  );
  return placeList(services, call, entries, (placed) => ({
    data: placed.map((each, at) => showEntry(each, entries[at] as Members, call)),
  }));
}

function showEntry(placed: ListedOrder | Refusal, entry: Members, { dialect }: Pick<UserContext, 'dialect'>) {
  const field = (name: string): unknown => (entry?.[name] === undefined ? null : plain(entry[name]));
  const isPlaced = !(placed instanceof Refusal);
  return {
    symbol: field('symbol'),
    type: field('type'),
    side: field('side'),
    price: field('price'),
    size: field('size'),
    funds: null,
    stp: field('stp') ?? '',
    stop: '',
    stopPrice: null,
    timeInForce: field('timeInForce') ?? 'GTC',
    cancelAfter: field('cancelAfter') ?? 0,
    postOnly: field('postOnly') ?? false,
    hidden: field('hidden') ?? false,
    iceberge: field('iceberg') ?? false,
    iceberg: field('iceberg') ?? false,
    visibleSize: field('visibleSize'),
    channel: 'API',
    id: isPlaced ? placed.id : null,
    status: isPlaced ? 'success' : 'fail',
    failMsg: isPlaced ? null : errorText(dialect, placed),
    clientOid: field('clientOid') ?? '',
    ...(!isPlaced && placed.detail && { detail: placed.detail }),
  };
}

/** A number that was kept as text, as JSON again. */
const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'text' in value ? value.text : value;
