/** Shared by both runners: the duration, the loop over worlds, and the report. */

import { parseArgs } from 'node:util';
import { Coverage } from '@bourse/test-kit/flow/coverage.ts';

export interface RunOptions {
  readonly commands: number;
  /** The first world's seed; later worlds count up from it, so any world can be run alone by its own seed. */
  readonly seed: number;
  readonly secondsMax?: number;
}

export interface RunReport {
  readonly commands: number;
  readonly worlds: number;
  readonly seconds: number;
  readonly coverage: Coverage;
}

/** Shorter runs need not have covered everything. */
const COVERING_COMMANDS = 200_000;

/** Runs of at least this many commands must take every fast path of the core. */
const FAST_PATH_MIN = 10_000;
const FAST_PATH_COMMANDS = 100_000;

/** Runs one world from its seed, fails by throwing, and returns the number of its commands. */
export type RunWorld = (seed: number, coverage: Coverage, commandsMax: number) => number;

export function runWorlds(options: RunOptions, runWorld: RunWorld): RunReport {
  const coverage = new Coverage();
  const begin = performance.now();
  const seconds = (): number => (performance.now() - begin) / 1000;
  let [commands, worlds] = [0, 0];
  while (commands < options.commands && seconds() < (options.secondsMax ?? Number.POSITIVE_INFINITY)) {
    coverage.beginWorld();
    commands += runWorld(options.seed + worlds, coverage, options.commands - commands);
    worlds += 1;
  }
  return { commands, worlds, seconds: seconds(), coverage };
}

/** Throws if a run that was long enough missed something, or took a fast path too rarely to trust it. */
export function requireCoverage(report: RunReport): void {
  const rare = report.coverage.rarelyTaken(FAST_PATH_MIN);
  if (report.commands >= FAST_PATH_COMMANDS && rare.length > 0) {
    throw new Error(
      `less often than ${FAST_PATH_MIN} times in ${report.commands} commands:\n  ${rare.join('\n  ')}`,
    );
  }
  const zeros = report.coverage.zeros();
  if (report.commands < COVERING_COMMANDS || zeros.length === 0) return;
  throw new Error(`never occurred in ${report.commands} commands:\n  ${zeros.join('\n  ')}`);
}

export function summary({ commands, worlds, seconds }: RunReport): string {
  const rate = Math.round(commands / Math.max(seconds, 0.001));
  return `${commands} commands in ${worlds} worlds, ${seconds.toFixed(1)} s, ${rate} commands/s`;
}

/** Parses `--commands N --seed S --seconds max --quiet`; exits with 1 if the run fails. */
export function runFromCommandLine(title: string, run: (options: RunOptions) => RunReport): void {
  const { values } = parseArgs({
    options: {
      commands: { type: 'string', default: '200000' },
      seed: { type: 'string', default: '1' },
      seconds: { type: 'string' },
      quiet: { type: 'boolean', default: false },
    },
  });
  const options = {
    commands: wholeNumber('commands', values.commands, 1),
    seed: wholeNumber('seed', values.seed, 0),
    ...(values.seconds === undefined ? {} : { secondsMax: wholeNumber('seconds', values.seconds, 1) }),
  };
  try {
    const report = run(options);
    console.log(report.coverage.table(values.quiet));
    console.log(`${title}: ${summary(report)}`);
    requireCoverage(report);
  } catch (error) {
    console.error(`${title} failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  }
}

/** A run that does nothing must not look like one that found nothing. */
function wholeNumber(name: string, text: string, min: number): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= min) return value;
  console.error(`--${name} is '${text}', but must be a whole number of at least ${min}`);
  process.exit(2);
}

/**
 * Seeds of worlds that once failed, each named after its fault. They always run first, because a fault that occurred
 * once is the most likely to recur. A change of the generator turns a seed into another world, so the fault also
 * needs a scenario test.
 */
export interface KeptSeed {
  readonly name: string;
  readonly seed: number;
}

export const KEPT_SEEDS: readonly KeptSeed[] = [];
