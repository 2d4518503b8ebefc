/** Three log servers, of which one and then two are gone, at rest and at a start: what is answered, and what is said. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { askOperator, TestNodes } from '@bourse/test-tools/cluster/test-nodes.ts';
import { startLogServers, type TestLogServers, whySkipped } from '@bourse/test-tools/log-servers.ts';
import { Client, type Reply } from '@bourse/test-tools/server.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';

const skip = await whySkipped();
const LOST = /^degraded: more than half of the log's servers do not answer, so no command is taken/;
const ORDERS = '/api/v1/hf/orders';

interface Health {
  readonly status: string;
  readonly degraded?: string;
}

let servers: TestLogServers;
let nodes: TestNodes;
let node: RunningExchange;
let serial = 0;

before(async () => {
  if (skip) return;
  servers = await startLogServers(3);
  nodes = new TestNodes(servers.servers.urls, 'lost');
  node = await nodes.start('n1');
});
after(async () => {
  if (skip) return;
  await nodes.close();
  await servers.close();
});

async function kill(at: number): Promise<void> {
  const child = servers.servers.process(at)!;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

function place({ connection }: RunningExchange): Promise<Reply> {
  return new Client(connection.baseUrl, 'alice').post(ORDERS, {
    clientOid: `lost-${++serial}`,
    symbol: 'BTC-USDT',
    side: 'buy',
    type: 'limit',
    timeInForce: 'IOC',
    price: '100',
    size: '0.01',
  });
}

async function healthOf({ connection }: RunningExchange): Promise<Health> {
  return (await (await fetch(`${connection.baseUrl}/readyz`)).json()) as Health;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isSo()) return;
    await wait(100);
  }
  assert.fail(`never: ${what}`);
}

describe('log servers that are gone', { skip, timeout: 180_000 }, () => {
  test('all are there: nothing is said', async () => {
    await until('open and whole', async () => {
      const { status, degraded } = await healthOf(node);
      return status === 'open' && degraded === undefined;
    });
    assert.equal((await place(node)).status, 200);
  });

  test('one of three, at rest and at a start: orders go on, a node can join, health says what is missing', async () => {
    await kill(0);
    await until('orders go on', async () => (await place(node)).status === 200);
    await until('health says so', async () => {
      return (await healthOf(node)).degraded === 'degraded: log servers that are missing or behind: log-1';
    });
    const { body } = await askOperator(node, '/v1/cluster');
    assert.equal(body['degraded'], 'degraded: log servers that are missing or behind: log-1');
    const second = await nodes.start('n2');
    assert.equal((await place(second)).status, 200);
    await nodes.stop('n2');
  });

  test('two of three: no command is acknowledged and each is told so, reads go on and say how old they are', async () => {
    await kill(1);
    const starting = nodes.start('n3').then(
      () => 'it started',
      (error: Error) => `${error.name}: ${error.message}`,
    );
    const refused = await place(node);
    assert.ok([503, 504].includes(refused.status), refused.text);
    assert.match(refused.text, /may have been done; look it up, .*|nothing was done, and nothing will be/);
    await until('nobody leads', async () => (await healthOf(node)).status === 'no-leader');
    await until('health says so', async () => LOST.test((await healthOf(node)).degraded ?? ''));
    const read = await new Client(node.connection.baseUrl, 'alice').get('/api/v1/accounts');
    assert.equal(read.status, 200);
    assert.ok(
      Number(read.headers.get('x-bourse-age-ms')) > 3000,
      read.headers.get('x-bourse-age-ms') ?? 'none',
    );
    assert.match(
      await starting,
      /^ClusterUnfit: The log server \S+ answers, but not for the log: more than half of the log's servers must run/,
    );
  });

  test('they are back: it goes on by itself', async () => {
    await Promise.all([servers.servers.start(0), servers.servers.start(1)]);
    await until('orders go on', async () => (await place(node)).status === 200);
    await until('the servers are whole', async () => {
      return (await healthOf(node)).degraded === 'degraded: nodes that are missing: n2';
    });
    await nodes.start('n2');
    await until('nothing is missing', async () => (await healthOf(node)).degraded === undefined);
  });
});
