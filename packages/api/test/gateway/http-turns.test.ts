/** How much work one connection, or many from one address, can cause in a single event loop iteration. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { sendBytes, splitAnswers } from '@bourse/test-kit/wire/requests.ts';
import { startServer } from '@bourse/test-kit/server.ts';
import { HttpListener, type HttpServing } from '../../src/gateway/http/http-listener.ts';
import type { HttpMessage } from '../../src/gateway/http/messages.ts';
import { DEFAULT_HTTP_LIMITS } from '../../src/gateway/http/limits.ts';
import { nodeClock } from '../../../engine/src/io/clock.ts';
import { probeRoutes } from './probe-routes.ts';

const UPGRADE = 'GET / HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n';
const GET = 'GET /probe/public HTTP/1.1\r\nhost: localhost\r\n\r\n';

/** A listener whose requests go to `handle`; `addresses` has the client address of each connection. */
async function listenerWith(
  context: TestContext,
  addresses: readonly string[],
  handle: HttpServing['handle'],
  upgrade: (socket: Socket) => void = () => undefined,
): Promise<{ listener: HttpListener; sockets: readonly Socket[] }> {
  const listener = new HttpListener(DEFAULT_HTTP_LIMITS, nodeClock);
  listener.serve({
    handle,
    refuseLast: handle,
    answerUnreadable: () => undefined,
    wantsUpgrade: () => true,
    upgrade: (_request, socket) => upgrade(socket),
  });
  const { port } = new URL(await listener.listen({ host: '127.0.0.1', port: 0 }));
  const sockets = addresses.map((localAddress) => {
    const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
    return socket.on('error', () => undefined).resume();
  });
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  while (listener.connections.count < sockets.length) await new Promise(setImmediate);
  context.after(async () => {
    for (const socket of sockets) socket.destroy();
    await listener.close(nodeClock, async () => undefined);
  });
  return { listener, sockets };
}

function spin(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('requests that arrive in one chunk', () => {
  test('are read up to the limit of requests in flight, and the rest is not even parsed', async (context) => {
    let taken = 0;
    const server = await startServer({
      routes: (services) => [{ ...probeRoutes(services)[0], handle: () => ({ taken: ++taken }) }],
    });
    context.after(() => server.close());
    const { pipelinedRequestsMax } = DEFAULT_HTTP_LIMITS;
    const answers = splitAnswers(await sendBytes(server.port, GET.repeat(2000)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map((_, at) => (at < pipelinedRequestsMax ? 200 : 429)),
    );
    assert.equal(answers.length, 3 * pipelinedRequestsMax + 1);
    assert.match(answers.at(-1)!.head, /^connection: close$/im);
    assert.match(answers.at(-1)!.body, /closing the connection/);
    assert.equal(taken, pipelinedRequestsMax);
    assert.equal(splitAnswers(await sendBytes(server.port, GET, 1))[0].status, 200);
  });

  test('lose no response to bodies or invalid bytes that follow the last one', async (context) => {
    const gate = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const handle = () => {
      asked.resolve();
      return gate.promise.then(() => ({ done: true }));
    };
    const server = await startServer({
      limits: { pipelinedRequestsMax: 2 },
      routes: (services) => [{ ...probeRoutes(services)[0], handle }],
    });
    context.after(() => server.close());
    const body = 'x'.repeat(60_000);
    const post = `POST /probe/public HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const pending = sendBytes(server.port, GET.repeat(7) + post.repeat(5));
    await asked.promise;
    setTimeout(gate.resolve, 100);
    assert.deepEqual(
      splitAnswers(await pending).map(({ status }) => status),
      [200, 200, ...Array<number>(5).fill(429)],
    );
  });

  test('do not create an error with a stack trace each when their connection is lost', async (context) => {
    const taken: HttpMessage[] = [];
    const { sockets } = await listenerWith(context, ['127.0.0.1'], (request) => void taken.push(request));
    sockets[0].write(GET.repeat(3));
    while (taken.length < 3) await new Promise(setImmediate);
    sockets[0].resetAndDestroy();
    while (taken.some(({ destroyed }) => !destroyed)) await new Promise(setImmediate);
    assert.deepEqual(
      taken.map(({ aborted, errored }) => [aborted, errored]),
      taken.map(() => [true, null]),
    );
  });
});

describe('many connections from one address', () => {
  const OTHER = process.platform === 'linux' ? '127.0.0.2' : '127.0.0.1';
  const SPUN_MS = 4;

  test('are read in several event loop iterations, and other addresses get a turn in between', async (context) => {
    let turn = 0;
    const turns: number[] = [];
    const addresses: string[] = [];
    const many = Array<string>(40).fill('127.0.0.1');
    const { sockets } = await listenerWith(context, [...many, OTHER], ({ socket }, response) => {
      turns.push(turn);
      addresses.push(socket.remoteAddress!);
      spin(SPUN_MS);
      response.end('x');
    });
    // All requests have arrived before the first is read.
    for (const socket of sockets) socket.write(GET);
    while (turns.length < sockets.length) {
      await new Promise(setImmediate);
      turn++;
    }
    const most = Math.max(...turns.map((each) => turns.filter((other) => other === each).length));
    assert.ok(most <= 6, `${most} requests of ${SPUN_MS} ms each in one turn`);
    if (OTHER === '127.0.0.2') {
      const at = addresses.indexOf(OTHER);
      assert.ok(at < 20, `the other one was the ${at + 1}th of ${addresses.length}`);
    }
  });

  test('are read in several event loop iterations as websockets, too', async (context) => {
    let turn = 0;
    const turns: number[] = [];
    const many = Array<string>(40).fill('127.0.0.1');
    const { sockets } = await listenerWith(
      context,
      many,
      () => undefined,
      (socket) => {
        socket.on('end', () => socket.destroy());
        socket.on('data', () => {
          turns.push(turn);
          spin(SPUN_MS);
        });
        socket.write('x');
      },
    );
    for (const socket of sockets) socket.write(UPGRADE);
    await Promise.all(sockets.map((socket) => once(socket, 'data')));
    for (const socket of sockets) socket.write('something');
    while (turns.length < sockets.length) {
      await new Promise(setImmediate);
      turn++;
    }
    const most = Math.max(...turns.map((each) => turns.filter((other) => other === each).length));
    assert.ok(most <= 6, `${most} websockets of ${SPUN_MS} ms each in one turn`);
  });

  test('are closed in steps, and requests that they have already sent are not read', async (context) => {
    let taken = 0;
    const many = Array<string>(100).fill('127.0.0.1');
    const { listener, sockets } = await listenerWith(context, many, () => taken++);
    for (const socket of sockets) socket.write(GET);
    for (const socket of listener.connections.beside(sockets[0])) listener.connections.cut(socket);
    const left = [listener.connections.count];
    while (left.at(-1) !== 0) {
      await new Promise(setImmediate);
      left.push(listener.connections.count);
    }
    const most = Math.max(...left.slice(1).map((count, at) => left[at] - count));
    assert.ok(most <= 32, `${most} connections were ended in one turn`);
    assert.equal(taken, 0);
  });
});
