/**
 * Runs simulations and scenarios against the core, until one of them fails:
 *
 *   node sim/mutants/check.ts [--long]
 *
 * It exits with 1 if one has failed, and its last line says which. `--long` also runs those that depend on rare events.
 */

import { registerHooks } from 'node:module';

type Check = () => unknown;

const SHRINK = new URL('../shrink.ts', import.meta.url).href;

/** Shrinking a failure takes longer than finding it, and nobody reads it here. */
registerHooks({
  load(url, context, next) {
    if (url !== SHRINK) return next(url, context);
    return { format: 'module', source: 'export const shrink = (records) => records;', shortCircuit: true };
  },
});

async function scenarios(): Promise<void> {
  const { collectScenarios, runScenario } = await import('../../packages/core/test/scenarios/runner.ts');
  const { newEngine } = await import('../../packages/core/test/scenarios/engine.ts');
  for (const scenario of await collectScenarios()) {
    try {
      runScenario(scenario, newEngine);
    } catch (error) {
      throw new Error(scenario.name, { cause: error });
    }
  }
}

async function differential(commands: number, seed: number): Promise<unknown> {
  const { runDifferential } = await import('../differential.ts');
  return runDifferential({ commands, seed });
}

async function properties(commands: number, seed: number): Promise<unknown> {
  const { runProperties } = await import('../properties.ts');
  return runProperties({ commands, seed });
}

const SHORT: readonly (readonly [string, Check])[] = [
  ['differential', () => differential(5000, 1)],
  ['properties', () => properties(5000, 1_000_001)],
  ['scenario', scenarios],
  ['sweep', async () => (await import('../sweep.ts')).runSweep()],
  ['beside', async () => (await import('../beside.ts')).runBeside()],
  ['long lists', async () => (await import('../long-lists.ts')).runLongLists()],
  ['snapshots', async () => (await import('../../packages/core/test/snapshot-cuts.ts')).goOnFromSnapshots()],
];
const LONG: readonly (readonly [string, Check])[] = [
  ['differential', () => differential(30_000, 101)],
  ['properties', () => properties(30_000, 1_000_101)],
  ['cascade', async () => (await import('../cascade.ts')).runCascade()],
];

if (import.meta.main) {
  for (const [name, check] of process.argv.includes('--long') ? LONG : SHORT) {
    try {
      await check();
    } catch (error) {
      console.log(
        `not ok - ${name}: ${error instanceof Error ? error.message.slice(0, 500) : String(error)}`,
      );
      process.exit(1);
    }
  }
}
