/** What the default market costs while it runs: processor time, and the p99 of a user's orders beside it. */

import { runLoad } from '../http/child.ts';
import { type Figure, median } from './figure.ts';
import { type Measured, startMeasured } from './measured.ts';

const CORE_SHARE = 0.05;
const P99_RATIO = 1.2;
const RATE = 100;
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

/** In turns, each with its own exchange, both of which run all the time. */
export async function measureLatency(turns: number, orders: number): Promise<Figure[]> {
  const quiet = await startMeasured({ market: 'quiet' });
  const calm = await startMeasured({ market: 'calm' });
  try {
    const p99 = async ({ port }: Measured): Promise<number> => {
      const job = { port, kind: 'place', connections: CONNECTIONS, requests: orders, rate: RATE } as const;
      const { p99Ms, steadyP99Ms } = await runLoad(job);
      return steadyP99Ms || p99Ms;
    };
    for (const each of [quiet, calm]) await p99(each);
    const without: number[] = [];
    const beside: number[] = [];
    for (let turn = 0; turn < turns; turn++) {
      without.push(await p99(quiet));
      beside.push(await p99(calm));
    }
    const value = median(beside) / median(without);
    const name = `order p99 beside the market, ${median(beside).toFixed(2)} ms, against quiet`;
    return [{ key: 'p99Ratio', name, value, unit: '', bar: P99_RATIO }];
  } finally {
    await quiet.stop();
    await calm.stop();
  }
}
