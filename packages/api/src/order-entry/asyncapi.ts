/** Order entry's part of the AsyncAPI document. */

import { ORDER_ENTRY_ERRORS } from './errors.ts';

const text = { type: 'string' };
const whole = { type: 'integer' };
const id = { type: 'string', minLength: 1, maxLength: 128, description: 'Comes back with the answer.' };
const object = (properties: Readonly<Record<string, unknown>>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

const ADDRESS = '/v1/private?apikey={apikey}&sign={sign}&passphrase={passphrase}&timestamp={timestamp}';

/** Each operation, and the OpenAPI operation that it corresponds to. */
const OPERATIONS = {
  'spot.order': 'args as the body of POST /api/v1/hf/orders; data as its answer.',
  'spot.sync_order': 'args as the body of POST /api/v1/hf/orders/sync; data as its answer.',
  'spot.modify': 'args as the body of POST /api/v1/hf/orders/alter; data as its answer.',
  'spot.cancel': 'args: symbol, and orderId or clientOid; data as of DELETE /api/v1/hf/orders/{orderId}.',
  'spot.sync_cancel':
    'args: symbol, and orderId or clientOid; data as of DELETE /api/v1/hf/orders/sync/{orderId}.',
};

const CLIENT_MESSAGES: Readonly<Record<string, object>> = {
  signature: { summary: "base64(HMAC-SHA256(secret, the challenge's text)), bare.", payload: text },
  ping: { payload: object({ id, op: { const: 'ping' }, timestamp: text }, ['id', 'op']) },
  ...Object.fromEntries(
    Object.entries(OPERATIONS).map(([op, summary]) => [
      op,
      { summary, payload: object({ id, op: { const: op }, args: { type: 'object' } }) },
    ]),
  ),
};

const SERVER_MESSAGES: Readonly<Record<string, object>> = {
  challenge: { summary: 'The first frame.', payload: object({ sessionId: text, timestamp: whole }) },
  entryWelcome: {
    payload: object({ sessionId: text, data: { const: 'welcome' }, pingInterval: whole, pingTimeout: whole }),
  },
  entryPong: { payload: object({ id: text, op: { const: 'pong' }, timestamp: text }) },
  answer: {
    summary: 'With code 200000, data is present; otherwise msg, with detail if more is known.',
    payload: object(
      {
        id: text,
        op: text,
        code: text,
        data: {},
        msg: text,
        detail: text,
        inTime: whole,
        outTime: whole,
        userRateLimit: object({ limit: whole, reset: whole, remaining: whole }),
      },
      ['id', 'code', 'inTime', 'outTime'],
    ),
  },
};

const refs = (messages: object) =>
  Object.keys(messages).map((name) => ({ $ref: `#/channels/orderEntry/messages/${name}` }));
const channel = { $ref: '#/channels/orderEntry' };

export const ORDER_ENTRY_DOCUMENT = {
  channel: {
    address: ADDRESS,
    description: 'Orders with the rules, pools and answers of HTTP, signed once for the connection.',
    parameters: {
      apikey: { description: 'Name of the key.' },
      sign: { description: 'base64(HMAC-SHA256(secret, apikey + timestamp)).' },
      passphrase: { description: 'base64(HMAC-SHA256(secret, passphrase)).' },
      timestamp: { description: 'Milliseconds since 1970.' },
    },
    messages: { ...CLIENT_MESSAGES, ...SERVER_MESSAGES },
  },
  operations: {
    takeOrders: { action: 'receive', channel, messages: refs(CLIENT_MESSAGES) },
    answerOrders: { action: 'send', channel, messages: refs(SERVER_MESSAGES) },
  },
  errors: ORDER_ENTRY_ERRORS,
};
