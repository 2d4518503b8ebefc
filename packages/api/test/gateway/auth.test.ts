import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Command } from '@bourse/core';
import {
  type ExchangePort,
  type Sender,
  type Waiter,
  overriding,
} from '../../../engine/src/exchange-port.ts';
import {
  equalDigests,
  HmacKey,
  signedSpellings,
  SKEW_MS_LIMIT,
} from '../../src/gateway/access/authenticate.ts';
import { SecretBox } from '../../src/gateway/access/secrets.ts';
import { allRoutes } from '../../src/gateway/routes/all.ts';
import { SANDBOX_SECRET_KEY } from '../../../sandbox/src/seed.ts';
import { probeRoutes } from './probe-routes.ts';
import {
  Client,
  credentials,
  type Reply,
  sign,
  startServer,
  startWhole,
  type TestServer,
} from '@bourse/test-kit/server.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const ALICE = credentials('alice');
const PATH = '/probe/things/1?symbol=A';
type Headers_ = Record<string, string>;

describe('authentication', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ routes: probeRoutes });
    const secrets = new SecretBox(Buffer.from(SANDBOX_SECRET_KEY, 'hex'));
    const key = { version: 2, permissions: ['general' as const], secret: secrets.seal('s3cret', 'pass') };
    for (const [name, ipAllowList] of [
      ['fenced', ['10.0.0.1']],
      ['at-home', ['10.0.0.1', '127.0.0.1']],
    ] as const) {
      const { outcome } = await submit(server.services.port, {
        kind: 'add-key',
        key: name,
        user: 1,
        ...key,
        ipAllowList,
      });
      assert.equal(outcome.kind, 'accepted');
    }
  });
  after(() => server.close());

  async function send(headers: Headers_, path = PATH, method = 'GET'): Promise<Reply> {
    return new Client(server.url).send(method, path, undefined, headers);
  }

  function refused(reply: Reply, status: number, code: string, text: string): void {
    assert.equal(reply.status, status, reply.text);
    assert.equal(reply.json.code, code, reply.text);
    assert.ok(String(reply.json.msg).startsWith(text), reply.text);
    assert.equal(reply.headers.get('gw-ratelimit-limit'), '2000', 'the public pool, because nobody is known');
  }

  const now = () => String(Date.now());
  const signed = (options = {}) => sign(ALICE, 'GET', PATH, '', options);

  test('each of the five headers is required', async () => {
    assert.equal((await send(signed())).status, 200);
    for (const name of Object.keys(signed())) {
      const { [name]: _, ...rest } = signed();
      const reply = await send(rest);
      refused(
        reply,
        400,
        '400001',
        'Please check the header of your request for SVC-API-KEY, SVC-API-SIGN, SVC-API-TIMESTAMP, SVC-API-PASSPHRASE',
      );
      assert.match(String(reply.json.msg), new RegExp(`Missing: ${name}\\.`));
      refused(await send({ ...rest, [name]: '' }), 400, '400001', 'Please check');
    }
  });

  test('a key is used with its own version', async () => {
    for (const version of ['1', '2', '4', '03', '2 3', 'x']) {
      const reply = await send(signed({ version }));
      refused(reply, 401, '400009', 'Invalid SVC-API-KEY-VERSION.');
      assert.match(String(reply.json.msg), new RegExp(`is ${version}; this key has version 3`));
    }
  });

  test('a client of version 1, stated or by default, gets an error that says what to change', async () => {
    const advice =
      /create a key of version 2 or 3, send its version, .* base64\(HMAC-SHA256\(API secret, passphrase\)\)/;
    const { 'SVC-API-KEY-VERSION': _, ...unversioned } = signed();
    for (const headers of [signed({ version: '1' }), unversioned]) {
      assert.match(String((await send(headers)).json.msg), advice);
    }
    for (const headers of [signed({ version: '4' }), { 'SVC-API-KEY': 'x' }]) {
      assert.doesNotMatch(String((await send(headers)).json.msg), advice);
    }
  });

  test('the timestamp may be five seconds off and no more', async () => {
    for (const off of [-4000, 4000]) {
      assert.equal((await send(signed({ timestamp: String(Date.now() + off) }))).status, 200, String(off));
    }
    for (const off of [-5500, 8000, -1e9]) {
      const reply = await send(signed({ timestamp: String(Date.now() + off) }));
      refused(reply, 400, '400002', 'Invalid SVC-API-TIMESTAMP');
      assert.match(String(reply.json.msg), /\d+ ms (behind|ahead of) the server's \d{13}/);
    }
    for (const timestamp of [
      '0',
      '-1',
      '1e13',
      `${now()}.0`,
      ` ${now()}1`,
      `0${now()}`,
      'x',
      '9'.repeat(40),
    ]) {
      refused(await send(signed({ timestamp })), 400, '400002', 'Invalid SVC-API-TIMESTAMP');
    }
  });

  test('an unknown key, a wrong passphrase and a wrong signature get different errors', async () => {
    refused(await send({ ...signed(), 'SVC-API-KEY': 'nobody' }), 401, '400003', 'SVC-API-KEY not exists');
    refused(
      await send({ ...signed(), 'SVC-API-PASSPHRASE': ALICE.apiPassphrase }),
      401,
      '400004',
      'Invalid SVC-API-PASSPHRASE',
    );
    const wrongSecret = { ...ALICE, apiSecret: credentials('bob').apiSecret };
    const { json } = await send(sign(wrongSecret, 'GET', PATH));
    assert.equal(json.code, '400004', 'the passphrase is made with the secret, and checked first');
    assert.match(json.msg!, /The passphrase or the API secret is not that of the key\.$/);
    const bob = sign(credentials('bob'), 'GET', PATH);
    refused(
      await send({ ...signed(), 'SVC-API-SIGN': bob['SVC-API-SIGN'] }),
      401,
      '400005',
      'Invalid SVC-API-SIGN',
    );
    refused(await send({ ...signed(), 'SVC-API-SIGN': 'short' }), 401, '400005', 'Invalid SVC-API-SIGN');
  });

  test('a sandbox shows the text that it signed, and no secret', async () => {
    const timestamp = now();
    const { apiSecret, apiPassphrase } = ALICE;
    const reply = await new Client(server.url).send('POST', '/probe/things?a=%20', '{"text":"é"}', {
      ...sign(ALICE, 'POST', '/probe/things', '{"text":"é"}', { timestamp }),
    });
    assert.match(String(reply.json.msg), /The server signed: /);
    assert.ok(String(reply.json.msg).endsWith(`${timestamp}POST/probe/things?a=%20{"text":"é"}`));
    assert.ok(!reply.text.includes(apiSecret) && !reply.text.includes(apiPassphrase));
  });

  test('a venue never shows the signed text', async () => {
    const venue = await startServer({ routes: probeRoutes, isSandbox: false });
    const reply = await new Client(venue.url).send('GET', PATH, undefined, {
      ...signed(),
      'SVC-API-SIGN': 'x',
    });
    await venue.close();
    assert.equal(reply.json.code, '400005');
    assert.ok(!reply.text.includes('signed:'));
  });

  test('a key with an IP allow list works only from those addresses', async () => {
    const who = (apiKey: string) => ({ apiKey, apiSecret: 's3cret', apiPassphrase: 'pass' });
    refused(
      await send(sign(who('fenced'), 'GET', PATH, '', { version: '2' })),
      403,
      '400006',
      'Invalid request ip, the current clientIp is:127.0.0.1',
    );
    assert.equal((await send(sign(who('at-home'), 'GET', PATH, '', { version: '2' }))).status, 200);
  });

  test('a forwarded-for header from an untrusted client does not change its address', async () => {
    const who = { apiKey: 'fenced', apiSecret: 's3cret', apiPassphrase: 'pass' };
    const fenced = sign(who, 'GET', PATH, '', { version: '2' });
    refused(await send({ ...fenced, 'x-forwarded-for': '10.0.0.1' }), 403, '400006', 'Invalid request ip');
  });

  test('the key must have the permission of the route', async () => {
    const viewer = sign(credentials('alice-viewer'), 'DELETE', '/probe/things/1');
    const reply = await send(viewer, '/probe/things/1', 'DELETE');
    refused(reply, 403, '400007', 'Access denied, require more permission.');
    assert.match(String(reply.json.msg), /This needs Spot Trading, the key has General;/);
  });

  test('of several faults, the first in the order of checks is reported', async () => {
    const wrong: Headers_ = {
      'SVC-API-KEY': 'nobody',
      'SVC-API-SIGN': 'x',
      'SVC-API-TIMESTAMP': '1',
      'SVC-API-PASSPHRASE': 'x',
      'SVC-API-KEY-VERSION': '9',
    };
    const right = () => sign(credentials('alice-viewer'), 'DELETE', '/probe/things/1');
    const order = [
      'SVC-API-KEY',
      'SVC-API-KEY-VERSION',
      'SVC-API-TIMESTAMP',
      'SVC-API-PASSPHRASE',
      'SVC-API-SIGN',
    ];
    const codes: unknown[] = [];
    for (let fixed = 0; fixed <= order.length; fixed++) {
      const headers = { ...wrong };
      const good = right();
      for (const name of order.slice(0, fixed)) headers[name] = good[name];
      codes.push((await send(headers, '/probe/things/1', 'DELETE')).json.code);
    }
    assert.deepEqual(codes, ['400003', '400009', '400002', '400004', '400005', '400007']);
  });

  test('public routes ignore API keys, valid or not', async () => {
    const reply = await send(
      { 'SVC-API-KEY': 'nobody', 'SVC-API-SIGN': 'x', 'SVC-API-TIMESTAMP': '1' },
      '/probe/public',
    );
    assert.equal(reply.status, 200);
    assert.equal(reply.json['user'], -1);
  });

  test('the family dialect accepts a query signed in decoded form, and a path signed without its ?', async () => {
    const family = (url: string, signedAs: string) =>
      new Client(server.url).send(
        'GET',
        `/compat${url}`,
        undefined,
        sign(ALICE, 'GET', signedAs, '', { prefix: 'KC' }),
      );
    const decoded = '/probe/things/1?symbol=A,B';
    assert.equal((await family('/probe/things/1?symbol=A%2CB', decoded)).status, 200);
    assert.equal((await family('/probe/things/1?symbol=A%2CB', '/probe/things/1?symbol=A%2CB')).status, 200);
    assert.equal((await family('/probe/things/1?', '/probe/things/1')).status, 200);
    assert.equal((await family('/probe/things/1', '/compat/probe/things/1')).json.code, '400005');
    const other = await new Client(server.url).send(
      'GET',
      '/probe/things/1?symbol=A%2CB',
      undefined,
      sign(ALICE, 'GET', decoded),
    );
    assert.equal(other.json.code, '400005', 'the literal dialect does not');
    // One signature, two readings: symbol 'A&x=1', or symbol 'A' and x '1'.
    assert.equal(
      (await family('/probe/things/1?symbol=A%26x=1', '/probe/things/1?symbol=A&x=1')).json.code,
      '400005',
    );
    assert.equal(
      (await family('/probe/things/1%3Fsymbol=A', '/probe/things/1?symbol=A')).json.code,
      '400005',
    );
  });

  test('each dialect ignores the headers of the other', async () => {
    assert.equal((await send(signed({ prefix: 'KC' }))).json.code, '400001');
    assert.equal((await send(signed(), `/compat${PATH}`)).json.code, '400001');
  });

  test('the same signed request takes effect once, however often and fast it is sent', async () => {
    const body = '{"text":"once"}';
    const headers = sign(ALICE, 'POST', '/probe/things', body);
    const again = () => new Client(server.url).send('POST', '/probe/things', body, headers);
    const codes = (await Promise.all(Array.from({ length: 10 }, again))).map(({ json }) => json.code);
    assert.deepEqual(codes.toSorted(), ['200', ...Array(9).fill('400013')]);
    assert.equal((await again()).status, 400);
    const get = signed();
    assert.equal((await send(get)).status, 200);
    assert.equal((await send(get)).status, 200, 'reading twice is no harm');
  });

  test('a second spelling of a valid signature is rejected', async () => {
    const headers = sign(ALICE, 'DELETE', '/probe/things/1');
    const signature = headers['SVC-API-SIGN'];
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const last = alphabet.indexOf(signature[42]);
    const twin = `${signature.slice(0, 42)}${alphabet[last ^ 1]}=`;
    assert.deepEqual(Buffer.from(twin, 'base64'), Buffer.from(signature, 'base64'));
    assert.equal(
      (await send({ ...headers, 'SVC-API-SIGN': twin }, '/probe/things/1', 'DELETE')).json.code,
      '400005',
    );
  });
});

