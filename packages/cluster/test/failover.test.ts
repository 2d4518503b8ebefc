/** Real processes, three log servers and three nodes, of which one after the other is killed, paused or cut off under load. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fault, faultsFor, runFaults } from '@bourse/test-kit/cluster/fault-run.ts';
import { PeopleLoad } from '@bourse/test-kit/cluster/people-load.ts';
import { TestCluster } from '@bourse/test-kit/cluster/test-cluster.ts';
import { whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { isLongRun, ofSize } from '@bourse/test-kit/run-size.ts';

const SHORT: readonly Fault[] = ['kill-leader'];
/** Of the long run. */
const FAILOVERS = 12;
const MINUTE_MS = 60_000;

const skip = await whySkipped();

test('failovers under load lose nothing, apply nothing twice, give no wrong response, and leave equal digests', {
  skip,
  timeout: ofSize(10, 15) * MINUTE_MS,
}, async (context) => {
  const cluster = await TestCluster.start({ isApart: isLongRun });
  context.after(() => cluster.close());
  // Each kind in turn; more of them: `npm run sim -- cluster-faults --failovers 200`.
  const kinds = faultsFor(cluster);
  const long = Array.from({ length: FAILOVERS }, (_, at) => kinds[at % kinds.length]!);
  if (isLongRun && cluster.network === null)
    context.diagnostic('nothing is cut off: that takes root on Linux');
  const people = await PeopleLoad.start(cluster);
  const report = await runFaults(cluster, new Random(3), ofSize(SHORT, long), {
    tell: (line) => context.diagnostic(line),
    beside: people,
  });
  assert.deepEqual(report.faults, []);
  assert.deepEqual(people.wrong, []);
  const { signIns, approvals, unanswered } = people;
  assert.ok(signIns > 0 && approvals > 0);
  context.diagnostic(
    `${signIns} sign-ins, ${approvals} approvals, each once; ${unanswered} without an answer`,
  );
  assert.ok(report.placed > 0);
  // How quick that must be is for `npm run bench:cluster` to say: here other tests run beside it.
  context.diagnostic(`a new leader answered after ${Math.max(...report.takeoverMs)} ms at most`);
  context.diagnostic(`${report.placed} orders answered, ${report.triedAgain} of them sent more than once`);
});
