/** When snapshots are taken and segments removed, over several starts and on a disk without space. */

import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Engine } from '../src/engine.ts';
import { type Disk, type DiskFile, nodeDisk } from '../src/io/disk.ts';
import { nodeClock } from '../src/io/clock.ts';
import { overriding } from '../src/exchange-port.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, orderFlow } from '@bourse/test-kit/market.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { openTestEngine } from '@bourse/test-kit/test-engine.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const SNAPSHOT_PAUSE_MS = 30_000;

async function trade(engine: Engine, seed: number, count: number): Promise<void> {
  for (const command of orderFlow(seed, count)) await submit(engine, command);
}

/** Waits for a condition; the test's deadline ends an endless wait. */
async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 20_000 && !isSo(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.ok(isSo(), 'it did not come to be');
}

const seqsIn = (dir: string) => readdirSync(dir).map((name) => Number.parseInt(name, 10));

/** Log and history have space; snapshots do not while `isFull`. */
function crampedDisk() {
  const room = { isFull: true, tries: 0 };
  const disk: Disk = {
    ...nodeDisk,
    async open(path, mode) {
      const file = await nodeDisk.open(path, mode);
      if (!path.endsWith('.snapshot.tmp')) return file;
      room.tries++;
      const write: DiskFile['write'] = (position, bytes) => {
        if (!room.isFull) return file.write(position, bytes);
        file.write(position, bytes.subarray(0, bytes.length >> 1));
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      };
      return overriding(file, { write });
    },
  };
  return { disk, room };
}

/** The machine's clock, but the test ends the pause between snapshots. */
function heldClock() {
  const held: (() => void)[] = [];
  const clock: typeof nodeClock = {
    ...nodeClock,
    get machine() {
      return clock;
    },
    after(delayMs, action) {
      if (delayMs !== SNAPSHOT_PAUSE_MS) return nodeClock.after(delayMs, action);
      held.push(action);
      return () => undefined;
    },
  };
  return { clock, held };
}

describe('without space for a snapshot (promise 4)', () => {
  test('history continues, lists are served, no partial file stays, and the snapshot is retried', async (context) => {
    const dir = makeDirectory(context);
    const { disk, room } = crampedDisk();
    const { clock, held } = heldClock();
    const warnings: string[] = [];
    const history = new MemoryHistory();
    const engine = await openTestEngine(dir, history, {
      disk,
      clock,
      onWarning: (sentence) => warnings.push(sentence),
      followerLimits: { snapshotRecords: 10 },
    });
    for (const command of openMarket()) await submit(engine, command);
    for (let round = 1; round <= 5; round++) {
      await trade(engine, round, 20);
      await engine.historyCaughtUp();
      assert.equal(history.checkpoint, engine.health.seq);
    }
    assert.deepEqual(readdirSync(`${dir}/snapshots`), []);
    assert.equal(room.tries, 1, 'rounds and lists do not try it again');
    assert.equal(warnings.length, 1);
    assert.match(warnings[0], /^no space left on the disk for a snapshot: tried again every 30 seconds; /);

    held.shift()?.();
    await until(() => held.length === 1);
    assert.deepEqual([room.tries, warnings.length, engine.health.snapshotSeq], [2, 2, 0]);
    room.isFull = false;
    held.shift()?.();
    // Without a further command.
    await until(() => engine.health.snapshotSeq === engine.health.seq);
    assert.deepEqual([room.tries, warnings.length, held.length], [3, 2, 0]);
    await engine.close();
  });

  test('one that was due after a certain record is retried, too, although no limit makes it due again', async (context) => {
    const { disk, room } = crampedDisk();
    const { clock, held } = heldClock();
    const engine = await openTestEngine(makeDirectory(context), new MemoryHistory(), {
      disk,
      clock,
      // Like a node of a cluster, whose leader determines when one is due.
      followerLimits: { snapshotRecords: Infinity, snapshotBytes: Infinity },
    });
    for (const command of openMarket()) await submit(engine, command);
    engine.snapshotHere();
    await until(() => held.length === 1);
    // Another one becomes due during the pause, and waits with the first.
    await trade(engine, 1, 20);
    engine.snapshotHere();
    await engine.historyCaughtUp();
    assert.equal(room.tries, 1);
    held.shift()?.();
    await until(() => held.length === 1);
    assert.deepEqual([room.tries, engine.health.snapshotSeq], [2, 0]);
    room.isFull = false;
    held.shift()?.();
    // Without a further command.
    await until(() => engine.health.snapshotSeq === engine.health.seq);
    // It is taken once.
    await trade(engine, 2, 20);
    await engine.historyCaughtUp();
    assert.deepEqual([room.tries, held.length], [3, 0]);
    await engine.close();
  });

  test('closing warns that the next start takes longer, and leaves no partial file', async (context) => {
    const dir = makeDirectory(context);
    const { disk, room } = crampedDisk();
    const warnings: string[] = [];
    const history = new MemoryHistory();
    const options = { disk, onWarning: (sentence: string) => warnings.push(sentence) };
    const engine = await openTestEngine(dir, history, { ...options, followerLimits: { snapshotRecords: 1 } });
    for (const command of openMarket()) await submit(engine, command);
    await engine.historyCaughtUp();
    await engine.close();
    assert.equal(history.checkpoint, engine.health.seq);
    assert.deepEqual(readdirSync(`${dir}/snapshots`), []);
    assert.equal(
      warnings.at(-1),
      'no space left on the disk for a snapshot: the next start will need longer',
    );
    room.isFull = false;
    const again = await openTestEngine(dir, history, options);
    assert.equal(again.health.seq, history.checkpoint);
    await again.close();
  });
});

