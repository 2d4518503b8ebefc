/** npm run sim -- feed-check [--messages N] [--seed N]: promise 11 with any number of book messages. */

import { parseArgs } from 'node:util';
import { checkFeed } from '../../packages/api/test/feed/feed-check.ts';

const { values } = parseArgs({
  options: { messages: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
const whole = (value: number): string => value.toLocaleString('en');
const started = performance.now();
const done = await checkFeed({ seed: Number(values.seed), messages: Number(values.messages) });
const seconds = (performance.now() - started) / 1000;
console.log(
  `seed ${values.seed}: ${whole(done.compared)} messages of books, each copy compared whole and equal, ` +
    `${done.resyncs} resyncs; ${whole(done.messages)} messages of all topics, ${whole(done.commands)} commands, ` +
    `${seconds.toFixed(0)} s`,
);
for (const [name, count] of done.counts) console.log(`${name.padEnd(32)} ${whole(count)}`);
