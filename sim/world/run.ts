/**
 * The simulator (promises 1 to 6 and 8 to 10): many worlds, each determined by its seed.
 *
 * npm run sim -- world [--seeds 2000] [--seed 1]
 *
 * With `--seed` alone it runs that one world. It exits with 1 if a world fails or some kind of event never occurred.
 */

import { parseArgs } from 'node:util';
import { KEPT_SEEDS } from './seeds.ts';
import { Tally } from './tally.ts';
import { World } from './world.ts';

/** Shorter runs need not have covered everything. */
const COVERING_SEEDS = 500;

/** An unhandled rejection: a broken invariant of the engine in the running world. */
let stray: unknown = null;

async function runWorld(seed: number): Promise<Tally> {
  const tally = new Tally();
  stray = null;
  try {
    await new World(seed, tally).run();
    if (stray !== null) throw stray;
    return tally;
  } catch (error) {
    const what = textOf(stray ?? error);
    throw new Error(`seed ${seed}: ${what}\nnpm run sim -- world --seed ${seed}`, { cause: error });
  }
}

export async function runWorlds(seeds: Iterable<number>): Promise<Tally> {
  const total = new Tally();
  for (const seed of seeds) total.addAll(await runWorld(seed));
  const zeros = total.zeros();
  if (total.get('worlds') >= COVERING_SEEDS && zeros.length > 0) {
    throw new Error(`never happened in ${total.get('worlds')} worlds:\n  ${zeros.join('\n  ')}`);
  }
  return total;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? String(error.stack) : `${error.stack}\ncaused by ${textOf(error.cause)}`;
}

function* seedsOf(from: number, count: number): Generator<number> {
  for (const { seed } of KEPT_SEEDS) yield seed;
  for (let seed = from; seed < from + count; seed++) yield seed;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { seeds: { type: 'string' }, seed: { type: 'string' } } });
  // Installed only now, because an invalid option must end the run.
  process.on('uncaughtException', (error) => (stray ??= error));
  const first = Number(values.seed ?? 1);
  const count = Number(values.seeds ?? (values.seed === undefined ? 2000 : 1));
  const begin = process.cpuUsage();
  try {
    if (!Number.isSafeInteger(first) || !Number.isSafeInteger(count) || count < 1) {
      throw new Error('--seed and --seeds are whole numbers, --seeds at least 1');
    }
    const isOne = values.seed !== undefined && values.seeds === undefined;
    const tally = await runWorlds(isOne ? [first] : seedsOf(first, count));
    const { user, system } = process.cpuUsage(begin);
    console.log(tally.table());
    console.log(`${tally.get('worlds')} worlds, ${((user + system) / 1e6).toFixed(1)} s of processor time`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
