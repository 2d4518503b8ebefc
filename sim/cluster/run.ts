/**
 * npm run sim -- cluster [--seeds N] [--from SEED]: simulated clusters in which nodes, network and servers fail.
 *
 * Some worlds upgrade their nodes, so they run in a process whose rules have one version more than the product's.
 */

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { RULES_VERSION } from '@bourse/core';
import { changeOf, environmentOf } from '@bourse/test-kit/changed-sources.ts';
import { runWorld } from './world.ts';

const FAULTS_SHOWN = 5;
/** Seeds that once found a fault. */
const KEPT = [
  // A node without the new rules is partitioned; both others restart meanwhile, so they do not know about it.
  5017,
  // The leader may not follow its clock, and the node with the best one has stopped.
  5074,
  // A node that stopped because its state diverged keeps reporting that state.
  94,
  // A node is killed again while it is down.
  5100,
  // Servers stall during the append of a record with old commands.
  5024,
  // The clocks of the two remaining nodes differ, and neither may consider itself wrong because of the other.
  226,
];
const IN_CHILD = 'SIM_NEXT_RULES';

const nextRules = (): Record<string, string> => {
  const file = 'packages/core/src/rules-version.ts';
  const text = (version: number): string => `export const RULES_VERSION = ${version};`;
  return environmentOf([changeOf({ file, find: text(RULES_VERSION), replace: text(RULES_VERSION + 1) })]);
};

async function runWorlds(seeds: readonly number[]): Promise<void> {
  let [commands, answered, snapshots] = [0, 0, 0];
  for (const seed of seeds) {
    const report = await runWorld(seed);
    commands += report.commands;
    answered += report.answered;
    snapshots += report.snapshots;
    if (report.faults.length === 0) continue;
    console.log(`seed ${seed}: ${report.faults.length} faults`);
    for (const fault of report.faults.slice(0, FAULTS_SHOWN)) console.log(`  ${fault}`);
    process.exit(1);
  }
  console.log(
    `${seeds.length} worlds, ${commands} commands, ${answered} answered, ${snapshots} whole states compared, no fault`,
  );
  // Such a run would prove nothing.
  if (answered <= commands / 2 || snapshots < seeds.length) throw new Error('too little was done');
}

const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, from: { type: 'string', default: '1' } },
});
if (process.env[IN_CHILD] === undefined) {
  const env = { ...process.env, ...nextRules(), [IN_CHILD]: 'yes' };
  const { status } = spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit', env });
  process.exitCode = status ?? 1;
} else {
  await runWorlds([
    ...KEPT,
    ...Array.from({ length: Number(values.seeds) }, (_, at) => Number(values.from) + at),
  ]);
}
