/**
 * The OpenAPI document of the operator API, generated from its rows, with an example of each call. The API serves it
 * itself, with the same authentication.
 */

import type { JsonSchema } from '../schema.ts';
import { type OperatorRoute, operatorRoute } from './route.ts';

const ERROR = {
  type: 'object',
  required: ['code', 'msg'],
  properties: {
    code: { type: 'string', description: 'The error code.' },
    msg: { type: 'string', description: 'What is wrong, and what would be valid.' },
  },
};

const REFUSALS = {
  400: 'Invalid request; the message says what would be valid.',
  401: 'The token is missing or wrong.',
  403: 'Not from this address, or none of the caller’s roles has the call (`role`).',
  404: 'Unknown id or call.',
  409: 'In conflict with the current state.',
  503: 'The engine accepts no commands now.',
};

const DESCRIPTION =
  'For the people and programs that run an exchange. Every change has a `reason` and becomes a command in the log with ' +
  'its operator and reason; the response is sent when it is on disk. Amounts are decimals as strings; users are named ' +
  'by id or by name. `x-roles` lists the roles that have a call; `x-policy` is how a policy can require approval for ' +
  'it: `above` an amount, `always`, or `never`. The examples, in their order, set up an empty venue.';

export function documentRoute(routes: readonly OperatorRoute[], mount: string): OperatorRoute {
  const own: OperatorRoute = operatorRoute({
    id: 'get-openapi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document.',
    handle: () => operatorOpenApi([...routes, own], mount),
  });
  return own;
}

function operatorOpenApi(routes: readonly OperatorRoute[], mount: string): object {
  const paths = new Map<string, object>();
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths.set(path, { ...paths.get(path), [route.method.toLowerCase()]: operation(route) });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Bourse: the operator API', version: '1', description: DESCRIPTION },
    servers: [{ url: mount }],
    security: [{ operatorToken: [] }],
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: { operatorToken: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: ERROR },
    },
  };
}

function operation(route: OperatorRoute): object {
  const refused = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const examples = operatorExamples(route);
  return {
    operationId: route.id,
    summary: route.summary,
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(route.body && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: route.body,
            examples: Object.fromEntries(examples.map(({ body }, at) => [`${at + 1}`, { value: body }])),
          },
        },
      },
    }),
    responses: {
      200: { description: 'The result, as JSON.', content: { 'application/json': {} } },
      ...(route.id === 'add-operator' && { 201: { description: 'Added; the token is returned only once.' } }),
      ...((route.policy !== 'never' || route.id === 'approve-proposal') && {
        202: { description: 'Proposed, or approved by you; others must approve it.' },
      }),
      ...Object.fromEntries(
        Object.entries(REFUSALS).map(([status, description]) => [status, { description, content: refused }]),
      ),
    },
    'x-roles': route.roles,
    'x-policy': route.policy,
    'x-example': examples.map(({ path }) => path)[0],
  };
}

function parameters(schema: OperatorRoute['query'], place: 'path' | 'query'): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as JsonSchema;
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: each,
  }));
}

// An example body for each call that has one. In this order they set up a venue: two currencies, a symbol, its fees, a
// customer with a key and money.

export interface OperatorExample {
  /** Including the query; replace ids in capitals. */
  readonly path: string;
  /** Undefined for none. */
  readonly body?: object;
}

const CHAIN = {
  chainId: 'acme',
  chainName: 'ACME',
  depositMinSize: '0.1',
  depositFeeRate: '',
  withdrawalMinSize: '1',
  withdrawalMinFee: '0.5',
  withdrawFeeRate: '0',
  withdrawMaxFee: '',
  isWithdrawEnabled: true,
  isDepositEnabled: true,
  confirms: 12,
  preConfirms: 2,
  contractAddress: '',
};
const CURRENCY_TERMS = { confirms: 12, contractAddress: null, isMarginEnabled: false, isDebitEnabled: false };

