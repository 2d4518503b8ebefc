/** HTTP from a careless or hostile client: valid requests, and every trick with upgrades, lengths and chunks. */

import type { Random } from '@bourse/test-kit/random.ts';
import { damage } from '../grammar.ts';
import { rawInput } from '../inputs.ts';

const PATHS = [
  '/api/v2/symbols',
  '/api/v1/timestamp',
  '/compat/api/v1/timestamp',
  '/api/v1/market/orderbook/level1?symbol=BTC-USDT',
  '/api/v1/hf/orders',
  '/nothing',
  '/healthz',
  '/readyz',
  '/metrics',
  '/feed',
  '/v1/private',
  '/compat/feed',
  '/operator/v1/users',
  '/operator/v1/ledger/check',
  '/operator/v1/nothing',
  '/sandbox/v1/clock',
  '/sandbox/v1/faults',
  '/sandbox/v1/requests',
  '/sandbox/v1/nothing',
  '/docs',
  '/',
  '*',
  'http://localhost/api/v2/symbols',
  'http://elsewhere/api/v2/symbols',
  '//',
  '/%',
  '/%ff?%zz',
];
const METHODS = [
  'GET',
  'GET',
  'GET',
  'HEAD',
  'POST',
  'DELETE',
  'PUT',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'CONNECT',
];
const PROTOCOLS = ['h2c', 'h2c', 'websocket', 'websocket', 'TLS/1.0', 'h2c, websocket', ''];
const RUBBISH = [
  'RUBBISH\r\n\r\n',
  '\0',
  '\r\n\r\n',
  '\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'GET',
  'GET / HTTP/1.1',
  'GET / HTTP/9.9\r\n\r\n',
  '0\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  '\u0081\u0085\u0000\u0000\u0000\u0000hello',
  'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n',
];
const HEADERS = [
  'connection: close\r\n',
  'connection: keep-alive\r\n',
  'connection: upgrade, close\r\n',
  'expect: 100-continue\r\n',
  'expect: miracles\r\n',
  'host: localhost\r\n',
  'x-forwarded-for: 1.2.3.4\r\n',
  'authorization: Bearer x\r\n',
  'content-type: text/plain\r\n',
  'content-encoding: gzip\r\n',
  'te: trailers\r\ntrailer: x\r\n',
  'x: a\r\n b\r\n',
  'x : y\r\n',
  ': empty\r\n',
  'x: \u00ff\u0001\r\n',
  'KC-API-KEY: x\r\nKC-API-SIGN: y\r\n',
];
const LENGTHS = [
  '0',
  '00',
  '+2',
  '-1',
  '2, 2',
  '2\r\ncontent-length: 3',
  '0x2',
  '99999999999999999999',
  '65537',
  'x',
];
const SIZES = ['x', '-1', 'ffffffffffffffff1', '2;a=b', '2 ', ' 2', '02', `2;${'e'.repeat(300)}`];

export function upgradeHeaders(random: Random): string {
  const protocol = random.pick(PROTOCOLS);
  const isWebsocket = protocol === 'websocket' && random.chance(0.7);
  return (
    `connection: ${random.pick(['upgrade', 'Upgrade, HTTP2-Settings', 'keep-alive, upgrade'])}\r\nupgrade: ${protocol}\r\n` +
    (isWebsocket
      ? `sec-websocket-version: ${random.pick([13, 13, 13, 12, 'x'])}\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n`
      : '')
  );
}

/** Headers and body bytes: valid, or with a trick. */
function bodyOf(random: Random): readonly [headers: string, bytes: string] {
  const text = random.pick([
    '{}',
    '{"symbol":"BTC-USDT"}',
    '',
    '[',
    'x'.repeat(random.below(3000)),
    '{"a":1,"a":1}',
  ]);
  const type = random.chance(0.8) ? 'content-type: application/json\r\n' : '';
  switch (random.below(8)) {
    case 0:
    case 1:
      return [`${type}content-length: ${Buffer.byteLength(text)}\r\n`, text];
    case 2:
      return [`${type}content-length: ${random.pick(LENGTHS)}\r\n`, text];
    case 3:
    case 4:
      return [`${type}transfer-encoding: chunked\r\n`, chunks(random, text)];
    case 5:
      return [
        `${type}transfer-encoding: chunked\r\ncontent-length: ${text.length}\r\n`,
        chunks(random, text),
      ];
    case 6:
      return [
        `transfer-encoding: ${random.pick(['gzip', 'gzip, chunked', 'chunked, chunked', 'x'])}\r\n`,
        text,
      ];
    default:
      return [`${type}content-length: ${text.length + random.below(5)}\r\n`, text];
  }
}

function chunks(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const parts = [text.slice(0, at), text.slice(at)].filter((part) => part !== '');
  const size = (part: string): string =>
    random.chance(0.15) ? random.pick(SIZES) : part.length.toString(16);
  const end = random.pick([
    '0\r\n\r\n',
    '0\r\n\r\n',
    '0\r\n\r\n',
    '0\r\nx: y\r\n\r\n',
    '0\r\nx',
    '',
    '\r\n',
    '0\r\nRUBBISH',
  ]);
  return parts.map((part) => `${size(part)}\r\n${part}\r\n`).join('') + end;
}

/** As latin1: a request, or bytes that are not one. */
export function wireRequest(random: Random, operatorToken: string): string {
  if (random.chance(0.12)) return random.pick(RUBBISH);
  if (random.chance(0.1)) return rawInput(random);
  const [bodyHeaders, body] = random.chance(0.45) ? bodyOf(random) : ['', ''];
  const head =
    `${random.pick(METHODS)} ${random.pick(PATHS)} HTTP/1.${random.chance(0.95) ? 1 : 0}\r\n` +
    (random.chance(0.95) ? 'host: localhost\r\n' : '') +
    (random.chance(0.35) ? upgradeHeaders(random) : '') +
    (random.chance(0.2) ? random.pick(HEADERS) : '') +
    (random.chance(0.1) ? `authorization: Bearer ${operatorToken}\r\n` : '') +
    (random.chance(0.01) ? `x: ${'y'.repeat(20_000)}\r\n` : '') +
    (random.chance(0.01) ? 'x: y\r\n'.repeat(120) : '');
  const request = `${head}${bodyHeaders}\r\n${body}`;
  return random.chance(0.2) ? damage(random, Buffer.from(request, 'latin1')).toString('latin1') : request;
}
