/** Order entry over sockets that a test makes up: closed at every stage, and silent. */

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { type HttpClient, OrderEntry } from '../src/index.ts';
import { fakeSockets, settled } from './fake-socket.ts';

const WELCOME = { data: 'welcome', pingInterval: 18_000, pingTimeout: 10_000 };
const ORDER = { symbol: 'BTC-USDT', type: 'limit', side: 'buy', price: '1', size: '1' } as const;
const http = {
  url: 'http://exchange',
  now: () => 0,
  signer: { sessionQuery: async () => 'query', sign: async () => 'signature' },
} as unknown as HttpClient;

// Time passes only by tick().
beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] }));
afterEach(() => mock.timers.reset());

test('close() before the socket exists opens none, and the order rejects', async () => {
  const { sockets, openSocket } = fakeSockets();
  const entry = new OrderEntry(http, { openSocket });
  const rejects = assert.rejects(entry.placeOrder(ORDER), { name: 'ConnectionLost' });
  entry.close();
  await settled();
  assert.equal(sockets.length, 0);
  await rejects;
});

test('close() during the handshake closes the socket, and the order is not sent', async () => {
  const { sockets, openSocket } = fakeSockets();
  const entry = new OrderEntry(http, { openSocket });
  const outcome = entry.placeOrder(ORDER).then(
    () => 'placed',
    (error: Error) => error.name,
  );
  await settled();
  const [socket] = sockets;
  socket!.receive({ sessionId: '1', timestamp: 1 });
  await settled();
  entry.close();
  assert.equal(socket!.isClosed, true);
  socket!.receive(WELCOME);
  await settled();
  assert.deepEqual(socket!.sent, ['signature']);
  assert.equal(await outcome, 'ConnectionLost');
});

test('close() directly after the welcome: the order that waited for it is not sent', async () => {
  const { sockets, openSocket } = fakeSockets();
  const entry = new OrderEntry(http, { openSocket });
  const rejects = assert.rejects(entry.placeOrder(ORDER), { name: 'ConnectionLost' });
  await settled();
  sockets[0]!.receive(WELCOME);
  entry.close();
  await settled();
  assert.deepEqual(sockets[0]!.sent, []);
  await rejects;
});

test('a connection that goes silent is replaced, and the requests in flight reject', async () => {
  const { sockets, openSocket } = fakeSockets();
  const entry = new OrderEntry(http, { openSocket, timeoutMs: 1_000_000 });
  const connecting = entry.connect();
  await settled();
  const [socket] = sockets;
  socket!.receive(WELCOME);
  await connecting;
  for (let times = 0; times < 5; times++) {
    mock.timers.tick(18_000);
    assert.match(socket!.sent.at(-1)!, /"op":"ping"/);
    socket!.receive({ id: 'ping', op: 'pong', timestamp: '1' });
  }
  assert.equal(socket!.isClosed, false, 'pongs show that it lives');
  const outcome = entry.placeOrder(ORDER).catch((error: Error) => error.name);
  for (let times = 0; times < 5; times++) mock.timers.tick(18_000);
  await settled();
  assert.equal(socket!.isClosed, true);
  assert.equal(sockets.length, 2);
  assert.equal(await outcome, 'ConnectionLost');
  entry.close();
});
