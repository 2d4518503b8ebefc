/**
 * npm run bench:cluster [-- --json] [-- --only PART,PART] [-- --turns N]
 *   [-- --commands N] [-- --requests N] [-- --takeovers N] [-- --orders N]
 *
 * Three log servers and three nodes on this machine, compared with a single exchange whose syncs take 2 ms,
 * alternating within one run. Parts: `commands` (durable commands per second, CPU time), `requests` (the same over
 * HTTP, order latency, reads), `growth` (CPU time of an order in each process, extrapolated to more nodes),
 * `takeovers`, `join` (a node joining a cluster with --orders open orders).
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCommands } from './commands.ts';
import { measureGrowth } from './growth.ts';
import { measureJoin } from './join.ts';
import { measureRequests } from './requests.ts';
import { runFaults } from '@bourse/test-kit/cluster/fault-run.ts';
import { TestCluster } from '@bourse/test-kit/cluster/test-cluster.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { at, show, whole } from './figures.ts';

const BAR_MS = 5000;

/** Kills the leader repeatedly under load and measures the time until another node has acknowledged an order. */
async function measureTakeovers(count: number): Promise<object> {
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

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    turns: { type: 'string', default: '3' },
    commands: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '12000' },
    takeovers: { type: 'string', default: '30' },
    orders: { type: 'string', default: '1000000' },
  },
});
const turns = Number(values.turns);
const dir = mkdtempSync(join(tmpdir(), 'bourse-bench-cluster-'));
/** Each part has its own directory: a node refuses to start on the snapshot of another cluster. */
const parts = new Map<string, (own: string) => Promise<object>>([
  ['commands', (own) => measureCommands(own, turns, Number(values.commands))],
  ['requests', (own) => measureRequests(own, turns, Number(values.requests))],
  ['growth', (own) => measureGrowth(own, turns, Number(values.requests))],
  ['takeovers', () => measureTakeovers(Number(values.takeovers))],
  ['join', (own) => measureJoin(own, Number(values.orders))],
]);
const chosen = values.only?.split(',') ?? [...parts.keys()];
if (!chosen.every((name) => parts.has(name)))
  throw new TypeError(`--only: expected one or more of ${[...parts.keys()].join(',')}.`);
const figures: object[] = [];
try {
  for (const name of chosen) {
    mkdirSync(join(dir, name));
    figures.push(await parts.get(name)!(join(dir, name)));
  }
  if (values.json) console.log(JSON.stringify(Object.assign({}, ...figures)));
} finally {
  rmSync(dir, { recursive: true, force: true });
}
process.exit();
