/** npm run sim -- storm [--requests N] [--seed N]: promise 9 with any number of requests, and a kill every 50,000. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { faultsOf, runStorm } from './storm.ts';

const ROUND = 50_000;
const { values } = parseArgs({
  options: { requests: { type: 'string', default: String(ROUND) }, seed: { type: 'string', default: '1' } },
});
const requests = Number(values.requests);
for (let done = 0, seed = Number(values.seed); done < requests; seed++) {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-storm-'));
  try {
    const startedAt = performance.now();
    const report = await runStorm(dir, Math.min(ROUND, requests - done), seed);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    console.log(JSON.stringify({ ...report, seconds }));
    done += report.sent;
    const faults = faultsOf(report);
    if (faults.length > 0) {
      console.error(`seed ${seed}: ${faults.join('; ')}`);
      process.exitCode = 1;
      break;
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
