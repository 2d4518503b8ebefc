/**
 * The engine's mutants (promise 17): one rule of log, sequencer, follower or history broken at a time, and every break
 * must be caught, by the simulator or by the test that is named for it.
 *
 *   npm run sim -- engine-mutants [part of a name ...] [--verbose]
 */

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ENGINE_MUTANTS } from './list.ts';
import type { EngineMutant } from './mutant.ts';

/** How many are tried at the same time. */
export const AT_ONCE = 2;
/** Most die in the first few worlds; some need a rare moment. */
const SEEDS = 800;
const ORIGINAL_SEEDS = 50;
const SECONDS_MAX = 240;
/** What a process that has ended may still have to say; one of its own that outlives it is not waited for. */
const LAST_WORDS_MS = 1000;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const HOOK = new URL('bourse/src/main.ts', import.meta.url).href;
const SIMULATOR = fileURLToPath(new URL('../world/run.ts', import.meta.url));

export interface Verdict {
  /** '' when nothing caught it. */
  readonly caughtBy: string;
  readonly output: string;
  readonly seconds: number;
}

/** The server unchanged: nothing may fail on it, or catching would mean nothing. */
export async function tryOriginal(mutants: readonly EngineMutant[]): Promise<Verdict[]> {
  const tests = [...new Set(mutants.flatMap(({ test }) => test ?? []))];
  const verdicts = mutants.some(({ test }) => test === undefined) ? [await simulate(ORIGINAL_SEEDS)] : [];
  for (const test of tests) verdicts.push(await runTest(test));
  return verdicts;
}

export function tryMutant({ name, test, only }: EngineMutant): Promise<Verdict> {
  return test === undefined ? simulate(SEEDS, name) : runTest(test, name, only);
}

async function simulate(seeds: number, mutant?: string): Promise<Verdict> {
  const { status, output, seconds } = await run([SIMULATOR, '--seeds', String(seeds)], mutant);
  const seed = /^seed \d+/m.exec(output)?.[0];
  // Whatever ends it otherwise than a world that failed has caught nothing.
  if (status !== 0 && seed === undefined) throw new Error(`the simulator ended with ${status}\n${output}`);
  return { caughtBy: seed === undefined ? '' : `simulator, ${seed}`, output, seconds };
}

async function runTest(test: string, mutant?: string, only?: string): Promise<Verdict> {
  const chosen = only === undefined ? [] : [`--test-name-pattern=${only}`];
  const args = ['--test', '--test-reporter=tap', ...chosen, test];
  const { status, output, seconds } = await run(args, mutant);
  const failed = /^ *not ok \d+ - (.*)$/m.exec(output)?.[1];
  if (status !== 0 && failed === undefined) throw new Error(`${test} ended with ${status}\n${output}`);
  return { caughtBy: failed === undefined ? '' : `${test}: ${failed}`, output, seconds };
}

function run(
  args: readonly string[],
  mutant?: string,
): Promise<{ status: number | null; output: string; seconds: number }> {
  const begin = performance.now();
  // A test that runs in here is run for its own sake, not as a part of whoever asks.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  // Mutants meet the long size of a test: it ends at the first failure, so only one that survives takes long.
  const changes =
    mutant === undefined
      ? { TEST_SIZE: 'short' }
      : { TEST_SIZE: 'long', SIM_MUTANT: mutant, NODE_OPTIONS: `--import=${HOOK}` };
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...env, ...changes },
    timeout: SECONDS_MAX * 1000,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => {
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, LAST_WORDS_MS).unref();
    });
    child.on('close', (status) => resolve({ status, output, seconds: (performance.now() - begin) / 1000 }));
  });
}

export async function report(mutants: readonly EngineMutant[], isVerbose: boolean): Promise<boolean> {
  let caught = 0;
  const waiting = mutants.values();
  const worker = async (): Promise<void> => {
    for (const mutant of waiting) {
      const { caughtBy, output, seconds } = await tryMutant(mutant).catch((error: Error) => ({
        caughtBy: '',
        output: error.message,
        seconds: 0,
      }));
      if (caughtBy !== '') caught += 1;
      console.log(`${mutant.name.padEnd(64)} ${seconds.toFixed(1).padStart(6)}  ${caughtBy || 'SURVIVES'}`);
      if (isVerbose) console.log(output.slice(0, 3000));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  console.log(`${caught} of ${mutants.length} mutants caught`);
  return caught === mutants.length;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { verbose: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const chosen = ENGINE_MUTANTS.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  );
  if (chosen.length === 0 || !(await report(chosen, values.verbose))) process.exitCode = 1;
}
