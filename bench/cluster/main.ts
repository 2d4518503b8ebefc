/**
 * npm run bench:cluster [-- --json] [-- --turns N] [-- --requests N] [-- --takeovers N]
 *
 * Three log servers and three nodes on this machine against one exchange with a file, in turns within one run: durable
 * orders a second from 512 callers, the time of one order through the leader and through another node, what the leader
 * and the log servers take of the processor for each, reads of one node and of all, and how long takeovers take.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runFaults } from '@bourse/test-tools/cluster/fault-run.ts';
import { TestCluster } from '@bourse/test-tools/cluster/test-cluster.ts';
import { Random } from '@bourse/test-tools/random.ts';
import { runLoad, startServer } from '../http/child.ts';
import type { Result } from '../http/load.ts';
import { processorUs } from './processor-time.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    turns: { type: 'string', default: '3' },
    requests: { type: 'string', default: '12000' },
    takeovers: { type: 'string', default: '30' },
  },
});
const CALLERS = 512;
const BAR = 0.5;
const TAKEOVER_BAR_MS = 5000;
/** Orders a second, one caller: few enough that none waits for another. */
const CALM_RATE = 40;
const CALM_REQUESTS = 400;
const WEIGHT = '1000000000';
const SETTINGS = ['--public-pool-weight', WEIGHT, '--manage-pool-weight', WEIGHT, '--skew-ms-max', '8000'];

const requests = Number(values.requests);
const show = (name: string, text: string): void => console.log(`${name.padEnd(44)} ${text}`);
const whole = (value: number): string => Math.round(value).toLocaleString('en');
const at = (list: readonly number[], share: number): number =>
  list.toSorted((a, b) => a - b)[Math.floor(share * (list.length - 1))] ?? 0;

const place = (port: number): Promise<Result> =>
  runLoad({ port, kind: 'place', connections: CALLERS, requests, rate: 0 });
const calm = (port: number): Promise<Result> =>
  runLoad({ port, kind: 'place', connections: 1, requests: CALM_REQUESTS, rate: CALM_RATE });
const read = (port: number): Promise<Result> =>
  runLoad({ port, kind: 'ticker', connections: 64, requests, rate: 0 });
const portOf = (url: string): number => Number(new URL(url).port);

const dir = mkdtempSync(join(tmpdir(), 'bourse-bench-cluster-'));
const single = await startServer(new URL('../http/exchange.ts', import.meta.url), join(dir, 'single'));
const cluster = await TestCluster.start({ settings: SETTINGS });
try {
  await cluster.agreement(60_000);
  const { leader } = await cluster.anyStatus();
  const { nodes, logServers } = cluster.file;
  const leading = nodes.find(({ name }) => name === leader)!;
  const other = nodes.find(({ name }) => name !== leader)!;
  const [port, otherPort] = [portOf(leading.baseUrl), portOf(other.baseUrl)];

  for (const each of [single.port, port]) await place(each);
  const [ours, theirs, leaderUs, serversUs]: number[][] = [[], [], [], []];
  const serversTime = (): number => logServers.reduce((sum, { pid }) => sum + processorUs(pid), 0);
  for (let turn = 0; turn < Number(values.turns); turn++) {
    theirs.push((await place(single.port)).perSecond);
    const before = [processorUs(leading.pid), serversTime()];
    ours.push((await place(port)).perSecond);
    leaderUs.push((processorUs(leading.pid) - before[0]) / requests);
    serversUs.push((serversTime() - before[1]) / requests);
  }
  const ratio = at(
    ours.map((perSecond, turn) => perSecond / theirs[turn]),
    0.5,
  );
  show('durable orders/s, 512 callers, one machine', whole(at(theirs, 0.5)));
  show(
    'durable orders/s, 512 callers, the leader',
    `${whole(at(ours, 0.5))}, ${ratio.toFixed(2)} of that (aim ${BAR})`,
  );
  show(
    'processor time per order',
    `leader ${whole(at(leaderUs, 0.5))} us, log servers ${whole(at(serversUs, 0.5))} us`,
  );

  const times = { single: await calm(single.port), leader: await calm(port), other: await calm(otherPort) };
  for (const [name, { p50Ms, p99Ms }] of Object.entries(times)) {
    show(`one order, ${name}`, `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`);
  }
  const alone = (await read(otherPort)).perSecond;
  const together = await Promise.all(nodes.map(({ baseUrl }) => read(portOf(baseUrl))));
  const reads = together.reduce((sum, { perSecond }) => sum + perSecond, 0);
  show('reads/s of one node, of three at once', `${whole(alone)}, ${whole(reads)}`);

  const kills = Array.from({ length: Number(values.takeovers) }, () => 'kill-leader' as const);
  const { takeoverMs, faults } = await runFaults(cluster, new Random(1), kills);
  const [p50, p99] = [at(takeoverMs, 0.5), at(takeoverMs, 0.99)];
  show(
    `takeover, ${takeoverMs.length} times`,
    `p50 ${whole(p50)} ms, p99 ${whole(p99)} ms (bar ${TAKEOVER_BAR_MS} ms)`,
  );
  for (const fault of faults) console.error(fault);
  if (faults.length > 0 || p99 > TAKEOVER_BAR_MS) process.exitCode = 1;
  if (values.json) {
    const latency = Object.fromEntries(
      Object.entries(times).map(([name, { p50Ms, p99Ms }]) => [name, { p50Ms, p99Ms }]),
    );
    const figures = {
      ours,
      theirs,
      leaderUs,
      serversUs,
      latency,
      reads: { alone, together: reads },
      takeoverMs,
    };
    console.log(JSON.stringify({ ratio, ...figures }));
  }
} finally {
  await cluster.close();
  await single.stop();
  rmSync(dir, { recursive: true, force: true });
}
process.exit();
