/** Orders in responses: as look-ups show them, as the result of placing or cancelling one, and stop orders. */

import {
  RATE_DECIMALS,
  type DoneOcoOrder,
  type DoneOrder,
  type OcoOrder,
  type OrderOutcome,
  type OrderView,
  type StopOrder,
  type SymbolSet,
} from '@bourse/core';
import type { DoneStop } from '@bourse/engine';
import type { Catalogue } from '../../views/catalogue.ts';
import { formatMoney, formatSmall } from '../decimals.ts';
import { markedId, orderId, userId } from '../ids.ts';
import type { Dialect } from '../route.ts';
import { type TProperties, Type, wordOf } from '../schema.ts';

const text = Type.String();
const flag = Type.Boolean();
const integer = Type.Integer();

export const ORDER_SCHEMA = Type.Object({
  id: text,
  clientOid: text,
  symbol: text,
  opType: Type.Literal('DEAL'),
  type: Type.Union([Type.Literal('limit'), Type.Literal('market')]),
  side: Type.Union([Type.Literal('buy'), Type.Literal('sell')]),
  price: text,
  size: text,
  funds: text,
  dealSize: text,
  dealFunds: text,
  cancelledSize: text,
  cancelledFunds: text,
  remainSize: text,
  remainFunds: text,
  fee: text,
  feeCurrency: text,
  stp: wordOf('', 'CN', 'CO', 'CB', 'DC'),
  timeInForce: wordOf('GTC', 'GTT', 'IOC', 'FOK'),
  postOnly: flag,
  hidden: flag,
  iceberg: flag,
  visibleSize: text,
  cancelAfter: integer,
  channel: text,
  remark: text,
  tags: text,
  active: flag,
  inOrderBook: flag,
  cancelExist: flag,
  createdAt: integer,
  lastUpdatedAt: integer,
  tradeType: Type.Literal('TRADE'),
});

/** An active or done order. */
export type AnyOrder = OrderView | DoneOrder;
export type AnyStop = StopOrder | DoneStop;
export type AnyOco = OcoOrder | DoneOcoOrder;

const isDone = (order: AnyOrder): order is DoneOrder => 'done' in order;

/** As JSON text. */
export function orderDetail(order: AnyOrder, catalogue: Catalogue, dialect: Dialect): string {
  const symbol = catalogue.symbolAt(order.symbol);
  const quote = catalogue.currencyAt(symbol.quote);
  const done = isDone(order);
  const funds = fundsOf(order);
  const money = (units: bigint) => formatMoney(units, quote.scale);
  const size = (units: number) => formatSmall(units, symbol.sizeDecimals);
  return (
    `{"id":"${orderId(order.order, order.createdAt)}","clientOid":"${order.clientId}","symbol":"${symbol.code}",` +
    `"opType":"DEAL","type":"${order.type}","side":"${order.side}",` +
    `"price":"${formatSmall(order.price, symbol.priceDecimals)}","size":"${size(order.size)}",` +
    `"funds":"${money(funds.all)}","dealSize":"${size(order.dealSize)}","dealFunds":"${money(order.dealFunds)}",` +
    `"cancelledSize":"${size(cancelledSize(order))}","cancelledFunds":"${money(funds.cancelled)}",` +
    `"remainSize":"${size(done ? 0 : order.remaining)}","remainFunds":"${money(done ? 0n : funds.remaining)}",` +
    `"fee":"${money(order.fee)}","feeCurrency":"${quote.code}","stp":"${order.stp}",` +
    `"timeInForce":"${order.timeInForce}","postOnly":${order.postOnly},"hidden":${order.hidden},` +
    `"iceberg":${order.iceberg},"visibleSize":"${size(order.visibleSize)}","cancelAfter":${order.cancelAfterSec},` +
    `"channel":"API","remark":${JSON.stringify(order.remark)},"tags":${JSON.stringify(order.tags)},` +
    `"active":${!done},"inOrderBook":${done ? order.rested : true},"cancelExist":${wasCancelled(order)},` +
    `"createdAt":${order.createdAt},"lastUpdatedAt":${done ? order.doneAt : order.updatedAt},"tradeType":"TRADE"` +
    (dialect.isLiteral ? '}' : `,"tax":"0"${doneReason(order)}}`)
  );
}

