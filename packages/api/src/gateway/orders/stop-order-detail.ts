/**
 * A stop order in look-ups: NEW while it is pending, then TRIGGERED (it became an order), REJECTED (it triggered, and
 * was rejected as an order) or CANCELLED. Unset fields are null, as in the family.
 */

import type { DoneStop } from '@bourse/engine';
import { Type, wordOf } from '../schema.ts';
import type { Catalogue } from '../../views/catalogue.ts';
import { formatMoney, formatSmall } from '../decimals.ts';
import { markedId, orderId, userId } from '../ids.ts';
import type { AnyStop } from './stop-finder.ts';

const RATE_DECIMALS = 8;

const text = Type.String();
const flag = Type.Boolean();
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
