/** Inputs that once caused a failure, or nearly did, each named after its subject. They always run first. */

import type { SignedInput } from './requests.ts';

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