interface Funds {
  readonly all: bigint;
  readonly cancelled: bigint;
  readonly remaining: bigint;
}

/**
 * A limit order is worth price times size, and so are its parts. A market order by funds has its funds, one by size
 * none. The remainder of an active order is what is neither filled nor cancelled; a sale above its price leaves
 * nothing.
 */
function fundsOf(order: AnyOrder): Funds {
  if (order.type === 'limit') {
    const price = BigInt(order.price);
    return partsOf(price * BigInt(order.size), order.dealFunds, price * BigInt(cancelledSize(order)));
  }
  if (isDone(order)) return partsOf(order.funds, order.dealFunds, order.cancelledFunds);
  return order.funds === undefined ? partsOf(0n, 0n, 0n) : partsOf(order.funds, order.dealFunds, 0n);
}

function partsOf(all: bigint, dealt: bigint, cancelled: bigint): Funds {
  const remaining = all - dealt - cancelled;
  return { all, cancelled, remaining: remaining > 0n ? remaining : 0n };
}

/** When an order ends, its remaining size is cancelled. */
function cancelledSize(order: AnyOrder): number {
  if (!isDone(order)) return order.cancelledSize;
  return order.size > 0 ? order.size - order.dealSize : 0;
}

function wasCancelled(order: AnyOrder): boolean {
  return cancelledSize(order) > 0 || (isDone(order) && order.done !== 'filled');
}

/**
 * Why an order, or its remainder, was cancelled. The document's fields only say that it was, so this is for the
 * family dialect only.
 */
function doneReason(order: AnyOrder): string {
  if (!isDone(order) || order.done === 'filled') return '';
  return `,"doneReason":${JSON.stringify(reasonOf(order, order.done))}`;
}

/** Why an order can no longer be cancelled, for an error message. */
export function endOf(order: DoneOrder): string {
  const { done } = order;
  return done === 'filled' ? 'completely filled' : `cancelled (${reasonOf(order, done)})`;
}

/** If an operator cancelled the order, its remark is the operator's reason. */
function reasonOf({ remark }: DoneOrder, done: keyof typeof REASONS): string {
  return done === 'operator' && remark !== '' ? `${REASONS[done]}: ${remark}` : REASONS[done];
}

const REASONS: Readonly<Record<Exclude<DoneOrder['done'], 'filled'>, string>> = {
  requested: 'as requested',
  oco: 'the other order of its pair traded or triggered',
  altered: 'replaced by a changed one',
  switch: "by the dead man's switch",
  expired: 'expired',
  ioc: 'the unfilled part of an IOC order',
  fok: 'a FOK order that could not be filled completely',
  'post-only': 'a postOnly order that would have been filled at once',
  'price-protection': 'price protection',
  'self-trade': 'self-trade prevention',
  'book-end': 'the order book was empty',
  'funds-end': 'the funds were used up',
  delisted: 'the symbol was delisted',
  operator: 'by the operator',
};

/**
 * An order as the old look-ups show it: with older field names, and the members of stop orders, which shared the
 * list.
 */
export const OLD_ORDER_SCHEMA = Type.Object({
  ...ORDER_SCHEMA.properties,
  isActive: Type.Boolean(),
  stop: text,
  stopTriggered: Type.Boolean(),
  stopPrice: text,
});

/** The funds of a limit order are not shown. */
export function oldOrderDetail(order: AnyOrder, catalogue: Catalogue, dialect: Dialect) {
  const detail = JSON.parse(orderDetail(order, catalogue, dialect)) as Record<string, unknown>;
  return {
    ...detail,
    ...(order.type === 'limit' && { funds: '0' }),
    isActive: detail['active'],
    stop: '',
    stopTriggered: false,
    stopPrice: '0',
  };
}