test('after it was closed without space for history, callers that wait for history learn that it is closed', async (context) => {
  const history = new MemoryHistory();
  const engine = await openTestEngine(makeDirectory(context), history, { followPauseMs: 60_000 });
  await engine.historyCaughtUp();
  history.isFull = true;
  for (const command of openMarket()) await submit(engine, command);
  await engine.close();
  history.isFull = false;
  await assert.rejects(engine.historyCaughtUp(), { name: 'Unavailable', reason: 'stopped' });
});

describe('over several starts', () => {
  test('segments are removed even if each start is shorter than the interval of snapshots', async (context) => {
    const dir = makeDirectory(context);
    const history = new MemoryHistory();
    const firsts: number[] = [];
    for (let run = 1; run <= 4; run++) {
      const options = { segmentBytes: 4096, followerLimits: { snapshotRecords: 10_000 } };
      const engine = await openTestEngine(dir, history, options);
      if (run === 1) for (const command of openMarket()) await submit(engine, command);
      const snapshots = run === 1 ? [0] : seqsIn(`${dir}/snapshots`);
      await trade(engine, run, 150);
      await engine.close();
      const [first] = seqsIn(`${dir}/log`);
      firsts.push(first);
      assert.ok(
        snapshots.length < 2 || first <= snapshots[0] + 1,
        `${first} is there, ${snapshots[0]} needed`,
      );
    }
    assert.ok(firsts[0] === 1 && firsts[1] === 1 && firsts[2] > 1 && firsts[3] > firsts[2], `${firsts}`);
  });

  test('bytes of the log from before the start count towards the next snapshot', async (context) => {
    const dir = makeDirectory(context);
    const history = new MemoryHistory();
    const engine = await openTestEngine(dir, history);
    for (const command of openMarket()) await submit(engine, command);
    await trade(engine, 1, 200);
    const { seq } = engine.health;
    await engine.close();
    // As a crash would leave it.
    rmSync(`${dir}/snapshots`, { recursive: true });
    const again = await openTestEngine(dir, history, { followerLimits: { snapshotBytes: 10_000 } });
    await until(() => again.health.snapshotSeq === seq);
    await again.close();
  });
});
