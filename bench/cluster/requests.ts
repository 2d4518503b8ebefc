/** The same over HTTP: orders per second, order latency through the leader and through another node, and reads. */

import { join } from 'node:path';
import { TestCluster } from '@bourse/test-kit/cluster/test-cluster.ts';
import { runLoad } from '../http/child.ts';
import type { Result } from '../http/load.ts';
import { ORDINARY_SYNC_MS } from './commands.ts';
import { startExchangeProcess } from './exchange-process.ts';
import { median, processorUs, show, whole } from './figures.ts';

const CALLERS = 512;
const READERS = 64;
/** Rate of a single caller: low enough that orders never queue. */
const CALM_RATE = 40;
const CALM_REQUESTS = 400;
const AGREE_MS_MAX = 60_000;
const WEIGHT = 1e9;
const SETTINGS = ['--quotas', JSON.stringify({ spot: WEIGHT, manage: WEIGHT, public: WEIGHT })];
const limits = { skewMsMax: 8000 };

const portOf = (url: string): number => Number(new URL(url).port);
const calm = (port: number): Promise<Result> =>
  runLoad({ port, kind: 'place', connections: 1, requests: CALM_REQUESTS, rate: CALM_RATE });

export async function measureRequests(dir: string, turns: number, requests: number): Promise<object> {
  const place = (port: number): Promise<Result> =>
    runLoad({ port, kind: 'place', connections: CALLERS, requests, rate: 0 });
  const flags = { data: join(dir, 'single-http'), market: 'quiet' };
  const single = await startExchangeProcess({ flags, syncMs: ORDINARY_SYNC_MS });
  const cluster = await TestCluster.start({ settings: SETTINGS, limits });
  try {
    const { leader } = await cluster.agreement(AGREE_MS_MAX);
    const { nodes } = cluster.file;
    const [leading, other] = nodes.toSorted((a, b) => Number(b.name === leader) - Number(a.name === leader));
    const [port, otherPort] = [portOf(leading.baseUrl), portOf(other.baseUrl)];
    const [ours, theirs, leaderUs]: number[][] = [[], [], []];
    for (let turn = -1; turn < turns; turn++) {
      const one = await place(single.port);
      const before = processorUs(leading.pid);
      const three = await place(port);
      if (turn < 0) continue;
      theirs.push(one.perSecond);
      ours.push(three.perSecond);
      leaderUs.push((processorUs(leading.pid) - before) / three.requests);
    }
    const ratio = median(ours.map((perSecond, turn) => perSecond / theirs[turn]));
    show(
      'durable orders/s over HTTP, 512 callers',
      `one machine ${whole(median(theirs))}, the leader of three ${whole(median(ours))}: ${ratio.toFixed(2)}; ` +
        `${whole(median(leaderUs))} us of the leader's processor time for each`,
    );

    const times = {
      'one machine': await calm(single.port),
      leader: await calm(port),
      other: await calm(otherPort),
    };
    for (const [name, { p50Ms, p99Ms }] of Object.entries(times)) {
      show(`one order through ${name}`, `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`);
    }
    const alone = await measureReads([other], requests);
    const together = await measureReads(nodes, requests);
    show(
      'reads/s of one node, of three at once',
      `${whole(alone.perSecond)}, ${whole(together.perSecond)}; for each second of a node's processor time ` +
        `${whole(alone.perProcessorSecond)}, ${whole(together.perProcessorSecond)}`,
    );
    const latency = Object.fromEntries(
      Object.entries(times).map(([name, { p50Ms, p99Ms }]) => [name, { p50Ms, p99Ms }]),
    );
    return { httpRatio: ratio, httpCluster: ours, httpSingle: theirs, latency, reads: { alone, together } };
  } finally {
    await cluster.close();
    await single.stop();
  }
}

async function measureReads(
  nodes: readonly { readonly baseUrl: string; readonly pid: number }[],
  requests: number,
): Promise<{ perSecond: number; perProcessorSecond: number }> {
  const spent = (): number => nodes.reduce((sum, { pid }) => sum + processorUs(pid), 0);
  const before = spent();
  const results = await Promise.all(
    nodes.map(({ baseUrl }) =>
      runLoad({ port: portOf(baseUrl), kind: 'ticker', connections: READERS, requests, rate: 0 }),
    ),
  );
  const seconds = (spent() - before) / 1e6;
  const done = results.reduce((sum, result) => sum + result.requests, 0);
  const perSecond = results.reduce((sum, result) => sum + result.perSecond, 0);
  return { perSecond, perProcessorSecond: done / seconds };
}
