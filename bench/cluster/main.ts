/**
 * npm run bench:cluster [-- --json] [-- --only PART,PART] [-- --turns N] [-- --commands N] [-- --requests N] [-- --takeovers N]
 *   [-- --orders N]
 *
 * Three log servers and three nodes on this machine against one exchange with a file whose syncs take 2 ms, in turns
 * within one run. The parts: `commands` (durable commands a second, processor time), `requests` (the same over HTTP, the
 * time of one order, reads), `growth` (processor time of an order in each process, and what follows for more nodes),
 * `takeovers`, `join` (of a node, with so many open orders).
 */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { measureCommands } from './commands.ts';
import { measureGrowth } from './growth.ts';
import { measureJoin } from './join.ts';
import { measureRequests } from './requests.ts';
import { measureTakeovers } from './takeovers.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    turns: { type: 'string', default: '3' },
    commands: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '12000' },
    takeovers: { type: 'string', default: '30' },
    orders: { type: 'string', default: '1000000' },
  },
});
const turns = Number(values.turns);
const dir = mkdtempSync(join(tmpdir(), 'bourse-bench-cluster-'));
/** Each part has its own directory: a node that finds the snapshot of another cluster does not start. */
const parts = new Map<string, (own: string) => Promise<object>>([
  ['commands', (own) => measureCommands(own, turns, Number(values.commands))],
  ['requests', (own) => measureRequests(own, turns, Number(values.requests))],
  ['growth', (own) => measureGrowth(own, turns, Number(values.requests))],
  ['takeovers', () => measureTakeovers(Number(values.takeovers))],
  ['join', (own) => measureJoin(own, Number(values.orders))],
]);
const chosen = values.only?.split(',') ?? [...parts.keys()];
if (!chosen.every((name) => parts.has(name)))
  throw new TypeError(`--only: expected one or more of ${[...parts.keys()].join(',')}.`);
const figures: object[] = [];
try {
  for (const name of chosen) {
    mkdirSync(join(dir, name));
    figures.push(await parts.get(name)!(join(dir, name)));
  }
  if (values.json) console.log(JSON.stringify(Object.assign({}, ...figures)));
} finally {
  rmSync(dir, { recursive: true, force: true });
}
process.exit();
