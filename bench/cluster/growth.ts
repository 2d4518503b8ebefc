/**
 * How throughput over HTTP grows with nodes. All nodes share one machine, so more nodes are never faster here; the bench
 * measures the CPU time of an order in each process, and extrapolates to nodes with their own machines.
 */

import { join } from 'node:path';
import { TestCluster } from '@bourse/test-kit/cluster/test-cluster.ts';
import { runLoad } from '../http/child.ts';
import { ORDINARY_SYNC_MS } from './commands.ts';
import { startExchangeProcess } from './exchange-process.ts';
import { median, processorUs, show, whole } from './figures.ts';

const CALLERS = 256;
const AGREE_MS_MAX = 60_000;
const WEIGHT = 1e9;
const SETTINGS = ['--quotas', JSON.stringify({ spot: WEIGHT, manage: WEIGHT, public: WEIGHT })];
const limits = { skewMsMax: 8000 };
const NODES = [3, 5, 7];

/** CPU time per order in microseconds, over all threads. */
export interface OrderCosts {
  /** A single exchange. */
  readonly alone: number;
  /** The leader, for orders sent directly to it. */
  readonly leaderDirect: number;
  /** The leader, for orders forwarded by another node. */
  readonly leaderForwarded: number;
  /** A node that forwards orders to the leader. */
  readonly entry: number;
  /** A node that only applies records. */
  readonly applying: number;
  /** All log servers together. */
  readonly servers: number;
}

export interface Growth {
  readonly costs: OrderCosts;
  /** By number of nodes: throughput relative to a single exchange on the same machine. */
  readonly times: Readonly<Record<number, number>>;
}

export async function measureGrowth(dir: string, turns: number, requests: number): Promise<Growth> {
  const flags = { data: join(dir, 'single-http'), market: 'quiet' };
  const single = await startExchangeProcess({ flags, syncMs: ORDINARY_SYNC_MS });
  const cluster = await TestCluster.start({ settings: SETTINGS, limits });
  try {
    const { leader } = await cluster.agreement(AGREE_MS_MAX);
    const { nodes, logServers } = cluster.file;
    const leading = nodes.find(({ name }) => name === leader)!;
    const [entry, applying] = nodes.filter((node) => node !== leading);
    const portOf = ({ baseUrl }: { readonly baseUrl: string }): number => Number(new URL(baseUrl).port);
    const spent = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + processorUs(pid), 0);
    const servers = logServers.map(({ pid }) => pid);
    const watched = [[single.pid], [leading.pid], [entry.pid], [applying.pid], servers];
    /** The cost in each of these processes of one order sent to this port. */
    const costs = async (port: number): Promise<number[]> => {
      const before = watched.map(spent);
      const done = await runLoad({ port, kind: 'place', connections: CALLERS, requests, rate: 0 });
      return watched.map((pids, at) => (spent(pids) - before[at]) / done.requests);
    };
    const found: OrderCosts[] = [];
    // The first turn warms up.
    for (let turn = -1; turn < turns; turn++) {
      const [alone] = await costs(single.port);
      const [, leaderDirect] = await costs(portOf(leading));
      const [, leaderForwarded, entryUs, applyingUs, serversUs] = await costs(portOf(entry));
      const each = { alone, leaderDirect, leaderForwarded, entry: entryUs };
      if (turn >= 0) found.push({ ...each, applying: applyingUs, servers: serversUs });
    }
    const typical = medianOf(found);
    const times = Object.fromEntries(NODES.map((count) => [count, timesOf(typical, count)]));
    for (const [name, us] of Object.entries(typical))
      show(`processor time of an order: ${name}`, `${whole(us)} us`);
    for (const [count, each] of Object.entries(times))
      show(`orders of ${count} nodes, in times of one machine`, each.toFixed(2));
    return { costs: typical, times };
  } finally {
    await cluster.close();
    await single.stop();
  }
}

function medianOf(found: readonly OrderCosts[]): OrderCosts {
  const of = (name: keyof OrderCosts): number => median(found.map((each) => each[name]));
  return {
    alone: of('alone'),
    leaderDirect: of('leaderDirect'),
    leaderForwarded: of('leaderForwarded'),
    entry: of('entry'),
    applying: of('applying'),
    servers: of('servers'),
  };
}

/** Route to the leader the share of requests at which all nodes are equally busy. */
function timesOf(costs: OrderCosts, nodes: number): number {
  const { alone, leaderDirect, leaderForwarded, entry, applying } = costs;
  const busiest = (share: number): number => {
    const leader = share * leaderDirect + (1 - share) * leaderForwarded;
    const direct = (1 - share) / (nodes - 1);
    return Math.max(leader, direct * entry + (1 - direct) * applying);
  };
  const shares = Array.from({ length: 101 }, (_, percent) => percent / 100);
  return alone / Math.min(...shares.map(busiest));
}
