/** Subscriptions to a fake server: many at once, rejected, lost, closed at every stage. */

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { ApiError, Feed } from '../src/index.ts';
import { FakeFeed } from './fake-feed.ts';
import { settled } from './fake-socket.ts';

const ignore = (): void => undefined;
const WINDOW_MS = 10_000;
/** No reconnect is delayed for longer at first. */
const RECONNECT_MS = 1000;

// Time passes only by tick().
beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'] }));
afterEach(() => mock.timers.reset());

async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= RECONNECT_MS) {
    mock.timers.tick(Math.min(left, RECONNECT_MS));
    await settled();
  }
}

/** Of several kinds; an odd one is private, so it has no symbol. */
function topicsOf(count: number): string[] {
  const names = Array.from(
    { length: count - 1 },
    (_, i) => `/market/${i % 2 ? 'ticker' : 'match'}:S${i}-USDT`,
  );
  return [...names, '/account/balance'];
}

/** Subscribes at a rate that the server accepts, and records for each topic what `onConnection` is called with. */
async function subscribeOverTime(feed: Feed, topics: readonly string[]): Promise<Map<string, boolean[]>> {
  const calls = new Map<string, boolean[]>(topics.map((topic) => [topic, []]));
  for (let at = 0; at < topics.length; at += 50) {
    await Promise.all(
      topics
        .slice(at, at + 50)
        .map((topic) => feed.subscribe(topic, ignore, (isConnected) => calls.get(topic)!.push(isConnected))),
    );
    await pass(WINDOW_MS);
  }
  return calls;
}

function start(options: { readonly timeoutMs?: number } = {}): {
  readonly server: FakeFeed;
  readonly feed: Feed;
  readonly lost: string[];
} {
  const server = new FakeFeed();
  const lost: string[] = [];
  const { openSocket } = server;
  const feed = new Feed(server.client, { openSocket, onLost: (why) => lost.push(why), ...options });
  return { server, feed, lost };
}

for (const count of [150, 400]) {
  test(`after a reconnect all of ${count} topics are subscribed again, within the rate limit`, async () => {
    const { server, feed, lost } = start();
    const topics = topicsOf(count);
    const calls = await subscribeOverTime(feed, topics);
    assert.deepEqual([...server.topics].toSorted(), topics.toSorted());
    server.socket.lose();
    await pass(RECONNECT_MS);
    assert.deepEqual([...server.topics].toSorted(), topics.toSorted());
    assert.equal(server.rejections, 0);
    for (const [topic, states] of calls) assert.deepEqual(states, [false, true], topic);
    assert.deepEqual([server.sockets.length, lost], [2, ['1006']]);
    feed.close();
  });
}

test('a missing acknowledgement after a reconnect leads to another one, not to dead topics', async () => {
  const { server, feed } = start();
  const topics = topicsOf(10);
  const calls = await subscribeOverTime(feed, topics);
  let ignored = 0;
  server.ignores = ({ type }) => type === 'subscribe' && ignored++ === 0;
  server.socket.lose();
  await pass(15_000);
  assert.equal(ignored > 1, true);
  assert.deepEqual([...server.topics].toSorted(), topics.toSorted());
  for (const [topic, states] of calls) assert.deepEqual(states, [false, true], topic);
  feed.close();
});

test('a topic that is rejected after a reconnect does not affect the others, and is requested again', async () => {
  const { server, feed } = start();
  const topics = topicsOf(200);
  const calls = await subscribeOverTime(feed, topics);
  const missing = topics[42]!;
  server.unknown.add(missing);
  server.socket.lose();
  await pass(RECONNECT_MS);
  assert.equal(server.topics.size, topics.length - 1);
  for (const [topic, states] of calls) assert.deepEqual(states, topic === missing ? [false] : [false, true]);
  server.unknown.clear();
  await pass(WINDOW_MS);
  assert.equal(server.topics.has(missing), true);
  assert.deepEqual(calls.get(missing), [false, true]);
  feed.close();
});

test('topics are reported as connected only when all of them are', async () => {
  const { server, feed } = start({ timeoutMs: 1_000_000 });
  const calls = await subscribeOverTime(feed, ['/market/ticker:A', '/account/balance']);
  server.ignores = ({ topic }) => topic === '/account/balance';
  server.socket.lose();
  await pass(RECONNECT_MS);
  assert.equal(server.topics.has('/market/ticker:A'), true);
  assert.deepEqual([...calls.values()], [[false], [false]]);
  const { id } = JSON.parse(server.socket.sent.findLast((text) => text.includes('/account/balance'))!);
  server.socket.receive({ id, type: 'ack' });
  await settled();
  assert.deepEqual(
    [...calls.values()],
    [
      [false, true],
      [false, true],
    ],
  );
  feed.close();
});

