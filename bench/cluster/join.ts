/** Time for a node to join a cluster with very many open orders: from process start to its first response. */

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { TestCluster } from '@bourse/test-kit/cluster/test-cluster.ts';
import { deriveClusterKeys } from '../../packages/cluster/src/authentication.ts';
import { connectTo } from '../../packages/cluster/src/stream/nats-link.ts';
import { SnapshotStore } from '../../packages/cluster/src/states/snapshot-store.ts';
import { SANDBOX_SECRET_KEY } from '../../packages/sandbox/src/seed.ts';
import { startExchangeProcess } from './exchange-process.ts';
import { show, whole } from './figures.ts';

const LEADER = 'n9';
/**
 * Records between two snapshots. Small enough that the newest snapshot contains nearly all orders, and that one
 * exists at all: an idle cluster appends nothing, so no snapshot would become due later.
 */
const snapshotRecordsFor = (orders: number): number => Math.min(300, Math.ceil(orders / 4000));
const LOOK_MS = 500;

export async function measureJoin(dir: string, orders: number): Promise<object> {
  const every = snapshotRecordsFor(orders);
  const cluster = await TestCluster.start({
    nodes: 1,
    limits: { snapshotRecords: every },
  });
  const [{ url }] = cluster.file.logServers;
  const servers = cluster.file.logServers.map((each) => each.url).join(',');
  const flagsOf = (node: string) => ({
    cluster: servers,
    node,
    data: join(dir, node),
    snapshotRecords: String(every),
  });
  const leader = await startExchangeProcess({ flags: flagsOf(LEADER), syncMs: 0 });
  try {
    await cluster.lead(LEADER);
    const { perSecond } = await leader.submit('rest', orders);
    const { nodes } = await cluster.anyStatus();
    const snapshot = await newestSnapshot(url, Math.max(...nodes.map(({ seq }) => seq)) - every);
    const startedAt = performance.now();
    const joined = await startExchangeProcess({ flags: flagsOf('n10'), syncMs: 0 });
    const answered = await fetch(`http://127.0.0.1:${joined.port}/api/v1/timestamp`);
    const joinMs = performance.now() - startedAt;
    if (!answered.ok) throw new Error(await answered.text());
    await joined.stop();
    show(
      `join of a node with ${whole(orders)} open orders`,
      `${whole(joinMs)} ms, with the snapshot of record ${snapshot}; they were placed at ${whole(perSecond)} a second`,
    );
    return { join: { orders, joinMs } };
  } finally {
    await leader.stop();
    await cluster.close();
  }
}

/** Resolves once there is a snapshot of that record or a later one. */
async function newestSnapshot(url: string, seqMin: number): Promise<number> {
  const connection = await connectTo({ servers: [url], stream: 'bourse' }, 'bench');
  const keys = deriveClusterKeys(SANDBOX_SECRET_KEY, 'bourse');
  try {
    for (;;) {
      const store = await SnapshotStore.find({ connection, stream: 'bourse', keys });
      const newest = (await store?.list())?.at(-1) ?? 0;
      if (newest >= Math.max(1, seqMin)) return newest;
      await wait(LOOK_MS);
    }
  } finally {
    await connection.close();
  }
}
