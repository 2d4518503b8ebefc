/** npm run sim -- fuzz [--inputs N] [--seed N]: promise 13 with as many inputs as wanted, 200,000 on a server. */

import { parseArgs } from 'node:util';
import { runFuzz } from './fuzz.ts';

const ROUND = 200_000;
const { values } = parseArgs({
  options: { inputs: { type: 'string', default: String(ROUND) }, seed: { type: 'string', default: '1' } },
});
const inputs = Number(values.inputs);
for (let done = 0, seed = Number(values.seed); done < inputs; done += ROUND, seed++) {
  const startedAt = performance.now();
  const report = await runFuzz(seed, Math.min(ROUND, inputs - done));
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log(JSON.stringify({ ...report, seconds }));
  if (report.failures.length > 0) {
    process.exitCode = 1;
    break;
  }
}
