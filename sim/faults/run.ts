/**
 * Real processes that are killed, whose syncs fail and whose disk runs full.
 *
 * npm run sim -- faults [--kills 50] [--syncs 10] [--full 5] [--seed 1]
 *
 * 0 skips a part. A part that cannot run on this machine is reported and fails the run; skip it explicitly.
 */

import { mkdtempSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runFullDisk } from './full-disk.ts';
import { killAgainAndAgain } from './kills.ts';
import { failSyncs, whyNoStrace } from './sync-errors.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    syncs: { type: 'string', default: '10' },
    full: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
  },
});
const [kills, syncs, full, seed] = [values.kills, values.syncs, values.full, values.seed].map(Number) as [
  number,
  number,
  number,
  number,
];
const dir = mkdtempSync(join(tmpdir(), 'bourse-faults-'));
const folder = (name: string): string => {
  mkdirSync(join(dir, name));
  return join(dir, name);
};
const printReport = (name: string, report: object | string) => {
  console.log(name, JSON.stringify(report));
  if (typeof report === 'string' || isBad(report as Record<string, unknown>)) process.exitCode = 1;
};
/** Counters that must be zero. */
const BAD = [
  'lost',
  'doubled',
  'notFound',
  'historyRowsLost',
  'historyRowsDoubled',
  'retried',
  'answeredAfterStop',
];
const isBad = (report: Record<string, unknown>) =>
  BAD.some((name) => name in report && report[name] !== 0) || report['isHashSame'] === false;

try {
  if (kills > 0) printReport('kills', await killAgainAndAgain(folder('kills'), kills, seed));
  if (syncs > 0) printReport('syncs', whyNoStrace() || (await failSyncs(folder('syncs'), syncs, seed)));
  if (full > 0) printReport('full', runFullDisk(folder('full'), full, seed));
} finally {
  rmSync(dir, { recursive: true, force: true });
}
