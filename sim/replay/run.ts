/** npm run sim -- replay [--requests N] [--seed N]: a million signed requests under a clock that jumps. */

import { parseArgs } from 'node:util';
import { runReplay } from './replay.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
});
/** A world keeps every request, so a long run consists of many worlds. */
const WORLD = 20_000;
let twice = 0;
for (let done = 0, seed = Number(values.seed); done < Number(values.requests); done += WORLD, seed++) {
  const report = runReplay(WORLD, seed);
  twice += report.twice;
  console.log(`seed ${seed}: ${JSON.stringify(report)}`);
}
console.log(`${twice} requests acted twice`);
if (twice > 0) process.exitCode = 1;
