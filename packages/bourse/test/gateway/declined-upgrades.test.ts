/**
 * A declined request for another protocol gets a response, and is the last of its connection: Node drops everything
 * read after it. The server runs in a separate process, because the test checks that its event loop still runs.
 */

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { sendBytes, signRequest, splitAnswers } from '@bourse/test-kit/wire/requests.ts';
import { credentials } from '@bourse/test-kit/server.ts';
import { DIALECTS } from '../../../api/src/gateway/route.ts';
import { serve } from '../startup/process.ts';
import { limitsEnv } from '@bourse/test-kit/limits.ts';

const HOST = 'host: localhost\r\n';
const ask = (protocol: string): string => `connection: upgrade\r\nupgrade: ${protocol}\r\n`;
const get = (path: string, headers: string): string => `GET ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;
const withBody = (path: string, headers: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\n${HOST}content-type: application/json\r\n${headers}\r\n${body}`;
const length = (body: string): string => `content-length: ${body.length}\r\n`;

const CASES: readonly (readonly [name: string, request: string, status: number])[] = [
  ['h2c', get('/api/v2/symbols', ask('h2c')), 200],
  ['h2c at a path without a route', get('/nothing', ask('h2c')), 404],
  ['h2c with a body', withBody('/api/v1/hf/orders', ask('h2c') + length('{}'), '{}'), 400],
  [
    'h2c with a body in chunks',
    withBody('/api/v1/hf/orders', `${ask('h2c')}transfer-encoding: chunked\r\n`, '2\r\n{}\r\n0\r\n\r\n'),
    400,
  ],
  ['a websocket at a path without one', get('/api/v2/symbols', ask('websocket')), 200],
  ['a websocket with a body', get('/feed', `${ask('websocket')}${length('hello')}`) + 'hello', 400],
  ['h2c outside the interface', get('/healthz', ask('h2c')), 200],
];
const WEBSOCKET = `${ask('websocket')}sec-websocket-version: 13\r\nsec-websocket-key: ${btoa('sixteen bytes...')}\r\n`;
const BEHIND: readonly (readonly [name: string, bytes: string])[] = [
  ['rubbish', 'RUBBISH\r\n\r\n'],
  ['a byte', '\0'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['another request', get('/hidden', '')],
  ['half a request', 'GET /hidden HT'],
  ['a CONNECT', 'CONNECT there:80 HTTP/1.1\r\n\r\n'],
  ['the same again', get('/hidden', ask('h2c')).repeat(20)],
];

test('declined requests for another protocol', async (context) => {
  const server = await serve(
    context,
    ['--data', makeDirectory(context)],
    limitsEnv({ headersTimeoutMs: 1000, requestTimeoutMs: 1000 }),
  );
  const port = Number(new URL(server.connection.baseUrl).port);

  await context.test('a declined upgrade is answered and closed, whatever bytes follow it', async () => {
    for (const [what, request, status] of CASES) {
      for (const [behind, bytes] of BEHIND) {
        const answers = splitAnswers(await sendBytes(port, request + bytes));
        assert.deepEqual(
          answers.map((each) => each.status),
          [status],
          `${what}, then ${behind}`,
        );
        assert.match(answers[0].head, /^connection: close$/im);
      }
    }
  });

  await context.test('a declined upgrade whose body never ends is answered and closed', async () => {
    const chunked = `${ask('h2c')}transfer-encoding: chunked\r\n`;
    for (const [what, request] of [
      ['a broken chunk', withBody('/api/v1/hf/orders', chunked, 'xyz\r\n')],
      ['a body that is too short', withBody('/api/v1/hf/orders', ask('h2c') + length('hello'), '{')],
    ] as const) {
      const answers = splitAnswers(await sendBytes(port, request));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [408],
        what,
      );
    }
  });

  await context.test('an order with an upgrade header is placed, whatever bytes follow it', async () => {
    const [dialect] = DIALECTS.filter(({ mount }) => mount === '');
    const order = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '20000', size: '0.001' };
    for (const [at, [behind, bytes]] of BEHIND.entries()) {
      const body = Buffer.from(JSON.stringify({ ...order, clientOid: `order-${at}` }));
      const signed = signRequest(credentials('alice'), dialect, 'POST', '/api/v1/hf/orders', body);
      const asking = signed.bytes.toString('latin1').replace('host:', `${ask('h2c')}host:`);
      const [{ status, body: answer }, ...more] = splitAnswers(await sendBytes(port, asking + bytes));
      assert.equal(status, 200, `${behind}: ${answer}`);
      assert.match(answer, /"orderId":/);
      assert.deepEqual(more, []);
    }
  });

  await context.test('a client that keeps sending after the last response is disconnected', async () => {
    const foreign = get('/feed', WEBSOCKET).replace('localhost', 'elsewhere');
    const keepSending = async (request: string, status: number, bytes: string): Promise<void> => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => undefined);
      let received = '';
      socket.on('data', (chunk) => (received += chunk.toString('latin1')));
      socket.write(request);
      const timer = setInterval(() => socket.write(bytes), 10);
      await new Promise((resolve) => socket.once('close', resolve));
      clearInterval(timer);
      assert.deepEqual(
        splitAnswers(received).map((each) => each.status),
        [status],
        JSON.stringify(bytes),
      );
    };
    await Promise.all(
      ['\0', 'GET ', get('/hidden', '')].flatMap((bytes) => [
        keepSending(get('/healthz', ask('h2c')), 200, bytes),
        keepSending(foreign, 403, bytes),
        keepSending('RUBBISH\r\n\r\n', 400, bytes),
        keepSending('CONNECT there:80 HTTP/1.1\r\n\r\n', 405, bytes),
      ]),
    );
  });

  await context.test('afterwards the server stops cleanly', async () => {
    assert.equal((await server.stop('SIGTERM')).code, 0);
  });
});
