/**
 * Finds orders of the caller: active or pending ones in the exchange, done ones there until history has them, and in
 * history within the look-up window.
 */

import type { DoneOcoOrder, OcoOrder, StopOrder, SymbolSet } from '@bourse/core';
import type { DoneStop } from '@bourse/engine';
import { invalid } from '../errors/refusal.ts';
import { orderId, parseMarkedId, parseOrderId } from '../ids.ts';
import { symbolOf } from '../members.ts';
import { queryValue, queryWord, type QueryOf, type ListCall, type NumberedPage, spanOf } from '../paging.ts';
import type { Services } from '../services.ts';
import type { AnyOco, AnyOrder, AnyStop } from './order-detail.ts';

export type LookupServices = Pick<Services, 'port' | 'history' | 'lookupWindowMs'>;

/** The caller, the symbol and the time of a look-up. */
export interface Lookup {
  readonly user: number;
  /** Undefined: any symbol. */
  readonly symbol?: SymbolSet;
  /** Milliseconds. */
  readonly time: number;
}

/** Another user's order, or one of another symbol, gets the same error as a nonexistent one. */
export async function findById(
  services: LookupServices,
  lookup: Lookup,
  id: string,
): Promise<AnyOrder | null> {
  const parsed = parseOrderId(id);
  if (parsed === null) return null;
  const { number, seconds } = parsed;
  const order =
    (await services.port.read((exchange) => exchange.order(number) ?? exchange.doneOrder(number))) ??
    services.history.order(number);
  if (order === null || Math.floor(order.createdAt / 1000) !== seconds) return null;
  return isFor(order, lookup, services.lookupWindowMs) ? order : null;
}

/** The latest order with the client id. */
export async function findByClientOid(
  services: LookupServices,
  lookup: Lookup,
  clientOid: string,
): Promise<AnyOrder | null> {
  if (clientOid === '') return null;
  const { user, time } = lookup;
  const order =
    (await services.port.read(
      (exchange) =>
        exchange.orderByClientId(user, clientOid) ?? exchange.doneOrderByClientId(user, clientOid),
    )) ?? services.history.orderByClientId(user, clientOid, time - services.lookupWindowMs);
  return order !== null && isFor(order, lookup, services.lookupWindowMs) ? order : null;
}

function isFor(order: AnyOrder, { user, symbol, time }: Lookup, windowMs: number): boolean {
  if (order.user !== user || (symbol && order.symbol !== symbol.symbol)) return false;
  return !('doneAt' in order) || order.doneAt > time - windowMs;
}

/**
 * Ids of orders known only by number: the creation time is half of an id, and fills do not contain it. `at` replaces the
 * creation time if history no longer has the order.
 */
export type OrderIds = (order: number, at: number) => string;

export async function idsOfOrders(
  { port, history }: Pick<Services, 'port' | 'history'>,
  orders: Iterable<number>,
): Promise<OrderIds> {
  const times = new Map<number, number>();
  const wanted = new Set(orders);
  await port.read((exchange) => {
    for (const order of wanted) {
      const found = exchange.order(order) ?? exchange.doneOrder(order);
      if (found) times.set(order, found.createdAt);
    }
  });
  for (const order of wanted) {
    if (times.has(order)) continue;
    const found = history.order(order);
    if (found) times.set(order, found.createdAt);
  }
  return (order, at) => orderId(order, times.get(order) ?? at);
}

// Stop and OCO orders.

const IDS_MAX = 100;

/** The caller and the time of a look-up. */
type StopLookup = { readonly time: number; readonly user: number };
type OcoCall = ListCall<'symbol' | 'orderIds' | 'startAt' | 'endAt'> & StopLookup;
type StopCall = OcoCall & QueryOf<'side' | 'type' | 'stop'>;

/** Whether pending or done orders are requested. */
export const queryStatus = (call: QueryOf<'status'>): 'active' | 'done' =>
  queryWord(call, 'status', ['active', 'done']) ?? 'active';

/** Parses a comma-separated list of ids; ignores invalid ones. */
function idsOf(list: string | undefined, kind: 'stop-order' | 'oco-order'): Set<number> | undefined {
  if (list === undefined) return undefined;
  const ids = list.split(',');
  if (ids.length > IDS_MAX)
    throw invalid(`orderIds names ${ids.length} orders; at most ${IDS_MAX} are taken at once.`);
  return new Set(ids.map((id) => parseMarkedId(kind, id)));
}