/** A stop order never trades: if it triggered, the resulting order is separate. */
export function oldStopDetail(stop: AnyStop, catalogue: Catalogue, dialect: Dialect) {
  const { request, createdAt } = stop;
  const symbol = catalogue.symbolAt(request.symbol);
  const quote = catalogue.currencyAt(symbol.quote);
  const isActive = !('reason' in stop);
  const stopTriggered = 'reason' in stop && stop.reason === 'triggered';
  const size = formatSmall(request.size ?? 0, symbol.sizeDecimals);
  const funds = formatMoney(request.funds ?? 0n, quote.scale);
  const isCancelled = !isActive && !stopTriggered;
  return {
    id: markedId('stop-order', stop.id),
    clientOid: request.clientId ?? '',
    symbol: symbol.code,
    opType: 'DEAL',
    type: request.type,
    side: request.side,
    price: formatSmall(request.price ?? 0, symbol.priceDecimals),
    size,
    funds,
    dealSize: '0',
    dealFunds: '0',
    cancelledSize: isCancelled ? size : '0',
    cancelledFunds: isCancelled ? funds : '0',
    remainSize: isActive ? size : '0',
    remainFunds: isActive ? funds : '0',
    fee: '0',
    feeCurrency: quote.code,
    stp: request.stp ?? '',
    timeInForce: request.timeInForce ?? 'GTC',
    postOnly: request.postOnly ?? false,
    hidden: request.hidden ?? false,
    iceberg: request.iceberg ?? false,
    visibleSize: formatSmall(request.visibleSize ?? 0, symbol.sizeDecimals),
    cancelAfter: request.cancelAfterSec ?? 0,
    channel: 'API',
    remark: request.remark ?? '',
    tags: request.tags ?? '',
    active: isActive,
    inOrderBook: false,
    cancelExist: isCancelled,
    createdAt,
    lastUpdatedAt: 'reason' in stop ? stop.doneAt : createdAt,
    tradeType: 'TRADE',
    ...(!dialect.isLiteral && { tax: '0' }),
    isActive,
    stop: stop.stop,
    stopTriggered,
    stopPrice: formatSmall(stop.stopPrice, symbol.priceDecimals),
  };
}

// The result of placing or cancelling an order.

const STATUS = Type.Union([Type.Literal('open'), Type.Literal('done')]);

/** Fields of market orders are "0" in a limit order, except `dealFunds`, the traded amount. */
export const SYNC_RESULT_SCHEMA = Type.Object({
  orderId: text,
  orderTime: text,
  originSize: text,
  originFunds: text,
  dealSize: text,
  dealFunds: text,
  remainSize: text,
  remainFunds: text,
  canceledSize: text,
  canceledFunds: text,
  status: STATUS,
  matchTime: text,
});

export const CANCEL_RESULT_SCHEMA = Type.Object({
  orderId: text,
  originSize: text,
  originFunds: text,
  dealSize: text,
  remainSize: text,
  canceledSize: text,
  status: STATUS,
});

const FAILURE: TProperties = { success: Type.Literal(false), status: Type.Literal('fail'), failMsg: text };

export const BATCH_RESULT_SCHEMA = Type.Array(
  Type.Union([
    Type.Object({ orderId: text, success: Type.Literal(true), status: Type.Literal('success') }),
    Type.Object(FAILURE),
  ]),
);

export const SYNC_BATCH_RESULT_SCHEMA = Type.Array(
  Type.Union([
    Type.Object({
      orderId: text,
      orderTime: Type.Integer(),
      originSize: text,
      dealSize: text,
      remainSize: text,
      canceledSize: text,
      status: STATUS,
      matchTime: Type.Integer(),
      success: Type.Literal(true),
    }),
    Type.Object(FAILURE),
  ]),
);

