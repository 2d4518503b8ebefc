/** Invalid inputs: HTTP requests, websocket messages and frames, and those that once caused a failure. */

import type { Random } from '@bourse/test-kit/random.ts';
import { TOPIC_NAMES } from '../../packages/api/src/feed/topics/topics.ts';
import { type Dialect, DIALECTS } from '../../packages/api/src/gateway/route.ts';
import { exampleOf } from '../../packages/api/src/gateway/docs/examples.ts';
import { allRoutes } from '../../packages/api/src/gateway/routes/all.ts';
import type { Services } from '../../packages/api/src/gateway/services.ts';
import { damage, decimal, disturb, spoil, spoilOne, toText, value, WORDS } from './grammar.ts';

/** A request that is signed just before it is sent. */
export interface SignedInput {
  readonly dialect: Dialect['name'];
  readonly method: string;
  /** Including the query; printable ASCII without spaces. */
  readonly path: string;
  /** Body as latin1; undefined for none. */
  readonly body: string | undefined;
}

const EXAMPLES = allRoutes({} as Services).map((route) => exampleOf(route));

/** A word for a path or a query: mostly encoded, sometimes almost. */
function word(random: Random): string {
  const text = random.chance(0.3) ? decimal(random) : random.pick(WORDS).toWellFormed();
  const encoded = encodeURIComponent(text);
  if (random.chance(0.9)) return encoded;
  return (
    encoded +
    random.pick(['%', '%2', '%zz', '%ff', '%c3%28', '%00', '+', ';', '=', '&&', '/', '//', '?', '*'])
  );
}

export function signedInput(random: Random): SignedInput {
  const { method, path: right, body } = random.pick(EXAMPLES);
  let path = right.replaceAll(/[A-Z]+_[A-Z]+|(?<==)[^&]+/g, (same) =>
    random.chance(0.6) ? word(random) : same,
  );
  if (random.chance(0.3)) path += `${path.includes('?') ? '&' : '?'}${word(random)}=${word(random)}`;
  if (random.chance(0.03)) path = `/${word(random)}${path}`;
  if (random.chance(0.03)) path += `/${word(random)}`;
  return {
    dialect: random.pick(DIALECTS).name,
    method: random.chance(0.03) ? random.pick(['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS']) : method,
    path,
    body: body === '' ? (random.chance(0.05) ? '{}' : undefined) : bodyOf(random, body),
  };
}

function bodyOf(random: Random, right: string): string {
  const example = JSON.parse(right) as object;
  const text = toText(random.chance(0.5) ? spoilOne(random, example) : spoil(random, example));
  const bytes = Buffer.from(random.chance(0.1) ? disturb(random, text) : text);
  return (random.chance(0.2) ? damage(random, bytes) : bytes).toString('latin1');
}

const HOST = 'HTTP/1.1\r\nhost: localhost\r\n';
const JSON_BODY = `${HOST}content-type: application/json\r\n`;
const RAW: readonly string[] = [
  `GET /api/v2/symbols ${HOST}\r\n`,
  `POST /api/v1/hf/orders ${JSON_BODY}content-length: 2\r\n\r\n{}`,
  `DELETE /compat/api/v1/hf/orders/x?symbol=BTC-USDT ${HOST}KC-API-KEY: x\r\n\r\n`,
  `POST /api/v1/hf/orders ${JSON_BODY}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  `POST /api/v1/hf/orders ${JSON_BODY}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  `POST /api/v1/hf/orders ${JSON_BODY}expect: 100-continue\r\ncontent-length: 2\r\n\r\n{}`,
  `GET /operator/v1/ledger/check ${HOST}authorization: Bearer x\r\n\r\n`,
  `GET /feed?token=x ${HOST}upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\n` +
    'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  `GET /v1/private?apikey=x&sign=x&passphrase=x&timestamp=1 ${HOST}upgrade: websocket\r\nconnection: upgrade\r\n` +
    'sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  `GET http://a/api/v2/symbols ${HOST}\r\n`,
  `OPTIONS * ${HOST}\r\n`,
  `GET /docs ${HOST}\r\n`,
  `GET /metrics ${HOST}\r\nGET /healthz ${HOST}\r\n`,
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
];

/** As latin1. */
export function rawInput(random: Random): string {
  if (random.chance(0.02))
    return Buffer.from(Array.from({ length: random.below(300) }, () => random.below(256))).toString('latin1');
  return damage(random, Buffer.from(random.pick(RAW), 'latin1')).toString('latin1');
}

// Invalid websocket messages and frames, for the feed and for order entry.