/** The filters of a list of stop orders. */
function stopFilter({ catalogue }: Services, call: StopCall) {
  const code = queryValue(call, 'symbol');
  const symbol = code === undefined ? undefined : symbolOf(catalogue, code).symbol;
  const side = queryWord(call, 'side', ['buy', 'sell']);
  const type = queryWord(call, 'type', ['limit', 'market']);
  const kind = queryWord(call, 'stop', ['loss', 'entry', 'stop', 'oco']);
  const stop = kind === 'loss' || kind === 'entry' ? kind : undefined;
  const isPaired = kind === 'stop' || kind === 'oco' ? kind === 'oco' : undefined;
  return {
    user: call.user,
    ...spanOf(call),
    ...(symbol !== undefined && { symbol }),
    ...(side && { side }),
    ...(type && { type }),
    ...(stop && { stop }),
    ...(isPaired !== undefined && { isPaired }),
  };
}

type StopFilter = ReturnType<typeof stopFilter>;

function fits(each: StopOrder, isPaired: boolean, filter: StopFilter): boolean {
  const { symbol, side, type, stop, from = 0, until = Infinity } = filter;
  const { request, createdAt } = each;
  return (
    (symbol === undefined || request.symbol === symbol) &&
    (side === undefined || request.side === side) &&
    (type === undefined || request.type === type) &&
    (stop === undefined || each.stop === stop) &&
    (filter.isPaired === undefined || isPaired === filter.isPaired) &&
    createdAt >= from &&
    createdAt <= until
  );
}

/** Pending stop orders, newest first. */
export async function pendingStops(services: Services, call: StopCall): Promise<StopOrder[]> {
  const filter = stopFilter(services, call);
  const numbers = idsOf(queryValue(call, 'orderIds'), 'stop-order');
  const { stops, paired } = await services.port.read(({ reference }) => ({
    stops: reference.stopOrdersOf(call.user),
    paired: new Set(reference.ocoOrdersOf(call.user).map(({ stopOrder }) => stopOrder)),
  }));
  return stops
    .filter(({ id }) => numbers === undefined || numbers.has(id))
    .filter((each) => fits(each, paired.has(each.id), filter))
    .toReversed();
}

interface Listed<Row> {
  readonly total: number;
  readonly rows: readonly Row[];
}

const asTheyAre = <Row>(rows: readonly Row[]) => rows;

/** One page of done stop orders, newest first. */
export async function doneStops(
  services: Services,
  call: StopCall,
  { skip, limit }: NumberedPage,
): Promise<Listed<DoneStop>> {
  const { history, longLists } = services;
  const filter = stopFilter(services, call);
  const numbers = idsOf(queryValue(call, 'orderIds'), 'stop-order');
  await services.historyCaughtUp();
  if (numbers === undefined) {
    const rows = await longLists.collect({
      user: call.user,
      page: { skip, limit },
      read: (piece) => history.stopOrders({ ...filter, ...piece }),
      show: asTheyAre,
    });
    return { total: history.countStopOrders(filter), rows };
  }
  const named = [...numbers].toSorted((a, b) => b - a).flatMap((id) => history.stopOrder(id) ?? []);
  const rows = named.filter((each) => each.user === call.user && fits(each, each.oco !== 0, filter));
  return { total: rows.length, rows: rows.slice(skip, skip + limit) };
}

export async function findPendingStop(
  { port }: Services,
  user: number,
  id: string,
): Promise<StopOrder | null> {
  const number = parseMarkedId('stop-order', id);
  if (number < 0) return null;
  const stop = await port.read(({ reference }) => reference.stopOrder(number));
  return stop?.user === user ? stop : null;
}

export async function findStop(services: Services, lookup: StopLookup, id: string): Promise<AnyStop | null> {
  const waiting = await findPendingStop(services, lookup.user, id);
  if (waiting) return waiting;
  const number = parseMarkedId('stop-order', id);
  if (number < 0) return null;
  await services.historyCaughtUp();
  return within(services, lookup, services.history.stopOrder(number));
}

