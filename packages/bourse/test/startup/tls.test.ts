/** https without a proxy: real processes, real certificates. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { connect as connectPlain, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import WebSocket from 'ws';
import { limitsEnv } from '@bourse/test-kit/limits.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { run, serve } from './process.ts';

const skip = spawnSync('openssl', ['version']).error !== undefined && 'no openssl here';
const WAIT_MS_MAX = 60_000;

interface Pair {
  readonly cert: string;
  readonly key: string;
  readonly flags: readonly string[];
}

/** A certificate that vouches for itself, for localhost. */
function makePair(dir: string, name: string): Pair {
  const [cert, key] = [`${dir}/${name}.pem`, `${dir}/${name}.key`];
  const made = spawnSync(
    'openssl',
    [
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2',
      `-subj /CN=${name} -addext subjectAltName=DNS:localhost,IP:127.0.0.1`,
      `-keyout ${key} -out ${cert}`,
    ].flatMap((words) => words.split(' ')),
  );
  assert.equal(made.status, 0, String(made.stderr));
  return { cert, key, flags: ['--tls-cert', cert, '--tls-key', key] };
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: { readonly data?: Record<string, unknown>; readonly code?: string };
}

function call(
  url: string,
  ca: string,
  method = 'GET',
  body?: object,
  more: { readonly agent?: Agent; readonly headers?: Record<string, string> } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers = { ...(body && { 'content-type': 'application/json' }), ...more.headers };
    const sent = request(url, { ca, method, ...more, headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += String(chunk);
      resolve({ status: response.statusCode!, headers: response.headers, body: JSON.parse(text || 'null') });
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

/** The name in the certificate that new connections get. */
async function servedName(url: string, ca: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ca, servername: 'localhost' });
  await once(socket, 'secureConnect');
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return String(subject.CN);
}

/** All that arrives until the other side ends the connection. */
async function readAll(socket: Socket | TLSSocket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

const serveTls = async (context: TestContext, env: Readonly<Record<string, string>> = {}) => {
  const dir = makeDirectory(context);
  const pair = makePair(dir, 'first');
  const served = await serve(context, ['--data', `${dir}/data`, ...pair.flags], env);
  return { dir, pair, ca: readFileSync(pair.cert, 'utf8'), served, url: served.connection.baseUrl };
};

test('with a certificate, requests, the feed, cookies and operators all use https', {
  skip,
}, async (t) => {
  const { ca, served, url } = await serveTls(t);
  const { operatorUrl, operatorToken, sandboxUrl, compatUrl, identityUrl } = served.connection;
  for (const each of [url, operatorUrl, sandboxUrl!, compatUrl])
    assert.match(each, /^https:\/\/127\.0\.0\.1:/);

  const bullet = await call(`${url}/api/v1/bullet-public`, ca, 'POST');
  const [server] = bullet.body.data!['instanceServers'] as { endpoint: string }[];
  assert.match(server.endpoint, /^wss:/);
  const feed = new WebSocket(`${server.endpoint}?token=${String(bullet.body.data!['token'])}`, { ca });
  const [welcome] = await once(feed, 'message');
  assert.equal(JSON.parse(String(welcome)).type, 'welcome');
  feed.terminate();

  const operator = { authorization: `Bearer ${operatorToken}` };
  assert.equal(
    (await call(`${operatorUrl}/v1/users`, ca, 'GET', undefined, { headers: operator })).status,
    200,
  );

  const email = 'ada@example.test';
  const signedUp = { email, password: 'four unrelated words here' };
  assert.equal((await call(`${identityUrl}/sign-up`, ca, 'POST', signedUp)).status, 202);
  const mails = await call(`${sandboxUrl}/mail?to=${email}`, ca, 'GET', undefined, { headers: operator });
  const [{ links }] = mails.body as unknown as { links: string[] }[];
  assert.match(links[0], /^https:\/\/localhost:/);
  const token = new URL(links[0]).searchParams.get('token');
  const verified = await call(`${identityUrl}/verify`, ca, 'POST', { token });
  assert.match(String(verified.headers['set-cookie']), /^__Host-[^;]+;.*; Secure/);

  const { hostname, port } = new URL(url);
  const plain = connectPlain(Number(port), hostname);
  plain.end('GET /api/v1/timestamp HTTP/1.1\r\nhost: localhost\r\n\r\n');
  assert.doesNotMatch(await readAll(plain), /^HTTP\/1\.1 200/, 'without TLS nothing is answered');
  assert.equal((await call(`${url}/api/v1/timestamp`, ca)).status, 200);
});

test('a new certificate is used without a restart, and open connections continue', { skip }, async (t) => {
  const { dir, pair, ca, url } = await serveTls(t);
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
  t.after(() => agent.destroy());
  assert.equal(await servedName(url, ca), 'first');
  assert.equal((await call(`${url}/api/v1/timestamp`, ca, 'GET', undefined, { agent })).status, 200);

  const next = makePair(dir, 'next');
  const nextCa = readFileSync(next.cert, 'utf8');
  // The two files are replaced one after the other, as by any program that renews them.
  renameSync(next.cert, pair.cert);
  await wait(6000);
  assert.equal(await servedName(url, ca), 'first', 'a certificate without its key is not served');
  renameSync(next.key, pair.key);
  const until = Date.now() + WAIT_MS_MAX;
  let name = 'first';
  while (name !== 'next' && Date.now() < until) {
    await wait(200);
    name = await servedName(url, `${ca}\n${nextCa}`);
  }
  assert.equal(name, 'next');
  assert.equal((await call(`${url}/api/v1/timestamp`, ca, 'GET', undefined, { agent })).status, 200);
});

test('pipelined requests over TLS are answered in their order', { skip }, async (t) => {
  const { ca, url } = await serveTls(t);
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), ca, servername: 'localhost' });
  await once(socket, 'secureConnect');
  const count = 200;
  const one = (n: number) =>
    `GET /api/v1/market/orderbook/level1?symbol=NONE-${n} HTTP/1.1\r\nhost: localhost\r\n` +
    `${n === count ? 'connection: close\r\n' : ''}\r\n`;
  for (let n = 1; n <= count; n++) {
    socket.write(one(n));
    // Within what a connection may send at once.
    if (n % 20 === 0) await wait(50);
  }
  const text = await readAll(socket);
  const named = [...text.matchAll(/NONE-(\d+)/g)].map(([, n]) => Number(n));
  assert.deepEqual(
    [...new Set(named)],
    [...new Set(named)].toSorted((a, b) => a - b),
  );
  assert.equal((text.match(/HTTP\/1\.1 [2-5]\d\d /g) ?? []).length, count);
});

