/**
 * npm run sim -- campaign [--minutes 10] [--seed N] [--without NAME,NAME]: runs the simulations, fuzzers, kills and
 * cluster faults in turn, each with a fresh seed, until the time is up. After each, it adds the figures to
 * docs/internals/campaign.md. It stops at the first failure and prints the command that reproduces it.
 *
 * Excluded: simulations that measure (crowd, day, market, overload, sign-ins, starve, stalled-readers,
 * cluster-table), because they fail without a fault if other load runs beside them; mutants and compose, because no
 * seed reproduces them quickly.
 */

import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Random } from '@bourse/test-kit/random.ts';

/** The counters of the ledger, with their targets for 1.0. */
export const AIMS = {
  worlds: 1_000_000,
  kills: 10_000,
  commands: 1_000_000_000,
  inputs: 100_000_000,
  failovers: 1_000,
} as const;
export type Totals = Record<keyof typeof AIMS, number>;

export interface Step {
  readonly name: string;
  /** Arguments of `node`; a run takes some seconds. */
  args(seed: number): readonly string[];
  /** Extracts from the output what a successful run did. */
  count(output: string): Partial<Totals>;
}

/** Far longer than any step takes, even on a busy machine. */
const STEP_MINUTES_MAX = 60;

const main = new URL('main.ts', import.meta.url).pathname;
const simulation = (name: string, options: string, count: Step['count'], seedOption = '--seed'): Step => ({
  name,
  args: (seed) => [main, ...options.split(' '), seedOption, String(seed)],
  count,
});
const commandsAndWorlds = (output: string): Partial<Totals> => ({
  commands: numberIn(output, /(\d+) commands in \d+ worlds/),
  worlds: numberIn(output, /\d+ commands in (\d+) worlds/),
});

export const STEPS: readonly Step[] = [
  simulation('world', 'world --seeds 100', (output) => ({
    worlds: numberIn(output, /^(\d+) worlds, /m),
    commands: numberIn(output, /^commands +(\d+)$/m),
  })),
  simulation('differential', 'differential --commands 200000 --quiet', commandsAndWorlds),
  simulation('properties', 'properties --commands 500000 --quiet', commandsAndWorlds),
  simulation('faults', 'faults --kills 20 --syncs 0 --full 0', (output) => ({
    kills: numberIn(output, /"kills":(\d+)/),
  })),
  simulation('fuzz', 'fuzz --inputs 50000', (output) => ({ inputs: numberIn(output, /"inputs":(\d+)/) })),
  simulation('connections', 'fuzz --connections 5000', () => ({ inputs: 5000 })),
  simulation('storm', 'storm --requests 20000', (output) => ({
    inputs: numberIn(output, /"sent":(\d+)/),
    kills: 1,
  })),
  simulation('replay', 'replay --requests 100000', () => ({ inputs: 100_000 })),
  simulation('auctions', 'auctions --books 50000', () => ({})),
  simulation('log-damage', 'log-damage --one-of 32', () => ({})),
  simulation('feed-check', 'feed-check --messages 50000', (output) => ({
    commands: numberIn(output, /([\d,]+) commands/),
  })),
  simulation('level3', 'level3 --minutes 5', () => ({})),
  simulation(
    'cluster',
    'cluster --seeds 50',
    (output) => ({
      worlds: numberIn(output, /^(\d+) worlds, /m),
      commands: numberIn(output, /worlds, (\d+) commands/),
    }),
    '--from',
  ),
  simulation('cluster-faults', 'cluster-faults --failovers 5', (output) => ({
    failovers: numberIn(output, /^(\d+) failovers, /m),
  })),
];

/**
 * Throws if the output has no such number: a run whose figures are missing must not look like one that did nothing.
 */
function numberIn(output: string, pattern: RegExp): number {
  const found = pattern.exec(output)?.[1];
  if (found === undefined) throw new Error(`The output does not match ${pattern}:\n${output.slice(-500)}`);
  return Number(found.replaceAll(',', ''));
}

export interface Campaign {
  readonly steps: readonly Step[];
  readonly minutes: number;
  readonly seed: number;
  /** Path of the ledger. */
  readonly ledger: string;
  readonly log: (line: string) => void;
  /** A step that exceeds it has failed. */
  readonly stepMinutesMax?: number;
}

