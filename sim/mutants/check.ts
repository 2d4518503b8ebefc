/**
 * Runs the checks against another copy of the core, in a process of its own, until one of them fails:
 *
 *   node sim/mutants/check.ts <folder of the core's sources> [--all]
 *
 * Every import that leads into packages/core/src is led into that folder instead, so that simulation and
 * scenarios run as they are. Writes one line of JSON for each check. `--all` runs
 * the short checks to the last, whatever they find.
 */

import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

export interface CheckResult {
  readonly check: string;
  /** What failed; '' when nothing did. */
  readonly failure: string;
}

type Check = () => Promise<CheckResult>;

const CORE = new URL('../../packages/core/src/', import.meta.url).href;
const SHRINK = new URL('../shrink.ts', import.meta.url).href;
/** To make a failure short takes longer than to find it, and here nobody reads it. */
const NO_SHRINK = 'export const shrink = (records) => records;';

const SHORT: readonly Check[] = [
  () => differential(5000, 1),
  () => properties(5000, 1_000_001),
  scenarios,
  sweep,
  beside,
  longLists,
  snapshots,
];
/** Most mutants die young; these are for those that need a rare moment. */
const LONG: readonly Check[] = [
  () => differential(30_000, 101),
  () => properties(30_000, 1_000_101),
  cascade,
];

function redirect(target: string): void {
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      return found.url.startsWith(CORE) ? { ...found, url: target + found.url.slice(CORE.length) } : found;
    },
    load(url, context, next) {
      return url === SHRINK
        ? { format: 'module', source: NO_SHRINK, shortCircuit: true }
        : next(url, context);
    },
  });
}

async function differential(commands: number, seed: number): Promise<CheckResult> {
  const { runDifferential } = await import('../differential.ts');
  return attempt(`differential ${commands}`, () => runDifferential({ commands, seed }));
}

async function properties(commands: number, seed: number): Promise<CheckResult> {
  const { runProperties } = await import('../properties.ts');
  return attempt(`properties ${commands}`, () => runProperties({ commands, seed }));
}

async function sweep(): Promise<CheckResult> {
  const { runSweep } = await import('../sweep.ts');
  return attempt('sweep', runSweep);
}

async function beside(): Promise<CheckResult> {
  const { runBeside } = await import('../beside.ts');
  return attempt('beside', runBeside);
}

async function longLists(): Promise<CheckResult> {
  const { runLongLists } = await import('../long-lists.ts');
  return attempt('long lists', runLongLists);
}

async function snapshots(): Promise<CheckResult> {
  const { goOnFromSnapshots } = await import('../../packages/core/test/snapshot-cuts.ts');
  return attempt('snapshots', goOnFromSnapshots);
}

async function cascade(): Promise<CheckResult> {
  const { runCascade } = await import('../cascade.ts');
  return attempt('cascade', runCascade);
}

async function scenarios(): Promise<CheckResult> {
  const { collectScenarios, runScenario } = await import('../../packages/core/test/scenarios/runner.ts');
  const { newEngine } = await import('../../packages/core/test/scenarios/engine.ts');
  for (const scenario of await collectScenarios()) {
    const result = attempt(`scenario ${scenario.name}`, () => runScenario(scenario, newEngine));
    if (result.failure !== '') return result;
  }
  return { check: 'scenarios', failure: '' };
}

function attempt(check: string, run: () => unknown): CheckResult {
  try {
    run();
    return { check, failure: '' };
  } catch (error) {
    return { check, failure: error instanceof Error ? error.message : String(error) };
  }
}

if (import.meta.main) {
  const [folder = '', option] = process.argv.slice(2);
  redirect(`${pathToFileURL(folder).href}/`);
  // A core that cannot even be loaded would fail every check and show nothing.
  await import('../../packages/core/src/index.ts');
  let isCaught = false;
  const run = async (check: Check): Promise<void> => {
    const { check: name, failure } = await check();
    console.log(JSON.stringify({ check: name, failure: failure.slice(0, 2000) } satisfies CheckResult));
    if (failure !== '') isCaught = true;
  };
  for (const check of SHORT) if (!isCaught || option === '--all') await run(check);
  for (const check of LONG) if (!isCaught) await run(check);
}
