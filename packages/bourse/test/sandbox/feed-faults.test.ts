import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { BourseClient, Feed } from '@bourse/client';
import { WebSocket } from 'ws';
import { SignedClient } from './client.ts';
import type { TestSandbox } from './exchange.ts';
import { aliceOf, assertBook, faultTest } from './fault-test.ts';

type Rule = { id: string; hits: number };
type Message = {
  type: string;
  topic?: string;
  code?: number;
  data?: { sequenceEnd?: number; orderId?: string };
};

const BOOK = '/market/level2:BTC-USDT';

/** A reader of the feed as the protocol's document has it. */
class Listener {
  readonly messages: Message[] = [];
  readonly closed: Promise<number>;
  readonly socket: WebSocket;

  constructor(url: string) {
    this.socket = new WebSocket(url);
    this.socket.on('message', (bytes) => this.messages.push(JSON.parse(String(bytes)) as Message));
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
  }

  async until(fits: (messages: Message[]) => boolean, ms = 30_000): Promise<boolean> {
    for (const end = Date.now() + ms; Date.now() < end; ) {
      if (fits(this.messages)) return true;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return false;
  }

  send(message: object): void {
    this.socket.send(JSON.stringify({ id: '1', ...message }));
  }

  sequences(): number[] {
    return this.messages.flatMap(({ topic, data }) =>
      topic === BOOK && data?.sequenceEnd ? [data.sequenceEnd] : [],
    );
  }
}

async function connect({ running }: TestSandbox, user?: string): Promise<Listener> {
  const { connection } = running;
  const reply =
    user === undefined
      ? ((await (
          await fetch(`${connection.baseUrl}/api/v1/bullet-public`, { method: 'POST' })
        ).json()) as object)
      : (await new SignedClient(connection, user).send('POST', '/api/v1/bullet-private')).body;
  const { data } = reply as { data: { token: string; instanceServers: { endpoint: string }[] } };
  const listener = new Listener(`${data.instanceServers[0]!.endpoint}?token=${data.token}`);
  await listener.until((messages) => messages.length > 0);
  return listener;
}

async function listen(sandbox: TestSandbox, context: TestContext): Promise<Listener> {
  const listener = await connect(sandbox);
  context.after(() => listener.socket.terminate());
  listener.send({ type: 'subscribe', topic: BOOK, response: true });
  await listener.until((messages) => messages.some(({ type }) => type === 'ack'));
  return listener;
}

/** `count` changes of the book, each in its own record. */
async function change(sandbox: TestSandbox, count: number): Promise<void> {
  const alice = new SignedClient(sandbox.running.connection, 'alice');
  for (let i = 0; i < count; i++) await alice.place({ price: String(10 + i) });
}

const rule = (sandbox: TestSandbox, effect: object, more: object = {}) =>
  sandbox.call<Rule>('POST', '/faults', { match: { topic: '/market/level2' }, effect, ...more });

const hitsOf = async (sandbox: TestSandbox): Promise<number> =>
  (await sandbox.call<Rule[]>('GET', '/faults'))[0]!.hits;

const ordered = (numbers: readonly number[]): boolean =>
  numbers.every((each, at) => at === 0 || each > numbers[at - 1]!);

faultTest('promise 22: messages are dropped, duplicated, reordered and delayed', async (sandbox, context) => {
  const listener = await listen(sandbox, context);
  const run = async (effect: object, expected: number): Promise<number[]> => {
    const from = listener.sequences().length;
    const { id } = await rule(sandbox, effect, { every: 2 });
    await change(sandbox, 4);
    await listener.until(() => listener.sequences().length >= from + expected);
    assert.equal(await hitsOf(sandbox), 2, JSON.stringify(effect));
    await sandbox.call('DELETE', `/faults/${id}`);
    return listener.sequences().slice(from);
  };
  const dropped = await run({ kind: 'feed-drop' }, 2);
  assert.equal(dropped.length, 2, 'two of four are missing');
  const doubled = await run({ kind: 'feed-duplicate' }, 6);
  assert.equal(doubled.length - new Set(doubled).size, 2);
  const overtaken = await run({ kind: 'feed-reorder' }, 4);
  assert.ok(overtaken.length === 4 && !ordered(overtaken), overtaken.join());
  const startedAt = performance.now();
  const delayed = await run({ kind: 'feed-delay', ms: 400 }, 4);
  assert.ok(delayed.length === 4 && performance.now() - startedAt >= 400);
  // The book itself was right all the time.
  const { baseUrl } = sandbox.running.connection;
  const path = '/api/v1/market/orderbook/level2_100?symbol=BTC-USDT';
  const book = (await (await fetch(baseUrl + path)).json()) as { data: { bids: string[][] } };
  assert.equal(book.data.bids.length, 4);
});

faultTest('during a stall pings are still answered, and all messages are lost', async (sandbox, context) => {
  const listener = await listen(sandbox, context);
  await rule(sandbox, { kind: 'feed-stall', ms: 1500 });
  await change(sandbox, 2);
  listener.send({ type: 'ping', id: 'p' });
  assert.ok(await listener.until((messages) => messages.some(({ type }) => type === 'pong')));
  assert.deepEqual(listener.sequences(), []);
  await new Promise((resolve) => setTimeout(resolve, 1600));
  await change(sandbox, 1);
  assert.ok(await listener.until(() => listener.sequences().length === 1), 'and then it goes on, with a gap');
  assert.equal(await hitsOf(sandbox), 1, 'sockets are counted');
});

faultTest('pongs can be withheld, tokens rejected, and connections closed', async (sandbox, context) => {
  const listener = await listen(sandbox, context);
  const muted = await rule(sandbox, { kind: 'feed-no-pong' });
  listener.send({ type: 'ping', id: 'p' });
  for (let tries = 0; tries < 1000 && (await hitsOf(sandbox)) === 0; tries++);
  assert.equal(await listener.until((messages) => messages.some(({ type }) => type === 'pong'), 300), false);
  assert.equal(await hitsOf(sandbox), 1);
  await sandbox.call('DELETE', `/faults/${muted.id}`);
  await rule(sandbox, { kind: 'feed-disconnect', code: 1011 });
  assert.equal(await listener.closed, 1011, 'open ones at once');
  const later = await connect(sandbox);
  later.send({ type: 'subscribe', topic: BOOK });
  assert.equal(await later.closed, 1011, 'later ones when they subscribe');
  assert.equal(await hitsOf(sandbox), 2);
  await sandbox.call('DELETE', '/faults');
  await sandbox.call('POST', '/faults', { match: { user: 'bob' }, effect: { kind: 'feed-refuse-token' } });
  const refused = await connect(sandbox, 'bob');
  assert.equal(await refused.closed, 1008);
  assert.equal(refused.messages[0]!.code, 401);
  const other = await connect(sandbox, 'alice');
  assert.equal(other.messages[0]!.type, 'welcome');
  other.socket.terminate();
});

faultTest(
  'a book that follows the feed resynchronizes after each fault, and is then correct',
  async (sandbox, context) => {
    const client = new BourseClient({
      url: sandbox.running.connection.baseUrl,
      credentials: aliceOf(sandbox),
    });
    const feed = new Feed(client);
    context.after(() => feed.close());
    const book = await feed.book('BTC-USDT');
    const begins: string[] = [];
    for (const [effect, more] of [
      [{ kind: 'feed-drop' }, { every: 2 }],
      [{ kind: 'feed-duplicate' }, { every: 2 }],
      [{ kind: 'feed-reorder' }, { every: 2 }],
      // So late that the next change is surely there before.
      [{ kind: 'feed-delay', ms: 2000 }, { every: 2 }],
      [{ kind: 'feed-stall', ms: 300 }, {}],
      [{ kind: 'feed-disconnect' }, { times: 1 }],
    ] as const) {
      const before = book.syncs;
      const { id } = await rule(sandbox, effect, more);
      await change(sandbox, 5);
      await new Promise((resolve) => setTimeout(resolve, 400));
      assert.ok((await hitsOf(sandbox)) > 0, effect.kind);
      await sandbox.call('DELETE', `/faults/${id}`);
      // The next change shows the gap.
      await change(sandbox, 1);
      await assertBook(sandbox, book);
      begins.push(`${effect.kind} ${book.syncs > before}`);
    }
    assert.deepEqual(begins, [
      'feed-drop true',
      'feed-duplicate false',
      'feed-reorder true',
      'feed-delay true',
      'feed-stall true',
      'feed-disconnect true',
    ]);
  },
);

faultTest(
  'a rule for a symbol also matches messages of topics with several symbols',
  async (sandbox, context) => {
    const listener = await connect(sandbox, 'alice');
    context.after(() => listener.socket.terminate());
    const topics = ['/market/ticker:all', '/spotMarket/tradeOrdersV2'];
    for (const [at, topic] of topics.entries()) {
      listener.send({ type: 'subscribe', topic, response: true, privateChannel: at === 1 });
    }
    await listener.until((messages) => messages.filter(({ type }) => type === 'ack').length === 2);
    await sandbox.call('POST', '/faults', { match: { symbol: 'BTC-USDT' }, effect: { kind: 'feed-drop' } });
    // A new reader has had the tickers as they were.
    listener.messages.length = 0;
    const client = new SignedClient(sandbox.running.connection, 'alice');
    await client.place({ symbol: 'BTC-USDT', price: '10' });
    await client.place({ symbol: 'ETH-USDT', price: '10' });
    await sandbox.call('POST', '/clock/advance', { ms: 1000 });
    const seen = (symbol: string) =>
      listener.messages
        .filter((each) => JSON.stringify(each).includes(`"${symbol}"`))
        .map(({ topic }) => topic);
    assert.ok(await listener.until(() => new Set(seen('ETH-USDT')).size === 2), seen('ETH-USDT').join());
    assert.deepEqual(seen('BTC-USDT'), []);
    assert.ok((await hitsOf(sandbox)) >= 2);
  },
);
