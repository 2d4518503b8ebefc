/**
 * npm run bench:bounds [-- --json] [-- --entries N]
 *
 * Bytes of memory that one entry of each bound of docs/internals/bounds.md takes in the core. Each is measured in a process
 * of its own, because memory freed by another row would hide the use of this one.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ENTRIES, measure } from './entries.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    entries: { type: 'string', default: '100000' },
    turns: { type: 'string', default: '1' },
    row: { type: 'string' },
  },
});
const count = Number(values.entries);

function bytesOf(row: string): number {
  const args = [
    ...process.execArgv,
    fileURLToPath(import.meta.url),
    '--row',
    row,
    '--entries',
    String(count),
  ];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${row}: ${stderr}`);
  return Number(stdout);
}

if (values.row !== undefined) console.log(measure(values.row, count));
else {
  const report: Record<string, number> = {};
  for (const { name } of ENTRIES) {
    const all = Array.from({ length: Number(values.turns) }, () => bytesOf(name)).toSorted((a, b) => a - b);
    report[name] = Math.round(all[all.length >> 1]!);
    console.log(`${name.padEnd(44)} ${report[name]} bytes`);
  }
  if (values.json) console.log(JSON.stringify(report));
}
