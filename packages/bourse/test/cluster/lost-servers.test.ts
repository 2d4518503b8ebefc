/** Three log servers, of which one and then two are lost, when idle and during a start: responses and health. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { askOperator, TestNodes } from '@bourse/test-kit/cluster/test-nodes.ts';
import { startLogServers, type TestLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { Client, type Reply } from '@bourse/test-kit/server.ts';
import { connectTo } from '../../../cluster/src/stream/nats-link.ts';
import { NatsStream } from '../../../cluster/src/stream/nats-stream.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';

const skip = await whySkipped();
const LOST = /^degraded: the log has lost its majority: more than half of its servers are gone/;
const READS = 40;
const ORDERS = '/api/v1/hf/orders';

interface Health {
  readonly status: string;
  readonly degraded?: string;
}

let servers: TestLogServers;
let nodes: TestNodes;
let node: RunningExchange;
let other: RunningExchange;
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

describe('lost log servers', { skip, timeout: 180_000 }, () => {
  test('all present: nothing is reported', async () => {
    await until('open and whole', async () => {
      const { status, degraded } = await healthOf(node);
      return status === 'open' && degraded === undefined;
    });
    assert.equal((await place(node)).status, 200);
  });

  test('one of three hangs: reads do not wait for it', async () => {
    const leader = (await askOperator(node, '/v1/cluster')).body['logServers'] as {
      name: string;
      isLeader: boolean;
    }[];
    const hung = leader.findIndex(({ isLeader }) => !isLeader);
    const at = Number(leader[hung].name.slice('log-'.length)) - 1;
    const remaining = servers.servers.urls[(at + 1) % servers.servers.urls.length];
    const address = { servers: [remaining], stream: 'lost' };
    const stream = await NatsStream.open({
      connection: await connectTo(address, 'reader'),
      address,
      replicas: 0,
    });
    const child = servers.servers.process(at)!;
    child.kill('SIGSTOP');
    try {
      // The servers choose which one is asked: without a retry every third read would fail.
      const reads = await Promise.allSettled(Array.from({ length: READS }, () => stream.read(1)));
      assert.deepEqual(
        reads.filter(({ status }) => status === 'rejected'),
        [],
      );
    } finally {
      child.kill('SIGCONT');
      await stream.close();
    }
    await until('it is whole again', async () => (await healthOf(node)).degraded === undefined);
  });

  test('one of three lost, when idle and during a start: orders continue, a node can join, and health names the missing server', async () => {
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

  test('two of three lost: no command is acknowledged, each gets an error, and no stale data is read', async () => {
    await kill(1);
    const starting = nodes.start('n3').then(
      () => 'it started',
      (error: Error) => `${error.name}: ${error.message}`,
    );
    const refused = await place(node);
    assert.ok([503, 504].includes(refused.status), refused.text);
    assert.match(refused.text, /may have been executed; look it up .*|was not executed and will not be/);
    await until('nobody leads', async () => (await healthOf(node)).status === 'no-leader');
    await until('health says so', async () => LOST.test((await healthOf(node)).degraded ?? ''));
    await until('what it has is out of date', async () => {
      const read = await new Client(node.connection.baseUrl, 'alice').get('/api/v1/accounts');
      return read.status === 503 && /has had no contact with the log for \d+ s/.test(read.text);
    });
    assert.match(
      await starting,
      /^ClusterUnfit: The log server \S+ answers, but not for the log: more than half of the log's servers must run/,
    );
    // By now the remaining server responds to requests about the log again, alone.
    for (let look = 0; look < 10; look++) {
      const { status, degraded = '' } = await healthOf(node);
      assert.equal(status, 'no-leader');
      assert.match(degraded, LOST);
      assert.equal((await new Client(node.connection.baseUrl, 'alice').get('/api/v1/accounts')).status, 503);
      await wait(200);
    }
  });

  test('when the servers are back, the cluster continues by itself', async () => {
    await Promise.all([servers.servers.start(0), servers.servers.start(1)]);
    await until('orders go on', async () => (await place(node)).status === 200);
    await until('the servers are whole', async () => {
      return (await healthOf(node)).degraded === 'degraded: nodes that are missing: n2';
    });
    other = await nodes.start('n2');
    await until('nothing is missing', async () => (await healthOf(node)).degraded === undefined);
  });

  test('two of three lost with an append in flight: a node that is connected to the third can close', async () => {
    await Promise.all([kill(0), kill(1)]);
    const all = [node, other];
    // The leader tries to append until the log is closed, however many of its callers have their response.
    for (const { status, text } of await Promise.all(all.map(place)))
      assert.ok([503, 504].includes(status), text);
    for (const each of all)
      await until('it knows the loss from the third', async () =>
        LOST.test((await healthOf(each)).degraded ?? ''),
      );
    await Promise.all([nodes.stop('n1'), nodes.stop('n2')]);
    await Promise.all([servers.servers.start(0), servers.servers.start(1)]);
    node = await nodes.start('n1');
    await nodes.start('n2');
    await until('orders go on', async () => (await place(node)).status === 200);
  });

  test('all lost right after an order: a node can close, although history lacks its last records', async () => {
    assert.equal((await place(node)).status, 200);
    await Promise.all([kill(0), kill(1), kill(2)]);
    // A round of history has begun, and waits for the log.
    await wait(1500);
    await nodes.stop('n1');
    await nodes.stop('n2');
  });
});
