/** The cost of the running default market: CPU time, and the p99 of a user's orders. */

import { runLoad } from '../http/child.ts';
import type { Job } from '../http/load.ts';
import { type Figure, type Measured, median, startMeasured } from './measured.ts';

const CORE_SHARE = 0.05;
const P99_RATIO = 1.2;
/** Orders per second, and the number of connections. */
const RATE = 200;
const CONNECTIONS = 4;
const WARM_MS = 5000;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export async function measureCost(seconds: number): Promise<Figure[]> {
  const sandbox = await startMeasured({ market: 'calm' });
  try {
    await sleep(WARM_MS);
    const [before, startedAt] = [await sandbox.use(), performance.now()];
    await sleep(seconds * 1000);
    const { cpuMs } = await sandbox.use();
    const value = (100 * (cpuMs - before.cpuMs)) / (performance.now() - startedAt);
    const name = 'default market, of one core';
    return [{ key: 'coreShare', name, value, unit: '%', bar: 100 * CORE_SHARE }];
  } finally {
    await sandbox.stop();
  }
}

/**
 * Sends the same orders at the same rate, in short rounds, to an exchange with the default market and to one without.
 * Both are equally old. The idle one is stopped by a signal: otherwise its syncs would delay the other's, and the
 * quiet exchange would seem as slow as the busy one. The two rounds of a pair are as close in time as possible and
 * alternate in order, so the median of the pairs' ratios is the cost of the market, independent of other load on the
 * machine.
 */
export async function measureLatency(turns: number, orders: number): Promise<Figure[]> {
  const quiet = await startMeasured({ market: 'quiet' });
  const calm = await startMeasured({ market: 'calm' });
  try {
    for (const each of [quiet, calm]) each.pause();
    const p99 = async (each: Measured): Promise<number> => {
      each.resume();
      const job = { port: each.port, kind: 'place', connections: CONNECTIONS, requests: orders, rate: RATE };
      const { p99Ms, steadyP99Ms } = await runLoad(job as Job);
      each.pause();
      return steadyP99Ms || p99Ms;
    };
    for (const each of [quiet, calm]) await p99(each);
    const without: number[] = [];
    const beside: number[] = [];
    for (let turn = 0; turn < turns; turn++) {
      const isQuietFirst = turn % 2 === 0;
      if (isQuietFirst) without.push(await p99(quiet));
      beside.push(await p99(calm));
      if (!isQuietFirst) without.push(await p99(quiet));
    }
    const value = median(beside.map((ms, turn) => ms / without[turn]!));
    const [besideMs, quietMs] = [median(beside).toFixed(2), median(without).toFixed(2)];
    const name = `order p99 beside the market, ${besideMs} ms, against ${quietMs}`;
    return [{ key: 'p99Ratio', name, value, unit: '', bar: P99_RATIO }];
  } finally {
    for (const each of [quiet, calm]) each.resume();
    await quiet.stop();
    await calm.stop();
  }
}
