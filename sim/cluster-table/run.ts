/**
 * npm run sim -- cluster-table [--only PART_OF_A_NAME] [--rounds N]: the fault table of a real cluster. Each fault strikes
 * under load; all columns but the times must be zero. Partitions need root on Linux. All rows take about twenty minutes.
 */

import { parseArgs } from 'node:util';
import {
  FAULT_TABLE,
  isClean,
  runFault,
  tableHead,
  tableLine,
} from '@bourse/test-kit/cluster/fault-table.ts';
import { skewed, TestCluster } from '@bourse/test-kit/cluster/test-cluster.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, rounds: { type: 'string', default: '1' } },
});
const skews = new Map<string, number>();
const cluster = await TestCluster.start({ isApart: true, environment: (name) => skewed(skews.get(name)) });
const faults = FAULT_TABLE.filter(({ name }) => name.includes(values.only));
if (faults.length === 0) throw new TypeError(`--only: no fault is named like '${values.only}'.`);
console.log(tableHead());
let serial = 0;
try {
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const fault of faults) {
      if (fault.isApart && cluster.network === null) {
        console.log(`${fault.name}: left out, because this process may not make network namespaces`);
        continue;
      }
      const row = await runFault(cluster, fault, `r${++serial}`, skews);
      console.log(tableLine(row));
      for (const each of row.wrong) console.log(`  ${each}`);
      if (!isClean(row)) process.exitCode = 1;
    }
  }
} finally {
  await cluster.close();
}
process.exit();
