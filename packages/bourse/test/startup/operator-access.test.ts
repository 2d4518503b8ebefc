import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { OperatorAuthentication } from '../../../api/src/gateway/operator/access.ts';
import { OwnOrigins } from '../../../api/src/gateway/http/origin.ts';
import { OPERATOR_ROUTES } from '../../../api/src/gateway/operator/plugin.ts';
import { Operator, openFor, type OperatorReply } from './exchange.ts';

const READ_TOKEN = 'only-looking-only-looking';
const codeOf = ({ body }: OperatorReply): unknown => (body as { code?: unknown }).code;

test('operator routes reject calls without a token, calls from other machines, and changes with the read token', async (t) => {
  const running = await openFor(t, { env: { BOURSE_OPERATOR_READ_TOKEN: READ_TOKEN } });
  const seq = running.engine.health.seq;
  const nobody = new Operator(running, { authorization: '' });
  const wrong = new Operator(running, { authorization: 'Bearer wrong-wrong-wrong-wrong-wrong' });
  const proxied = new Operator(running, { 'x-forwarded-for': '203.0.113.7' });
  const reader = new Operator(running, { authorization: `Bearer ${READ_TOKEN}` });
  assert.ok(OPERATOR_ROUTES.length >= 25);

  for (const { id, method, path } of OPERATOR_ROUTES) {
    const at = path.replaceAll(/:\w+/g, 'x');
    const body = method === 'POST' ? '{}' : undefined;
    const answers: [Operator, number, string][] = [
      [nobody, 401, 'token-missing'],
      [wrong, 401, 'token-wrong'],
      [proxied, 403, 'remote-denied'],
    ];
    if (method !== 'GET') answers.push([reader, 403, 'read-only']);
    for (const [who, status, code] of answers) {
      const reply = await who.send(method, at, body);
      assert.deepEqual([reply.status, codeOf(reply)], [status, code], id);
      assert.deepEqual(Object.keys(reply.body as object), ['code', 'msg'], id);
    }
  }
  const looked = await reader.get('/v1/users');
  assert.equal(looked.status, 200);
  assert.equal(running.engine.health.seq, seq, 'nothing was written to the log');
});

test('operator routes reject changes without a reason', async (t) => {
  const running = await openFor(t);
  const operator = new Operator(running);
  let changes = 0;
  for (const { id, method, path } of OPERATOR_ROUTES) {
    // An invitation changes nothing in the exchange.
    if (method === 'GET' || id === 'add-invitation') continue;
    changes++;
    const at = path.replaceAll(/:\w+/g, 'alice');
    for (const reason of [undefined, '', 'x'.repeat(257)]) {
      const query = method === 'DELETE' && reason !== undefined ? `?reason=${reason}` : '';
      const body = method === 'POST' ? JSON.stringify({ reason }) : undefined;
      const reply = await operator.send(method, at + query, body);
      assert.deepEqual([reply.status, codeOf(reply)], [400, 'parameter-invalid'], `${id} ${reason?.length}`);
    }
  }
  assert.ok(changes >= 12);
});

test('the documentation lists every operator route, and only existing ones', () => {
  const page = readFileSync(new URL('../../../../docs/operating/operator-calls.md', import.meta.url), 'utf8');
  const documented = Array.from(page.matchAll(/^\| `((?:GET|POST|DELETE) \S+)` \|/gm), ([, call]) => call);
  assert.deepEqual(
    documented.toSorted(),
    OPERATOR_ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted(),
  );
});

describe('authentication of operators', () => {
  const token = 'a-token-of-enough-length';
  const headers = { authorization: `Bearer ${token}`, host: '127.0.0.1:8080' };
  const origins = new OwnOrigins({ host: '192.0.2.7', publicHost: 'bourse.example:8443', hostNames: [] });
  const terms = { token, readToken: '', origins };
  const authentication = new OperatorAuthentication({ ...terms, isRemoteAllowed: false });
  const open = new OperatorAuthentication({ ...terms, isRemoteAllowed: true });

  test('knows this machine by all its loopback addresses', () => {
    for (const address of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']) {
      assert.equal(authentication.identify(headers, address, true).name, 'operator');
    }
  });
  test('rejects every other address, unless remote access is on', () => {
    for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '2001:db8::1', '1127.0.0.1', '']) {
      assert.throws(() => authentication.identify(headers, address, false), { error: 'remote-denied' });
      assert.equal(open.identify(headers, address, false).name, 'operator');
    }
  });
  test('accepts only the own names of this machine, because another name may be rebound to it', () => {
    for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.1.2.3:80', '[::1]', '[::1]:8080']) {
      assert.equal(authentication.identify({ ...headers, host }, '::1', true).name, 'operator');
    }
    const strange = [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'bourse.example:8080',
      '',
    ];
    for (const host of strange) {
      assert.throws(() => authentication.identify({ ...headers, host }, '::1', false), {
        error: 'remote-denied',
      });
      assert.equal(open.identify({ ...headers, host }, '::1', false).name, 'operator');
    }
  });
  test('rejects requests from foreign pages, even with remote access on', () => {
    const own = [
      ['127.0.0.1:8080', 'http://127.0.0.1:8080'],
      ['LOCALHOST:8080', 'http://localhost:8080'],
      ['192.0.2.7:8080', 'http://192.0.2.7:8080'],
      // A proxy shows the pages there, and may send another Host.
      ['127.0.0.1:8080', 'https://bourse.example:8443'],
    ];
    for (const [host, origin] of own) {
      assert.equal(open.identify({ ...headers, host, origin }, '::1', true).name, 'operator', origin);
    }
    // Another program on this machine serves its pages at another port.
    const others = [
      'http://127.0.0.1:3000',
      'http://127.0.0.1',
      'http://localhost:8080',
      'http://[::1]:8080',
    ];
    for (const origin of [
      ...others,
      'http://evil.example',
      'null',
      '',
      'http://localhost.evil.example',
      'file://',
    ]) {
      for (const each of [authentication, open]) {
        assert.throws(() => each.identify({ ...headers, origin }, '::1', false), { error: 'origin-denied' });
      }
    }
  });
  test('rejects a page under a foreign name that resolves to this machine', () => {
    const host = 'rebound.example:8080';
    assert.throws(() => open.identify({ ...headers, host, origin: `http://${host}` }, '::1', true), {
      error: 'origin-denied',
    });
  });
  test('accepts a valid operator name, and rejects an invalid one', () => {
    assert.equal(authentication.identify({ ...headers, 'x-operator': 'ann' }, '::1', true).name, 'ann');
    for (const name of ['', 'a b', 'x'.repeat(65), 'ü']) {
      assert.throws(() => authentication.identify({ ...headers, 'x-operator': name }, '::1', true), {
        error: 'name-invalid',
      });
    }
  });
  test('an empty read token opens nothing', () => {
    assert.throws(() => authentication.identify({ ...headers, authorization: 'Bearer ' }, '::1', false), {
      error: 'token-missing',
    });
  });
});