const statusOf = ({ done }: OrderOutcome): string => (done === '' ? 'open' : 'done');

/** `,"clientOid":"..."` if the dialect's clients know it; '' for an order without one. */
export const clientOidMember = (clientId: string, { isLiteral }: Dialect): string =>
  isLiteral ? '' : `,"clientOid":"${clientId}"`;

/**
 * `time` is the record's: the order is matched at that instant, unless it was split over records. The family's
 * clients read times as numbers.
 */
export function syncResult(
  id: string,
  outcome: OrderOutcome,
  time: number,
  symbol: SymbolSet,
  catalogue: Catalogue,
  dialect: Dialect,
): string {
  const { scale } = catalogue.currencyAt(symbol.quote);
  const size = (units: number) => formatSmall(units, symbol.sizeDecimals);
  const money = (units: bigint) => formatMoney(units, scale);
  const funds = partsOf(outcome.funds, outcome.dealFunds, outcome.cancelledFunds);
  const { createdAt = time, matchedAt = time } = outcome;
  const shownTime = (at: number) => (dialect.isLiteral ? `"${at}"` : String(at));
  return (
    `{"orderId":"${id}"${clientOidMember(outcome.clientId, dialect)},"orderTime":${shownTime(createdAt)},` +
    `"originSize":"${size(outcome.size)}","originFunds":"${money(funds.all)}",` +
    `"dealSize":"${size(outcome.dealSize)}","dealFunds":"${money(outcome.dealFunds)}",` +
    `"remainSize":"${size(outcome.remaining)}","remainFunds":"${money(outcome.done === '' ? funds.remaining : 0n)}",` +
    `"canceledSize":"${size(outcome.cancelledSize)}","canceledFunds":"${money(funds.cancelled)}",` +
    `"status":"${statusOf(outcome)}","matchTime":${shownTime(matchedAt)}}`
  );
}

/** One order of a batch: limit orders only, so without funds. */
export function syncBatchResult(
  id: string,
  outcome: OrderOutcome,
  time: number,
  symbol: SymbolSet,
  dialect: Dialect,
): string {
  const { createdAt = time, matchedAt = time } = outcome;
  const size = (units: number) => formatSmall(units, symbol.sizeDecimals);
  return (
    `{"orderId":"${id}"${clientOidMember(outcome.clientId, dialect)},"orderTime":${createdAt},` +
    `"originSize":"${size(outcome.size)}","dealSize":"${size(outcome.dealSize)}",` +
    `"remainSize":"${size(outcome.remaining)}","canceledSize":"${size(outcome.cancelledSize)}",` +
    `"status":"${statusOf(outcome)}","matchTime":${matchedAt},"success":true}`
  );
}

/** Only resting orders can be cancelled, and those are limit orders. */
export function cancelResult(id: string, outcome: OrderOutcome, symbol: SymbolSet, dialect: Dialect): string {
  const size = (units: number) => formatSmall(units, symbol.sizeDecimals);
  return (
    `{"orderId":"${id}"${clientOidMember(outcome.clientId, dialect)},` +
    `"originSize":"${size(outcome.size)}","originFunds":"0","dealSize":"${size(outcome.dealSize)}",` +
    `"remainSize":"${size(outcome.remaining)}","canceledSize":"${size(outcome.cancelledSize)}",` +
    `"status":"${statusOf(outcome)}"}`
  );
}

// A stop order in look-ups: NEW while it is pending, then TRIGGERED (it became an order), REJECTED (it triggered, and
// was rejected as an order) or CANCELLED. Unset fields are null, as in the family.

const unset = Type.Null();
const perhaps = Type.Union([text, unset]);

export type StopStatus = 'NEW' | 'TRIGGERED' | 'REJECTED' | 'CANCELLED';

const STATUSES: Readonly<Record<DoneStop['reason'], StopStatus>> = {
  triggered: 'TRIGGERED',
  rejected: 'REJECTED',
  requested: 'CANCELLED',
  oco: 'CANCELLED',
  delisted: 'CANCELLED',
  operator: 'CANCELLED',
};

