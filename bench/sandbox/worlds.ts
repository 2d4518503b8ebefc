/** The time of restores and forks, fresh and with many open orders, and the memory of a fork. */

import { type Figure, type Measured, median, startMeasured, timed, type Use } from './measured.ts';

const FRESH_MS = 100;
const FULL_MS = 1000;
const FORK_MIB = 60;
const MIB = 1 << 20;

/** On a fresh sandbox, or on one with this many open orders. */
export async function measureWorlds(orders: number, rounds: number): Promise<Figure[]> {
  const sandbox = await startMeasured({ market: 'calm' });
  try {
    if (orders > 0) await sandbox.placeOrders(orders);
    const { id } = await sandbox.call<{ id: string }>('POST', '/snapshots');
    const begun = await sandbox.use();
    const restores = await timed(rounds, () => sandbox.call('POST', `/snapshots/${id}/restore`));
    const between = await sandbox.use();
    const forks = await timedForks(sandbox, rounds, id);
    const ended = await sandbox.use();
    const cpuOf = (from: Use, to: Use) => ({ cpuMs: (to.cpuMs - from.cpuMs) / rounds });
    const [bar, what] = orders > 0 ? [FULL_MS, `${orders} open orders`] : [FRESH_MS, 'fresh'];
    const suffix = orders > 0 ? 'FullMs' : 'FreshMs';
    return [
      {
        key: `restore${suffix}`,
        name: `restore, ${what}, p50`,
        value: median(restores),
        unit: 'ms',
        bar,
        ...cpuOf(begun, between),
      },
      {
        key: `fork${suffix}`,
        name: `fork, ${what}, p50`,
        value: median(forks),
        unit: 'ms',
        bar,
        ...cpuOf(between, ended),
      },
    ];
  } finally {
    await sandbox.stop();
  }
}

/** Stopping a fork is not measured. */
async function timedForks(sandbox: Measured, rounds: number, from: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let id = '';
    times.push(
      ...(await timed(1, async () => {
        ({ id } = await sandbox.call<{ id: string }>('POST', '/forks', { from }));
      })),
    );
    await sandbox.call('DELETE', `/forks/${id}`);
  }
  return times;
}

export async function measureForkMemory(forks: number): Promise<Figure[]> {
  const sandbox = await startMeasured({ market: 'calm' });
  try {
    // Warm up with one fork: some code is loaded once for all forks.
    const { id } = await sandbox.call<{ id: string }>('POST', '/forks');
    await sandbox.call('DELETE', `/forks/${id}`);
    const before = await sandbox.use();
    for (let at = 0; at < forks; at++) await sandbox.call('POST', '/forks');
    await new Promise((resolve) => setTimeout(resolve, 5000));
    const value = ((await sandbox.use()).memory - before.memory) / forks / MIB;
    return [{ key: 'forkMiB', name: `memory of each of ${forks} forks`, value, unit: 'MiB', bar: FORK_MIB }];
  } finally {
    await sandbox.stop();
  }
}
