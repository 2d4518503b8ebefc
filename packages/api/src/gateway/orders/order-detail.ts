/** An order as look-ups show it. */

import type { DoneOrder, OrderView } from '@bourse/core';
import { Type, wordOf } from '../schema.ts';
import type { Catalogue } from '../../views/catalogue.ts';
import { formatMoney, formatSmall } from '../decimals.ts';
import type { Dialect } from '../route.ts';
import { orderId, markedId } from '../ids.ts';
import type { AnyStop } from './stop-finder.ts';

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

export function partsOf(all: bigint, dealt: bigint, cancelled: bigint): Funds {
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
  oco: 'the other order of its pair came first',
  altered: 'replaced by a changed one',
  switch: "by the dead man's switch",
  expired: 'expired',
  ioc: 'what an IOC order could not fill at once',
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
