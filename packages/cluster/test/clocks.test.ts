/** Real processes, of which one has a wall clock that is an hour ahead: it is named, and its time never becomes the exchange's. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { TestCluster } from '@bourse/test-kit/cluster/test-cluster.ts';
import { whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { Client, type Reply } from '@bourse/test-kit/server.ts';

const skip = await whySkipped();
const HOUR_MS = 3_600_000;
const AHEAD = encodeURIComponent(`const now = Date.now; Date.now = () => now() + ${HOUR_MS};`);
const TRIES = 600;
const LOOK_MS = 100;

let cluster: TestCluster;
let serial = 0;

const place = (at: number): Promise<Reply> =>
  new Client(cluster.urls[at], 'alice').post('/api/v1/hf/orders', {
    clientOid: `clocks-${++serial}`,
    symbol: 'BTC-USDT',
    side: 'buy',
    type: 'limit',
    price: '100',
    size: '0.01',
  });

async function degraded(at: number): Promise<string | undefined> {
  const health = (await (await fetch(`${cluster.urls[at]}/readyz`)).json()) as { degraded?: string };
  return health.degraded;
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (await isSo()) return;
    await wait(LOOK_MS);
  }
  assert.fail(`never: ${what}`);
}

describe('the clock of n1 is an hour ahead', { skip, timeout: 600_000 }, () => {
  before(async () => {
    let isAhead = false;
    cluster = await TestCluster.start({
      environment: (name) =>
        name === 'n1' && isAhead ? { NODE_OPTIONS: `--import=data:text/javascript,${AHEAD}` } : {},
    });
    // It is set wrong while the cluster runs: the first node of all has no other clock to compare with.
    await cluster.whole(120_000);
    await cluster.lead('n2');
    isAhead = true;
    await cluster.restart('n1', 'SIGKILL');
    await cluster.whole(120_000);
  });
  after(() => cluster.close());

  test('every node reports whose clock differs, and by how much', async () => {
    const [n1, n2, n3] = [
      /^degraded: the clock of n2 is 3600 s behind this node's; the clock of n3 is 3600 s behind this node's$/,
      /^degraded: the clock of n1 is 3600 s ahead of this node's$/,
      /^degraded: the clock of n1 is 3600 s ahead of this node's$/,
    ];
    for (const [at, said] of [n1, n2, n3].entries()) {
      await until(`node ${at + 1} says it`, async () => said.test((await degraded(at)) ?? ''));
    }
  });

  test('n1 is not ready, and the other nodes are', async () => {
    for (const [at, status] of ['clock', 'open', 'open'].entries()) {
      await until(`node ${at + 1} is ${status}`, async () => {
        const response = await fetch(`${cluster.urls[at]}/readyz`);
        const body = (await response.json()) as { status: string };
        return body.status === status && response.status === (status === 'open' ? 200 : 503);
      });
    }
  });

  test('n1 rejects signed requests with 503, because a client may take a 400 for its own mistake', async () => {
    const refused = await place(0);
    assert.equal(refused.status, 503, refused.text);
    assert.match(refused.text, /this server's clock is wrong, .*use another node/);
    for (const at of [1, 2]) assert.equal((await place(at)).status, 200);
  });

  test('n1 cannot become the leader', async () => {
    await assert.rejects(() => cluster.lead('n1'), /clock-wrong.*The clock of n1 differs from most others'/s);
    assert.equal((await cluster.anyStatus()).leader, 'n2');
  });

  test('when the leader is killed, the other node takes over, and time continues from where it was', async () => {
    process.kill(cluster.file.nodes[1].pid, 'SIGKILL');
    await until('n3 leads', async () => (await cluster.status(2))?.leader === 'n3');
    const placed = await place(2);
    assert.equal(placed.status, 200, placed.text);
    const path = '/api/v1/market/orderbook/level1?symbol=BTC-USDT';
    const { time } = (await (await fetch(cluster.urls[2] + path)).json()) as { readonly time: number };
    assert.ok(Math.abs(time - Date.now()) < HOUR_MS / 10, new Date(time).toISOString());
  });
});