/** Several if a single call is not enough. */
const BODIES: ReadonlyMap<string, readonly object[]> = new Map(
  Object.entries({
    'add-currency': [
      {
        currency: 'EUR',
        precision: 2,
        scale: 12,
        name: 'EUR',
        fullName: 'Euro',
        ...CURRENCY_TERMS,
        chains: [{ ...CHAIN, chainId: 'sepa', chainName: 'SEPA' }],
        reason: 'the quote currency',
      },
      {
        currency: 'ACME',
        precision: 8,
        scale: 12,
        name: 'ACME',
        fullName: 'Acme coin',
        ...CURRENCY_TERMS,
        chains: [CHAIN],
        reason: 'the base currency',
      },
    ],
    'change-currency': [{ fullName: 'Acme', chains: [CHAIN], reason: 'renamed' }],
    'add-symbol': [
      {
        symbol: 'ACME-EUR',
        name: 'ACME-EUR',
        baseCurrency: 'ACME',
        quoteCurrency: 'EUR',
        market: 'EUR',
        baseMinSize: '0.01',
        baseMaxSize: '1000000',
        quoteMinSize: '0.1',
        quoteMaxSize: '1000000',
        baseIncrement: '0.0001',
        quoteIncrement: '0.01',
        priceIncrement: '0.01',
        priceLimitRate: '0.1',
        minFunds: '1',
        isMarginEnabled: false,
        enableTrading: true,
        reason: 'listed by the board on 1 June',
      },
    ],
    'change-symbol': [{ minFunds: '5', reason: 'too many tiny orders' }],
    'begin-auction': [
      {
        endsInMs: 600_000,
        referencePrice: '100',
        band: '0.1',
        thenState: 'open',
        reason: 'the opening',
      },
    ],
    'schedule-call': [
      {
        at: 4_102_444_800_000,
        call: 'set-market-state',
        params: { symbol: 'ACME-EUR' },
        body: { state: 'cancel-only' },
        reason: 'the last day of trading',
      },
    ],
    'cancel-auction': [{ reason: 'the news is wrong' }],
    'set-market-state': [{ state: 'open', reason: 'trading begins' }],
    'pause-exchange': [{ reason: 'incident 12' }],
    'resume-exchange': [{ reason: 'incident 12 is over' }],
    'import-candles': [
      {
        interval: '1day',
        candles: [['1766966400', '87250', '88100.5', '88400', '86900', '1.5', '131700']],
        reason: 'moved from another venue',
      },
    ],
    'set-fees': [
      { symbol: 'ACME-EUR', maker: '0.0005', taker: '0.001', reason: 'of this symbol, for everybody' },
    ],
    'set-limits': [{ activeOrdersPerSymbolMax: 200, activeOrdersPerUserMax: 2000, reason: 'as published' }],
    'add-user': [{ name: 'dave', reason: 'new customer' }],
    'add-invitation': [{ email: 'dave@example.com', reason: 'new customer' }],
    'change-user': [{ tier: 1, frozen: false, reason: 'he trades a lot' }],
    'freeze-user': [{ level: 'withdrawals', withSubAccounts: true, reason: 'ticket 4711' }],
    'unfreeze-user': [{ withSubAccounts: true, reason: 'ticket 4711 is solved' }],
    'close-user': [{ reason: 'at the user’s request' }],
    'add-user-note': [{ text: 'Called on 3 June about a late deposit.', reason: 'ticket 4711' }],
    'add-key': [{ permissions: ['General', 'Spot'], ipAllowList: ['203.0.113.7'], reason: 'his bot' }],
    'change-key': [{ permissions: ['General'], reason: 'at the user’s request' }],
    'set-address-source': [{ chain: 'acme', source: 'list', reason: 'our custodian' }],
    'load-addresses': [
      {
        chain: 'acme',
        addresses: [{ address: '0x00000000219ab540356cBB839Cbe05303d7705Fa' }],
        reason: 'from our custodian',
      },
    ],
    'give-address': [
      {
        userId: 'dave',
        currency: 'ACME',
        chain: 'acme',
        address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
        reason: 'made by the custodian',
      },
    ],
    'report-deposit': [
      {
        userId: 'dave',
        currency: 'ACME',
        chain: 'acme',
        amount: '1000',
        txId: '9f3c',
        reason: 'seen on chain',
      },
    ],
    'return-deposit': [{ txId: '88bb', reason: 'the sender is not known' }],
    correct: [
      {
        kind: 'move',
        currency: 'ACME',
        amount: '10',
        from: { userId: 'dave', account: 'main' },
        to: { system: 'suspense' },
        clientOid: 'ticket-4711',
        reason: 'ticket 4711',
      },
    ],
    'report-wallet': [{ currency: 'ACME', balance: '1000', at: 1_700_000_000_000, reason: 'daily' }],
    'set-user-limits': [{ withdrawalPerDay: { ACME: '1000' }, reason: 'new bank account' }],
    'add-address-rule': [
      { currency: 'ACME', address: '0xdead', rule: 'block', reason: 'on the sanctions list' },
    ],
    'decide-questionnaire': [{ status: 'success', reason: 'checked' }],
    'claim-withdrawal': [{ reason: 'I pay it now' }],
    'unclaim-withdrawal': [{ reason: 'the bank is closed' }],
    'advance-withdrawal': [{ state: 'signed', reason: 'signed by two of three keys' }],
    'assign-deposit': [{ reason: 'I ask the sender' }],
    'release-deposit': [{ reason: 'the shift ends' }],
    'assign-withdrawal': [{ reason: 'I pay it' }],
    'release-withdrawal': [{ reason: 'the shift ends' }],
    'assign-questionnaire': [{ reason: 'I check it' }],
    'release-questionnaire': [{ reason: 'the shift ends' }],
    'settle-withdrawal': [{ sent: true, txId: '77aa', reason: 'paid at the bank' }],
    'publish-notice': [
      {
        title: 'ACME-EUR trades in finer steps',
        text: 'From 1 June on, prices are multiples of 0.005.',
        type: 'product-updates',
        symbol: 'ACME-EUR',
        effectiveAt: 4_102_444_800_000,
        priceIncrement: '0.005',
        reason: 'decided by the board',
      },
    ],
    'set-leader': [{ name: 'n2', reason: 'n1 gets a new disk' }],
    'add-operator': [{ name: 'ann', roles: ['finance', 'admin'], reason: 'she joins the team' }],
    'change-operator': [{ roles: ['finance'], reason: 'she no longer administers' }],
    'renew-operator-token': [{ reason: 'she lost it' }],
    'close-root': [{ reason: 'everybody has a name now' }],
    'set-policy': [
      {
        rules: [{ call: 'settle-withdrawal', above: { ACME: '1000' }, approvals: 1, roles: ['finance'] }],
        expiryMs: 86_400_000,
        reason: 'large payments need two people',
      },
    ],
    'approve-proposal': [{ hash: 'HASH', reason: 'I have checked the address' }],
    'refuse-proposal': [{ reason: 'the address is wrong' }],
    'withdraw-proposal': [{ reason: 'a slip' }],
    'take-checkpoint': [{ reason: 'the end of the month' }],
    'take-liabilities': [{ reason: 'the end of the month' }],
    'rotate-secret': [
      { newSecretKeyFile: '/etc/bourse/secret-key.new', reason: 'an administrator has left' },
    ],
    reload: [{ reason: 'a new operator token' }],
    'accept-clock': [{ reason: 'the clock was wrong before, and was set right' }],
  }),
);

