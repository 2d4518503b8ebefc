/**
 * The mutants (promise 17): one rule of the core broken at a time, and every break must be caught.
 *
 *   npm run sim -- mutants [part of a name ...] [--all] [--verbose]
 *
 * `--all` names every short check that catches a mutant and not only the first; `--verbose` says how.
 */

import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { CheckResult } from './check.ts';
import { MUTANTS } from './list.ts';
import { type Mutant, mutate } from './mutant.ts';

export interface Verdict {
  /** The checks that failed, in order. */
  readonly caughtBy: readonly CheckResult[];
  readonly seconds: number;
}

/** How many are tried at the same time. */
export const AT_ONCE = 2;
/** For one mutant; all checks together take about 10 s on the core as it is. */
const SECONDS_MAX = 300;

const CORE = fileURLToPath(new URL('../../packages/core/', import.meta.url));
const CHECK = fileURLToPath(new URL('check.ts', import.meta.url));

/** The core as it was at the beginning, and copies of it with one thing changed. */
export class Laboratory {
  readonly #folder = mkdtempSync(join(tmpdir(), 'bourse-mutants-'));
  readonly #original = join(this.#folder, 'original');
  /** What is the same for all need not be compiled anew. */
  readonly #cache = join(this.#folder, 'cache');
  #copies = 0;

  constructor() {
    cpSync(join(CORE, 'src'), join(this.#original, 'src'), { recursive: true });
    cpSync(join(CORE, 'package.json'), join(this.#original, 'package.json'));
  }

  /** The core unchanged: no check may fail on it, or catching would mean nothing. */
  tryOriginal(): Promise<Verdict> {
    return runChecks(join(this.#original, 'src'), this.#cache, false);
  }

  async try(mutant: Mutant, all = false): Promise<Verdict> {
    this.#copies += 1;
    const copy = join(this.#folder, `copy-${this.#copies}`);
    const file = join(copy, 'src', mutant.file);
    const text = mutate(readFileSync(join(this.#original, 'src', mutant.file), 'utf8'), mutant);
    cpSync(this.#original, copy, { recursive: true });
    writeFileSync(file, text);
    const verdict = await runChecks(join(copy, 'src'), this.#cache, all);
    rmSync(copy, { recursive: true });
    return verdict;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true });
  }
}

/** A process that does not end, or ends otherwise than by a check, has caught nothing: that is an error. */
function runChecks(sources: string, cache: string, all: boolean): Promise<Verdict> {
  const begin = performance.now();
  const child = spawn(process.execPath, [CHECK, sources, ...(all ? ['--all'] : [])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    timeout: SECONDS_MAX * 1000,
    killSignal: 'SIGKILL',
  });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => {
      const results = output
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as CheckResult);
      const seconds = (performance.now() - begin) / 1000;
      if (status === 0) resolve({ caughtBy: results.filter(({ failure }) => failure !== ''), seconds });
      else
        reject(
          new Error(`the checks ended with ${status ?? signal} after ${seconds.toFixed(1)} s\n${errors}`),
        );
    });
  });
}

/** Does the work for each, a few at a time, the first ones first. */
async function forEachAtOnce<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>) {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const row = (name: string, rule: string, by: string, seconds: string): string =>
  `${name.padEnd(58)} ${rule.padEnd(28)} ${seconds.padStart(5)}  ${by}`;

async function report(mutants: readonly Mutant[], all: boolean, verbose: boolean): Promise<boolean> {
  const laboratory = new Laboratory();
  let caught = 0;
  try {
    const { caughtBy, seconds } = await laboratory.tryOriginal();
    for (const { check, failure } of caughtBy)
      throw new Error(`the core as it is fails ${check}\n${failure}`);
    console.log(row('mutant', 'rule', 'caught by', 's'));
    console.log(row('(the core as it is)', '', 'nothing', seconds.toFixed(1)));
    await forEachAtOnce(mutants, AT_ONCE, async (mutant) => {
      const result = await laboratory.try(mutant, all).catch((error: Error) => error);
      if (result instanceof Error) {
        console.log(row(mutant.name, mutant.rule, `ERROR ${result.message}`, ''));
        return;
      }
      const names = result.caughtBy.map(({ check }) => check).join('; ');
      console.log(row(mutant.name, mutant.rule, names || 'SURVIVES', result.seconds.toFixed(1)));
      if (names !== '') caught += 1;
      if (verbose) console.log(result.caughtBy[0]?.failure ?? '');
    });
  } finally {
    laboratory.close();
  }
  console.log(`${caught} of ${mutants.length} mutants caught`);
  return caught === mutants.length;
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: { all: { type: 'boolean', default: false }, verbose: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const chosen = MUTANTS.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  );
  if (!(await report(chosen, values.all, values.verbose))) process.exitCode = 1;
}
