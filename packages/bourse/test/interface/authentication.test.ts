// Signing: every header, every way to get one wrong, and the order of the checks.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { afterEach, test } from 'node:test';
import { type Answer, at, type Dialect, hmac, nowMs, send, signed } from './client.ts';
import { UserClient, limit, refusal } from './user-client.ts';
import { ledgerStandsAtTheEnd, sharedService } from './service.ts';

const service = sharedService();
const pair = 'ETH-USDT';
const [alice, viewer, child] = ['alice', 'alice-viewer', 'alice-sub'].map(
  (name) => new UserClient(service, name),
);
afterEach(() => alice.sweep());

const accounts = '/api/v1/accounts';
const orders = '/api/v1/hf/orders';
const headerNames = ['KEY', 'SIGN', 'TIMESTAMP', 'PASSPHRASE', 'KEY-VERSION'].map(
  (name) => `SVC-API-${name}`,
);
type Headers = Record<string, string>;

const good = (method = 'GET', path = accounts, body = '', client = alice): Headers =>
  signed(client.dialect, client.user, method, path, body);
const get = (headers: Headers, path = accounts): Promise<Answer> =>
  send(alice.dialect.url, 'GET', path, '', headers);
const post = (headers: Headers, body: string, path = orders): Promise<Answer> =>
  send(alice.dialect.url, 'POST', path, body, headers);

test('a correctly signed request passes with the version of its key', async () => {
  const answer = await get(signed(alice.dialect, alice.user, 'GET', accounts, '', { version: '3' }));
  assert.equal(answer.status, 200, answer.text);
});

test('clients of the family dialect may send any version', async () => {
  const family: Dialect = { prefix: 'KC', url: service().ready.compatUrl };
  for (const version of ['2', '3']) {
    const headers = signed(family, alice.user, 'GET', accounts, '', { version });
    const answer = await send(family.url, 'GET', accounts, '', headers);
    assert.equal(answer.status, 200, answer.text);
  }
});

test('header names are case-insensitive', async () => {
  const lower = Object.fromEntries(
    Object.entries(good()).map(([name, value]) => [name.toLowerCase(), value]),
  );
  assert.equal((await get(lower)).status, 200);
});

for (const missing of headerNames) {
  test(`a request without ${missing} is rejected`, async () => {
    const headers = good();
    delete headers[missing];
    refusal(await get(headers), 400, '400001', /SVC-API-/);
  });
}

test('headers of the other dialect are ignored', async () => {
  const family = signed({ prefix: 'KC', url: '' }, alice.user, 'GET', accounts, '');
  refusal(await get(family), 400, '400001');
});

test('an unknown key, a wrong passphrase and a wrong signature have their own codes, all 401', async () => {
  refusal(await get({ ...good(), 'SVC-API-KEY': '65a0b0c0d0e0f00000ffffff' }), 401, '400003', /^SVC-API-KEY/);
  const wrong = hmac(alice.user.apiSecret, 'wrong');
  refusal(
    await get({ ...good(), 'SVC-API-PASSPHRASE': wrong }),
    401,
    '400004',
    /^Invalid SVC-API-PASSPHRASE/,
  );
  refusal(await get({ ...good(), 'SVC-API-SIGN': wrong }), 401, '400005', /^Invalid SVC-API-SIGN/);
});

test('a passphrase in plain text is rejected', async () => {
  const plain = { ...good(), 'SVC-API-PASSPHRASE': alice.user.apiPassphrase };
  refusal(await get(plain), 401, '400004');
});

test('a request with another version than that of its key is rejected', async () => {
  for (const version of ['1', '2', '4', '03', 'x']) {
    refusal(await get(signed(alice.dialect, alice.user, 'GET', accounts, '', { version })), 401, '400009');
  }
});

test('a timestamp may be off by less than five seconds, either way', async () => {
  const stamped = (offMs: number) =>
    get(signed(alice.dialect, alice.user, 'GET', accounts, '', { timestamp: String(Date.now() + offMs) }));
  for (const offMs of [-2000, 2000, 4000]) assert.equal((await stamped(offMs)).status, 200, `${offMs} ms`);
  for (const offMs of [-5500, -60_000, 30_000, 3_600_000]) {
    refusal(await stamped(offMs), 400, '400002', /^Invalid SVC-API-TIMESTAMP/);
  }
});

