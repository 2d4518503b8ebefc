/** The disk of the log server is full: a real server on a small tmpfs. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { TestNodes } from '@bourse/test-kit/cluster/test-nodes.ts';
import { startLogServers, whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { Client } from '@bourse/test-kit/server.ts';

const ORDERS = '/api/v1/hf/orders';
const ORDER = { symbol: 'BTC-USDT', side: 'buy', type: 'limit', price: '100', size: '0.01' };

const dir = mkdtempSync(join(tmpdir(), 'bourse-full-disk-'));
const skip = (await whySkipped()) || whyNoDisk();

/** Why no small disk can be made; false when one is mounted. */
function whyNoDisk(): string | false {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', dir], { stdio: 'ignore' });
    return false;
  } catch {
    rmSync(dir, { recursive: true });
    return 'only root on Linux can mount a small disk';
  }
}

/** Down to the last block. */
function fill(path: string): void {
  const { bavail, bsize } = statfsSync(dir);
  writeFileSync(path, Buffer.alloc(bavail * bsize));
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await isSo()) return;
    await wait(100);
  }
  assert.fail(`never: ${what}`);
}

test('a log server on a full disk loses nothing acknowledged, makes no node ready, and works again after a restart', {
  skip,
  timeout: 300_000,
}, async () => {
  const servers = await startLogServers(1, { dir });
  const nodes = new TestNodes(servers.servers.urls, 'full');
  try {
    const { connection } = await nodes.start('n1');
    const follower = await nodes.start('n2');
    const client = new Client(connection.baseUrl, 'alice');
    const placed = new Map<string, string>();
    let serial = 0;
    const place = async (): Promise<boolean> => {
      const clientOid = `full-${++serial}`;
      const { status, json } = await client.post(ORDERS, { ...ORDER, clientOid });
      if (status === 200) placed.set(clientOid, (json.data as { orderId: string }).orderId);
      return status === 200;
    };
    assert.ok(await place());
    fill(join(dir, 'fill'));
    await until('orders are refused', async () => !(await place()));
    const readiness = (): Promise<boolean[]> =>
      Promise.all(
        [connection, follower.connection].map(
          async ({ baseUrl }) => (await fetch(`${baseUrl}/readyz`)).status === 200,
        ),
      );
    await until('neither is ready', async () => {
      // A caller waits for its answer meanwhile.
      void place().catch(() => null);
      return !(await readiness()).includes(true);
    });
    rmSync(join(dir, 'fill'));
    const server = servers.servers.process(0)!;
    const ended = once(server, 'exit');
    server.kill('SIGTERM');
    await ended;
    await servers.servers.start(0);
    await until('orders go on', place);
    await until('both are ready', async () => !(await readiness()).includes(false));
    for (const [clientOid, orderId] of placed) {
      const { json, text } = await client.get(`${ORDERS}/client-order/${clientOid}?symbol=BTC-USDT`);
      assert.equal((json.data as { id?: string } | null)?.id, orderId, text);
    }
  } finally {
    await nodes.close();
    await servers.servers.stop();
    execFileSync('umount', ['-l', dir]);
    await servers.close();
  }
});