test('a signed request takes effect once, even across a restart', async (context) => {
  const dir = makeDirectory(context);
  const body = JSON.stringify({
    symbol: 'BTC-USDT',
    type: 'limit',
    side: 'buy',
    price: '30000',
    size: '0.001',
  });
  const headers = sign(ALICE, 'POST', '/api/v1/hf/orders', body, { timestamp: String(Date.now() + 10_000) });
  const codes: unknown[] = [];
  for (let start = 0; start < 2; start++) {
    const exchange = await startWhole(dir, { skewMsMax: 15_000 });
    try {
      codes.push(
        (await new Client(exchange.connection.baseUrl).send('POST', '/api/v1/hf/orders', body, headers)).json
          .code,
      );
    } finally {
      await exchange.close();
    }
  }
  assert.deepEqual(codes, ['200000', '400013']);
});

test('a signed request is remembered as long as the largest configurable skew would accept it', async () => {
  const untils: number[] = [];
  const server = await startServer({
    routes: allRoutes,
    wrapPort: (port): ExchangePort =>
      overriding(port, {
        send: (command: Command, waiter: Waiter, sender: Sender) => {
          if (command.once) untils.push(command.once.until);
          port.send(command, waiter, sender);
        },
      }),
  });
  try {
    const signedAfter = Date.now();
    const order = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '30000', size: '0.001' };
    assert.equal((await new Client(server.url, 'alice').post('/api/v1/hf/orders', order)).status, 200);
    assert.equal(untils.length, 1);
    assert.ok(untils[0]! >= signedAfter + 2 * SKEW_MS_LIMIT);
  } finally {
    await server.close();
  }
});