const TOPICS = [
  ...TOPIC_NAMES.flatMap((name) => [name, `${name}:BTC-USDT`, `${name}:NO-SUCH`, `${name}:BTC-USDT,ETH-BTC`]),
  '/market/candles:BTC-USDT_1min',
  '/market/ticker:all',
  '/account/balance:6',
  ':',
  ',',
  ...WORDS,
];
const TYPES = ['subscribe', 'unsubscribe', 'openTunnel', 'closeTunnel', 'ping', 'welcome', 'message', ''];
const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };
const ARGS: Readonly<Record<string, object>> = {
  'spot.order': ORDER,
  'spot.sync_order': { ...ORDER, timeInForce: 'IOC' },
  'spot.modify': { symbol: 'BTC-USDT', orderId: 'x', newPrice: '20001' },
  'spot.cancel': { symbol: 'BTC-USDT', orderId: 'x' },
  'spot.sync_cancel': { symbol: 'BTC-USDT', clientOid: 'x' },
  ping: {},
};

export function feedInput(random: Random, id: string): string {
  const right = {
    id,
    type: random.pick(TYPES),
    topic: random.pick(TOPICS),
    response: true,
    privateChannel: random.chance(0.5),
    tunnelId: random.pick(['t1', 't2', '']),
    newTunnelId: random.pick(['t1', 't2', '', '__proto__']),
  };
  const text = toText(
    random.chance(0.05) ? value(random) : random.chance(0.7) ? spoil(random, right) : right,
  );
  return random.chance(0.15) ? disturb(random, text) : text;
}

export interface EntryInput {
  /** Bytes as latin1. */
  readonly bytes: string;
  /** The id that the reply has. */
  readonly isNamed: boolean;
}

export function entryInput(random: Random, id: string): EntryInput {
  const op = random.pick(Object.keys(ARGS));
  if (random.chance(0.1))
    return { bytes: Buffer.from(toText(value(random))).toString('latin1'), isNamed: false };
  const spoilt = random.chance(0.5) ? spoilOne : spoil;
  const args = random.chance(0.9) ? spoilt(random, ARGS[op] as object) : value(random);
  const name = random.chance(0.95) ? op : random.pick(WORDS);
  const isNamed = random.chance(0.75);
  // A damaged id must not become that of another message.
  const bytes = Buffer.from(toText({ id: isNamed ? id : `damaged-${id.slice(1)}-message`, op: name, args }));
  return { bytes: (isNamed ? bytes : damage(random, bytes)).toString('latin1'), isNamed };
}

const FIRST = [0x81, 0x01, 0x80, 0x82, 0x89, 0x88, 0xc1, 0x8a, 0x83, 0xf1];

/** Bytes after an upgrade, as latin1: often with a plausible beginning, rarely a valid frame. */
export function frameInput(random: Random): string {
  const bytes = Buffer.from(Array.from({ length: 2 + random.below(200) }, () => random.below(256)));
  if (random.chance(0.8)) bytes[0] = random.pick(FIRST);
  if (random.chance(0.5)) bytes[1] = 0x80 | random.below(128);
  return bytes.toString('latin1');
}

// Inputs that once caused a failure, or nearly did, each named after its subject. They always run first.

export type KeptInput =
  | { readonly name: string; readonly kind: 'signed'; readonly input: SignedInput }
  | { readonly name: string; readonly kind: 'raw'; readonly bytes: string };

const signed = (
  name: string,
  path: string,
  body: string,
  dialect: SignedInput['dialect'] = 'literal',
): KeptInput => ({
  name,
  kind: 'signed',
  input: { dialect, method: body === '' ? 'GET' : 'POST', path, body: body === '' ? undefined : body },
});

const ORDERS = '/api/v1/hf/orders';

export const KEPT_INPUTS: readonly KeptInput[] = [
  {
    name: 'a target that begins with an asterisk',
    kind: 'raw',
    bytes: 'GET *api/v2/symbols HTTP/1.1\r\nhost: localhost\r\n\r\n',
  },
  {
    name: 'an asterisk in the place of a mount',
    kind: 'raw',
    bytes: 'GET *compat/api/v2/symbols HTTP/1.1\r\nhost: localhost\r\n\r\n',
  },
  { name: 'no host', kind: 'raw', bytes: 'GET /api/v2/symbols HTTP/1.1\r\n\r\n' },
  signed('half a surrogate pair', ORDERS, '{"symbol":"\\ud800","side":"buy"}'),
  signed(
    'a number that is Infinity',
    ORDERS,
    '{"symbol":"BTC-USDT","type":"limit","side":"buy","price":1e400,"size":1}',
    'family',
  ),
  signed('a member of the prototype', ORDERS, '{"__proto__":{"symbol":"BTC-USDT"},"type":"limit"}'),
  signed(
    'an operation of the prototype',
    '/api/v1/market/candles?symbol=BTC-USDT&type=constructor',
    '',
    'family',
  ),
];
