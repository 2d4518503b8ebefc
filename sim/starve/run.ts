/** npm run sim -- starve [--turns N] [--seconds N] [--only a,b]: every attack on the list, with a bystander. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ATTACKS } from './attacks.ts';
import { faultsOf, runStarve } from './starve.ts';

const { values } = parseArgs({
  options: {
    turns: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    only: { type: 'string', default: ATTACKS.map(({ name }) => name).join(',') },
  },
});
const dir = mkdtempSync(join(tmpdir(), 'bourse-starve-'));
try {
  const options = { turns: Number(values.turns), seconds: Number(values.seconds) };
  const reports = [];
  for (const name of values.only.split(',')) {
    const [report] = await runStarve(dir, { ...options, names: [name] });
    reports.push(report);
    const { quietMs, attackedMs, allowedMs, turnMs, failed, growthMiB, growthMiBMax } = report;
    console.log(
      `${name.padEnd(20)} quiet ${quietMs.toFixed(1)} ms, attacked ${attackedMs.toFixed(1)} ms (${allowedMs.toFixed(1)} ` +
        `allowed), longest turn ${turnMs.toFixed(1)} ms of processor time, ${failed} failed, grew by ${growthMiB.toFixed(0)} MiB (${growthMiBMax} allowed)`,
    );
  }
  const faults = faultsOf(reports);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
