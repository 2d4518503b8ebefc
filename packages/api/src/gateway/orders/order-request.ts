/**
 * Converts the JSON of one order into the core's request. Written out field by field, because every order passes here;
 * the schema at the end repeats it for the documentation, and a test compares the two.
 */

import type {
  Command,
  Once,
  OrderRequest,
  PlaceOrder,
  SelfTradeMode,
  SymbolSet,
  TimeInForce,
} from '@bourse/core';
import type { Catalogue } from '../../views/catalogue.ts';
import { isDecimal, moneyOf, unitsOf } from '../decimals.ts';
import { type OrderDecimals, refuseInexpressible } from '../errors/explain.ts';
import { invalid, type Refusal } from '../errors/refusal.ts';
import {
  asText,
  isUnset,
  type Members,
  membersOf,
  parseNumbersAsText,
  requiredText,
  shown,
  type Strict,
  symbolOf,
  textOf,
  wrongType,
} from '../members.ts';
import { queryValue, type QueryOf } from '../paging.ts';
import type { Call } from '../route.ts';
import { Type } from '../schema.ts';

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

// Members of an order as sent, by dialect.

const CANCEL_AFTER_SEC_MAX = 1_000_000_000;
const CLIENT_OID_LENGTH_MAX = 40;
const NOTE_LENGTH_MAX = 20;

export function sideOf(value: unknown, strict: Strict): 'buy' | 'sell' {
  if (value === 'buy' || value === 'sell') return value;
  throw wrongWord(value, 'side', 'buy or sell', strict);
}

function typeOf(value: unknown, strict: Strict): 'limit' | 'market' {
  if (value === 'limit' || value === 'market') return value;
  throw wrongWord(value, 'type', 'limit or market', strict);
}

function timeInForceOf(value: unknown, strict: Strict): TimeInForce | undefined {
  if (isUnset(value, strict)) return undefined;
  if (value === 'GTC' || value === 'GTT' || value === 'IOC' || value === 'FOK') return value;
  throw wrongWord(value, 'timeInForce', 'GTC, GTT, IOC or FOK', strict);
}

/** Order lists show an unset one as '', and both dialects accept that as input. */
function selfTradeModeOf(value: unknown, strict: Strict): SelfTradeMode | undefined {
  if (value === '' || isUnset(value, strict)) return undefined;
  if (value === 'CN' || value === 'CO' || value === 'CB' || value === 'DC') return value;
  throw wrongWord(value, 'stp', 'CN, CO, CB or DC', strict);
}

/** An empty string is unset. */
export function clientOidOf(value: unknown, strict: Strict): string | undefined {
  const text = textOf(value, 'clientOid', strict);
  if (text === undefined || text === '') return undefined;
  if (text.length <= CLIENT_OID_LENGTH_MAX && isName(text)) return text;
  throw invalid(
    `clientOid ${shown(text)} must be at most ${CLIENT_OID_LENGTH_MAX} digits, letters, underscores or hyphens` +
      (text.length > CLIENT_OID_LENGTH_MAX ? `; it has ${text.length} characters.` : '.'),
  );
}

/** Tags and remarks; an empty string is unset. */
export function noteOf(value: unknown, field: string, strict: Strict): string | undefined {
  const text = textOf(value, field, strict);
  if (text === undefined || text === '') return undefined;
  if (text.length <= NOTE_LENGTH_MAX && isPrintable(text)) return text;
  throw invalid(
    `${field} ${shown(text)} must be at most ${NOTE_LENGTH_MAX} printable ASCII characters` +
      (text.length > NOTE_LENGTH_MAX ? `; it has ${text.length}.` : '.'),
  );
}

/** A well-formed decimal as text. */
export function decimalOf(value: unknown, field: string, strict: Strict): string | undefined {
  if (isUnset(value, strict)) return undefined;
  const text = asText(value, strict);
  if (text === undefined) throw wrongType(value, field, 'a decimal in a JSON string, like "0.1"');
  if (isDecimal(text)) return text;
  throw invalid(
    `${field} ${shown(value)} is not a decimal: at most 40 digits and one point with digits on both sides, without ` +
      'sign, exponent or spaces.',
  );
}

function booleanOf(value: unknown, field: string): boolean {
  if (typeof value === 'boolean') return value;
  if (value === undefined || value === null) return false;
  throw wrongType(value, field, 'true or false');
}

/**
 * Whole seconds; 0, as shown in order lists, is unset. In the family dialect -1 is unset too, and the number may be a
 * string.
 */
function cancelAfterOf(value: unknown, strict: Strict): number | undefined {
  if (value === 0 || isUnset(value, strict)) return undefined;
  const text = strict ? undefined : typeof value === 'number' ? String(value) : asText(value, strict);
  if (text === '-1' || text === '0') return undefined;
  const seconds = text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : value;
  if (typeof seconds !== 'number') throw wrongType(value, 'cancelAfter', 'a JSON integer, in seconds');
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= CANCEL_AFTER_SEC_MAX) return seconds;
  throw invalid(
    `cancelAfter ${shown(value)} must be a whole number of seconds from 1 to ${CANCEL_AFTER_SEC_MAX}.`,
  );
}

