/**
 * Converts the JSON of one order into the core's request. Written out field by field, because every order passes
 * here; order-schema.ts repeats it for the documentation, and a test compares the two.
 */

import type { Command, Once, OrderRequest, PlaceOrder, SymbolSet } from '@bourse/core';
import type { Catalogue } from '../../views/catalogue.ts';
import { moneyOf, unitsOf } from '../decimals.ts';
import { type OrderDecimals, refuseInexpressible } from '../errors/explain.ts';
import {
  cancelAfterOf,
  checkAge,
  clientOidOf,
  decimalOf,
  booleanOf,
  noteOf,
  selfTradeModeOf,
  sideOf,
  timeInForceOf,
  typeOf,
} from './order-fields.ts';
import { invalid } from '../errors/refusal.ts';
import { type Members, membersOf, requiredText, symbolOf } from '../members.ts';
import type { Call } from '../route.ts';

/** The time and transport of an order. */
type Arrival = Pick<Call, 'dialect' | 'time'>;

/** Rejects invalid fields, and values that no order of the symbol can have; the core checks everything else. */
export function readOrder(value: unknown, catalogue: Catalogue, { dialect, time }: Arrival): OrderRequest {
  const strict = dialect.isLiteral;
  const members = membersOf(value, 'An order');
  if (!strict) checkAge(members, time);
  const symbol = symbolOf(catalogue, requiredText(members['symbol'], 'symbol', strict));
  const type = typeOf(members['type'], strict);
  const side = sideOf(members['side'], strict);
  const clientId = clientOidOf(members['clientOid'], strict);
  const stp = selfTradeModeOf(members['stp'], strict);
  const tags = noteOf(members['tags'], 'tags', strict);
  const remark = noteOf(members['remark'], 'remark', strict);
  const sentSize = decimalOf(members['size'], 'size', strict);
  const sentFunds = decimalOf(members['funds'], 'funds', strict);
  const isLimit = type === 'limit';
  // Order lists show a market order's missing price or size as "0".
  const size = !isLimit && sentFunds !== undefined ? unlessZero(sentSize) : sentSize;
  const funds = isLimit || sentSize !== undefined ? unlessZero(sentFunds) : sentFunds;
  const limit = isLimit || strict ? readLimitFields(members, strict, isLimit) : NO_LIMIT_FIELDS;
  if (isLimit) checkLimit(limit, size, strict);
  else checkMarket(limit, size, funds, stp);

  const { price, timeInForce, cancelAfter, postOnly, hidden, iceberg } = limit;
  const visibleSize = iceberg ? limit.visibleSize : undefined;
  const quoteScale = catalogue.currencyAt(symbol.quote).scale;
  const order = toUnits(
    { price, size, visibleSize, funds: isLimit ? undefined : funds },
    {
      symbol: symbol.symbol,
      type,
      side,
      price: undefined,
      size: undefined,
      funds: undefined,
      timeInForce,
      cancelAfterSec: cancelAfter,
      postOnly: postOnly || undefined,
      hidden: hidden || undefined,
      iceberg: iceberg || undefined,
      visibleSize: undefined,
      stp,
      clientId,
      tags,
      remark,
    },
    symbol,
    quoteScale,
  );
  if (isLimit && funds !== undefined) checkWorth(order, funds, quoteScale);
  return order;
}

const unlessZero = (text: string | undefined): string | undefined => (text === '0' ? undefined : text);

/** Order lists show the value of a limit order in `funds`; any other amount contradicts it. */
function checkWorth({ price = 0, size = 0 }: OrderRequest, funds: string, quoteScale: number): void {
  if (moneyOf(funds, quoteScale) === BigInt(price) * BigInt(size)) return;
  throw invalid('funds is not allowed in a limit order: its amount is price times size.');
}

interface LimitFields {
  readonly price: string | undefined;
  readonly timeInForce: OrderRequest['timeInForce'] | undefined;
  readonly cancelAfter: number | undefined;
  readonly postOnly: boolean;
  readonly hidden: boolean;
  readonly iceberg: boolean;
  readonly visibleSize: string | undefined;
}

/**
 * Members of limit orders only. Clients of the family dialect send them with every market order, so they are ignored
 * there.
 */
const NO_LIMIT_FIELDS: LimitFields = {
  price: undefined,
  timeInForce: undefined,
  cancelAfter: undefined,
  postOnly: false,
  hidden: false,
  iceberg: false,
  visibleSize: undefined,
};

