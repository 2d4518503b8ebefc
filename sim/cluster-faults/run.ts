/**
 * npm run sim -- cluster-faults [--failovers N] [--seed N] [--only FAULT]
 *
 * Kills, pauses and partitions nodes and log servers of a real cluster under load. Partitions need root on Linux.
 */

import { parseArgs } from 'node:util';
import { faultsFor, runFaults } from '@bourse/test-kit/cluster/fault-run.ts';
import { TestCluster } from '@bourse/test-kit/cluster/test-cluster.ts';
import { Random } from '@bourse/test-kit/random.ts';

const FAULTS_SHOWN = 20;
const { values } = parseArgs({
  options: {
    failovers: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const random = new Random(Number(values.seed));
const cluster = await TestCluster.start({ isApart: true });
if (cluster.network === null) console.log('nothing is cut off: this process may not make network namespaces');
try {
  const kinds = faultsFor(cluster).filter((fault) => values.only === undefined || fault === values.only);
  if (kinds.length === 0) throw new TypeError(`--only: it must be one of ${faultsFor(cluster).join(', ')}.`);
  const faults = Array.from({ length: Number(values.failovers) }, () => kinds[random.below(kinds.length)]);
  const report = await runFaults(cluster, random, faults, { tell: (line) => console.log(line) });
  const times = report.takeoverMs.toSorted((a, b) => a - b);
  const at = (share: number): string =>
    `${Math.round(times[Math.max(0, Math.ceil(share * times.length) - 1)] ?? 0)} ms`;
  console.log(
    `${report.failovers} failovers, ${report.placed} orders answered, ${report.triedAgain} of them sent more than once; ` +
      `${report.faults.length} wrong; takeover p50 ${at(0.5)}, p99 ${at(0.99)}`,
  );
  for (const fault of report.faults.slice(0, FAULTS_SHOWN)) console.error(fault);
  if (report.faults.length > 0) process.exitCode = 1;
} finally {
  await cluster.close();
}
process.exit();
