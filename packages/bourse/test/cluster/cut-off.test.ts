/**
 * A node whose link to the log is cut and later restored with everything sent meanwhile: its responses about orders are
 * true, nothing is executed after an error response, and no stale data is returned.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { CutLink } from '@bourse/test-kit/cluster/networks.ts';
import { TestNodes } from '@bourse/test-kit/cluster/test-nodes.ts';
import { startLogServers, type TestLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { Client, type Reply } from '@bourse/test-kit/server.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';

const skip = await whySkipped();
const ORDERS = '/api/v1/hf/orders';
const BOOK = '/api/v1/market/orderbook/level2_20?symbol=BTC-USDT';
/** The time-out of ccxt. */
const CLIENT_MS = 10_000;
const TRIES = 600;

interface Sent {
  readonly clientOid: string;
  readonly reply: Reply;
  readonly sentAt: number;
  readonly answeredAt: number;
}

let servers: TestLogServers;
let nodes: TestNodes;
let link: CutLink;
let leader: RunningExchange;
let node: RunningExchange;
let serial = 0;

async function place(at: RunningExchange): Promise<Sent> {
  const clientOid = `cut-${++serial}`;
  const sentAt = Date.now();
  const reply = await new Client(at.connection.baseUrl, 'alice').post(ORDERS, {
    clientOid,
    symbol: 'BTC-USDT',
    side: 'buy',
    type: 'limit',
    price: '100',
    size: '0.001',
  });
  return { clientOid, reply, sentAt, answeredAt: Date.now() };
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (await isSo()) return;
    await wait(100);
  }
  assert.fail(`never: ${what}`);
}

const statusOf = async (path: string): Promise<number> =>
  (await fetch(node.connection.baseUrl + path)).status;

/** Resolves to its close code once that is there. */
async function openFeed(): Promise<{ code: number | undefined }> {
  const { json } = await new Client(node.connection.baseUrl, 'alice').post('/api/v1/bullet-public');
  const { token, instanceServers } = json.data as { token: string; instanceServers: { endpoint: string }[] };
  const socket = new WebSocket(`${instanceServers[0].endpoint}?token=${token}`);
  const feed: { code: number | undefined } = { code: undefined };
  socket.addEventListener('close', ({ code }) => (feed.code = code));
  await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
  return feed;
}

describe('a node that is cut off from the log', { skip, timeout: 180_000 }, () => {
  const sent: Promise<Sent>[] = [];

  before(async () => {
    servers = await startLogServers(1);
    const [url] = servers.servers.urls;
    link = await CutLink.open(Number(new URL(url).port));
    nodes = new TestNodes([url], 'cut');
    leader = await nodes.start('n1');
    node = await nodes.start('n2', { cluster: `nats://127.0.0.1:${link.port}` });
    for (const each of [leader, node])
      await until('orders are taken', async () => (await place(each)).reply.status === 200);
  });
  after(async () => {
    link.heal();
    await nodes.close();
    link.close();
    await servers.close();
  });

  test('is not ready, answers no reads, and closes its feeds with 1012', async () => {
    const feed = await openFeed();
    link.cut();
    // Some orders are in flight when the link is cut, others arrive later.
    const isCutOff = async (): Promise<boolean> => {
      sent.push(place(node));
      return feed.code !== undefined && (await statusOf('/readyz')) === 503 && (await statusOf(BOOK)) === 503;
    };
    await until('it knows', isCutOff);
    assert.equal(feed.code, 1012);
    assert.equal((await fetch(leader.connection.baseUrl + BOOK)).status, 200);
  });

  test('reports that it is cut off, not that the log is lost', async () => {
    const said = async (): Promise<string> =>
      ((await (await fetch(`${node.connection.baseUrl}/readyz`)).json()) as { degraded?: string }).degraded ??
      '';
    await until('it says so', async () =>
      (await said()).startsWith('degraded: this node has no connection to any log server'),
    );
    assert.doesNotMatch(await said(), /majority|nodes that are missing/);
  });

  test('responds to each order within the time-out of clients', async () => {
    for (const { reply, sentAt, answeredAt } of await Promise.all(sent)) {
      assert.ok([503, 504].includes(reply.status), reply.text);
      assert.ok(answeredAt - sentAt < CLIENT_MS, `${answeredAt - sentAt} ms: ${reply.text}`);
    }
  });

  test('has placed none of those orders when it reconnects, and continues', async (context) => {
    link.heal();
    await until('orders are taken', async () => (await place(node)).reply.status === 200);
    assert.equal(await statusOf(BOOK), 200);
    // Everything held on the link has arrived by now.
    await wait(1000);
    const client = new Client(leader.connection.baseUrl, 'alice');
    const late: string[] = [];
    for (const { clientOid, reply, answeredAt } of await Promise.all(sent)) {
      const found = await client.get(`${ORDERS}/client-order/${clientOid}?symbol=BTC-USDT`);
      const { createdAt } = (found.json.data ?? {}) as { createdAt?: number };
      if (createdAt === undefined) continue;
      if (reply.status === 503 || createdAt > answeredAt)
        late.push(`${clientOid}: ${createdAt - answeredAt} ms after ${reply.text}`);
    }
    assert.deepEqual(late, []);
    context.diagnostic(`${sent.length} orders while it was cut off, none of them late`);
  });
});
