/** npm run sim -- NAME [options of the simulation]. Without a name it lists the simulations. */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Each file documents its options at the top. */
const SIMULATIONS = new Map([
  [
    'campaign',
    ['campaign.ts', 'the simulations below in turn, with fresh seeds and a ledger, for --minutes N'],
  ],
  ['world', ['world/run.ts', 'simulated worlds in which disk, clock and threads fail']],
  ['faults', ['faults/run.ts', 'real processes that are killed, whose syncs fail and whose disk runs full']],
  ['log-damage', ['log-damage/run.ts', 'logs cut at every byte and with every bit flipped']],
  ['differential', ['differential.ts', 'random commands against a second, naive exchange']],
  ['auctions', ['auctions/run.ts', 'random books through auctions, against the rule read literally']],
  ['statements', ['statements/run.ts', 'a month of statements of many users, which sum to zero']],
  ['properties', ['properties.ts', 'random commands with every checker after every record']],
  ['mutants', ['mutants/run.ts', 'random changes of the source code, each of which a test must detect']],
  ['feed-check', ['feed-check/run.ts', 'copies of books kept by the feed, compared after each message']],
  ['level3', ['level3/run.ts', 'the level-3 feed of a busy market against the export of its log']],
  [
    'stalled-readers',
    ['stalled-readers/run.ts', 'readers that stall: the memory they take, and the delay of others'],
  ],
  ['storm', ['storm/run.ts', 'duplicates, cut connections and kills against a real process']],
  ['fuzz', ['fuzz/run.ts', 'invalid requests over HTTP, and with --connections arbitrary bytes']],
  ['crowd', ['crowd/run.ts', 'idle and slow connections: their effect on the latency of others']],
  ['market', ['market/run.ts', 'the facts of simulated days of the sandbox, with their bands']],
  ['day', ['day/run.ts', 'simulated hours of a sandbox at several clocks: trades per simulated second']],
  ['overload', ['overload/run.ts', 'more orders than the exchange can process']],
  ['sign-ins', ['sign-ins/run.ts', 'order latency during a storm of sign-ins']],
  ['replay', ['replay/run.ts', 'signed requests sent again under a clock that jumps']],
  ['starve', ['starve/run.ts', 'attacks of one caller on a real process, and their effect on others']],
  ['cluster', ['cluster/run.ts', 'simulated clusters in which nodes, network and log servers fail']],
  [
    'cluster-faults',
    ['cluster-faults/run.ts', 'nodes and log servers of a real cluster killed and paused under load'],
  ],
  [
    'cluster-table',
    ['cluster-table/run.ts', 'the fault table of a real cluster: outage, lost, duplicated, late, gaps'],
  ],
  [
    'compose',
    ['compose/run.ts', 'deploy/compose.yaml with images built from Debian packages; a node is replaced'],
  ],
  ['scenarios', ['../packages/core/test/scenarios/list.ts', 'the list of scenarios, by rule']],
]);

const [name = '', ...options] = process.argv.slice(2);
const [file, what] = SIMULATIONS.get(name) ?? [];
if (file === undefined) {
  if (name !== '') console.error(`There is no simulation '${name}'.`);
  for (const [each, [, text]] of SIMULATIONS) console.log(`${each.padEnd(16)} ${text}`);
  process.exitCode = name === '' ? 0 : 2;
} else {
  console.error(`${name}: ${what}`);
  const path = fileURLToPath(new URL(file, import.meta.url));
  process.exitCode = spawnSync(process.execPath, [path, ...options], { stdio: 'inherit' }).status ?? 1;
}
