/** A venue has a separate listener for operators, and nothing of theirs can be reached at the public port. */

import assert from 'node:assert/strict';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { loadSettings } from '../../src/config/load.ts';
import { open, openFor, Operator } from './exchange.ts';
import { banner, run, serve } from './process.ts';

const TOKEN = 'a-token-of-a-venue-for-this-test';
const ENV = { BOURSE_SECRET_KEY: 'ab'.repeat(32), BOURSE_OPERATOR_TOKEN: TOKEN };
const HEADERS = { authorization: `Bearer ${TOKEN}` };

/** Sends the request line unchanged: `fetch` would normalise the path. */
async function statusOf(baseUrl: string, target: string): Promise<number> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  socket.write(
    `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`,
  );
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
}

test('the public port of a venue serves no operator path, however it is spelt', async (t) => {
  const { connection } = await openFor(t, { flags: { venue: true }, env: ENV });
  const { baseUrl, operatorUrl } = connection;
  assert.notEqual(new URL(operatorUrl).port, new URL(baseUrl).port);
  const targets = [
    '/operator',
    '/operator/v1/users',
    '/operator/openapi.json',
    '/%6fperator/v1/users',
    '/operator%2fv1/users',
    '//operator/v1/users',
    '/./operator/v1/users',
    '/docs/../operator/v1/users',
    '/compat/operator/v1/users',
    `${baseUrl}/operator/v1/users`,
    `${operatorUrl}/v1/users`,
    '/console',
    '/console/users',
    '/console.html',
    '/%63onsole',
    '/metrics',
    '/metrics/',
    '/%6detrics',
  ];
  for (const target of targets) {
    const status = await statusOf(baseUrl, target);
    // A request line that names another host gets 400 or 404, and nothing is served.
    assert.ok(status === 404 || (target.startsWith('http') && status === 400), `${target}: ${status}`);
  }
  const refused = await fetch(`${baseUrl}/operator/v1/users`, { headers: HEADERS });
  assert.match(((await refused.json()) as { msg: string }).msg, /not on its public port.*operatorUrl/s);
});

test("the operators' listener serves the operator API, the console, metrics, health and the public API", async (t) => {
  const running = await openFor(t, { flags: { venue: true }, env: ENV });
  const { operatorUrl, baseUrl } = running.connection;
  assert.equal((await new Operator(running).get('/v1/users')).status, 200);
  const at = new URL(operatorUrl).origin;
  for (const path of ['/healthz', '/readyz', '/metrics', '/docs/reference', '/api/v1/timestamp']) {
    assert.equal((await fetch(at + path)).status, 200, path);
  }
  // 503 while the pages are not built.
  assert.ok([200, 503].includes((await fetch(`${at}/console`)).status));
  for (const path of ['/healthz', '/readyz', '/docs/reference', '/api/v1/timestamp']) {
    assert.equal((await fetch(baseUrl + path)).status, 200, path);
  }
});

test('a sandbox keeps one address', async (t) => {
  const { connection } = await openFor(t);
  assert.equal(connection.operatorUrl, `${connection.baseUrl}/operator`);
  assert.equal((await fetch(`${connection.baseUrl}/metrics`)).status, 200);
  assert.throws(
    () => loadSettings({ flags: { operatorListen: '8081' }, env: {} }),
    /only a venue has a listener/,
  );
});

test('a unix socket serves the command line of the owner and its group, and replaces one left by a killed process', async (t) => {
  const dir = makeDirectory(t);
  const path = join(dir, 'operator.sock');
  const args = ['--venue', '--data', join(dir, 'data'), '--operator-listen', path];
  const configOut = join(dir, 'connection.json');
  const killed = await serve(t, args, ENV);
  await killed.stop('SIGKILL');
  assert.ok(existsSync(path), 'left behind');

  const served = await serve(t, [...args, '--config-out', configOut], ENV);
  assert.equal(served.connection.operatorUrl, `unix:${path}:/operator`);
  assert.equal(statSync(path).mode & 0o777, 0o660);
  const added = await run(['users', 'add', 'dave', '--reason', 'a test', '--connect', configOut]);
  assert.equal(added.code, 0, added.err);
  const listed = await run(['users', 'list', '--json'], { ...ENV, BOURSE_URL: `unix:${path}` });
  assert.equal(listed.code, 0, listed.err);
  assert.match(listed.out, /"dave"/);

  const second = await run(['start', ...args, '--port', '0', '--data', join(dir, 'other')], ENV);
  assert.equal(second.code, 2);
  assert.match(second.err, /^operatorListen: .*operator\.sock is in use by another program/m);
  const { code } = await served.stop('SIGTERM');
  assert.equal(code, 0);
  assert.ok(!existsSync(path), 'removed at the end');
});

test('a file that is not a socket is not replaced', async (t) => {
  const dir = makeDirectory(t);
  const path = join(dir, 'notes.txt');
  writeFileSync(path, 'mine');
  const flags = { venue: true, operatorListen: path };
  await assert.rejects(open({ data: join(dir, 'data'), flags, env: ENV }), { name: 'OperatorListenFailed' });
  assert.equal(statSync(path).size, 4);
});

test('the banner of a venue names both addresses', async (t) => {
  const dir = makeDirectory(t);
  const keyFile = join(dir, 'key');
  writeFileSync(keyFile, ENV.BOURSE_SECRET_KEY, { mode: 0o600 });
  const said = await banner(t, ['--venue', '--data', join(dir, 'data'), '--secret-key-file', keyFile]);
  const [, operator] = /operator +(http:\S+)\/operator$/m.exec(said) ?? [];
  assert.ok(operator, said);
  // Pages are named: passkeys belong to a host name.
  const named = operator.replace('127.0.0.1', 'localhost');
  assert.ok(said.includes(`${named}/console`), said);
  assert.ok(!said.includes(`terminal    ${named}/`), said);
  assert.match(said, /terminal +http:\/\/localhost:\d+\//);
});

test('operatorListen accepts a port, a host with a port, or a path, and a proxy for operators needs operatorRemote', () => {
  const load = (flags: Record<string, string>) =>
    loadSettings({ flags: { venue: true, ...flags }, env: ENV }).settings.operatorListen;
  for (const good of ['9000', '0.0.0.0:9000', '[::1]:9000', './op.sock', '/run/bourse/op.sock', '']) {
    assert.equal(load({ operatorListen: good }), good);
  }
  for (const bad of ['localhost', 'a b:1', '127.0.0.1:', '70000', 'host:99999']) {
    assert.throws(() => load({ operatorListen: bad }), /operatorListen: /, bad);
  }
  assert.throws(() => load({ operatorPublicUrl: 'https://ops.example' }), /operatorRemote/);
});