test('a timestamp that is not a number of milliseconds is rejected', async () => {
  const now = Date.now();
  for (const timestamp of ['soon', `${now}x`, `${now}.5`, String(Math.floor(now / 1000)), `-${now}`]) {
    refusal(await get(signed(alice.dialect, alice.user, 'GET', accounts, '', { timestamp })), 400, '400002');
  }
});

test('the signature covers timestamp, method, path with query and body', async () => {
  const path = `${accounts}?currency=BTC`;
  assert.equal((await get(good('GET', path), path)).status, 200);
  refusal(await get(good('GET', accounts), path), 401, '400005');
  refusal(await get(good('GET', `${accounts}?currency=ETH`), path), 401, '400005');
  refusal(await get(good('POST', accounts)), 401, '400005');
  const later = String(nowMs() + 7);
  refusal(await get({ ...good(), 'SVC-API-TIMESTAMP': later }), 401, '400005');
  const body = JSON.stringify(limit(pair, 'buy', '100', '1'));
  refusal(await post(good('POST', orders, body), body.replace('"1"', '"2"')), 401, '400005');
  const cancel = `${orders}/65a0b0c0d0e0f00000000000`;
  const answer = await send(
    alice.dialect.url,
    'DELETE',
    `${cancel}?symbol=${pair}`,
    '',
    good('DELETE', cancel),
  );
  refusal(answer, 401, '400005');
});

test('a signature by another user, or with another secret, is rejected', async () => {
  const headers = { ...good('GET', accounts, '', child), 'SVC-API-KEY': alice.user.apiKey };
  refusal(await get(headers), 401, /^40000[45]$/);
});

test('the body is signed as sent, including odd spacing, order and escapes', async () => {
  const odd = `{ "side":"buy" ,\n\t"symbol" : "ETH\\u002dUSDT","type":"limit",  "price":"100", "size":"1"\r\n}`;
  const answer = await post(good('POST', orders, odd), odd);
  assert.equal(answer.status, 200, answer.text);
  const id = String(at(answer.body, 'data.orderId'));
  assert.equal((await alice.order(id, pair)).price, '100');
  await alice.cancel(id, pair);
  const tidy = JSON.stringify(JSON.parse(odd));
  refusal(await post(good('POST', orders, tidy), odd), 401, '400005');
});

test('in the sandbox, a failed signature gets the text that the server signed, and never a secret', async () => {
  const path = `${accounts}?currency=BTC`;
  const headers = good('GET', accounts);
  const answer = await get(headers, path);
  assert.ok(answer.text.includes(`${headers['SVC-API-TIMESTAMP']}GET${path}`), answer.text);
  assert.ok(!answer.text.includes(alice.user.apiSecret));
  assert.ok(!answer.text.includes(alice.user.apiPassphrase));
});

/** Another spelling of the same bytes: the last base64 digit before the padding has two bits that mean nothing. */
function respelt(signature: string): string {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  assert.match(signature, /^.{43}=$/);
  return `${signature.slice(0, 42)}${digits[digits.indexOf(signature[42]) + 1]}=`;
}

const again: [how: string, send: (headers: Headers, body: string) => Promise<Answer>][] = [
  ['unchanged', (headers, body) => post(headers, body)],
  [
    'with its signature spelt otherwise',
    (headers, body) => post({ ...headers, 'SVC-API-SIGN': respelt(headers['SVC-API-SIGN']) }, body),
  ],
  [
    'without the padding of its signature',
    (headers, body) => post({ ...headers, 'SVC-API-SIGN': headers['SVC-API-SIGN'].slice(0, 43) }, body),
  ],
  [
    'through the other dialect',
    (headers, body) => {
      const renamed = Object.entries(headers).map(([name, value]) => [name.replace(/^SVC/, 'KC'), value]);
      return send(service().ready.compatUrl, 'POST', orders, body, Object.fromEntries(renamed));
    },
  ],
];