export interface Failure {
  readonly name: string;
  readonly seed: number;
  readonly command: string;
  readonly output: string;
}

/** At least one round of all steps, so that even a short campaign covers everything. */
export function runCampaign(campaign: Campaign): Failure | null {
  const { steps, minutes, seed, ledger, log, stepMinutesMax = STEP_MINUTES_MAX } = campaign;
  const before = readFileSync(ledger, 'utf8');
  const random = new Random(seed);
  const began = performance.now();
  const elapsedMinutes = (): number => (performance.now() - began) / 60_000;
  const totals: Totals = { worlds: 0, kills: 0, commands: 0, inputs: 0, failovers: 0 };
  let failure: Failure | null = null;
  for (let round = 0; failure === null && (round === 0 || elapsedMinutes() < minutes); round++) {
    for (const step of steps) {
      if (round > 0 && elapsedMinutes() >= minutes) break;
      const own = random.below(2 ** 31);
      const done = runStep(step, own, stepMinutesMax);
      if ('command' in done) {
        failure = done;
        break;
      }
      for (const [figure, count] of Object.entries(done)) totals[figure as keyof Totals] += count;
      // After each step, so that an interrupted campaign keeps its figures.
      writeFileSync(ledger, addToLedger(before, totals, elapsedMinutes(), null));
      log(`${step.name}, seed ${own}: ${JSON.stringify(done)}`);
    }
  }
  writeFileSync(ledger, addToLedger(before, totals, elapsedMinutes(), failure));
  return failure;
}

function runStep(step: Step, seed: number, minutesMax: number): Partial<Totals> | Failure {
  const args = step.args(seed);
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    timeout: minutesMax * 60_000,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const failed = (why: string): Failure => ({
    name: step.name,
    seed,
    command: `npm run sim -- ${args.slice(1).join(' ')}`,
    output: `${(stdout + stderr).slice(-4000)}${why}`,
  });
  if (signal !== null)
    return failed(`\nIt was ended by ${signal}, after ${minutesMax} minutes at the latest.`);
  if (status !== 0) return failed('');
  try {
    return step.count(stdout);
  } catch (error) {
    return failed(`\n${error instanceof Error ? error.message : String(error)}`);
  }
}

const shown = (value: number): string => Math.round(value).toLocaleString('en');

/** The ledger's text with these figures added. Its tables have one row per figure and one per failure. */
export function addToLedger(text: string, totals: Totals, minutes: number, failure: Failure | null): string {
  let next = text;
  for (const [figure, count] of Object.entries({ ...totals, 'machine minutes': minutes })) {
    const row = new RegExp(`^\\| ${figure} \\| ([\\d,]+) \\|`, 'm');
    const before = row.exec(next)?.[1];
    if (before === undefined) throw new Error(`The ledger has no row '${figure}'.`);
    next = next.replace(row, `| ${figure} | ${shown(Number(before.replaceAll(',', '')) + count)} |`);
  }
  if (failure === null) return next;
  const date = new Date().toISOString().slice(0, 10);
  return `${next.trimEnd()}\n| ${date} | \`${failure.command.replace('npm run sim -- ', '')}\` | open |\n`;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '10' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      without: { type: 'string', default: '' },
    },
  });
  const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
  const without = values.without.split(',').filter(Boolean);
  const unknown = without.filter((name) => !STEPS.some((step) => step.name === name));
  if (!(minutes >= 0) || !Number.isSafeInteger(seed) || unknown.length > 0) {
    console.error(
      `--minutes is a number from 0 on, --seed an integer, --without a list of: ${STEPS.map(({ name }) => name).join(', ')}.`,
    );
    process.exit(2);
  }
  console.log(`campaign with seed ${seed}`);
  const ledger = new URL('../docs/internals/campaign.md', import.meta.url).pathname;
  const steps = STEPS.filter(({ name }) => !without.includes(name));
  const failure = runCampaign({ steps, minutes, seed, ledger, log: console.log });
  if (failure !== null) {
    console.error(`${failure.output}\n\n${failure.name} failed. Repeat it: ${failure.command}`);
    process.exitCode = 1;
  }
}
