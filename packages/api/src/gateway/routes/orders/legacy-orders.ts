/**
 * The family's old order endpoints, for old clients: other paths and formats of the same commands and lists. They need
 * no symbol if an id is enough. Unlike in the family, `clientOid` is optional.
 */

import { DAY_MS } from '@bourse/core';
import type { Counted, HistoryOrder, OrderFilter, Page } from '@bourse/engine';
import { invalid, Refusal } from '../../errors/refusal.ts';
import { type Members, shown, symbolOf } from '../../members.ts';
import { type AnyOrder, OLD_ORDER_SCHEMA, oldOrderDetail, oldStopDetail } from '../../orders/order-detail.ts';
import {
  doneStops,
  findByClientOid,
  findById,
  idsOfOrders,
  pendingStops,
} from '../../orders/order-finder.ts';
import {
  isOfSpot,
  ORDER_REQUEST_SCHEMA,
  orderBody,
  orderListBody,
  refuseOtherTrading,
  TRADE_TYPE_QUERY,
} from '../../orders/order-request.ts';
import {
  queryValue,
  queryWord,
  cutOf,
  type ListCall,
  type NumberedPage,
  PAGE_QUERY,
  pagedSchema,
  pageOf,
  pageWith,
  refuseEmptyFilters,
  SPAN_QUERY,
  spanOf,
} from '../../paging.ts';
import { errorText, settled } from '../../result.ts';
import { type Call, route, type Route, type UserContext } from '../../route.ts';
import { Type } from '../../schema.ts';
import type { Services } from '../../services.ts';
import { cancelByClientOid, cancelById, type Cancelled, cancelOrders, testOrder } from './changes.ts';
import { FILL_SCHEMA, fillsOf, KIND_QUERY, kindOf, showFills } from './lookup.ts';
import { type ListedOrder, listOf, place, placeList, showId } from './place.ts';
import { CANCELLED } from './stop-orders.ts';

const ORDERS_MAX = 5;

const text = Type.String();
const optional = Type.Optional(text);

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
      handle: (call) => testOrder(services, call, oldOrder(orderBody(call))),
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
        const code = queryValue(call, 'symbol');
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

// The family's old lists and look-ups of orders and fills: numbered pages, seven days at a time.

type SpanCall = ListCall<keyof typeof SPAN_QUERY>;

const SPAN_MS_MAX = 7 * DAY_MS;
const RECENT_MS = DAY_MS;
const RECENT_MAX = 1000;

const OLD_FILL_SCHEMA = Type.Object({ ...FILL_SCHEMA.properties, tradeId: text });