describe('signatures', () => {
  test('equal HMAC-SHA256 for every length of secret and body', () => {
    for (const secretLength of [1, 36, 63, 64, 65, 200]) {
      for (const bodyLength of [0, 1, 55, 64, 1000, 16_000, 70_000]) {
        const secret = 'é'.repeat(secretLength).slice(0, secretLength);
        const body = Buffer.alloc(bodyLength, 0xe9);
        const head = '1700000000000POST/api?x=\u00e9';
        const expected = createHmac('sha256', secret).update(head, 'latin1').update(body).digest('base64');
        assert.equal(new HmacKey(secret).sign(head, body), expected, `${secretLength} ${bodyLength}`);
        assert.ok(equalDigests(expected, expected));
      }
    }
  });

  test('are compared in full length', () => {
    const digest = createHmac('sha256', 'a').update('b').digest('base64');
    for (const other of ['', digest.slice(1), `${digest}=`, digest.toLowerCase(), `x${digest.slice(1)}`]) {
      assert.equal(equalDigests(other, digest), false, other);
    }
  });

  test('a decoded spelling is accepted only if it cannot be parsed differently', () => {
    assert.deepEqual(signedSpellings('/a?x=1%2C2'), ['/a?x=1,2']);
    assert.deepEqual(signedSpellings('/a?'), ['/a']);
    for (const url of [
      '/a?x=1%262',
      '/a%2Fb',
      '/a%3Fb',
      '/a?x=%25',
      '/a?x=1%3D2',
      '/a?x=%2B',
      '/a?x=%23',
      '/a?x=%C3%A9',
      '/a?x=%0A',
      '/a?x=%',
      '/a',
    ]) {
      assert.deepEqual(signedSpellings(url), [], url);
    }
  });
});

