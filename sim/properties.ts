/**
 * The property run (promises 5, 6 and 8): runs every checker after every record, takes and restores snapshots at
 * random points, and replays each world's complete log on a fresh exchange at the end.
 *
 * npm run sim -- properties --commands 1000000 --seed 1 [--seconds max] [--quiet]
 */

import {
  type Applied,
  type Event,
  Exchange,
  type FinishedCommand,
  type LogRecord,
  type Outcome,
} from '@bourse/core';
import { Suite } from './checkers/suite.ts';
import { violated } from './checkers/violation.ts';
import { canonicalText } from './compare.ts';
import { Digest } from './digest.ts';
import { Coverage } from '@bourse/test-kit/flow/coverage.ts';
import { Flow } from '@bourse/test-kit/flow/flow.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { runFromCommandLine, type RunOptions, type RunReport, type RunWorld, runWorlds } from './run.ts';
import { shrink } from './shrink.ts';

/** Average number of records between two snapshots. */
const RECORDS_PER_SNAPSHOT = 250;

interface Answer {
  readonly outcomes: readonly Outcome[];
  readonly events: readonly Event[];
  readonly finished: readonly FinishedCommand[];
}

/** The rows of events and outcomes: nodes of a cluster compare digests of these. */
function rowsOf({ events, outcomes }: Applied): number[] {
  return [events.written, outcomes.written].flatMap(({ words, length }) => [...words.subarray(0, length)]);
}

/** One exchange under observation, from the first record of a world. */
class Watched {
  exchange = new Exchange();
  readonly #suite = new Suite();
  readonly #random: Random;
  readonly #recordsPerSnapshot: number;
  readonly #answers = new Digest();

  constructor(seed: number, recordsPerSnapshot = RECORDS_PER_SNAPSHOT) {
    this.#random = new Random(seed ^ 0x5eed);
    this.#recordsPerSnapshot = recordsPerSnapshot;
  }

  apply(record: LogRecord, coverage: Coverage): Answer {
    const applied = this.exchange.apply(record);
    coverage.fastPaths(applied.events.fastPaths);
    const outcomes = applied.outcomes.decode();
    const events = applied.events.decode();
    if (outcomes.length !== record.commands.length)
      violated('one outcome each', { outcomes: outcomes.length });
    this.#suite.afterRecord(this.exchange, record, events);
    const finished = [...applied.finished];
    this.#answers.add(outcomes);
    this.#answers.add(events);
    this.#answers.add(finished);
    this.#answers.add(rowsOf(applied));
    if (this.#random.below(this.#recordsPerSnapshot) === 0) this.#restore();
    return { outcomes, events, finished };
  }

  /** Continues with the restored exchange: anything missing from a snapshot shows later. */
  #restore(): void {
    const bytes = this.exchange.snapshot();
    // With another hash key, because nothing visible may depend on it.
    const restored = Exchange.restore(bytes, [this.exchange.seq * 2654435761, this.exchange.time]);
    const again = restored.snapshot();
    if (Buffer.compare(bytes, again) !== 0) {
      violated('a restored exchange is the same', { hash: this.exchange.hash(), restored: restored.hash() });
    }
    this.exchange = restored;
    this.#suite.scan(restored);
  }

  /** A replay of all records without snapshots must give the same state and outcomes. */
  replay(records: readonly LogRecord[]): void {
    const fresh = new Exchange();
    const answers = new Digest();
    for (const record of records) {
      const applied = fresh.apply(record);
      answers.add(applied.outcomes.decode());
      answers.add(applied.events.decode());
      answers.add([...applied.finished]);
      answers.add(rowsOf(applied));
    }
    if (fresh.hash() !== this.exchange.hash())
      violated('a replay ends in the same state', { hash: fresh.hash() });
    if (answers.toString() !== this.#answers.toString()) violated('a replay gives the same answers', {});
  }
}

export const checkWorld: RunWorld = (seed, coverage, commandsMax) => {
  const flow = new Flow(seed);
  const watched = new Watched(seed);
  const records: LogRecord[] = [];
  try {
    while (!flow.isOver && flow.commandsDone < commandsMax) {
      const record = flow.next();
      records.push(record);
      const { outcomes, events, finished } = watched.apply(record, coverage);
      coverage.record(record.commands, outcomes, events, finished);
      flow.observe(events);
    }
    watched.replay(records);
  } catch (error) {
    throw new Error(report(seed, records, error), { cause: error });
  }
  return flow.commandsDone;
};

/** With a snapshot after every record, an incomplete snapshot fails even in a shrunk list. */
function failure(records: readonly LogRecord[]): unknown {
  const watched = new Watched(0, 1);
  try {
    for (const record of records) watched.apply(record, new Coverage());
    watched.replay(records);
  } catch (error) {
    return error;
  }
  return undefined;
}

function report(seed: number, records: readonly LogRecord[], error: unknown): string {
  const last = records.at(-1) as LogRecord;
  const few = shrink(records, (candidate) => failure(candidate) !== undefined);
  const again = failure(few);
  return [
    `seed ${seed}, record ${last.seq}: ${canonicalText(last.commands)}`,
    `  ${error instanceof Error ? error.stack : String(error)}`,
    `shrunk to ${few.length} records:`,
    ...few.map((record) => `  ${record.time} ${canonicalText(record.commands)}`),
    `  ${again instanceof Error ? again.message : String(again)}`,
  ].join('\n');
}

export function runProperties(options: RunOptions): RunReport {
  return runWorlds(options, checkWorld);
}

if (import.meta.main) runFromCommandLine('properties', runProperties);
