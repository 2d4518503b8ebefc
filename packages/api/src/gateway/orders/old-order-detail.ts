/**
 * An order as the old look-ups show it: with older field names, and the members of stop orders, which shared the
 * list.
 */

import type { Catalogue } from '../../views/catalogue.ts';
import { formatMoney, formatSmall } from '../decimals.ts';
import type { Dialect } from '../dialects.ts';
import { markedId } from '../ids.ts';
import { Type } from '../schema.ts';
import { type AnyOrder, ORDER_SCHEMA, orderDetail } from './order-detail.ts';
import type { AnyStop } from './stop-finder.ts';

const text = Type.String();

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