test('stored secrets can be decrypted only with their key, and only if unchanged', () => {
  const box = new SecretBox(Buffer.alloc(32, 1));
  const sealed = box.seal('the secret', 'the passphrase');
  assert.ok(!sealed.includes('secret') && !sealed.includes('passphrase'));
  assert.notEqual(sealed, box.seal('the secret', 'the passphrase'));
  const repeatable = new SecretBox(Buffer.alloc(32, 1), { isDeterministic: true });
  const [first, again, other] = ['one', 'one', 'two'].map((text) => repeatable.seal(text, 'passphrase'));
  assert.equal(first, again);
  assert.notEqual(first.slice(0, 18), other.slice(0, 18), 'another text has another nonce');
  assert.equal(box.open(first).secret, 'one');
  const { secret, passphraseDigest } = box.open(sealed);
  assert.equal(secret, 'the secret');
  assert.equal(
    passphraseDigest,
    createHmac('sha256', 'the secret').update('the passphrase').digest('base64'),
  );
  assert.throws(() => new SecretBox(Buffer.alloc(32, 2)).open(sealed));
  const changed = sealed.at(-6) === 'A' ? 'B' : 'A';
  assert.throws(() => box.open(`${sealed.slice(0, -6)}${changed}${sealed.slice(-5)}`));
  assert.throws(() => box.open('2.x'), /does not know/);
  assert.throws(() => new SecretBox(Buffer.alloc(31)), /32 bytes/);
});
