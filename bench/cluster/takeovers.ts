/** The leading node is killed under load, again and again: how long until another one has answered an order. */

import { runFaults } from '@bourse/test-kit/cluster/fault-run.ts';
import { TestCluster } from '@bourse/test-kit/cluster/test-cluster.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { at, show, whole } from './figures.ts';

const BAR_MS = 5000;

export async function measureTakeovers(count: number): Promise<object> {
  const cluster = await TestCluster.start();
  try {
    const kills = Array.from({ length: count }, () => 'kill-leader' as const);
    const { takeoverMs, placed, faults } = await runFaults(cluster, new Random(1), kills);
    const [p50, p99] = [at(takeoverMs, 0.5), at(takeoverMs, 0.99)];
    show(
      `takeover, ${count} times`,
      `p50 ${whole(p50)} ms, p99 ${whole(p99)} ms (bar ${BAR_MS} ms); ${placed} orders, ${faults.length} wrong`,
    );
    for (const fault of faults) console.error(fault);
    if (faults.length > 0 || p99 > BAR_MS) process.exitCode = 1;
    return { takeoverMs };
  } finally {
    await cluster.close();
  }
}
