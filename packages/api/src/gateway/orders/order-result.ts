/** The result of an order, for the responses to placing and cancelling. */

import type { OrderOutcome, SymbolSet } from '@bourse/core';
import { type TProperties, Type } from '../schema.ts';
import type { Catalogue } from '../../views/catalogue.ts';
import { formatMoney, formatSmall } from '../decimals.ts';
import type { Dialect } from '../route.ts';
import { partsOf } from './order-detail.ts';

const text = Type.String();
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
