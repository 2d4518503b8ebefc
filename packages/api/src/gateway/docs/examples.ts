/** A request of each route that can be sent unchanged to a fresh sandbox; replace ids in capitals. */

import type { Route } from '../route.ts';

export interface Example {
  readonly method: Route['method'];
  /** With query. */
  readonly path: string;
  /** JSON, '' for none. */
  readonly body: string;
}

const LIMIT_BUY = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '30000', size: '0.001' };
const LIMIT_SELL = { ...LIMIT_BUY, side: 'sell', price: '90000' };

const MOVE = { currency: 'USDT', amount: '1' };
const WITHDRAWAL = { currency: 'USDT', amount: '10', chain: 'trx' };
const ADDRESS = 'TSv3L1fS7yA3SxzKD8c1qdX4nLP6rqNxYz';

const BODIES: ReadonlyMap<string, object> = new Map(
  Object.entries({
    'place-order': LIMIT_BUY,
    'sync-place-order': { symbol: 'BTC-USDT', type: 'market', side: 'buy', funds: '10' },
    'place-orders': { orderList: [LIMIT_BUY, LIMIT_SELL] },
    'sync-place-orders': { orderList: [LIMIT_BUY, LIMIT_SELL] },
    'flex-transfer': {
      clientOid: 'my-first-transfer',
      currency: 'USDT',
      amount: '1',
      type: 'INTERNAL',
      fromAccountType: 'MAIN',
      toAccountType: 'TRADE',
    },
    'alter-order': { symbol: 'BTC-USDT', orderId: 'ORDER_ID', newPrice: '20001' },
    'test-order': LIMIT_BUY,
    'old-place-order': LIMIT_BUY,
    'old-test-order': LIMIT_BUY,
    'old-place-orders': { symbol: 'BTC-USDT', orderList: [LIMIT_BUY, LIMIT_SELL] },
    'set-switch': { timeout: 60, symbols: 'BTC-USDT' },
    'place-stop-order': { ...LIMIT_BUY, stopPrice: '31000' },
    'place-oco-order': {
      clientOid: 'my-first-oco',
      symbol: 'BTC-USDT',
      side: 'sell',
      price: '90000',
      size: '0.001',
      stopPrice: '21000',
      limitPrice: '20000',
    },
    'inner-transfer': { clientOid: 'my-first-inner-transfer', ...MOVE, from: 'main', to: 'trade' },
    'sub-transfer': {
      clientOid: 'my-first-sub-transfer',
      ...MOVE,
      direction: 'OUT',
      subUserId: 'SUB_USER_ID',
    },
    'create-sub-account': { subName: 'mySub001', password: 'password1', access: 'Spot' },
    'create-sub-key': { subName: 'SUB_NAME', passphrase: 'my-passphrase', remark: 'trading' },
    'create-deposit-address-with-chain': { currency: 'USDT', chain: 'trx' },
    'old-withdraw': { ...WITHDRAWAL, address: ADDRESS },
    withdraw: { ...WITHDRAWAL, toAddress: ADDRESS, withdrawType: 'ADDRESS' },
  }),
);

/** Values of members and parameters by name. */
const VALUES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    symbol: 'BTC-USDT',
    symbols: 'BTC-USDT,ETH-USDT',
    currency: 'USDT',
    type: 'TRADE',
    clientOid: 'CLIENT_OID',
    chain: 'trx',
    orderId: 'ORDER_ID',
    accountId: 'ACCOUNT_ID',
    travelRuleOId: 'TRAVEL_RULE_OID',
    cancelSize: '0.0001',
    withdrawalId: 'WITHDRAWAL_ID',
    subUserId: 'SUB_USER_ID',
    subName: 'SUB_NAME',
    apiKey: 'SUB_KEY',
    passphrase: 'SUB_PASSPHRASE',
    complianceInfo:
      '{"firstName":"Ada","lastName":"Byron","identityType":"PASSPORT","identityNo":"P123456","reasonOfTransfer":"savings","wallet":"personal"}',
  }),
);
/** Overrides for routes in which a name has another meaning. */
const VALUES_OF: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  Object.entries({
    'submit-questionnaire': { type: 'individual' },
    'list-candles': { type: '1min' },
    'get-withdrawal': { withdrawalId: '5f0000060000000000010000' },
    'get-stop-order': { orderId: 'STOP_ORDER_ID' },
    'cancel-stop-order': { orderId: 'STOP_ORDER_ID' },
    'get-stop-order-by-client-oid': { clientOid: 'my-stop-order' },
    'cancel-stop-order-by-client-oid': { clientOid: 'STOP_CLIENT_OID' },
    'get-oco-order': { orderId: 'OCO_ORDER_ID' },
    'get-oco-order-details': { orderId: 'OCO_ORDER_ID' },
    'cancel-oco-order': { orderId: 'OCO_ORDER_ID' },
    'get-oco-order-by-client-oid': { clientOid: 'OCO_CLIENT_OID' },
    'cancel-oco-order-by-client-oid': { clientOid: 'OCO_CLIENT_OID' },
  }),
);

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

export function exampleOf(route: Route): Example {
  const values = new Map([...VALUES, ...Object.entries(VALUES_OF.get(route.id) ?? {})]);
  const valueOf = (name: string): string => values.get(name) ?? name.toUpperCase();
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => valueOf(name));
  const { required = [] } = (route.query ?? {}) as ObjectSchema;
  const query = required.map((name) => `${name}=${valueOf(name)}`).join('&');
  const body = route.body && (BODIES.get(route.id) ?? sample(route.body as ObjectSchema, valueOf));
  return {
    method: route.method,
    path: query ? `${path}?${query}` : path,
    body: body ? JSON.stringify(body) : '',
  };
}

/** Alternative bodies by route, each with its name. */
const OTHER_BODIES: ReadonlyMap<string, Readonly<Record<string, object>>> = new Map(
  Object.entries({
    'submit-questionnaire': {
      company: {
        travelRuleOId: 'TRAVEL_RULE_OID',
        type: 'company',
        complianceInfo:
          '{"companyName":"Analytical Engines Ltd","tin":"1234567890","country":"GB","reasonOfTransfer":"invoice 17","wallet":"another exchange"}',
      },
    },
    'place-order': { market: { symbol: 'BTC-USDT', type: 'market', side: 'buy', funds: '10' } },
  }),
);

/** The bodies that a route accepts, by their names in the documentation. */
export function bodyExamples(route: Route): object {
  const bodies = { example: JSON.parse(exampleOf(route).body) as object, ...OTHER_BODIES.get(route.id) };
  return Object.fromEntries(Object.entries(bodies).map(([name, value]) => [name, { value }]));
}

function sample({ required = [] }: ObjectSchema, valueOf: (name: string) => string): object {
  return Object.fromEntries(required.map((name) => [name, valueOf(name)]));
}
