/**
 * The mutants (promise 17): a sample determined by its seed, each mutant against its judges.
 *
 * npm run sim -- mutants [--seed N] [--count M] [--target NAME] [--file PART] [--verbose]
 *
 * npm run sim -- mutants --faults [--verbose]
 *
 * M mutants of each target (without --target: of all of them), of files whose path contains PART. It prints each
 * verdict and at the end the survivors. A survivor is a rule that no test checks, or belongs on the list in
 * EQUIVALENT (targets.ts). With --faults it tries the faults of faults.ts instead, and exits with 1 if one survives.
 */

import { parseArgs } from 'node:util';
import { changeOf } from '@bourse/test-kit/changed-sources.ts';
import { type Fault, FAULTS } from './faults.ts';
import { judge, type Verdict } from './judges.ts';
import { describe, type Mutant } from './mutant.ts';
import { sampleOf, type Target, TARGETS } from './targets.ts';

/** Number of mutants tried concurrently. */
export const AT_ONCE = 2;

export interface Tried<T> extends Verdict {
  readonly tried: T;
}

export const tryMutant = ({ file, edit }: Mutant, target: Target): Promise<Verdict> =>
  judge(target.judgesOf(file), { file, ...edit });

export const tryFault = (fault: Fault): Promise<Verdict> => judge([fault.judge], changeOf(fault));

/** Tries each mutant, in order, a few concurrently. */
export async function tryAll<T>(
  all: readonly T[],
  attempt: (each: T) => Promise<Verdict>,
  report: (each: Tried<T>) => void,
): Promise<Tried<T>[]> {
  const pending = all.values();
  const results: Tried<T>[] = [];
  const worker = async (): Promise<void> => {
    for (const tried of pending) {
      const result = { tried, ...(await attempt(tried)) };
      results.push(result);
      report(result);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

const row = (name: string, { caughtBy, seconds }: Verdict): string =>
  `${seconds.toFixed(1).padStart(6)} s  ${caughtBy === '' ? 'SURVIVES' : 'caught'}  ${name}  ${caughtBy}`;

async function runSample(
  seed: number,
  count: number,
  targets: readonly Target[],
  part: string,
): Promise<void> {
  const survivors: string[] = [];
  let [caught, all] = [0, 0];
  for (const target of targets) {
    const chosen = sampleOf(target, seed, count, part);
    const results = await tryAll(
      chosen,
      (mutant) => tryMutant(mutant, target),
      (result) => console.log(row(describe(result.tried), result)),
    );
    const left = results.filter(({ caughtBy }) => caughtBy === '');
    survivors.push(
      ...left.map(({ tried }) => `${describe(tried)}\n    becomes ${tried.edit.text || 'nothing'}`),
    );
    console.log(`${target.name}: ${chosen.length - left.length} of ${chosen.length} mutants caught`);
    caught += chosen.length - left.length;
    all += chosen.length;
  }
  if (survivors.length > 0) console.log(`\nSurvivors:\n  ${survivors.join('\n  ')}`);
  console.log(`seed ${seed}: ${caught} of ${all} mutants caught (${((100 * caught) / all).toFixed(1)} %)`);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      count: { type: 'string', default: '20' },
      target: { type: 'string' },
      file: { type: 'string', default: '' },
      faults: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
    },
  });
  const targets = TARGETS.filter(({ name }) => values.target === undefined || name === values.target);
  if (values.faults) {
    const faults = FAULTS.filter(({ file }) => file.includes(values.file));
    const results = await tryAll(faults, tryFault, (result) => {
      console.log(row(result.tried.name, result));
      if (values.verbose) console.log(result.output);
    });
    if (faults.length === 0 || results.some(({ caughtBy }) => caughtBy === '')) process.exitCode = 1;
  } else if (targets.length === 0) {
    console.error(
      `Unknown target '${values.target}'. Expected one of: ${TARGETS.map(({ name }) => name).join(', ')}`,
    );
    process.exitCode = 2;
  } else {
    const seed = Number(values.seed ?? Date.now() % 1_000_000);
    console.log(`seed ${seed}, ${values.count} mutants of each target`);
    await runSample(seed, Number(values.count), targets, values.file);
  }
}
