// What a page of another origin can make a browser send to a sandbox, whose keys and token are published.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendBytes, splitAnswers } from '@bourse/test-kit/wire/requests.ts';
import { Client, startServer } from '@bourse/test-kit/server.ts';

const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '30000', size: '0.001' };

/** The head of a websocket's first request. */
const upgrade = (path: string, host: string, origin?: string): string =>
  [
    `GET ${path} HTTP/1.1`,
    `host: ${host}`,
    'connection: upgrade',
    'upgrade: websocket',
    'sec-websocket-version: 13',
    'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
    ...(origin === undefined ? [] : [`origin: ${origin}`]),
    '\r\n',
  ].join('\r\n');

async function statusOf(port: number, bytes: string): Promise<number> {
  const [first] = splitAnswers(await sendBytes(port, bytes, 1));
  return first!.status;
}

test('a sandbox accepts changes and websockets from its own pages and from programs, but not from other pages', async (context) => {
  const { url, port, close } = await startServer();
  context.after(close);
  const alice = new Client(url, 'alice');
  const own = [undefined, `http://127.0.0.1:${port}`];
  const foreign = [
    'http://evil.example',
    `http://evil.example:${port}`,
    `http://127.0.0.1:${port + 1}`,
    'http://127.0.0.1',
    `http://localhost:${port}`,
    'null',
  ];
  for (const origin of foreign) {
    const { status, json } = await alice.send('POST', '/api/v1/hf/orders', JSON.stringify(ORDER), { origin });
    assert.deepEqual([status, json.code], [403, '400015'], origin);
    for (const path of ['/v1/private', '/compat/v1/private', '/feed']) {
      assert.equal(
        await statusOf(port, upgrade(path, `127.0.0.1:${port}`, origin)),
        403,
        `${path} ${origin}`,
      );
    }
  }
  for (const origin of own) {
    const headers = origin === undefined ? {} : { origin };
    const { status } = await alice.send('POST', '/api/v1/hf/orders', JSON.stringify(ORDER), headers);
    assert.equal(status, 200, String(origin));
    assert.equal(await statusOf(port, upgrade('/v1/private', `127.0.0.1:${port}`, origin)), 101);
  }
  const rebound = `rebound.example:${port}`;
  assert.equal(await statusOf(port, upgrade('/v1/private', rebound, `http://${rebound}`)), 403);
});

const ask = (path: string, host: string): string => `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n\r\n`;

/** Everything that a server has: the interface in both dialects, documents, health, the operator's and the sandbox's. */
const PATHS = [
  '/',
  '/console',
  '/docs/reference',
  '/openapi.json',
  '/metrics',
  '/healthz',
  '/readyz',
  '/api/v1/timestamp',
  '/compat/api/v1/timestamp',
  '/operator/v1/status',
  '/nowhere',
];
/** Names that an attacker can resolve to this machine. */
const FOREIGN_HOSTS = [
  'evil.example',
  'localhost.evil.example:80',
  '127.0.0.1.evil.example',
  'bourse.example',
];

test('a sandbox on loopback rejects requests for a foreign host name, as after DNS rebinding', async (context) => {
  const { port, close } = await startServer();
  context.after(close);
  for (const host of FOREIGN_HOSTS) {
    for (const path of PATHS) {
      const [answer] = splitAnswers(await sendBytes(port, ask(path, host), 1));
      assert.equal(answer!.status, 403, `${host} ${path}`);
      assert.match(answer!.body, /"code":"400015".*hostNames/, `${host} ${path}`);
    }
    for (const path of ['/v1/private', '/feed']) {
      assert.equal(await statusOf(port, upgrade(path, host)), 403, `${host} ${path}`);
    }
  }
  const own = ['127.0.0.1', `127.0.0.1:${port}`, 'localhost', `LOCALHOST:${port}`, '[::1]:80', 'a.localhost'];
  for (const host of [...own, '10.0.0.7', '[2001:db8::1]:80']) {
    assert.equal(await statusOf(port, ask('/api/v1/timestamp', host)), 200, host);
    assert.equal(await statusOf(port, upgrade('/v1/private', host)), 101, host);
  }
});

test('configured host names are accepted; beyond loopback and in a venue, every name is', async (context) => {
  const ways = [
    { settings: { hostNames: ['Bourse.example'] } },
    { settings: { publicUrl: 'https://bourse.example/exchange' } },
    { settings: { host: '0.0.0.0' } },
    { isSandbox: false },
  ];
  for (const way of ways) {
    const { port, close } = await startServer(way);
    context.after(close);
    for (const host of ['bourse.example', 'BOURSE.example:8443']) {
      assert.equal(await statusOf(port, ask('/api/v1/timestamp', host)), 200, JSON.stringify(way));
    }
  }
});

test('a venue accepts websockets from any page, because every action needs a secret', async (context) => {
  const { port, close } = await startServer({ isSandbox: false });
  context.after(close);
  const head = upgrade('/v1/private', `127.0.0.1:${port}`, 'https://a-terminal.example');
  assert.equal(await statusOf(port, head), 101);
});