export function legacyListRoutes(services: Services): Route[] {
  const { catalogue, history, longLists } = services;
  const common = { method: 'GET', access: 'general', pool: 'spot', shape: 'A' } as const;
  const found = (order: AnyOrder | null, { dialect }: Pick<UserContext, 'dialect'>, name: string) => {
    if (order) return oldOrderDetail(order, catalogue, dialect);
    throw new Refusal('order-not-found', `You have no order ${shown(name)}.`);
  };
  return [
    route({
      ...common,
      id: 'old-list-orders',
      path: '/api/v1/orders',
      summary: "The caller's orders: done by default, or with status=active the active ones.",
      weight: 2,
      query: {
        status: Type.Optional(text),
        ...KIND_QUERY,
        type: Type.Optional(
          Type.String({
            description:
              'limit or market; limit_stop, market_stop: stop orders; oco_limit, oco_stop: parts of OCO orders.',
          }),
        ),
        ...TRADE_TYPE_QUERY,
        ...SPAN_QUERY,
        ...PAGE_QUERY,
      },
      answer: pagedSchema(OLD_ORDER_SCHEMA),
      async handle(call) {
        const status = queryWord(call, 'status', ['active', 'done']) ?? 'done';
        const page = pageOf(call);
        if (!isOfSpot(call)) return pageWith(page, 0, []);
        const type = queryWord(call, 'type', ['limit', 'market', ...STOP_TYPES]);
        if (isStopType(type)) return listStopType(services, call, type, page, SPAN_MS_MAX);
        const kind = kindOf(call, catalogue);
        const show = (orders: readonly AnyOrder[]) =>
          orders.map((order) => oldOrderDetail(order, catalogue, call.dialect));
        if (status === 'done') return doneOf(services, call, kind, page, show);
        const { total, orders } = await openOf(services, call, kind, page);
        return pageWith(page, total, show(orders));
      },
    }),
    route({
      ...common,
      id: 'old-list-recent-orders',
      path: '/api/v1/limit/orders',
      summary: `The caller's orders done in the last 24 hours, at most ${RECENT_MAX}.`,
      weight: 3,
      answer: Type.Array(OLD_ORDER_SCHEMA),
      async handle({ user, time, dialect }) {
        await services.historyCaughtUp();
        return longLists.collect({
          user,
          page: { limit: RECENT_MAX },
          read: (page) => history.orders({ user, from: time - RECENT_MS, ...page }),
          show: (orders) => orders.map((order) => oldOrderDetail(order, catalogue, dialect)),
        });
      },
    }),
    route({
      ...common,
      id: 'old-get-order',
      path: '/api/v1/orders/:orderId',
      summary: 'An order by its id.',
      weight: 2,
      params: { orderId: text },
      answer: OLD_ORDER_SCHEMA,
      async handle(call) {
        const { user, time, params } = call;
        return found(await findById(services, { user, time }, params.orderId), call, params.orderId);
      },
    }),
    route({
      ...common,
      id: 'old-get-order-by-client-oid',
      path: '/api/v1/order/client-order/:clientOid',
      summary: "An order by the client's id.",
      weight: 3,
      params: { clientOid: text },
      answer: OLD_ORDER_SCHEMA,
      async handle(call) {
        const { user, time, params } = call;
        return found(
          await findByClientOid(services, { user, time }, params.clientOid),
          call,
          params.clientOid,
        );
      },
    }),
    route({
      ...common,
      id: 'old-list-fills',
      path: '/api/v1/fills',
      summary: "The caller's fills, newest first.",
      weight: 10,
      query: {
        ...KIND_QUERY,
        orderId: Type.Optional(text),
        ...TRADE_TYPE_QUERY,
        ...SPAN_QUERY,
        ...PAGE_QUERY,
      },
      answer: pagedSchema(OLD_FILL_SCHEMA),
      async handle(call) {
        const page = pageOf(call);
        if (!isOfSpot(call)) return pageWith(page, 0, []);
        // A stop order that triggers becomes an ordinary order, and its fills are that order's.
        const type = queryWord(call, 'type', ['limit', 'market', 'limit_stop', 'market_stop']);
        if (isStopType(type)) return pageWith(page, 0, []);
        const filter = { ...fillsOf(call, catalogue), ...spanOf(call, SPAN_MS_MAX) };
        await services.historyCaughtUp();
        const fills = await longLists.collect({
          user: call.user,
          page: cutOf(page),
          read: (piece) => history.fills({ ...filter, ...piece }),
          show: async (rows) => (await showFills(services, rows)).map(oldFill),
        });
        return pageWith(page, history.countFills(filter), fills);
      },
    }),
    route({
      ...common,
      id: 'old-list-recent-fills',
      path: '/api/v1/limit/fills',
      summary: `The caller's fills of the last 24 hours, at most ${RECENT_MAX}.`,
      weight: 20,
      answer: Type.Array(OLD_FILL_SCHEMA),
      async handle({ user, time }) {
        await services.historyCaughtUp();
        return longLists.collect({
          user,
          page: { limit: RECENT_MAX },
          read: (page) => history.fills({ user, from: time - RECENT_MS, ...page }),
          show: async (rows) => (await showFills(services, rows)).map(oldFill),
        });
      },
    }),
  ];
}

type Kind = Counted<OrderFilter>;

interface Listed {
  readonly total: number;
  readonly orders: readonly AnyOrder[];
}

async function doneOf<Shown>(
  { history, historyCaughtUp, longLists }: Services,
  call: SpanCall,
  kind: Kind,
  page: NumberedPage,
  show: (orders: readonly AnyOrder[]) => Shown[],
) {
  const filter = { ...kind, ...spanOf(call, SPAN_MS_MAX) };
  await historyCaughtUp();
  const read = (piece: Page) => history.orders({ ...filter, ...piece });
  const items = await longLists.collect<HistoryOrder, Shown>({
    user: kind.user,
    page: cutOf(page),
    read,
    show,
  });
  return pageWith(page, history.countOrders(filter), items);
}