export const stopStatus = (stop: AnyStop): StopStatus => ('reason' in stop ? STATUSES[stop.reason] : 'NEW');

export const STOP_ORDER_SCHEMA = Type.Object({
  id: text,
  symbol: text,
  userId: text,
  status: Type.String({ description: 'NEW, TRIGGERED, REJECTED or CANCELLED.' }),
  type: wordOf('limit', 'market'),
  side: wordOf('buy', 'sell'),
  price: text,
  size: perhaps,
  funds: perhaps,
  stp: perhaps,
  timeInForce: wordOf('GTC', 'GTT', 'IOC', 'FOK'),
  cancelAfter: Type.Integer(),
  postOnly: flag,
  hidden: flag,
  iceberg: flag,
  visibleSize: perhaps,
  channel: text,
  clientOid: text,
  remark: perhaps,
  tags: perhaps,
  relatedNo: Type.Union([text, unset], { description: 'The order that it became.' }),
  orderTime: Type.Integer({ description: 'Nanoseconds.' }),
  domainId: text,
  tradeSource: text,
  tradeType: Type.Literal('TRADE'),
  feeCurrency: text,
  takerFeeRate: text,
  makerFeeRate: text,
  createdAt: Type.Integer(),
  stop: wordOf('loss', 'entry'),
  stopTriggerTime: Type.Union([Type.Integer(), unset], { description: 'Milliseconds.' }),
  stopPrice: text,
  limitPrice: unset,
  pop: unset,
  activateCondition: unset,
  isActive: flag,
  stopTriggered: flag,
});

/** As JSON text, because nanoseconds are beyond 2^53. */
export function stopOrderDetail(stop: AnyStop, catalogue: Catalogue): string {
  const { request, user, createdAt } = stop;
  const status = stopStatus(stop);
  const triggered = 'reason' in stop && stop.reason === 'triggered' ? stop : null;
  const symbol = catalogue.symbolAt(request.symbol);
  const quote = catalogue.currencyAt(symbol.quote);
  const { maker, taker } = catalogue.rates(user, symbol.symbol);
  const size = (units: number | undefined) => (units ? formatSmall(units, symbol.sizeDecimals) : null);
  const head = {
    id: markedId('stop-order', stop.id),
    symbol: symbol.code,
    userId: userId(user),
    status,
    type: request.type,
    side: request.side,
    price: formatSmall(request.price ?? 0, symbol.priceDecimals),
    size: size(request.size),
    funds: request.funds ? formatMoney(request.funds, quote.scale) : null,
    stp: request.stp || null,
    timeInForce: request.timeInForce ?? 'GTC',
    cancelAfter: request.cancelAfterSec ?? -1,
    postOnly: request.postOnly ?? false,
    hidden: request.hidden ?? false,
    iceberg: request.iceberg ?? false,
    visibleSize: size(request.visibleSize),
    channel: 'API',
    clientOid: request.clientId ?? '',
    remark: request.remark || null,
    tags: request.tags || null,
    relatedNo: triggered && orderId(triggered.order, triggered.doneAt),
  };
  const tail = {
    domainId: 'bourse',
    tradeSource: 'USER',
    tradeType: 'TRADE',
    feeCurrency: quote.code,
    takerFeeRate: formatSmall(taker, RATE_DECIMALS),
    makerFeeRate: formatSmall(maker, RATE_DECIMALS),
    createdAt,
    stop: stop.stop,
    stopTriggerTime: triggered && triggered.doneAt,
    stopPrice: formatSmall(stop.stopPrice, symbol.priceDecimals),
    limitPrice: null,
    pop: null,
    activateCondition: null,
    isActive: status === 'NEW',
    stopTriggered: triggered !== null,
  };
  return `${JSON.stringify(head).slice(0, -1)},"orderTime":${createdAt}000000,${JSON.stringify(tail).slice(1)}`;
}