/** The family dialect: an order older than its sender allows is not placed. */
function checkAge(members: Members, time: number): void {
  const allowedMs = millisecondsOf(members['allowMaxTimeWindow'], 'allowMaxTimeWindow');
  if (allowedMs === undefined) return;
  const sentAt = millisecondsOf(members['clientTimestamp'], 'clientTimestamp');
  if (sentAt === undefined) throw invalid('clientTimestamp is required with allowMaxTimeWindow.');
  if (sentAt + allowedMs >= time) return;
  throw invalid(
    `The order arrived ${time - sentAt} ms after its clientTimestamp, and allowMaxTimeWindow is ${allowedMs} ms.`,
  );
}

function millisecondsOf(value: unknown, field: string): number | undefined {
  if (isUnset(value, false)) return undefined;
  const text = typeof value === 'number' ? String(value) : asText(value, false);
  if (text !== undefined && /^\d{1,15}$/.test(text)) return Number(text);
  throw wrongType(value, field, 'a JSON integer, in milliseconds');
}

function wrongWord(value: unknown, field: string, words: string, strict: Strict): Refusal {
  if (value === undefined || isUnset(value, strict)) return invalid(`${field} is required: ${words}.`);
  return invalid(`${field} ${shown(value)} must be ${words}.`);
}

function isName(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
    if (!isLetter && !(code >= 48 && code <= 57) && code !== 45 && code !== 95) return false;
  }
  return true;
}

function isPrintable(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code > 0x7e) return false;
  }
  return true;
}

const SPOT = 'TRADE';

/** `tradeType`, which clients of the family send: only spot trading exists here. */
export const TRADE_TYPE_QUERY = {
  tradeType: Type.Optional(Type.String({ description: 'Always TRADE: there is only spot trading.' })),
};

/** Whether spot orders are requested; there are no others. */
export function isOfSpot(call: QueryOf<'tradeType'>): boolean {
  return (queryValue(call, 'tradeType') ?? SPOT) === SPOT;
}

/** An order for another kind of trading must not become a spot order. */
export function refuseOtherTrading({ tradeType }: Members): void {
  if (tradeType === undefined || tradeType === null || tradeType === '' || tradeType === SPOT) return;
  throw invalid(`tradeType ${shown(tradeType)} must be ${SPOT}: there is only spot trading.`);
}

// The schema of an order for the documentation; `readOrder` checks its members.

const DECIMAL_PATTERN = '^(?=[0-9.]{1,41}$)[0-9]{1,40}([.][0-9]{1,39})?$';

const words = (...names: string[]) => Type.Union(names.map((name) => Type.Literal(name)));
const decimal = (description: string) => Type.String({ pattern: DECIMAL_PATTERN, description });
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const note = (description: string) =>
  Type.Optional(Type.String({ maxLength: 20, pattern: '^[ -~]*$', description }));

const MEMBERS = {
  clientOid: Type.Optional(
    Type.String({
      maxLength: 40,
      pattern: '^[0-9A-Za-z_-]*$',
      description:
        'Your own id for the order, such as a UUID; it can be reused 72 hours after the order is done.',
    }),
  ),
  symbol: Type.String({ minLength: 1, description: 'The trading pair.' }),
  type: words('limit', 'market'),
  side: words('buy', 'sell'),
  stp: Type.Optional(words('CN', 'CO', 'CB', 'DC', '')),
  tags: note('At most 20 ASCII characters.'),
  remark: note('At most 20 ASCII characters.'),
  price: Type.Optional(decimal('For limit orders: a multiple of priceIncrement.')),
  size: Type.Optional(decimal('In the base currency: a multiple of baseIncrement.')),
  timeInForce: Type.Optional(words('GTC', 'GTT', 'IOC', 'FOK')),
  cancelAfter: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Seconds, with GTT; 0 is unset.' }),
  ),
  postOnly: flag('Cancelled if it would be filled at once; ignored with IOC and FOK.'),
  hidden: flag('Not shown in the order book.'),
  iceberg: flag('Shows visibleSize at a time.'),
  visibleSize: Type.Optional(decimal('For iceberg orders: at least a twentieth of the size.')),
};

export const ORDER_REQUEST_SCHEMA = Type.Object({
  ...MEMBERS,
  funds: Type.Optional(decimal('For market orders without size: a multiple of quoteIncrement.')),
});

/** Batches contain only limit orders with price and size; an invalid one fails alone. */
const LISTED = {
  ...MEMBERS,
  price: decimal('A multiple of priceIncrement.'),
  size: decimal('In the base currency: a multiple of baseIncrement.'),
};

export const orderListBody = (ordersMax: number) => ({
  orderList: Type.Array(Type.Object(LISTED), { minItems: 1, maxItems: ordersMax }),
});

type OrderCall = Pick<Call<unknown, unknown, unknown>, 'body' | 'rawBody' | 'dialect'>;

/** The body of an order request; keeps the notation of numbers if the dialect accepts numbers. */
export function orderBody({ body, rawBody, dialect }: OrderCall): Members {
  const members = membersOf(body, 'The body');
  if (dialect.isLiteral || rawBody === undefined || !hasNumber(members)) return members;
  return parseNumbersAsText(rawBody);
}

/** Integer members, which JSON.parse does not round. */
const INTEGERS: ReadonlySet<string> = new Set(['cancelAfter', 'clientTimestamp', 'allowMaxTimeWindow']);

/** A decimal that was parsed as a number may have been rounded; then the text is parsed again. */
function hasNumber(members: Members): boolean {
  for (const name in members) {
    const value = members[name];
    if (typeof value === 'number' && !INTEGERS.has(name)) return true;
    if (name === 'orderList' && Array.isArray(value) && value.some(hasNumber)) return true;
  }
  return false;
}