/** All active orders of the caller, newest first; the time span is of their creation and has no default. */
async function openOf(
  { port, catalogue }: Services,
  call: SpanCall,
  { user, symbol, side, type }: Kind,
  { skip, limit }: NumberedPage,
): Promise<Listed> {
  const { from = 0, until = Infinity } = spanOf(call);
  const symbols = symbol === undefined ? catalogue.symbols().map((each) => each.symbol) : [symbol];
  const open = await port.read((exchange) => symbols.flatMap((each) => exchange.openOrders(user, each)));
  const orders = open
    .filter((order) => (!side || order.side === side) && (!type || order.type === type))
    .filter(({ createdAt }) => createdAt >= from && createdAt <= until)
    .toSorted((a, b) => b.order - a.order);
  return { total: orders.length, orders: orders.slice(skip, skip + limit) };
}

const oldFill = <Fill extends { readonly tradeId: number }>(fill: Fill) => ({
  ...fill,
  tradeId: String(fill.tradeId),
});

/**
 * The old list of orders, filtered to stop orders and to the parts of OCO orders. Both have their own lists, which
 * are queried here with the old parameters: done by default, seven days at a time.
 */
const STOP_TYPES = ['limit_stop', 'market_stop', 'oco_limit', 'oco_stop'] as const;
export type StopType = (typeof STOP_TYPES)[number];

const isStopType = (type: string | undefined): type is StopType => STOP_TYPES.some((each) => each === type);

type Asker = Pick<UserContext, 'user' | 'dialect'>;
type OldCall = Asker & ListCall<'status' | 'symbol' | 'side' | 'startAt' | 'endAt'>;
type StopCall = Asker & ListCall<'symbol' | 'side' | 'type' | 'stop' | 'orderIds' | 'startAt' | 'endAt'>;

/** The parameters for the list of stop orders. */
const STOP_QUERIES = {
  limit_stop: { type: 'limit', stop: 'stop' },
  market_stop: { type: 'market', stop: 'stop' },
  oco_limit: { type: '', stop: 'oco' },
  oco_stop: { type: '', stop: 'oco' },
} as const;
const NO_ORDER = -1;

function listStopType(
  services: Services,
  call: OldCall,
  type: StopType,
  page: NumberedPage,
  spanMsMax: number,
) {
  const isDone = queryWord(call, 'status', ['active', 'done']) !== 'active';
  // These lists have no maximum span, so a missing end is filled in.
  const { from, until } = isDone ? spanOf(call, spanMsMax) : spanOf(call);
  const span = { startAt: String(Math.max(0, from ?? 0)), endAt: String(until ?? 0) };
  const narrowed = { ...call, query: { ...call.query, ...span, orderIds: '', ...STOP_QUERIES[type] } };
  return (type === 'oco_limit' ? limitParts : stopOrders)(services, narrowed, page, isDone);
}

async function stopOrders(services: Services, call: StopCall, page: NumberedPage, isDone: boolean) {
  const { total, rows } = isDone
    ? await doneStops(services, call, page)
    : cut(await pendingStops(services, call), page);
  return pageWith(
    page,
    total,
    rows.map((stop) => oldStopDetail(stop, services.catalogue, call.dialect)),
  );
}

/**
 * Found through their pairs, by the stop part, which has the side. A pair is done as soon as one part has traded,
 * even if the remainder of its limit order is still in the book. A part pruned from history is omitted.
 */
async function limitParts(services: Services, call: StopCall, page: NumberedPage, isDone: boolean) {
  const { port, history, catalogue } = services;
  const { total, rows } = isDone
    ? await doneStops(services, call, page)
    : cut(await pendingStops(services, call), page);
  const donePairs = rows.map((stop) => ('oco' in stop ? history.ocoOrder(stop.oco) : null));
  const found = await port.read((exchange) => {
    const pairs = new Map(exchange.reference.ocoOrdersOf(call.user).map((oco) => [oco.stopOrder, oco]));
    return rows.map(({ id }, at) => {
      const order = (donePairs[at] ?? pairs.get(id))?.order ?? NO_ORDER;
      return { order, live: exchange.order(order) ?? exchange.doneOrder(order) };
    });
  });
  const orders = found.flatMap(({ order, live }): AnyOrder | [] => live ?? history.order(order) ?? []);
  const items = orders.map((order) => oldOrderDetail(order, catalogue, call.dialect));
  return pageWith(page, total, items);
}

function cut<Row>(rows: readonly Row[], { skip, limit }: NumberedPage) {
  return { total: rows.length, rows: rows.slice(skip, skip + limit) };
}
