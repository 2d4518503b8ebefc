/** The log without the engine, on a disk that loses unsynced data. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogRecord } from '@bourse/core';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { type CommandLog, LogBroken, LogFull } from '../../src/log/command-log.ts';
import { FileLog } from '../../src/log/file-log.ts';
import { readAll, recordOf } from '@bourse/test-kit/contracts.ts';

const SEEDS = 500;
const STEPS = 60;

interface Totals {
  appended: number;
  crashes: number;
  restarts: number;
  full: number;
  errors: number;
  lost: number;
  /** Records that survived without having been acknowledged. */
  survived: number;
  /** Unawaited records, and the lost ones among them. */
  lazy: number;
  undone: number;
  cut: number;
}

/** One world: appends until something fails, reopens, and checks that all durable records are present. */
async function runWorld(seed: number, totals: Totals): Promise<void> {
  const random = new Random(seed);
  const crashProbability = random.pick([0.01, 0.05, 0.3]);
  const lazyProbability = random.pick([0, 0.5, 0.9]);
  const disk: LossyDisk = new LossyDisk(random, async () => {
    if (random.chance(crashProbability)) disk.crash();
  });
  const options = {
    disk,
    dir: 'data/log',
    segmentBytes: random.pick([300, 2000, 20_000]),
    roomBytes: random.pick([0, 100, 5000]),
  };
  let log: FileLog | null = null;
  let durable: LogRecord[] = [];
  /** After them: unawaited records, and one that was not acknowledged. */
  let unknown: LogRecord[] = [];

  const open = async (): Promise<FileLog | null> => {
    try {
      return await FileLog.open(options);
    } catch (error) {
      const cause: unknown = error instanceof LogBroken ? error.cause : error;
      const code = cause instanceof Error && 'code' in cause ? cause.code : '';
      // Without space the first segment cannot be created; an existing log can always be opened.
      if (code === 'EIO' || (code === 'ENOSPC' && durable.length === 0)) return null;
      throw error;
    }
  };
  const check = async (opened: CommandLog): Promise<void> => {
    const found = await readAll(opened, 1, opened.lastSeq);
    const all = [...durable, ...unknown];
    assert.ok(found.length >= durable.length, `${found.length} of ${durable.length}`);
    assert.deepEqual(found, all.slice(0, found.length));
    totals.survived += found.length - durable.length;
    totals.undone += all.length - found.length;
    durable = found;
    unknown = [];
  };

  for (let step = 0; step < STEPS; step++) {
    if (log === null) {
      log = await open();
      if (log === null) continue;
      totals.restarts += 1;
      totals.cut += log.cutBytes > 0 ? 1 : 0;
      await check(log);
    }
    if (random.chance(0.02)) disk.failSync(random.range(1, 3));
    if (random.chance(0.02)) disk.failWrite(random.range(1, 3));
    disk.roomBytes = random.chance(0.05) ? random.below(4000) : Number.POSITIVE_INFINITY;
    const record = bulky(random, durable.length + unknown.length + 1);
    try {
      if (random.chance(0.2)) log.secure();
      if (!log.isBehind) durable = [...durable, ...unknown.splice(0)];
      const isLazy = random.chance(lazyProbability);
      const isAwaited = !isLazy || random.chance(0.3);
      unknown.push(record);
      await (isLazy ? log.appendLazily(record, isAwaited) : log.append(record)).durable;
      if (!log.isBehind) durable = [...durable, ...unknown.splice(0)];
      if (isLazy) totals.lazy += 1;
      totals.appended += 1;
    } catch (error) {
      if (error instanceof LogFull) {
        unknown = unknown.filter((each) => each !== record);
        await new Promise((resolve) => setImmediate(resolve));
      } else if (error instanceof LogBroken) log = null;
      else throw error;
    }
    // A restart without loss of power: what the cache has is still there.
    if (log !== null && random.chance(0.03)) log = null;
    if (random.chance(0.03)) {
      disk.crash();
      log = null;
    }
  }
  totals.crashes += disk.counts.crashes;
  totals.full += disk.counts.full;
  totals.errors += disk.counts.errors;
  totals.lost += disk.counts.lost;
}

const NOISE = Array.from({ length: 3000 }, (_, index) => String.fromCharCode(1 + ((index * 37) % 255))).join(
  '',
);

/** Sometimes larger than several sectors. */
function bulky(random: Random, seq: number): LogRecord {
  const record = recordOf(seq);
  if (random.chance(0.6)) return record;
  return { ...record, commands: [{ kind: 'add-user', name: NOISE.slice(random.below(NOISE.length)) }] };
}

test('promise 1: durable records survive any crash, and the log always opens', async (context) => {
  const totals: Totals = {
    appended: 0,
    crashes: 0,
    restarts: 0,
    full: 0,
    errors: 0,
    lost: 0,
    survived: 0,
    lazy: 0,
    undone: 0,
    cut: 0,
  };
  for (let seed = 1; seed <= SEEDS; seed++) {
    try {
      await runWorld(seed, totals);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
  context.diagnostic(JSON.stringify(totals));
  for (const [name, count] of Object.entries(totals)) assert.ok(count > 50, `${name}: ${count}`);
});
