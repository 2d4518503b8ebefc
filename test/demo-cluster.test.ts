// A second `npm run cluster` does not affect the first one, and reports the conflict.

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { lockDirectory } from '../packages/engine/src/io/directory-lock.ts';
import { CannotStart } from '../scripts/cluster/cannot-start.ts';
import { DemoCluster } from '../scripts/cluster/demo-cluster.ts';

const dir = mkdtempSync(join(tmpdir(), 'bourse-demo-'));
after(() => rmSync(dir, { recursive: true }));

const start = (port: number) =>
  DemoCluster.start({
    nodes: 3,
    logServers: 3,
    port,
    data: dir,
    configOut: join(dir, 'cluster.json'),
    isRestarting: false,
    // If it were started at all, it would fail with another message than the one asserted below.
    binary: join(dir, 'no-such-program'),
  });

test('in a directory in use no log server is started, and the file of the first start is kept', async () => {
  writeFileSync(join(dir, 'cluster.json'), '{}');
  const lock = lockDirectory(dir);
  await assert.rejects(start(20_000), { name: 'DirectoryInUse' });
  lock.release();
  assert.ok(existsSync(join(dir, 'cluster.json')));
  assert.ok(!existsSync(join(dir, 'log')));
});

test('servers of another cluster are not mistaken for its own', async () => {
  const other = createServer();
  await new Promise<void>((done) => void other.listen(0, '127.0.0.1', done));
  const { port } = other.address() as AddressInfo;
  const wanted = new CannotStart(
    `127.0.0.1:${port}, which log-1 would have, is in use by another program; choose another --port.`,
  );
  // Log servers use ports from 100 above the first node's. The failed start has released the directory.
  for (let tried = 0; tried < 2; tried++) await assert.rejects(start(port - 100), wanted);
  other.close();
});