for (const [how, repeat] of again) {
  test(`a signed POST takes effect once, even if sent again ${how}`, async () => {
    const body = JSON.stringify(limit(pair, 'buy', '100', '1'));
    const headers = good('POST', orders, body);
    const change = await alice.change(['USDT'], async () => {
      const answers = await Promise.all([post(headers, body), post(headers, body), repeat(headers, body)]);
      answers.push(await repeat(headers, body));
      const ids = answers.map((answer) => at(answer.body, 'data.orderId')).filter((id) => id !== undefined);
      assert.equal(new Set(ids).size, 1, answers.map((answer) => answer.text).join());
      alice.track(String(ids[0]), pair);
    });
    assert.equal(change.USDT.holds, '100.1');
  });
}

test('a request without the permission is rejected, in the response format of the endpoint', async () => {
  const order = JSON.stringify(limit(pair, 'buy', '100', '1'));
  for (const path of [orders, `${orders}/sync`]) {
    const answer = await post(good('POST', path, order, viewer), order, path);
    refusal(answer, 403, '400007', /^Access denied/);
  }
  for (const path of [`${orders}/multi`, `${orders}/multi/sync`]) {
    const body = JSON.stringify({ orderList: [limit(pair, 'buy', '100', '1')] });
    const answer = await post(good('POST', path, body, viewer), body, path);
    assert.equal(answer.status, 403);
    assert.equal(at(answer.body, 'success'), false);
    assert.equal(at(answer.body, 'code'), '400007');
  }
});

test('checks run in order: of two faults, the earlier one is reported', async () => {
  const wrong = hmac('x', 'x');
  const off = String(Date.now() - 60_000);
  const text = { 'content-type': 'text/plain' };
  refusal(await post({}, '{}', '/api/v1/no/such'), 404, '404000');
  refusal(await send(alice.dialect.url, 'PUT', orders, '{}', text), 405, '405000');
  refusal(await post(text, '{}'), 415, '415000');
  const body = JSON.stringify({ symbol: pair, type: 'limit', side: 'up', price: '100.001', size: '999999' });
  const signedBy = (client: UserClient) => good('POST', orders, body, client);
  const { 'SVC-API-PASSPHRASE': _, ...missing } = signedBy(alice);
  refusal(await post({ ...missing, 'SVC-API-KEY': 'nobody' }, body), 400, '400001');
  const unknown = { ...signedBy(alice), 'SVC-API-KEY': 'nobody', 'SVC-API-TIMESTAMP': off };
  refusal(await post(unknown, body), 401, '400003');
  const late = { ...signedBy(alice), 'SVC-API-TIMESTAMP': off, 'SVC-API-PASSPHRASE': wrong };
  refusal(await post(late, body), 400, '400002');
  const both = { ...signedBy(alice), 'SVC-API-PASSPHRASE': wrong, 'SVC-API-SIGN': wrong };
  refusal(await post(both, body), 401, '400004');
  refusal(await post({ ...signedBy(viewer), 'SVC-API-SIGN': wrong }, body), 401, '400005');
  refusal(await post(signedBy(viewer), body), 403, '400007');
  refusal(await post(signedBy(alice), body), 400, '400100');
  await alice.refused(limit('NO-SUCH', 'buy', '100.001', '999999999'), '900001');
  await alice.refused(limit(pair, 'buy', '100.001', '999999'), '400100', /^Price increment/);
  await alice.refused(limit(pair, 'buy', '100', '999999'), '200004');
});

test('a body that is too large is rejected before anything else is read', { timeout: 60_000 }, async () => {
  const { hostname, port } = new URL(alice.dialect.url);
  const said = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setTimeout(30_000, () => socket.destroy(new Error(`no answer: ${text}`)));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (text.includes('}')) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    const head = `POST ${orders} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;
    socket.write(`${head}Content-Length: 900000000\r\n\r\n{`);
  });
  assert.match(said, /^HTTP\/1\.1 413 /);
  assert.match(said, /"413000"/);
  assert.match(said, /gw-ratelimit-limit: \d+/i);
});

ledgerStandsAtTheEnd(service, (user) => new UserClient(service, user.name).accounts());