/** Values of path and query parameters by name. */
const VALUES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    currency: 'ACME',
    symbol: 'ACME-EUR',
    userId: 'dave',
    apiKey: 'API_KEY',
    depositId: 'DEPOSIT_ID',
    correctionId: 'CORRECTION_ID',
    ruleId: 'RULE_ID',
    orderId: 'QUESTIONNAIRE_ID',
    order: 'ORDER_ID',
    withdrawalId: 'WITHDRAWAL_ID',
    operatorId: 'OPERATOR_ID',
    proposalId: 'PROPOSAL_ID',
    scheduleId: 'SCHEDULE_ID',
    reason: 'no-longer-needed',
    from: '1700000000000',
    until: '1700086400000',
  }),
);

export function operatorExamples({ id, path, method, query }: OperatorRoute): OperatorExample[] {
  const valueOf = (name: string): string => VALUES.get(name) ?? name.toUpperCase();
  const { required = [] } = (query ?? {}) as { readonly required?: readonly string[] };
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => valueOf(name));
  const asked = required.map((name) => `${name}=${valueOf(name)}`).join('&');
  const target = asked === '' ? filled : `${filled}?${asked}`;
  if (method !== 'POST') return [{ path: target }];
  return (BODIES.get(id) ?? []).map((body) => ({ path: target, body }));
}
