import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ServerOptions, startServer, type TestServer } from '@bourse/test-kit/server.ts';
import { FeedClient } from './feed-client.ts';

const BTC = '/market/ticker:BTC-USDT';

/** Runs the test with its own server. */
function served(
  body: (server: TestServer) => Promise<void>,
  options: ServerOptions = {},
): () => Promise<void> {
  return async () => {
    const server = await startServer(options);
    try {
      await body(server);
    } finally {
      await server.close();
    }
  };
}

test(
  'the welcome comes first, with the id of the connection',
  served(async ({ url }) => {
    const named = await FeedClient.connect(url, undefined, '&connectId=abc&privateChannel=false');
    assert.deepEqual(named.frames[0], { id: 'abc', type: 'welcome' });
    const nameless = await FeedClient.connect(url);
    assert.match(nameless.frames[0].id ?? '', /.{8}/);
  }),
);

test(
  'a ping of the websocket protocol is answered with its bytes',
  served(async ({ url }) => {
    const { socket } = await FeedClient.connect(url);
    const pongs: string[] = [];
    const both = new Promise<void>((resolve) => {
      socket.on('pong', (bytes) => pongs.push(bytes.toString()) === 2 && resolve());
    });
    socket.ping('first');
    socket.ping('');
    await both;
    assert.deepEqual(pongs, ['first', '']);
  }),
);

test(
  'acks are sent only on request, pongs have the id of the ping, and ids are returned as text',
  served(async ({ url }) => {
    const client = await FeedClient.connect(url);
    client.send({ id: 1, type: 'subscribe', topic: '/market/match:BTC-USDT' });
    client.send({ id: 2, type: 'subscribe', topic: '/market/match:BTC-USDT', response: false });
    client.send({ id: 3, type: 'ping' });
    assert.deepEqual(await client.next(), { id: '3', type: 'pong' });
    for (const id of [1545910590801, '/market/match@@BTC-USDT']) {
      client.send({ id, type: 'subscribe', topic: '/market/match:BTC-USDT', response: true });
      assert.deepEqual(await client.next(), { id: String(id), type: 'ack' });
    }
    client.send({ id: 'u', type: 'unsubscribe', topic: '/market/match:BTC-USDT', response: true });
    assert.deepEqual(await client.next(), { id: 'u', type: 'ack' });
  }),
);

test(
  'an invalid message gets the documented error frame and has no effect',
  served(async ({ url }) => {
    const client = await FeedClient.connect(url);
    const cases: [Record<string, unknown>, number, string][] = [
      [{ type: 'subscribe' }, 406, 'topic is required'],
      [{ type: 'subscribe', topic: 7 }, 400, 'topic is invalid'],
      [{ type: 'subscribe', topic: '/market/ticker' }, 400, 'topic is invalid'],
      [
        { type: 'subscribe', topic: '/market/nothing:BTC-USDT' },
        404,
        'topic /market/nothing:BTC-USDT is not found',
      ],
      [{ type: 'subscribe', topic: `${BTC},NO-SUCH` }, 404, 'topic /market/ticker:NO-SUCH is not found'],
      [
        { type: 'subscribe', topic: '/market/candles:BTC-USDT_2min' },
        404,
        'topic /market/candles:BTC-USDT_2min is not found',
      ],
      [{ type: 'subscribe', topic: '__proto__' }, 404, 'topic __proto__ is not found'],
      [{ type: 'subscribe', topic: '/account/balance' }, 403, 'login is required'],
      [
        { type: 'subscribe', topic: `/market/ticker:${Array.from({ length: 101 }, (_, i) => `S${i}`)}` },
        509,
        'exceed max subscription count limitation of 100 per time',
      ],
      [{ type: 'subscribe', topic: BTC, tunnelId: 'none' }, 404, 'tunnel none is not found'],
      [{ type: 'openTunnel', newTunnelId: 'a b' }, 400, 'tunnelId is invalid'],
      [{ type: 'dance' }, 415, 'type is not supported'],
      [{}, 415, 'type is not supported'],
    ];
    for (const [message, code, data] of cases) {
      const { type, code: given, data: said } = await client.ask(message);
      assert.deepEqual([type, given, said], ['error', code, data], JSON.stringify(message));
    }
    for (const text of ['', 'rubbish', '[]', 'null', '"ping"', '{"type":']) {
      client.send(text);
      assert.deepEqual(await client.find(({ id }) => id === ''), {
        id: '',
        type: 'error',
        code: 415,
        data: 'type is not supported',
      });
    }
    assert.equal(client.closed, undefined);
  }),
);

