/** HAProxy with the configuration of `deploy/`, in front of three nodes of which one is killed. */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePorts, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { TestCluster } from '@bourse/test-kit/cluster/test-cluster.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { Client } from '@bourse/test-kit/server.ts';
import { WebSocket } from 'ws';

const HAPROXY = ['haproxy', '/usr/sbin/haproxy'].find((path) => spawnSync(path, ['-v']).status === 0);
const skip = HAPROXY === undefined ? 'there is no haproxy here; install it' : await whySkipped();
const SHIPPED = new URL('../../../deploy/haproxy.cfg', import.meta.url);
const ORDERS = '/api/v1/hf/orders';
const FOR_OPERATORS = [
  '/operator/v1/cluster',
  '/%6fperator/v1/cluster',
  '//operator/v1/cluster',
  '/OPERATOR/v1/cluster',
  '/console/',
  '/console.html',
  '/metrics',
  '/sandbox/v1/state',
];
const TRIES = 200;

test('a proxy sends requests only to ready nodes, exposes no operator API, and continues when a node dies', {
  skip,
  timeout: 300_000,
}, async (context) => {
  const cluster = await TestCluster.start({ isRestarting: false });
  context.after(() => cluster.close());
  const dir = makeDirectory(context);
  const [port] = await freePorts(1);
  const file = join(dir, 'haproxy.cfg');
  let text = readFileSync(fileURLToPath(SHIPPED), 'utf8')
    .replaceAll('bind :8080', `bind 127.0.0.1:${port}`)
    .replace('maxconn 8000', 'maxconn 100');
  for (const [at, { baseUrl }] of cluster.file.nodes.entries())
    text = text.replace(`node-${at + 1}:8080`, new URL(baseUrl).host);
  writeFileSync(file, text);
  const output = openSync(join(dir, 'output.log'), 'a');
  const proxy: ChildProcess = spawn(HAPROXY!, ['-f', file], { stdio: ['ignore', output, output] });
  process.once('exit', () => proxy.kill('SIGKILL'));
  context.after(async () => {
    const ended = proxy.exitCode === null ? once(proxy, 'exit') : null;
    proxy.kill('SIGKILL');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  const client = new Client(url, 'alice');

  /** Until it is answered: a node that has just died is noticed after two checks. */
  const place = async (clientOid: string): Promise<number> => {
    const order = { symbol: 'BTC-USDT', side: 'buy', type: 'limit', price: '100', size: '0.01', clientOid };
    let last = '';
    for (let tries = 1; tries <= TRIES; tries++) {
      const placed = await client
        .post(ORDERS, order)
        .catch((error: Error) => void (last = String(error.cause)));
      if (placed) last = `${placed.status} ${placed.text}`;
      if (placed?.status === 200) {
        // Sent again after an answer that was lost, it is refused as placed before.
        const { code } = placed.json as { code: string };
        if (code === '200000' || tries > 1) return tries;
      }
      await wait(100);
    }
    assert.fail(`${clientOid} was never placed: ${last} ${readFileSync(join(dir, 'output.log'), 'utf8')}`);
  };

  for (let at = 0; at < 6; at++) await place(`before-${at}`);
  for (const path of FOR_OPERATORS) {
    const { status } = await fetch(url + path, {
      headers: { authorization: `Bearer ${cluster.file.operatorToken}`, 'x-operator': 'test' },
    });
    assert.equal(status, 404, path);
  }

  const bullet = await client.post('/api/v1/bullet-public', {});
  const { token } = bullet.json.data as { token: string };
  const { endpoint } = (bullet.json.data as { instanceServers: { endpoint: string }[] }).instanceServers[0];
  const feed = new WebSocket(`ws://127.0.0.1:${port}${new URL(endpoint).pathname}?token=${token}`);
  const [welcome] = (await once(feed, 'message')) as [Buffer];
  assert.match(welcome.toString(), /welcome/);
  feed.close();

  const { leader } = await cluster.anyStatus();
  process.kill(cluster.file.nodes.find(({ name }) => name === leader)!.pid, 'SIGKILL');
  let triedAgain = 0;
  for (let at = 0; at < 6; at++) triedAgain += (await place(`after-${at}`)) - 1;
  context.diagnostic(`${triedAgain} further tries while the leader was replaced`);
});
