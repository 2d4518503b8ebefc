/** The family's old lists and look-ups of orders and fills: numbered pages, seven days at a time. */

import { DAY_MS } from '@bourse/core';
import type { Counted, HistoryOrder, OrderFilter, Page } from '@bourse/engine';
import { Type } from '../../schema.ts';
import { type AnyOrder, OLD_ORDER_SCHEMA, oldOrderDetail, oldStopDetail } from '../../orders/order-detail.ts';
import { Refusal } from '../../errors/refusal.ts';
import { shown } from '../../members.ts';
import { findByClientOid, findById } from '../../orders/order-finder.ts';
import { isOfSpot, TRADE_TYPE_QUERY } from '../../orders/order-fields.ts';
import {
  askedWord,
  cutOf,
  type ListCall,
  type NumberedPage,
  PAGE_QUERY,
  pagedSchema,
  pageOf,
  pageWith,
  SPAN_QUERY,
  spanOf,
} from '../../paging.ts';
import { route, type Route, type UserContext } from '../../route.ts';
import type { Services } from '../../services.ts';
import { FILL_SCHEMA, fillsOf, KIND_QUERY, kindOf, showFills } from './done-orders.ts';
import { doneStops, waitingStops } from '../../orders/stop-finder.ts';

type SpanCall = ListCall<keyof typeof SPAN_QUERY>;

const SPAN_MS_MAX = 7 * DAY_MS;
const RECENT_MS = DAY_MS;
const RECENT_MAX = 1000;

const text = Type.String();

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
        const status = askedWord(call, 'status', ['active', 'done']) ?? 'done';
        const page = pageOf(call);
        if (!isOfSpot(call)) return pageWith(page, 0, []);
        const type = askedWord(call, 'type', ['limit', 'market', ...STOP_TYPES]);
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
        const type = askedWord(call, 'type', ['limit', 'market', 'limit_stop', 'market_stop']);
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
  const isDone = askedWord(call, 'status', ['active', 'done']) !== 'active';
  // These lists have no maximum span, so a missing end is filled in.
  const { from, until } = isDone ? spanOf(call, spanMsMax) : spanOf(call);
  const span = { startAt: String(Math.max(0, from ?? 0)), endAt: String(until ?? 0) };
  const narrowed = { ...call, query: { ...call.query, ...span, orderIds: '', ...STOP_QUERIES[type] } };
  return (type === 'oco_limit' ? limitParts : stopOrders)(services, narrowed, page, isDone);
}

async function stopOrders(services: Services, call: StopCall, page: NumberedPage, isDone: boolean) {
  const { total, rows } = isDone
    ? await doneStops(services, call, page)
    : cut(await waitingStops(services, call), page);
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
    : cut(await waitingStops(services, call), page);
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
