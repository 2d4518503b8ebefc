// What a page of another origin can make a browser send to a sandbox, whose keys and token are published.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendBytes, splitAnswers } from '@bourse/test-tools/raw-socket.ts';
import { Client, startServer } from '@bourse/test-tools/server.ts';

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

test('a sandbox takes changes and websockets from its own pages and from programs, not from other pages', async (context) => {
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

test('a venue, where nothing is done without a secret, takes websockets of any page', async (context) => {
  const { port, close } = await startServer({ isSandbox: false });
  context.after(close);
  const head = upgrade('/v1/private', `127.0.0.1:${port}`, 'https://a-terminal.example');
  assert.equal(await statusOf(port, head), 101);
});