test(
  'a connection may have a limited number of topics and tunnels',
  served(
    async ({ url, services }) => {
      const client = await FeedClient.connect(url);
      const codes = services.catalogue.symbols().map(({ code }) => code);
      await client.subscribe(`/market/match:${codes.slice(0, 6)}`);
      const many = await client.ask({ type: 'subscribe', topic: `/market/level2:${codes.slice(0, 5)}` });
      assert.equal(many.data, 'exceed max subscription count limitation of 10 per session');
      await client.subscribe(`/market/match:${codes.slice(0, 6)}`, `/market/level2:${codes.slice(0, 4)}`);
      for (let i = 1; i <= 5; i++)
        assert.equal((await client.ask({ type: 'openTunnel', newTunnelId: `t${i}` })).type, 'ack');
      const sixth = await client.ask({ type: 'openTunnel', newTunnelId: 't6' });
      assert.equal(sixth.data, 'exceed max tunnel count limitation of 5 per session');
    },
    { feed: { feedTopicsMax: 10 } },
  ),
);

test(
  'messages of a tunnel name it, and closing it ends only its subscriptions',
  served(async ({ url }) => {
    const client = await FeedClient.connect(url);
    await client.ask({ type: 'openTunnel', newTunnelId: 'bt1' });
    assert.equal((await client.ask({ type: 'subscribe', topic: BTC, tunnelId: 'bt1' })).type, 'ack');
    assert.equal((await client.message(BTC)).tunnelId, 'bt1');
    await client.subscribe(BTC);
    assert.equal((await client.message(BTC)).tunnelId, undefined);
    assert.equal((await client.ask({ type: 'closeTunnel', tunnelId: 'bt1' })).type, 'ack');
    assert.equal((await client.ask({ type: 'subscribe', topic: BTC, tunnelId: 'bt1' })).code, 404);
  }),
);

test(
  'too many messages are rejected, and a connection that floods is closed',
  served(
    async ({ url }) => {
      const client = await FeedClient.connect(url);
      for (let i = 0; i < 11; i++) client.send({ id: i, type: 'ping' });
      const refused = await client.find(({ type }) => type === 'error');
      assert.deepEqual(refused, {
        id: '10',
        type: 'error',
        code: 509,
        data: 'exceed max permits per second',
      });
      for (let i = 0; i < 20; i++) client.send({ id: i, type: 'ping' });
      await client.until(() => client.closed !== undefined, 'the end');
      assert.deepEqual(client.closed, { code: 1008, reason: 'too many messages' });
    },
    { feed: { feedMessagesMax: 10 } },
  ),
);

test(
  'a message that is too long, or in too many frames, closes only its connection',
  served(
    async ({ url }) => {
      const long = await FeedClient.connect(url);
      const pieces = await FeedClient.connect(url);
      const other = await FeedClient.connect(url);
      long.send(`{"type":"ping","id":"${'x'.repeat(5000)}"}`);
      for (let i = 0; i < 20; i++) pieces.socket.send(i === 0 ? '{' : ' ', { fin: false });
      for (const client of [long, pieces]) await client.until(() => client.closed !== undefined, 'the end');
      assert.equal(long.closed?.code, 1009);
      assert.equal((await other.ask({ type: 'ping' })).type, 'pong');
    },
    { feed: { feedMessageBytesMax: 4096, feedFragmentsMax: 8 } },
  ),
);

test(
  'a silent connection gets an error and is closed; one that pings stays open',
  served(
    async ({ url }) => {
      const silent = await FeedClient.connect(url);
      const alive = await FeedClient.connect(url);
      const pinging = setInterval(() => alive.send({ id: 'p', type: 'ping' }), 300);
      try {
        await silent.until(() => silent.closed !== undefined, 'the end');
        assert.equal(silent.frames.at(-1)?.data, 'ping timeout');
        assert.equal(silent.closed?.code, 1008);
        assert.equal(alive.closed, undefined);
      } finally {
        clearInterval(pinging);
      }
    },
    { feed: { feedIdleMsMax: 2000 } },
  ),
);

test(
  'a connection is closed at the end of its maximum lifetime',
  served(
    async ({ url }) => {
      const client = await FeedClient.connect(url);
      await client.until(() => client.closed !== undefined, 'the end');
      assert.equal(client.closed?.code, 1000);
    },
    { feed: { feedAgeMsMax: 500 } },
  ),
);

test(
  'connections, and new ones per minute, are limited by user and by client address',
  served(
    async ({ url }) => {
      const first = await FeedClient.connect(url, 'alice');
      await FeedClient.connect(url, 'alice');
      await assert.rejects(FeedClient.connect(url, 'alice'), /error/);
      await FeedClient.connect(url, 'bob');
      await FeedClient.connect(url);
      await first.close();
      await FeedClient.connect(url, 'alice');
      for (let i = 0; i < 2; i++) {
        const busy = await FeedClient.connect(url, 'alice').catch((error: Error) => error);
        assert.ok(busy instanceof Error);
      }
    },
    { feed: { feedConnectionsPerUserMax: 2, feedConnectsPerUserMax: 3 } },
  ),
);
