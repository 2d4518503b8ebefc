/**
 * npm run sim -- crowd [--connections N] [--turns N] [--rate N] [--seconds N]: the cost of idle and slow connections.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCrowd } from './crowd.ts';

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '1000' },
    turns: { type: 'string', default: '7' },
    rate: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '4' },
  },
});
const dir = mkdtempSync(join(tmpdir(), 'bourse-crowd-'));
try {
  const report = await runCrowd(dir, {
    connections: Number(values.connections),
    turns: Number(values.turns),
    rate: Number(values.rate),
    seconds: Number(values.seconds),
  });
  const each = report.p99Ms
    .map(([without, within]) => `${without.toFixed(2)} ${within.toFixed(2)}`)
    .join(', ');
  console.log(
    `${values.connections} connections, of which ${report.slow} slow; at least ${report.heldLeast} held`,
  );
  console.log(`orders at ${values.rate}/s: ${report.answered} of ${report.sent} answered`);
  console.log(
    `p99 without and with them, ms: ${each}; ratio of the medians ${report.ratio.toFixed(2)}, bar 2`,
  );
  console.log(`slow senders cut: ${report.slowCut}`);
  if (report.answered < report.sent || report.slowCut < report.slow || report.ratio > 2) process.exitCode = 1;
} finally {
  rmSync(dir, { recursive: true, force: true });
}
