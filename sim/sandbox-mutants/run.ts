/**
 * The sandbox's mutants (promise 17): one rule of worlds, clock, market, faults or watching broken at a time, and every
 * break must be caught by the test that is named for it.
 *
 *   npm run sim -- sandbox-mutants [part of a name ...] [--verbose]
 */

import { parseArgs } from 'node:util';
import { report } from '../engine-mutants/run.ts';
import { SANDBOX_MUTANTS } from './list.ts';

const { values, positionals } = parseArgs({
  options: { verbose: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const chosen = SANDBOX_MUTANTS.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
);
if (chosen.length === 0 || !(await report(chosen, values.verbose))) process.exitCode = 1;
