/** Invalid HTTP requests: signed ones with wrong content, and bytes that may not be a request at all. */

import { type Dialect, DIALECTS } from '../../packages/api/src/gateway/route.ts';
import { exampleOf } from '../../packages/api/src/gateway/docs/examples.ts';
import { allRoutes } from '../../packages/api/src/gateway/routes/all.ts';
import type { Services } from '../../packages/api/src/gateway/services.ts';
import type { Random } from '@bourse/test-kit/random.ts';
import { damage, decimal, disturb, spoil, spoilOne, toText, WORDS } from './grammar.ts';

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
