/**
 * npm run bench:sandbox [-- --json] [-- --only PART,PART]
 *
 * The cost of a running sandbox and the speed of its control calls, each figure with its bound. `ratio` is the largest of
 * all figures relative to its bound: at most 1 means that all of them hold.
 */

import { parseArgs } from 'node:util';
import { measureFastForward } from './fast-forward.ts';
import type { Figure } from './figure.ts';
import { measureKit } from './kit.ts';
import { measureCost, measureLatency } from './running.ts';
import { measureStart } from './start.ts';
import { measureForkMemory, measureWorlds } from './worlds.ts';

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
