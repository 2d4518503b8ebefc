/**
 * The judges of a mutant: the tests nearest to its file, and simulations. They run one after the other, each in a
 * process that loads the mutated file, until one fails.
 */

import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Change, environmentOf } from '@bourse/test-kit/changed-sources.ts';
import { isSlow } from '../../scripts/test-sets.mjs';
import { listFiles, root, testHome } from '../../scripts/tree.mjs';

export interface Judge {
  readonly name: string;
  /** Node's command-line arguments. */
  readonly args: readonly string[];
  readonly size?: 'long';
}

export interface Verdict {
  /** '' if no judge failed. */
  readonly caughtBy: string;
  readonly output: string;
  readonly seconds: number;
}

/**
 * A mutant may loop or wait forever. On the original sources every judge takes less than a third of this CPU time. On
 * an overloaded machine a judge may reach the wall-time limit: that counts as caught, which can hide a survivor but
 * never causes a failure.
 */
const PROCESSOR_SECONDS_MAX = 60;
const SECONDS_MAX = 150;
/** Bytes; a mutant that allocates without bound must not exhaust the machine. */
const HEAP_MAX = 2 ** 30;
const DATA_MAX = 2 ** 32;
/** Time to drain a pipe; a grandchild that outlives the judge is not awaited. */
const LAST_OUTPUT_MS = 1000;
const OUTPUT_MAX = 100_000;
/** A failed test in TAP, or a failed world of a simulator. */
const FAILED = /^ *not ok (?:\d+ )?- (.*)\n|^(seed \d+): /m;

const CHECK = fileURLToPath(new URL('./check.ts', import.meta.url));
const WORLD = fileURLToPath(new URL('../world/run.ts', import.meta.url));

export const checks: Judge = { name: 'checks', args: [CHECK] };
export const longChecks: Judge = { name: 'long checks', args: [CHECK, '--long'] };
export const simulator = (seeds: number): Judge => ({
  name: 'simulator',
  args: [WORLD, '--seeds', String(seeds)],
});

export function testFile(file: string, only?: string, size?: 'long'): Judge {
  const chosen = only === undefined ? [] : [`--test-name-pattern=${only}`];
  // Without --test, which starts one more process and reports nothing until the whole file has run.
  const args = ['--test-reporter=tap', ...chosen, file];
  return { name: file, args, ...(size === undefined ? {} : { size }) };
}

/** The first judge that fails. Without a mutant, judges the original sources. */
export async function judge(judges: readonly Judge[], mutant?: Change): Promise<Verdict> {
  const begin = performance.now();
  const seconds = (): number => (performance.now() - begin) / 1000;
  for (const each of judges) {
    const { isEnded, status, output } = await run(each, mutant);
    if (status === 0) continue;
    const [, test, world] = FAILED.exec(output) ?? [];
    const how = isEnded ? `no end after ${SECONDS_MAX} s` : (test ?? world ?? `ended with ${status}`);
    return { caughtBy: `${each.name}: ${how}`, output, seconds: seconds() };
  }
  return { caughtBy: '', output: '', seconds: seconds() };
}

/** Kills all running judges: each is its own process group and would outlive this process. */
const running = new Set<() => void>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const end of running) end();
    process.exit(1);
  });
}

function run(
  { args, size = undefined }: Judge,
  mutant: Change | undefined,
): Promise<{ isEnded: boolean; status: number | string | null; output: string }> {
  // A test started here must run independently of the test that started this process.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const { NODE_OPTIONS: hook = '', ...changed } = mutant === undefined ? {} : environmentOf([mutant]);
  // Uses a shell, which limits CPU time and memory outside of Node's heap.
  const bounds = `ulimit -t ${PROCESSOR_SECONDS_MAX}; ulimit -d ${DATA_MAX / 1024}; exec "$@"`;
  const child = spawn('sh', ['-c', bounds, 'sh', process.execPath, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...env,
      TEST_SIZE: size ?? 'short',
      ...changed,
      NODE_OPTIONS: `${hook} --max-old-space-size=${HEAP_MAX / 2 ** 20}`,
    },
    // Its own process group, so that its children end with it.
    detached: true,
  });
  let [output, isEnded] = ['', false];
  const end = (): void => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // The process group no longer exists.
    }
  };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output = (output + chunk).slice(0, OUTPUT_MAX);
      // One failure is enough.
      if (FAILED.test(output)) end();
    });
  running.add(end);
  const timer = setTimeout(() => {
    isEnded = true;
    end();
  }, SECONDS_MAX * 1000);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => {
      end();
      setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, LAST_OUTPUT_MS).unref();
    });
    child.on('close', (status, signal) => {
      running.delete(end);
      clearTimeout(timer);
      resolve({ isEnded, status: status ?? signal, output });
    });
  });
}

/** Finds tests by their imports: which tests reach a source, and over how many files. */
export class NearTests {
  readonly #imports = new Map<string, readonly string[]>();
  readonly #tests = listFiles().filter(
    (file) => testHome.test(file) && /^packages\/(?!web\/)/.test(file) && !isSlow(file),
  );

  /** Nearest first: tests with its name, tests that import it, then its package, a folder of its name, by distance. */
  of(file: string, max: number): string[] {
    return this.#tests
      .flatMap((test) => {
        const distance = this.#distance(test, file);
        return distance === null ? [] : [{ test, rank: rankOf(test, file, distance) }];
      })
      .toSorted((a, b) => compareRanks(a.rank, b.rank))
      .slice(0, max)
      .map(({ test }) => test);
  }

  #distance(from: string, to: string): number | null {
    const seen = new Set([from]);
    let [front, distance] = [[from], 0];
    while (front.length > 0) {
      if (front.includes(to)) return distance;
      front = front
        .flatMap((file) => this.#importsOf(file))
        .filter((file) => !seen.has(file) && seen.add(file));
      distance += 1;
    }
    return null;
  }

  #importsOf(file: string): readonly string[] {
    const known = this.#imports.get(file);
    if (known !== undefined) return known;
    const found = [...readFileSync(join(root, file), 'utf8').matchAll(IMPORTS)]
      .map(({ groups }) => resolveImport(groups?.['path'] ?? '', file))
      .filter((each) => each.endsWith('.ts') && existsSync(join(root, each)));
    this.#imports.set(file, found);
    return found;
  }
}

/** Imports, exports and threads; not imports of types, which execute nothing. */
const IMPORTS =
  /(?:^(?:import|export) (?!type\b)[^'";]*?(?:from )?|\bimport\(|\bnew URL\()'(?<path>(?:\.|@bourse\/)[^']*)'/gm;

function resolveImport(specifier: string, from: string): string {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  try {
    return relative(root, fileURLToPath(import.meta.resolve(specifier)));
  } catch {
    return '';
  }
}

function rankOf(test: string, file: string, distance: number): number[] {
  const name = posix.basename(file, '.ts');
  const isNamesake = `-${posix.basename(test)}`.endsWith(`-${name}.test.ts`);
  const [, ofPackage = '', , ...folders] = posix.dirname(file).split('/');
  const ofTest = posix.dirname(test).split('/');
  const shared = folders.filter((folder) => ofTest.includes(folder)).length;
  return [isNamesake ? 0 : 1, distance === 1 ? 0 : 1, ofTest.includes(ofPackage) ? 0 : 1, -shared, distance];
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}
