/** Attacks of one caller on others, or through an intermediary on itself. Each was possible once. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, credentials, sign, startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { sendBytes, splitAnswers } from '@bourse/test-kit/wire/requests.ts';
import { route } from '../../src/gateway/route.ts';
import { Type } from '../../src/gateway/schema.ts';
import { limit, ORDERS } from '@bourse/test-kit/gateway/trading.ts';

const BIG = 'x'.repeat(1_000_000);

describe('misuse of the gateway', () => {
  let server: TestServer;
  let alice: Client;
  before(async () => {
    server = await startServer({
      routes: () => [
        route({
          id: 'probe-big',
          method: 'GET',
          path: '/probe/big',
          summary: 'Something large.',
          access: 'public',
          pool: 'public',
          weight: 1,
          shape: 'A',
          answer: Type.String(),
          handle: () => BIG,
        }),
      ],
    });
    alice = new Client(server.url, 'alice');
  });
  after(() => server.close());

  const active = async (): Promise<number> => {
    const { json } = await alice.get(`${ORDERS}/active?symbol=BTC-USDT`);
    return (json.data as unknown[]).length;
  };

  test('a signed query that was moved into the body does not lose its filter', async () => {
    await alice.post(ORDERS, limit('buy', '20000', '0.01'));
    const count = await active();
    for (const [path, prefix, mount] of [
      ['/api/v1/orders', 'KC', '/compat'],
      [`${ORDERS}/cancelAll`, 'SVC', ''],
    ]) {
      const headers = sign(credentials('alice'), 'DELETE', `${path}?symbol=ETH-USDT`, '', { prefix });
      const reply = await fetch(`${server.url}${mount}${path}`, {
        method: 'DELETE',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '?symbol=ETH-USDT',
      });
      assert.match(await reply.text(), /"code":"400100".*This request has no body/, path);
      assert.equal(await active(), count, path);
    }
  });

  test('a body on a route that has none is rejected, whatever the method, except {}', async () => {
    const asked: [string, string][] = [
      ['GET', '/api/v1/accounts'],
      ['DELETE', `${ORDERS}/5f0000000000000000000000?symbol=BTC-USDT`],
      ['POST', '/api/v1/bullet-private'],
    ];
    for (const [method, path] of asked.slice(1)) {
      const reply = await alice.send(method, path, '{"a":1}');
      assert.match(reply.text, /This request has no body/, `${method} ${path}`);
    }
    assert.equal((await alice.send('POST', '/api/v1/bullet-private', '{}')).status, 200);
    const [method, path] = asked[0];
    const headers = { ...sign(credentials('alice'), method, path, 'x'), 'content-type': 'application/json' };
    const head = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
    const raw = `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${head}content-length: 1\r\n\r\nx`;
    const [answer] = splitAnswers(await sendBytes(server.port, raw, 1));
    assert.match(answer.body, /This request has no body/);
  });

  test('two Host headers are rejected on every path, because a proxy and the server could each use another one', async () => {
    for (const path of ['/api/v1/timestamp', '/docs/reference', '/healthz', '/nope', '/operator/v1/status']) {
      const raw = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\n\r\n`;
      const [answer] = splitAnswers(await sendBytes(server.port, raw, 1));
      assert.equal(answer.status, 400, path);
      assert.match(answer.body, /There are two Host headers/);
    }
  });

  test('a body with too many values is rejected before its numbers are parsed', async () => {
    const family = new Client(server.url, 'alice', 'family');
    const junk = `[${'1,'.repeat(30_000)}1]`;
    const body = `{"symbol":"BTC-USDT","type":"limit","side":"buy","price":20000,"size":"0.01","junk":${junk}}`;
    const reply = await family.send('POST', ORDERS, body);
    assert.match(reply.text, /The body has more than 2000 values/);
    const query = Array.from({ length: 101 }, (_, at) => `p${at}=1`).join('&');
    assert.match((await alice.get(`/api/v1/accounts?${query}`)).text, /more than 100 parameters/);
  });

  test('responses that a client does not read are bounded: its connection is cut, and their memory is freed', async () => {
    const figure = async (name: string): Promise<number> => {
      // The page of figures may be a second old.
      await wait(1100);
      const text = await (await fetch(`${server.url}/metrics`)).text();
      return Number(new RegExp(`^${name} (\\d+)`, 'm').exec(text)?.[1]);
    };
    const socket = connect({ port: server.port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    const closed = once(socket, 'close');
    socket.write('GET /probe/big HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(60));
    for (let tries = 0; tries < 30 && (await figure('bourse_http_unread_cut')) === 0; tries++);
    assert.equal(await figure('bourse_http_unread_cut'), 1);
    assert.equal(await figure('bourse_http_unread_bytes'), 0);
    socket.resume();
    socket.destroy();
    await closed;
  });
});