/** The pending order, or the latest done one. */
export async function findStopByClientOid(
  services: Services,
  call: StopCall,
  clientOid: string,
): Promise<AnyStop | null> {
  if (clientOid === '') return null;
  const waiting = (await pendingStops(services, call)).find(({ request }) => request.clientId === clientOid);
  if (waiting) return waiting;
  await services.historyCaughtUp();
  const done = within(services, call, services.history.stopOrderByClientId(call.user, clientOid));
  return done && fits(done, done.oco !== 0, stopFilter(services, call)) ? done : null;
}

/** Finds an OCO order by its own id or by the client's. */
export type OcoName = { readonly id: string } | { readonly clientOid: string };

export async function findPendingOco(
  { port }: Services,
  user: number,
  name: OcoName,
): Promise<OcoOrder | null> {
  const number = 'id' in name ? parseMarkedId('oco-order', name.id) : -1;
  const clientOid = 'clientOid' in name ? name.clientOid : '';
  const isIt = (oco: OcoOrder): boolean =>
    'id' in name ? oco.id === number : clientOid !== '' && oco.clientId === clientOid;
  return (await port.read(({ reference }) => reference.ocoOrdersOf(user).find(isIt))) ?? null;
}

export async function findOco(services: Services, lookup: StopLookup, name: OcoName): Promise<AnyOco | null> {
  const waiting = await findPendingOco(services, lookup.user, name);
  if (waiting) return waiting;
  const { history } = services;
  await services.historyCaughtUp();
  if ('clientOid' in name) {
    const isNamed = name.clientOid !== '';
    return isNamed ? within(services, lookup, history.ocoOrderByClientId(lookup.user, name.clientOid)) : null;
  }
  const number = parseMarkedId('oco-order', name.id);
  return number < 0 ? null : within(services, lookup, history.ocoOrder(number));
}

function ocoFilter({ catalogue }: Services, call: OcoCall) {
  const code = queryValue(call, 'symbol');
  const symbol = code === undefined ? undefined : symbolOf(catalogue, code).symbol;
  return { user: call.user, ...spanOf(call), ...(symbol !== undefined && { symbol }) };
}

function fitsOco(oco: OcoOrder, filter: ReturnType<typeof ocoFilter>): boolean {
  const { symbol, from = 0, until = Infinity } = filter;
  return (symbol === undefined || oco.symbol === symbol) && oco.createdAt >= from && oco.createdAt <= until;
}

/** Pending OCO orders, newest first. */
export async function pendingOcos(services: Services, call: OcoCall): Promise<OcoOrder[]> {
  const filter = ocoFilter(services, call);
  const numbers = idsOf(queryValue(call, 'orderIds'), 'oco-order');
  const own = await services.port.read(({ reference }) => reference.ocoOrdersOf(call.user));
  return own
    .filter((oco) => (numbers === undefined || numbers.has(oco.id)) && fitsOco(oco, filter))
    .toReversed();
}

export async function doneOcos(
  services: Services,
  call: OcoCall,
  { skip, limit }: NumberedPage,
): Promise<Listed<DoneOcoOrder>> {
  const { history, longLists } = services;
  const filter = ocoFilter(services, call);
  const numbers = idsOf(queryValue(call, 'orderIds'), 'oco-order');
  await services.historyCaughtUp();
  if (numbers === undefined) {
    const rows = await longLists.collect({
      user: call.user,
      page: { skip, limit },
      read: (piece) => history.ocoOrders({ ...filter, ...piece }),
      show: asTheyAre,
    });
    return { total: history.countOcoOrders(filter), rows };
  }
  const named = [...numbers].toSorted((a, b) => b - a).flatMap((id) => history.ocoOrder(id) ?? []);
  const rows = named.filter((each) => each.user === call.user && fitsOco(each, filter));
  return { total: rows.length, rows: rows.slice(skip, skip + limit) };
}

/** Orders of other users, and those done too long ago, count as unknown. */
function within<Done extends { readonly user: number; readonly doneAt: number }>(
  { lookupWindowMs }: Services,
  { user, time }: StopLookup,
  done: Done | null,
): Done | null {
  return done && done.user === user && done.doneAt > time - lookupWindowMs ? done : null;
}
