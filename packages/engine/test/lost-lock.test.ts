/** The lock file is removed under a running exchange: two may be open for a moment, but never do both acknowledge. */

import assert from 'node:assert/strict';
import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { openDirectoryEngine, refusedAs } from '@bourse/test-kit/test-engine.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, order } from '@bourse/test-kit/market.ts';
import type { Engine } from '../src/engine.ts';
import { LogConflict } from '../src/log/command-log.ts';
import { FileLog } from '../src/log/file-log.ts';
import { OWNERSHIP_CHECK_MS } from '../src/io/directory-lock.ts';
import { nodeDisk } from '../src/io/disk.ts';
import { recordOf } from '@bourse/test-kit/contracts.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const submitAll = (engine: Engine) => Promise.all(openMarket().map((command) => submit(engine, command)));
/** A test that fails leaves nothing open, or its process would not end; errors of closing are ignored. */
const closeAfter = (context: TestContext, engine: Engine) =>
  context.after(() => engine.close().catch(() => undefined));
const settle = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());

/** It looks every second; a slow machine may be late. */
const NOTICED_MS_MAX = 15 * OWNERSHIP_CHECK_MS;

describe('an exchange whose lock file is removed', { timeout: 60_000 }, () => {
  test('stops, and a second one that starts has every record that was acknowledged', async (context) => {
    const dir = makeDirectory(context);
    const stops: Error[] = [];
    const warnings: string[] = [];
    const first = await openDirectoryEngine(dir, { keepSegments: true, onStop: (why) => stops.push(why) });
    closeAfter(context, first);
    await submitAll(first);
    rmSync(`${dir}/lock.db`);
    const removedAt = performance.now();
    const starting = openDirectoryEngine(dir, {
      keepSegments: true,
      onWarning: (sentence) => warnings.push(sentence),
    });
    let acknowledged = 0;
    let refused = 0;
    const progress = { isStarting: true };
    const started = () => (progress.isStarting = false);
    void starting.then(started, started);
    while (progress.isStarting) {
      await submit(first, order(0, 'sell', 1000, 1)).then(
        () => acknowledged++,
        () => refused++,
      );
      await settle(5);
    }
    const second = await starting;
    closeAfter(context, second);
    const waitedMs = performance.now() - removedAt;
    assert.ok(
      waitedMs > 2 * OWNERSHIP_CHECK_MS,
      `an owner that nobody asks has stopped by then: ${waitedMs} ms`,
    );
    assert.equal(acknowledged, 0, 'from the moment that the lock is gone');
    assert.ok(refused > 0);
    await assert.rejects(submit(first, order(0, 'sell', 1000, 1)), refusedAs('stopped'));
    await assert.rejects(
      first.read(({ seq }) => seq),
      refusedAs('stopped'),
    );
    assert.ok(stops[0] instanceof LogConflict);
    assert.match(stops[0].message, /^The lock of the data directory was removed or replaced/);
    assert.match(warnings.join(' '), /its lock file was missing/);
    const { seq } = second.health;
    assert.equal((await submit(second, order(0, 'sell', 1000, 1))).seq, seq + 1);
    await first.close();
    assert.equal((await submit(second, order(0, 'sell', 1000, 1))).seq, seq + 2);
    await second.close();
    const again = await openDirectoryEngine(dir, { keepSegments: true });
    closeAfter(context, again);
    assert.equal(again.health.seq, seq + 2, 'the first has left the log alone');
    await again.close();
  });

  test('stops even without commands, and even if another file has the name', async (context) => {
    const dir = makeDirectory(context);
    const { promise, resolve } = Promise.withResolvers<Error>();
    const engine = await openDirectoryEngine(dir, { keepSegments: true, onStop: resolve });
    closeAfter(context, engine);
    copyFileSync(`${dir}/lock.db`, `${dir}/other.db`);
    renameSync(`${dir}/other.db`, `${dir}/lock.db`);
    const why = await Promise.race([promise, settle(NOTICED_MS_MAX)]);
    assert.ok(why instanceof LogConflict, `it has not noticed within ${NOTICED_MS_MAX} ms`);
    await engine.close();
  });
});

test('a log that has lost its directory writes, acknowledges, cuts and removes nothing', async (context) => {
  const dir = makeDirectory(context);
  let isOwned = true;
  const log = await FileLog.open({ disk: nodeDisk, dir, isOwned: () => isOwned });
  await log.append(recordOf(1)).durable;
  const { durable } = log.append(recordOf(2));
  isOwned = false;
  await assert.rejects(durable, LogConflict);
  assert.equal(log.lastSeq, 1);
  assert.throws(() => log.append(recordOf(2)), LogConflict);
  await log.close();

  isOwned = true;
  const idle = await FileLog.open({ disk: nodeDisk, dir, isOwned: () => isOwned });
  await idle.append(recordOf(3)).durable;
  isOwned = false;
  assert.throws(() => idle.append(recordOf(4)), LogConflict);
  await idle.close();
});

test('a log that has lost its directory while it was idle does not cut what another has written', async (context) => {
  const dir = makeDirectory(context);
  let isOwned = true;
  const first = await FileLog.open({ disk: nodeDisk, dir, isOwned: () => isOwned, segmentBytes: 200 });
  for (let seq = 1; seq <= 9; seq++) await first.append(recordOf(seq)).durable;
  isOwned = false;
  await first.removeBelow(9);
  assert.equal(first.firstSeq, 1);
  const second = await FileLog.open({ disk: nodeDisk, dir, segmentBytes: 1 << 20 });
  for (let seq = 10; seq <= 12; seq++) await second.append(recordOf(seq)).durable;
  await second.close();
  await first.close();
  const again = await FileLog.open({ disk: nodeDisk, dir });
  assert.equal(again.lastSeq, 12);
  await again.close();
});
