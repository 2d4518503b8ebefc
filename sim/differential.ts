/**
 * The differential run (promise 7): the same records to the core and to the naive exchange; every
 * outcome and every event must be the same.
 *
 *   npm run sim -- differential --commands 200000 --seed 1 [--seconds max] [--quiet]
 */

import { Exchange, type Event, type FinishedCommand, type LogRecord, type Outcome } from '@bourse/core';
import { canonicalText, describeDifference, isSame } from './compare.ts';
import { Coverage } from '@bourse/test-kit/flow/coverage.ts';
import { Flow } from '@bourse/test-kit/flow/flow.ts';
import { NaiveExchange } from './naive/exchange.ts';
import { runFromCommandLine, type RunOptions, type RunReport, type RunWorld, runWorlds } from './run.ts';
import { shrink } from './shrink.ts';

interface Answer {
  readonly outcomes: readonly Outcome[];
  readonly events: readonly Event[];
  readonly finished: readonly FinishedCommand[];
}

/** Both exchanges, running in lockstep. */
class Pair {
  readonly #core = new Exchange();
  readonly #naive = new NaiveExchange();
  readonly #coverage: Coverage;

  constructor(coverage: Coverage) {
    this.#coverage = coverage;
  }

  /** The common result, or a description of the difference. */
  apply(record: LogRecord): Answer | string {
    const core = answer('core', () => {
      const { outcomes, events, finished } = this.#core.apply(record);
      this.#coverage.fastPaths(events.fastPaths);
      return { outcomes: outcomes.decode(), events: events.decode(), finished: [...finished] };
    });
    const naive = answer('naive', () => this.#naive.apply(record));
    if (typeof core === 'string') return core;
    if (typeof naive === 'string') return naive;
    if (!isSame(core.outcomes, naive.outcomes)) {
      return describeDifference('outcome', core.outcomes, naive.outcomes);
    }
    if (!isSame(core.finished, naive.finished)) {
      return describeDifference('finished command', core.finished, naive.finished);
    }
    if (!isSame(core.events, naive.events)) return describeDifference('event', core.events, naive.events);
    return core;
  }
}

/** Rejections are values, so an exception is a bug of the exchange that throws it. */
function answer(name: string, ask: () => Answer): Answer | string {
  try {
    return ask();
  } catch (error) {
    return `  ${name} threw ${error instanceof Error ? error.stack : String(error)}`;
  }
}

export const compareWorld: RunWorld = (seed, coverage, commandsMax) => {
  const flow = new Flow(seed);
  const pair = new Pair(coverage);
  const records: LogRecord[] = [];
  while (!flow.isOver && flow.commandsDone < commandsMax) {
    const record = flow.next();
    records.push(record);
    const both = pair.apply(record);
    if (typeof both === 'string') throw new Error(report(seed, records, both));
    coverage.record(record.commands, both.outcomes, both.events, both.finished);
    flow.observe(both.events);
  }
  return flow.commandsDone;
};

function firstDifference(records: readonly LogRecord[]): string | undefined {
  const pair = new Pair(new Coverage());
  for (const record of records) {
    const both = pair.apply(record);
    if (typeof both === 'string') return both;
  }
  return undefined;
}

function report(seed: number, records: readonly LogRecord[], difference: string): string {
  const last = records.at(-1) as LogRecord;
  const few = shrink(records, (candidate) => firstDifference(candidate) !== undefined);
  return [
    `seed ${seed}, record ${last.seq}: ${canonicalText(last.commands)}`,
    difference,
    `shrunk to ${few.length} records:`,
    ...few.map((record) => `  ${record.time} ${canonicalText(record.commands)}`),
    firstDifference(few) ?? '',
  ].join('\n');
}

export function runDifferential(options: RunOptions): RunReport {
  return runWorlds(options, compareWorld);
}

if (import.meta.main) runFromCommandLine('differential', runDifferential);