test('connections that never finish their handshake count as connections', { skip }, async (t) => {
  const { ca, url } = await serveTls(t, limitsEnv({ connectionsPerAddressMax: 5 }));
  const { hostname, port } = new URL(url);
  const idle: Socket[] = [];
  for (let n = 0; n < 5; n++) {
    const socket = connectPlain(Number(port), hostname).on('error', () => undefined);
    await once(socket, 'connect');
    idle.push(socket);
  }
  t.after(() => idle.forEach((socket) => socket.destroy()));
  // A round trip with the sixth shows that the first five have been seen.
  await assert.rejects(call(`${url}/api/v1/timestamp`, ca));
  for (const socket of idle) socket.destroy();
  const until = Date.now() + WAIT_MS_MAX;
  for (;;) {
    const status = await call(`${url}/api/v1/timestamp`, ca).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) break;
    assert.ok(Date.now() < until, 'the places of closed connections are free again');
    await wait(100);
  }
});

test('files that are not a certificate and key are rejected at the start, and nothing is created', {
  skip,
}, async (t) => {
  const dir = makeDirectory(t);
  const [a, b] = [makePair(dir, 'a'), makePair(dir, 'b')];
  const start = (...flags: readonly string[]) =>
    run(['start', '--port', '0', '--data', `${dir}/data`, ...flags]);
  const cases: readonly [readonly string[], RegExp][] = [
    [['--tls-cert', a.cert], /tlsCert: TLS needs both files; give the other one with --tls-key/],
    [['--tls-key', a.key], /tlsKey: TLS needs both files; give the other one with --tls-cert/],
    [['--tls-cert', `${dir}/none.pem`, '--tls-key', a.key], /tlsCert: .*none\.pem/],
    [
      ['--tls-cert', a.cert, '--tls-key', b.key],
      /tlsCert, tlsKey: .* are not a certificate and its private key/,
    ],
    [
      ['--tls-cert', a.key, '--tls-key', a.cert],
      /tlsCert, tlsKey: .* are not a certificate and its private key/,
    ],
  ];
  for (const [flags, expected] of cases) {
    const { code, err } = await start(...flags);
    assert.equal(code, 2, err);
    assert.match(err, expected);
    assert.doesNotMatch(err, /BEGIN|PRIVATE/);
  }
  assert.equal(spawnSync('ls', [`${dir}/data`]).status === 0, false, 'no data directory is made');
});

test("a venue's operators on this machine need no certificate, and its stop waits for no handshake", {
  skip,
}, async (t) => {
  const dir = makeDirectory(t);
  const pair = makePair(dir, 'exchange');
  const env = { BOURSE_SECRET_KEY: 'ab'.repeat(32), BOURSE_OPERATOR_TOKEN: 'cd'.repeat(20) };
  const served = await serve(t, ['--venue', '--data', `${dir}/data`, ...pair.flags], env);
  const { baseUrl, operatorUrl } = served.connection;
  assert.match(baseUrl, /^https:/);
  assert.match(operatorUrl, /^http:\/\/127\.0\.0\.1:/);
  const listed = await fetch(`${operatorUrl}/v1/users`, {
    headers: { authorization: `Bearer ${env.BOURSE_OPERATOR_TOKEN}` },
  });
  assert.equal(listed.status, 200);
  const { hostname, port } = new URL(baseUrl);
  const idle = connectPlain(Number(port), hostname).on('error', () => undefined);
  await once(idle, 'connect');
  t.after(() => idle.destroy());
  const closed = once(idle, 'close');
  const { code } = await served.stop('SIGTERM');
  assert.equal(code, 0);
  await closed;
});
