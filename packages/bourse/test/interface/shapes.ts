import assert from 'node:assert/strict';

/** The types of fields. `amount` is a plain decimal without trailing zeros. */
export type Kind = 'string' | 'amount' | 'integer' | 'boolean' | 'digits' | 'null' | readonly Kind[] | Shape;
export interface Shape {
  readonly [field: string]: Kind;
}

const tests: Record<string, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  amount: (value) => typeof value === 'string' && /^(0|[1-9]\d*)(\.\d*[1-9])?$/.test(value),
  digits: (value) => typeof value === 'string' && /^\d+$/.test(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

function fits(value: unknown, kind: Kind): boolean {
  if (typeof kind === 'string') return tests[kind](value);
  return Array.isArray(kind) && kind.some((one: Kind) => fits(value, one));
}

/** Asserts exactly these fields with these JSON types. */
export function exactly(value: unknown, shape: Shape, where = 'answer'): void {
  assert.ok(typeof value === 'object' && value !== null && !Array.isArray(value), `${where} is an object`);
  assert.deepEqual(Object.keys(value).toSorted(), Object.keys(shape).toSorted(), `fields of ${where}`);
  for (const [name, kind] of Object.entries(shape)) {
    const field = (value as Record<string, unknown>)[name];
    const said = `${where}.${name} = ${JSON.stringify(field)}`;
    if (typeof kind === 'object' && !Array.isArray(kind)) exactly(field, kind as Shape, `${where}.${name}`);
    else assert.ok(fits(field, kind), `${said} is ${JSON.stringify(kind)}`);
  }
}

/** An array whose every element has exactly that shape. */
export function each(value: unknown, shape: Shape, where = 'answer'): Record<string, unknown>[] {
  assert.ok(Array.isArray(value), `${where} is an array`);
  for (const [index, entry] of value.entries()) exactly(entry, shape, `${where}[${index}]`);
  return value as Record<string, unknown>[];
}

export const orderDetail: Shape = {
  id: 'string',
  clientOid: 'string',
  symbol: 'string',
  opType: 'string',
  type: 'string',
  side: 'string',
  price: 'amount',
  size: 'amount',
  funds: 'amount',
  dealSize: 'amount',
  dealFunds: 'amount',
  cancelledSize: 'amount',
  cancelledFunds: 'amount',
  remainSize: 'amount',
  remainFunds: 'amount',
  fee: 'amount',
  feeCurrency: 'string',
  stp: 'string',
  timeInForce: 'string',
  postOnly: 'boolean',
  hidden: 'boolean',
  iceberg: 'boolean',
  visibleSize: 'amount',
  cancelAfter: 'integer',
  channel: 'string',
  remark: 'string',
  tags: 'string',
  active: 'boolean',
  inOrderBook: 'boolean',
  cancelExist: 'boolean',
  createdAt: 'integer',
  lastUpdatedAt: 'integer',
  tradeType: 'string',
};

export const syncResult: Shape = {
  orderId: 'string',
  orderTime: 'digits',
  originSize: 'amount',
  originFunds: 'amount',
  dealSize: 'amount',
  dealFunds: 'amount',
  remainSize: 'amount',
  remainFunds: 'amount',
  canceledSize: 'amount',
  canceledFunds: 'amount',
  status: 'string',
  matchTime: 'digits',
};

export const batchSyncEntry: Shape = {
  orderId: 'string',
  orderTime: 'integer',
  originSize: 'amount',
  dealSize: 'amount',
  remainSize: 'amount',
  canceledSize: 'amount',
  status: 'string',
  matchTime: 'integer',
  success: 'boolean',
};

export const syncCancelLimit: Shape = {
  orderId: 'string',
  originSize: 'amount',
  dealSize: 'amount',
  remainSize: 'amount',
  canceledSize: 'amount',
  status: 'string',
};

export const chain: Shape = {
  chainId: 'string',
  chainName: 'string',
  depositMinSize: ['amount', 'null'],
  depositFeeRate: 'string',
  withdrawalMinSize: 'amount',
  withdrawalMinFee: 'amount',
  withdrawFeeRate: 'string',
  withdrawMaxFee: 'string',
  isWithdrawEnabled: 'boolean',
  isDepositEnabled: 'boolean',
  confirms: 'integer',
  preConfirms: 'integer',
  contractAddress: 'string',
};

export const symbol: Shape = {
  symbol: 'string',
  name: 'string',
  baseCurrency: 'string',
  quoteCurrency: 'string',
  feeCurrency: 'string',
  market: 'string',
  baseMinSize: 'amount',
  baseMaxSize: 'amount',
  quoteMinSize: 'amount',
  quoteMaxSize: 'amount',
  baseIncrement: 'amount',
  quoteIncrement: 'amount',
  priceIncrement: 'amount',
  priceLimitRate: 'amount',
  minFunds: 'amount',
  isMarginEnabled: 'boolean',
  enableTrading: 'boolean',
};

export const publicTrade: Shape = {
  sequence: 'digits',
  price: 'amount',
  size: 'amount',
  side: 'string',
  time: 'integer',
};

export const account: Shape = { currency: 'string', balance: 'amount', available: 'amount', holds: 'amount' };
export const depositAddress: Shape = {
  address: 'string',
  memo: 'string',
  chain: 'string',
  contractAddress: 'string',
};
export const errorA: Shape = { code: 'digits', msg: 'string' };
export const errorB: Shape = {
  success: 'boolean',
  code: 'digits',
  msg: 'string',
  retry: 'boolean',
  data: 'null',
};