function readLimitFields(members: Members, strict: boolean, isLimit: boolean): LimitFields {
  const price = decimalOf(members['price'], 'price', strict);
  return {
    price: isLimit ? price : unlessZero(price),
    timeInForce: timeInForceOf(members['timeInForce'], strict),
    cancelAfter: cancelAfterOf(members['cancelAfter'], strict),
    postOnly: booleanOf(members['postOnly'], 'postOnly'),
    hidden: booleanOf(members['hidden'], 'hidden'),
    iceberg: booleanOf(members['iceberg'], 'iceberg'),
    visibleSize: unlessZero(decimalOf(members['visibleSize'], 'visibleSize', strict)),
  };
}

function checkLimit(
  { price, timeInForce, cancelAfter, iceberg, visibleSize }: LimitFields,
  size: string | undefined,
  strict: boolean,
): void {
  if (price === undefined) throw invalid('price is required in a limit order.');
  if (size === undefined) throw invalid('size is required in a limit order.');
  if (timeInForce === 'GTT' && cancelAfter === undefined) {
    throw invalid('cancelAfter is required with timeInForce GTT: seconds, as a JSON integer above 0.');
  }
  if (iceberg && visibleSize === undefined) throw invalid('visibleSize is required in an iceberg order.');
  if (timeInForce !== 'GTT' && cancelAfter !== undefined) {
    throw invalid('cancelAfter is not allowed without timeInForce GTT.');
  }
  // Clients of the family dialect send visibleSize with orders that are not icebergs; there it is ignored.
  if (strict && !iceberg && visibleSize !== undefined) {
    throw invalid('visibleSize is not allowed without iceberg.');
  }
}

function checkMarket(
  limit: LimitFields,
  size: string | undefined,
  funds: string | undefined,
  stp: string | undefined,
): void {
  if (size === undefined && funds === undefined) throw invalid('A market order needs one of size and funds.');
  const misplaced =
    (limit.price !== undefined && 'price') ||
    (limit.timeInForce !== undefined && 'timeInForce') ||
    (limit.cancelAfter !== undefined && 'cancelAfter') ||
    (limit.postOnly && 'postOnly') ||
    (limit.hidden && 'hidden') ||
    (limit.iceberg && 'iceberg') ||
    (limit.visibleSize !== undefined && 'visibleSize');
  if (misplaced) throw invalid(`${misplaced} is not allowed in a market order.`);
  if (stp === 'DC') throw invalid('stp DC is not allowed in a market order: use CN, CO or CB.');
  if (size !== undefined && funds !== undefined) {
    throw invalid('A market order has one of size and funds, not both.');
  }
}

/** All fields are always present in the same order, so that the core sees objects of one shape; unset is undefined. */
type Mutable<T> = { -readonly [K in keyof T]-?: T[K] | undefined };

/** Converts the decimals of the request to integers; the texts are well-formed. */
function toUnits(
  decimals: OrderDecimals,
  request: Mutable<OrderRequest>,
  symbol: SymbolSet,
  quoteScale: number,
): OrderRequest {
  const { price, size, visibleSize, funds } = decimals;
  let isExpressible = true;
  if (price !== undefined) {
    request.price = unitsOf(price, symbol.priceDecimals);
    isExpressible = request.price >= 0;
  }
  if (size !== undefined) {
    request.size = unitsOf(size, symbol.sizeDecimals);
    isExpressible &&= request.size >= 0;
  }
  if (visibleSize !== undefined) {
    request.visibleSize = unitsOf(visibleSize, symbol.sizeDecimals);
    isExpressible &&= request.visibleSize >= 0;
  }
  if (funds !== undefined) {
    const money = moneyOf(funds, quoteScale);
    if (typeof money === 'bigint') request.funds = money;
    else isExpressible = false;
  }
  if (!isExpressible) throw refuseInexpressible(decimals, symbol);
  return request as OrderRequest;
}

/** One order as a command, with all fields in a fixed order. */
export function placeCommand(user: number, order: OrderRequest, once: Once | undefined): Command {
  const { symbol, type, side, price, size, funds, timeInForce, cancelAfterSec } = order;
  const { postOnly, hidden, iceberg, visibleSize, stp, clientId, tags, remark } = order;
  const command: Record<keyof PlaceOrder | 'once', unknown> = {
    kind: 'place-order',
    user,
    symbol,
    type,
    side,
    price,
    size,
    funds,
    timeInForce,
    cancelAfterSec,
    postOnly,
    hidden,
    iceberg,
    visibleSize,
    stp,
    clientId,
    tags,
    remark,
    once,
  };
  return command as unknown as Command;
}
