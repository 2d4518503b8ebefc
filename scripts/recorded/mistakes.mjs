// Common mistakes, each sent to a sandbox; the page shows the responses.

import { stable } from './stable.mjs';

const HF = '/api/v1/hf/orders';
const LATE_MS = 60_000;
const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '30000', size: '0.001' };

const place = (changes) => ({ method: 'POST', path: HF, body: JSON.stringify({ ...ORDER, ...changes }) });
const get = (path) => ({ method: 'GET', path });

/**
 * `title` says what the user did; `who` is alice unless named; `changes` are headers, or the time that is signed;
 * `before` makes the situation, and may name other credentials.
 */
const MISTAKES = [
  { title: 'A price that is not a multiple of the increment', request: place({ price: '30000.05' }) },
  { title: 'A size below the minimum', request: place({ size: '0.000001' }) },
  { title: 'A size with too many decimals', request: place({ size: '0.0010000001' }) },
  { title: 'An order below the minimum value', request: place({ price: '100', size: '0.0001' }) },
  { title: 'An order for more than the balance', request: place({ size: '50' }) },
  { title: 'An unknown symbol', request: place({ symbol: 'BTCUSDT' }) },
  { title: 'A number where a string is documented', request: place({ price: 30000 }) },
  { title: 'An unknown value', request: place({ side: 'BUY' }) },
  { title: 'A limit order without a price', request: place({ price: undefined }) },
  {
    title: 'A market order with a time in force',
    request: place({ type: 'market', price: undefined, timeInForce: 'IOC' }),
  },
  { title: 'A good-till-time order without cancelAfter', request: place({ timeInForce: 'GTT' }) },
  {
    title: 'A clientOid that is already used',
    before: (sandbox) => sandbox.act('alice', 'POST', HF, { ...ORDER, clientOid: 'my-order' }),
    request: place({ clientOid: 'my-order', price: '29000' }),
  },
  {
    title: 'A price far beyond the best one: price protection cancels the complete order, and nothing trades',
    before: async (sandbox) => {
      for (const price of ['60000', '90000'])
        await sandbox.act('bob', 'POST', HF, { ...ORDER, side: 'sell', price, size: '1' });
    },
    request: {
      method: 'POST',
      path: `${HF}/sync`,
      body: JSON.stringify({ ...ORDER, price: '90000', size: '2' }),
    },
  },
  {
    title: 'One invalid order in a batch',
    request: {
      method: 'POST',
      path: `${HF}/multi`,
      body: JSON.stringify({ orderList: [ORDER, { ...ORDER, size: '0.0010000001' }] }),
    },
  },
  {
    title: 'Two symbols in a batch',
    request: {
      method: 'POST',
      path: `${HF}/multi`,
      body: JSON.stringify({ orderList: [ORDER, { ...ORDER, symbol: 'ETH-USDT' }] }),
    },
  },
  { title: 'An unknown order', request: get(`${HF}/65a0b0c0d0e0f00000000000?symbol=BTC-USDT`) },
  { title: 'An order look-up without a symbol', request: get(`${HF}/65a0b0c0d0e0f00000000000`) },
  {
    title: 'Cancelling an order that is done',
    before: (sandbox) =>
      sandbox.act('alice', 'POST', HF, {
        ...ORDER,
        timeInForce: 'IOC',
        price: '100',
        size: '1',
        clientOid: 'done',
      }),
    request: { method: 'DELETE', path: `${HF}/client-order/done?symbol=BTC-USDT` },
  },
  {
    title: 'More than ten symbols',
    request: get(`/api/v1/trade-fees?symbols=${Array.from({ length: 11 }, () => 'BTC-USDT').join(',')}`),
  },
  {
    title: 'A transfer of more than the balance',
    request: {
      method: 'POST',
      path: '/api/v3/accounts/universal-transfer',
      body: JSON.stringify({
        clientOid: 'too-much',
        currency: 'BTC',
        amount: '1000',
        type: 'INTERNAL',
        fromAccountType: 'MAIN',
        toAccountType: 'TRADE',
      }),
    },
  },
  {
    title: 'A questionnaire without a required field',
    request: {
      method: 'POST',
      path: '/api/v1/deposit/compliance/info',
      body: JSON.stringify({
        travelRuleOId: '5f000004000000000024f424',
        type: 'individual',
        complianceInfo: JSON.stringify({ firstName: 'Ada', lastName: 'Byron' }),
      }),
    },
  },
  { title: 'No signing headers', request: get('/api/v1/accounts'), who: null },
  {
    title: 'An unknown API key',
    request: get('/api/v1/accounts'),
    changes: { 'SVC-API-KEY': 'mistyped' },
  },
  {
    title: 'The plain passphrase instead of its HMAC',
    request: get('/api/v1/accounts'),
    changes: { 'SVC-API-PASSPHRASE': 'alice-sandbox' },
  },
  {
    title: 'A signature of another request',
    request: get('/api/v1/accounts?currency=BTC'),
    changes: { 'SVC-API-SIGN': 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=' },
  },
  { title: 'A clock that is a minute slow', request: get('/api/v1/accounts'), isLate: true },
  {
    title: 'An unsupported key version',
    request: get('/api/v1/accounts'),
    changes: { 'SVC-API-KEY-VERSION': '1' },
  },
  { title: 'A key without the permission', request: place({}), who: 'alice-viewer' },
  {
    title: 'A key restricted to another IP address',
    before: async (sandbox) => {
      const terms = { permissions: ['General'], ipAllowList: ['203.0.113.7'] };
      const { userId } = sandbox.user('alice');
      return sandbox.operate(`/v1/users/${userId}/keys`, terms);
    },
    request: get('/api/v1/accounts'),
  },
  {
    title: 'An unknown path',
    request: get('/api/v1/hf/order'),
    who: null,
  },
  { title: 'The wrong method', request: { method: 'PUT', path: HF }, who: null },
  {
    title: 'A body that is not JSON',
    request: { method: 'POST', path: HF, body: '{"symbol":"BTC-USDT",}' },
  },
  {
    title: 'Too many requests',
    who: 'carol',
    before: async (sandbox) => {
      const path = '/api/v1/accounts/transferable?currency=BTC&type=MAIN';
      for (let sent = 0; sent < 100; sent++) await sandbox.act('carol', 'GET', path);
    },
    request: get('/api/v1/accounts/transferable?currency=BTC&type=MAIN'),
  },
];

export async function recordMistakes(sandbox) {
  const recorded = [];
  for (const { title, request, who = 'alice', changes = {}, isLate, before } of MISTAKES) {
    const made = await before?.(sandbox);
    const signer = made?.apiSecret ? made : (who ?? undefined);
    const time = isLate ? { time: Date.now() - LATE_MS } : {};
    const { status, text } = await sandbox.send(signer, request, { ...changes, ...time });
    const sent = Object.entries(changes).map(([name, value]) => `${name}: ${value}`);
    recorded.push({
      title,
      ...request,
      how: howOf(made, who),
      sent,
      status,
      answer: JSON.parse(stable(text)),
    });
  }
  return recorded;
}

function howOf(made, who) {
  if (made?.apiSecret) return ['Signed with a key that an operator created.'];
  if (who === null) return ['Not signed.'];
  return who === 'alice' ? [] : [`Signed with the key of ${who}.`];
}
