/**
 * A log server that is cut off from the other two and still responds to its clients: a node connected to it
 * distinguishes that from a lost majority, and leaves it as soon as it reaches another one.
 */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { CutLink, Namespaces } from '@bourse/test-kit/cluster/networks.ts';
import { TestNodes } from '@bourse/test-kit/cluster/test-nodes.ts';
import { startLogServers, type TestLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { Client, type Reply } from '@bourse/test-kit/server.ts';
import type { RunningExchange } from '../../src/startup/running-exchange.ts';

const OTHERS = ['log-2', 'log-3'];
const network = (await whySkipped()) ? null : Namespaces.make(['log-1', ...OTHERS]);
const skip = network === null && 'there is no nats-server, or this process may not make network namespaces';
const TRIES = 600;

let servers: TestLogServers;
let links: CutLink[] = [];
let nodes: TestNodes;
let node: RunningExchange;
const lines: string[] = [];

before(async () => {
  if (network === null) return;
  servers = await startLogServers(3, { network });
  const [first, ...others] = servers.servers.urls.map((url) => new URL(url));
  links = await Promise.all(others.map(({ port, hostname }) => CutLink.open(Number(port), hostname)));
  // Whichever it tries first, it connects to the first server.
  for (const link of links) link.cut();
  nodes = new TestNodes([first.href, ...links.map(({ port }) => `nats://127.0.0.1:${port}`)], 'minority');
  node = await nodes.start('n1', {}, (line) => void lines.push((JSON.parse(line) as { msg: string }).msg));
});
after(async () => {
  for (const link of links) link.heal();
  await nodes?.close();
  for (const link of links) link.close();
  await servers?.close();
  network?.close();
});

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (await isSo()) return;
    await wait(100);
  }
  assert.fail(`never: ${what}; it said: ${await degraded()} ${lines.join(' | ')}`);
}

const degraded = async (): Promise<string> =>
  ((await (await fetch(`${node.connection.baseUrl}/readyz`)).json()) as { degraded?: string }).degraded ?? '';
const isolated = async (): Promise<string | undefined> =>
  /^bourse_cluster_isolated (\d)$/m.exec(
    await (await fetch(new URL('/metrics', node.connection.operatorUrl))).text(),
  )?.[1];

let serial = 0;
const place = (): Promise<Reply> =>
  new Client(node.connection.baseUrl, 'alice').post('/api/v1/hf/orders', {
    clientOid: `minority-${++serial}`,
    symbol: 'BTC-USDT',
    side: 'buy',
    type: 'limit',
    price: '100',
    size: '0.01',
    timeInForce: 'IOC',
  });

describe('a log server that is cut off from the others', { skip, timeout: 300_000 }, () => {
  test('a node that reaches only this server does not claim that the majority is lost', async () => {
    await until('orders are taken', async () => (await place()).status === 200);
    assert.equal(await isolated(), '0');
    for (const way of ['in', 'out'] as const) network!.drop('log-1', way, OTHERS);
    await until('it says what it sees', async () =>
      /^degraded: this node reaches log server \S+ and not 127\.0\.0\.1:\d+, 127\.0\.0\.1:\d+: /.test(
        await degraded(),
      ),
    );
    assert.doesNotMatch(await degraded(), /lost its majority/);
    await until('the metric says so', async () => (await isolated()) === '1');
    assert.equal((await fetch(`${node.connection.baseUrl}/readyz`)).status, 503);
  });

  test('a node that reaches another log server leaves the one in the minority, and continues with its history', async () => {
    for (const link of links) link.heal();
    await until('orders are taken', async () => (await place()).status === 200);
    assert.match(lines.join('\n'), /log server \S+ does not reach the majority .* this node leaves it/);
    await until('the metric says so', async () => (await isolated()) === '0');
    await until('the first server is missing', async () =>
      (await degraded()).startsWith('degraded: log servers that are missing or behind: log-1'),
    );
    const history = node.engine.historyCaughtUp().then(() => 'caught up');
    assert.equal(await Promise.race([history, wait(60_000, 'never', { ref: false })]), 'caught up');
  });
});
