// The shape and the HTTP status of refusals, endpoint by endpoint, in both dialects.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type Answer, at, call, type Dialect, send, signed } from './client.ts';
import { UserClient, limit, refusal } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';
import { errorA, errorB, exactly } from './shapes.ts';

const service = sharedService();
const alice = new UserClient(service, 'alice');
afterEach(() => alice.sweep());

const orders = '/api/v1/hf/orders';
const nobody = '65a0b0c0d0e0f00000000000';
const family = (): Dialect => ({ prefix: 'KC', url: service().ready.compatUrl });

interface Row {
  readonly method: string;
  readonly path: string;
  readonly shape: 'A' | 'B' | 'bare';
  readonly open?: true;
}
const rows: Row[] = [
  { method: 'POST', path: orders, shape: 'A' },
  { method: 'POST', path: `${orders}/sync`, shape: 'A' },
  { method: 'POST', path: `${orders}/multi`, shape: 'B' },
  { method: 'POST', path: `${orders}/multi/sync`, shape: 'B' },
  { method: 'GET', path: `${orders}/${nobody}`, shape: 'A' },
  { method: 'GET', path: `${orders}/client-order/none`, shape: 'A' },
  { method: 'DELETE', path: `${orders}/${nobody}`, shape: 'A' },
  { method: 'DELETE', path: `${orders}/client-order/none`, shape: 'A' },
  { method: 'DELETE', path: `${orders}/sync/${nobody}`, shape: 'bare' },
  { method: 'DELETE', path: `${orders}/sync/client-order/none`, shape: 'bare' },
  { method: 'GET', path: '/api/v1/trade-fees', shape: 'A' },
  { method: 'GET', path: '/api/v1/accounts/transferable', shape: 'bare' },
  { method: 'POST', path: '/api/v3/accounts/universal-transfer', shape: 'bare' },
  { method: 'GET', path: '/api/v2/deposit-addresses', shape: 'bare' },
  { method: 'POST', path: '/api/v1/deposit-addresses', shape: 'A' },
  { method: 'POST', path: '/api/v1/deposit/compliance/info', shape: 'B' },
  { method: 'GET', path: '/api/v1/market/histories', shape: 'bare', open: true },
  { method: 'GET', path: '/api/v1/market/orderbook/level1', shape: 'bare', open: true },
];

function shaped(answer: Answer, shape: Row['shape'], status: number, code: string): void {
  assert.equal(answer.status, status, answer.text);
  exactly(answer.body, shape === 'B' ? errorB : errorA);
  assert.equal(at(answer.body, 'code'), code, answer.text);
  if (shape === 'B') assert.equal(at(answer.body, 'success'), false);
  assert.match(String(answer.headers['content-type']), /^application\/json/);
}

for (const { method, path, shape, open } of rows) {
  const body = method === 'POST' ? {} : undefined;
  test(`${method} ${path}: a parameter error has the response format of the endpoint`, async () => {
    shaped(await alice.call(method, path, body), shape, 400, '400100');
  });

  test(`${method} ${path}: the family dialect rejects with code and msg, at HTTP 200`, async () => {
    const answer = await call(family(), alice.user, method, path, body);
    assert.equal(answer.status, 200, answer.text);
    const { detail: _, ...rest } = answer.body as Record<string, unknown>;
    exactly(rest, errorA);
    assert.equal(rest.code, '400100');
  });

  if (open === true) continue;
  test(`${method} ${path}: an error for missing headers has the response format of the endpoint`, async () => {
    const text = method === 'POST' ? '{}' : '';
    const headers: Record<string, string> = text === '' ? {} : { 'content-type': 'application/json' };
    shaped(await send(alice.dialect.url, method, path, text, headers), shape, 400, '400001');
    const other = await send(family().url, method, path, text, headers);
    assert.equal(other.status, 400);
    assert.equal(at(other.body, 'code'), '400001');
    assert.match(String(at(other.body, 'msg')), /KC-API-KEY/);
  });
}

test('an unknown route gets 404000, even without a key', async () => {
  for (const path of ['/', '/api', '/api/v1/hf', '/api/v9/symbols', '/api/v1/no/such', `${orders}//x`]) {
    const answer = await send(alice.dialect.url, 'GET', path, '', {});
    assert.equal(answer.status, 404, `${path} ${answer.text}`);
    exactly(answer.body, errorA);
    assert.equal(at(answer.body, 'code'), '404000');
  }
  const compat = await send(family().url, 'GET', '/api/v9/symbols', '', {});
  assert.equal(compat.status, 404);
  assert.equal(at(compat.body, 'code'), '404000');
});

test('a wrong method gets 405000', async () => {
  for (const [method, path] of [
    ['POST', '/api/v2/symbols'],
    ['DELETE', '/api/v1/accounts'],
    ['PUT', orders],
    ['GET', '/api/v3/accounts/universal-transfer'],
  ]) {
    const answer = await send(alice.dialect.url, method, path, '', {});
    refusal(answer, 405, '405000');
  }
});

test('a body that is not a JSON object gets a parameter error, after the signature check', async () => {
  for (const body of ['{', '[]', '"x"', '5', 'null', '{"symbol":}', '{"a":1}x']) {
    refusal(await alice.call('POST', orders, body), 400, '400100');
  }
});

test('a body of another content type gets 415000; a charset is accepted', async () => {
  const body = JSON.stringify(limit('ETH-USDT', 'buy', '100', '1'));
  const post = (type: string) =>
    send(alice.dialect.url, 'POST', orders, body, {
      ...signed(alice.dialect, alice.user, 'POST', orders, body),
      'content-type': type,
    });
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx']) {
    refusal(await post(type), 415, '415000');
  }
  const answer = await post('application/json; charset=utf-8');
  assert.equal(answer.status, 200, answer.text);
  await alice.cancel(String(at(answer.body, 'data.orderId')), 'ETH-USDT');
});

test('headers that are too large get 431', async () => {
  const answer = await send(alice.dialect.url, 'GET', '/api/v2/symbols', '', {
    'x-long': 'x'.repeat(200_000),
  });
  assert.equal(answer.status, 431);
});

test('an error says what is wrong and what is valid', async () => {
  const off = await alice.refused(limit('BTC-USDT', 'buy', '10000.07', '0.01'), '400100');
  for (const part of ['10000.07', '0.1', '10000', '10000.1'])
    assert.ok(off.includes(part), `${part}: ${off}`);
  const small = await alice.refused(limit('BTC-USDT', 'buy', '20000', '0.000001'), /^\d{6}$/);
  for (const part of ['0.000001', '0.00001']) assert.ok(small.includes(part), `${part}: ${small}`);
  const poor = await alice.refused(limit('BTC-USDT', 'buy', '10000', '200'), '200004');
  for (const part of ['USDT', '1002000']) assert.ok(poor.includes(part), `${part}: ${poor}`);
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
