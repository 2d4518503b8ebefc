/** The members of an order for the documentation; order-request.ts checks them. */

import { Type } from '../schema.ts';
import { type Members, membersOf, parseNumbersAsText } from '../members.ts';
import type { Call } from '../route.ts';

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
        'Your own name for the order, a UUID for example; it may be used again 72 hours after the order is done.',
    }),
  ),
  symbol: Type.String({ minLength: 1, description: 'The trading pair.' }),
  type: words('limit', 'market'),
  side: words('buy', 'sell'),
  stp: Type.Optional(words('CN', 'CO', 'CB', 'DC', '')),
  tags: note('At most 20 ASCII characters.'),
  remark: note('At most 20 ASCII characters.'),
  price: Type.Optional(decimal('Of a limit order: a multiple of priceIncrement.')),
  size: Type.Optional(decimal('In the base currency: a multiple of baseIncrement.')),
  timeInForce: Type.Optional(words('GTC', 'GTT', 'IOC', 'FOK')),
  cancelAfter: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Seconds, with GTT; 0 is unset.' }),
  ),
  postOnly: flag('Cancelled where it would be filled at once; ignored with IOC and FOK.'),
  hidden: flag('Not shown in the order book.'),
  iceberg: flag('Shows visibleSize at a time.'),
  visibleSize: Type.Optional(decimal('Of an iceberg order: at least a twentieth of the size.')),
};

export const ORDER_REQUEST_SCHEMA = Type.Object({
  ...MEMBERS,
  funds: Type.Optional(decimal('Of a market order without size: a multiple of quoteIncrement.')),
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
