/**
 * The old list of orders, filtered to stop orders and to the parts of OCO orders. Both have their own lists, which
 * are queried here with the old parameters: done by default, seven days at a time.
 */

import type { AnyOrder } from '../../orders/order-detail.ts';
import { oldOrderDetail, oldStopDetail } from '../../orders/old-order-detail.ts';
import { doneStops, waitingStops } from '../../orders/stop-finder.ts';
import { askedWord, type ListCall, type NumberedPage, pageWith, spanOf } from '../../paging.ts';
import type { UserContext } from '../../route.ts';
import type { Services } from '../../services.ts';

export const STOP_TYPES = ['limit_stop', 'market_stop', 'oco_limit', 'oco_stop'] as const;
export type StopType = (typeof STOP_TYPES)[number];

export const isStopType = (type: string | undefined): type is StopType =>
  STOP_TYPES.some((each) => each === type);

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

export function listStopType(
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
