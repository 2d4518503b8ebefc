/** npm run sim -- cluster [--seeds N] [--from SEED]: simulated clusters in which nodes, network and servers fail. */

import { parseArgs } from 'node:util';
import { runWorld } from './world.ts';

const FAULTS_SHOWN = 5;
const { values } = parseArgs({
  options: { seeds: { type: 'string', default: '1000' }, from: { type: 'string', default: '1' } },
});
const from = Number(values.from);
let [commands, answered, snapshots] = [0, 0, 0];
for (let seed = from; seed < from + Number(values.seeds); seed++) {
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
  `${values.seeds} worlds, ${commands} commands, ${answered} answered, ${snapshots} whole states compared, no fault`,
);
