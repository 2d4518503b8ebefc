/** `startExchange` of the test kit, in this process: how long a test waits for its exchange. */

import { startExchange } from '../../packages/testing/src/index.ts';
import { type Figure, median } from './figure.ts';

const START_MS = 300;

export async function measureKit(rounds: number): Promise<Figure[]> {
  const times: number[] = [];
  const processor: number[] = [];
  // The first one loads the modules, which a test run does once.
  await (await startExchange({ market: 'quiet' })).stop();
  for (let round = 0; round < rounds; round++) {
    const [startedAt, before] = [performance.now(), process.cpuUsage()];
    const exchange = await startExchange({ market: 'quiet' });
    times.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(before);
    processor.push((user + system) / 1000);
    await exchange.stop();
  }
  return [
    {
      key: 'startExchangeMs',
      name: `startExchange, p50 of ${rounds}`,
      value: median(times),
      unit: 'ms',
      bar: START_MS,
      cpuMs: median(processor),
    },
  ];
}
