/**
 * npm run sim -- level3 [--minutes N] [--seed N]
 *
 * Compares the level-3 feed of a busy market with the L3 export of its log over N minutes of exchange time. Exits
 * with 1 at the first difference.
 */

import { parseArgs } from 'node:util';
import { compareLevel3 } from './level3.ts';

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const minutes = Number(values.minutes);
const seed = Number(values.seed);
const whole = (value: number): string => value.toLocaleString('en');
const started = performance.now();
const { symbols, messages, kinds, reserved } = await compareLevel3({ seed, minutes, log: console.error });
const seconds = (performance.now() - started) / 1000;
console.log(
  `seed ${seed}: ${minutes} minutes of ${symbols} symbols, ${whole(messages)} messages, ` +
    `${whole(reserved)} hidden and iceberg orders: no difference between feed, export and books, ${seconds.toFixed(0)} s`,
);
for (const [kind, count] of kinds) console.log(`${kind.padEnd(12)} ${whole(count)}`);
