/**
 * npm run bench:sandbox [-- --json] [-- --only PART,PART]
 *
 * The cost of a running sandbox and the speed of its control calls, each figure with its bound. `ratio` is the largest of
 * all figures relative to its bound: at most 1 means that all of them hold.
 */

import { parseArgs } from 'node:util';
import { type Figure, median, startMeasured } from './measured.ts';
import { measureCost, measureLatency } from './running.ts';
import { measureStart } from './start.ts';
import { measureForkMemory, measureWorlds } from './worlds.ts';
import { startExchange } from '../../packages/testing/src/index.ts';

const START_MS = 300;

/** `startExchange` of the test kit in this process: the time a test waits for its exchange. */
async function measureKit(rounds: number): Promise<Figure[]> {
  const times: number[] = [];
  const processor: number[] = [];
  // The first call loads the modules, which a test run does once.
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

const SECONDS = 60;
const HOUR_MS = 3_600_000;
const LOOK_MS = 50;

/** A simulated day of `calm` at full speed, until history has all of it. */
async function measureFastForward(hours: number): Promise<Figure[]> {
  const sandbox = await startMeasured({ market: 'calm', clock: 'manual' });
  try {
    const [startedAt, before] = [performance.now(), await sandbox.use()];
    await sandbox.call('POST', '/clock/advance', { ms: hours * HOUR_MS });
    await historyCaughtUp(sandbox.connection.baseUrl);
    const value = ((performance.now() - startedAt) / 1000) * (24 / hours);
    const cpuMs = ((await sandbox.use()).cpuMs - before.cpuMs) * (24 / hours);
    return [
      { key: 'daySeconds', name: 'a simulated day, with history', value, unit: 's', bar: SECONDS, cpuMs },
    ];
  } finally {
    await sandbox.stop();
  }
}

async function historyCaughtUp(baseUrl: string): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${baseUrl}/metrics`)).text();
    if (/^bourse_history_lag_records 0$/m.test(metrics)) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

const OPEN_ORDERS = 100_000;
const PARTS = new Map<string, () => Promise<Figure[]>>([
  ['start', () => measureStart(5)],
  ['cost', () => measureCost(60)],
  ['latency', () => measureLatency(7, 2000)],
  ['fast-forward', () => measureFastForward(24)],
  ['worlds', () => measureWorlds(0, 50)],
  ['full-worlds', () => measureWorlds(OPEN_ORDERS, 10)],
  ['fork-memory', () => measureForkMemory(20)],
  ['kit', () => measureKit(20)],
]);

const { values } = parseArgs({
  options: { json: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const wanted = values.only === '' ? [...PARTS.keys()] : values.only.split(',');
const unknown = wanted.find((part) => !PARTS.has(part));
if (unknown !== undefined) {
  console.error(`Unknown part '${unknown}'. Expected one of: ${[...PARTS.keys()].join(', ')}.`);
  process.exit(2);
}
const figures: Figure[] = [];
for (const part of wanted) {
  for (const figure of await PARTS.get(part)!()) {
    figures.push(figure);
    const { name, value, unit, bar, cpuMs } = figure;
    const cpu = cpuMs === undefined ? '' : `, processor ${cpuMs.toFixed(0)} ms`;
    const held = value <= bar ? 'held' : 'MISSED';
    console.log(
      `${name.padEnd(56)} ${value.toFixed(2).padStart(9)} ${unit.padEnd(3)}  bar ${bar}  ${held}${cpu}`,
    );
  }
}
if (values.json) {
  const ratio = Math.max(...figures.map(({ value, bar }) => value / bar));
  console.log(
    JSON.stringify({
      ratio,
      ...Object.fromEntries(
        figures.flatMap(({ key, value, cpuMs }) => [
          [key, value],
          ...(cpuMs === undefined ? [] : [[`${key}Cpu`, cpuMs]]),
        ]),
      ),
    }),
  );
}