test('all topics subscribed at once are a few messages, of which a wrong one rejects alone', async () => {
  const { server, feed } = start();
  const topics = topicsOf(300);
  server.unknown.add(topics[7]!);
  const outcomes = await Promise.allSettled(topics.map((topic) => feed.subscribe(topic, ignore)));
  assert.deepEqual(
    outcomes.flatMap(({ status }, at) => (status === 'rejected' ? [at] : [])),
    [7],
  );
  assert.equal(server.topics.size, topics.length - 1);
  assert.ok(server.received.length < 30, String(server.received.length));
  feed.close();
});

test('subscriptions beyond the rate limit wait for it instead of being rejected', async () => {
  const { server, feed } = start();
  const subscribing = (async () => {
    for (const topic of topicsOf(250)) await feed.subscribe(topic, ignore);
  })();
  await pass(60_000);
  await subscribing;
  assert.deepEqual([server.topics.size, server.rejections], [250, 0]);
  feed.close();
});

test('a rejected subscription rejects for all who wait for it, and the next one is sent', async () => {
  const { server, feed } = start();
  await feed.subscribe('/market/match:A', ignore);
  const topic = '/market/ticker:A';
  server.unknown.add(topic);
  const both = await Promise.allSettled([feed.subscribe(topic, ignore), feed.subscribe(topic, ignore)]);
  for (const each of both) assert.ok(each.status === 'rejected' && each.reason instanceof ApiError);
  server.unknown.clear();
  const messages: unknown[] = [];
  await feed.subscribe(topic, ({ data }) => messages.push(data));
  assert.equal(server.topics.has(topic), true);
  server.socket.receive({ type: 'message', topic, subject: 's', data: 1 });
  assert.deepEqual(messages, [1]);
  feed.close();
});

test('a second subscriber resolves only with the acknowledgement', async () => {
  const { server, feed } = start();
  await feed.subscribe('/market/match:A', ignore);
  server.ignores = ({ type }) => type === 'subscribe';
  let resolved = 0;
  const count = (): number => resolved++;
  for (const _ of ['first', 'second']) void feed.subscribe('/market/ticker:A', ignore).then(count, ignore);
  await settled();
  assert.equal(resolved, 0);
  server.socket.receive({ id: JSON.parse(server.socket.sent.at(-1)!).id, type: 'ack' });
  await settled();
  assert.equal(resolved, 2);
  feed.close();
});

test('a topic ends with its last subscriber, and many end in a few messages', async () => {
  const { server, feed } = start();
  const topics = topicsOf(250);
  const stops = await Promise.all([...topics, topics[0]!].map((topic) => feed.subscribe(topic, ignore)));
  server.received.length = 0;
  for (const stop of stops.slice(0, -1)) stop();
  await settled();
  assert.deepEqual([...server.topics], [topics[0]]);
  assert.ok(server.received.length < 10, String(server.received.length));
  stops.at(-1)!();
  stops.at(-1)!();
  await settled();
  assert.equal(server.topics.size, 0);
  feed.close();
});

test('a topic that is left and subscribed at once is new to the server, which then sends its state', async () => {
  const { server, feed } = start();
  const topic = '/market/ticker:A';
  const stop = await feed.subscribe(topic, ignore);
  stop();
  await feed.subscribe(topic, ignore);
  assert.deepEqual(server.received, [`subscribe ${topic}`, `unsubscribe ${topic}`, `subscribe ${topic}`]);
  feed.close();
});

test('close() before the socket exists opens none', async () => {
  const { server, feed } = start();
  const rejects = assert.rejects(feed.subscribe('/market/ticker:A', ignore), { name: 'ConnectionLost' });
  feed.close();
  await settled();
  assert.equal(server.sockets.length, 0);
  await rejects;
});

test('close() during the handshake closes the socket, and a late welcome begins nothing', async () => {
  const { server, feed } = start();
  const outcome = feed.subscribe('/market/ticker:A', ignore).catch((error: Error) => error.name);
  while (server.sockets.length === 0) await Promise.resolve();
  feed.close();
  assert.equal(server.socket.isClosed, true);
  await settled();
  await pass(60_000);
  assert.deepEqual(server.socket.sent, []);
  assert.equal(server.sockets.length, 1);
  assert.equal(await outcome, 'ConnectionLost');
});

test('close() while a subscription waits for its acknowledgement rejects it', async () => {
  const { server, feed, lost } = start();
  server.ignores = () => true;
  const outcome = feed.subscribe('/market/ticker:A', ignore).catch((error: Error) => error.message);
  await settled();
  feed.close();
  await pass(60_000);
  assert.equal(await outcome, 'the feed is closed');
  assert.deepEqual([server.sockets.length, lost], [1, []]);
});

test('a server that closes every connection after its welcome is asked less and less often', async () => {
  const { server, feed } = start();
  await feed.subscribe('/market/ticker:A', ignore);
  server.ignores = ({ type }) => {
    if (type === 'subscribe') server.socket.lose(1008);
    return true;
  };
  server.socket.lose();
  await pass(120_000);
  assert.ok(server.sockets.length < 20, String(server.sockets.length));
  feed.close();
});
