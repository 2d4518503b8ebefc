import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, test } from 'node:test';
import { proxyTest } from '../../src/gateway/http/http-listener.ts';
import { Connections, UNREAD_MS_MAX } from '../../src/gateway/http/connections.ts';
import { DEFAULT_HTTP_LIMITS } from '../../src/gateway/http/limits.ts';
import { nodeClock } from '../../../engine/src/io/clock.ts';
import { probeRoutes } from './probe-routes.ts';
import { startServer } from '@bourse/test-kit/server.ts';
import { splitAnswers } from '@bourse/test-kit/wire/requests.ts';

/** More than the kernel buffers for a client that does not read. */
const LARGE = 'x'.repeat(16 * 1024 * 1024);
const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

/** A client that has sent these bytes and reads nothing. */
async function sendUnread(port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  socket.pause();
  await once(socket, 'connect');
  socket.write(bytes);
  return socket;
}

async function until(isSo: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!isSo()) {
    assert.ok(Date.now() < deadline, 'it did not come to that');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

describe('connections that do not read their responses', () => {
  /** Both requests are answered, the second after the first. */
  async function withUnread(
    isOfInterface: boolean,
    body: (client: Socket, peer: Socket, connections: Connections) => Promise<void>,
  ): Promise<void> {
    let answered = 0;
    const peers: Socket[] = [];
    const serve: RequestListener = (request, response) => {
      if (!isOfInterface) connections.keepUntilAnswered(request, response);
      response.setHeader('content-length', LARGE.length);
      response.end(LARGE);
      answered++;
    };
    const server = createServer(serve).on('connection', (socket) => peers.push(socket));
    const connections = new Connections(server, 'connection', DEFAULT_HTTP_LIMITS, nodeClock);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const client = await sendUnread((server.address() as AddressInfo).port, get('/').repeat(2));
    try {
      await until(() => answered === 2 && peers[0].writableLength > 0);
      await body(client, peers[0], connections);
    } finally {
      client.destroy();
      server.close();
    }
  }

  test('are closed after the read time-out, and no listeners accumulate meanwhile', () =>
    withUnread(false, async (_client, peer, connections) => {
      const listeners = peer.listenerCount('finish');
      for (let now = 5; now < 5 + UNREAD_MS_MAX; now += 100) connections.endQuiet(now);
      assert.equal(peer.destroyed, false);
      assert.ok(peer.listenerCount('finish') <= listeners + 1);
      connections.endQuiet(5 + UNREAD_MS_MAX);
      assert.equal(peer.destroyed, true);
      await until(() => connections.count === 0);
    }));

  test('are not closed before that, and a client that reads gets every response', () =>
    withUnread(true, async (client, peer, connections) => {
      connections.endQuiet(0);
      let received = '';
      client.on('data', (chunk) => (received += chunk.toString('latin1'))).resume();
      await until(() => {
        connections.endQuiet(1);
        return peer.destroyed && client.closed;
      });
      assert.deepEqual(
        splitAnswers(received).map(({ body }) => body.length),
        [LARGE.length, LARGE.length],
      );
    }));

  test('do not keep the server from closing', async () => {
    let asked = 0;
    const server = await startServer({
      routes: (services) => [
        {
          ...probeRoutes(services)[0],
          handle: () => {
            asked++;
            return { text: LARGE };
          },
        },
      ],
      extensions: [
        (app) =>
          app.get('/large', async () => {
            asked++;
            return LARGE;
          }),
      ],
    });
    // With a part of a third request, or Node would treat them as idle and close them itself.
    const clients = [
      await sendUnread(server.port, `${get('/probe/public').repeat(2)}GET`),
      await sendUnread(server.port, `${get('/large').repeat(2)}GET`),
    ];
    try {
      await until(() => asked === 4);
      let isClosed = false;
      const closed = server.close().then(() => (isClosed = true));
      await until(() => isClosed);
      await closed;
    } finally {
      for (const client of clients) client.destroy();
    }
  });
});

test('connections from one IPv6 network count as one address, and those of a proxy do not', () => {
  class Peer extends EventEmitter {
    readonly remoteAddress: string;
    isCut = false;
    constructor(address: string) {
      super();
      this.remoteAddress = address;
    }
    destroy(): void {
      this.isCut = true;
    }
  }
  const server = new Server();
  const limits = { ...DEFAULT_HTTP_LIMITS, connectionsPerAddressMax: 2 };
  const connections = new Connections(
    server,
    'connection',
    limits,
    nodeClock,
    proxyTest(['203.0.113.64/26']),
  );
  // The HTTP server's own view of a connection does not matter here.
  const [, counting] = server.listeners('connection') as ((socket: Peer) => void)[];
  const isCut = (address: string): boolean => {
    const peer = new Peer(address);
    counting(peer);
    return peer.isCut;
  };
  const given = ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:1::1'];
  assert.deepEqual(given.map(isCut), [false, false, true, false]);
  const mapped = ['::ffff:203.0.113.1', '::ffff:203.0.113.2', '203.0.113.1', '::ffff:203.0.113.1'];
  assert.deepEqual(mapped.map(isCut), [false, false, false, true]);
  const proxied = ['203.0.113.70', '203.0.113.70', '203.0.113.70', '::ffff:203.0.113.70'];
  assert.deepEqual(proxied.map(isCut), [false, false, false, false]);
  assert.equal(connections.count, 12);
});

test('a client that half-closes its connection after the request still gets a slow response', {
  timeout: 30_000,
}, async () => {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const server = await startServer({
    extensions: [
      (app) =>
        app.get('/slow', () => {
          asked.resolve();
          return gate.promise.then(() => 'done');
        }),
    ],
  });
  try {
    const client = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    client.on('data', (chunk) => (received += chunk.toString('latin1')));
    client.end(get('/slow'));
    await asked.promise;
    // Time for the end of the client's side to arrive.
    await new Promise((resolve) => setTimeout(resolve, 50));
    gate.resolve();
    await once(client, 'close');
    assert.deepEqual(
      splitAnswers(received).map(({ body }) => body),
      ['done'],
    );
  } finally {
    gate.resolve();
    await server.close();
  }
});
