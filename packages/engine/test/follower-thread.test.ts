import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import type { Command } from '@bourse/core';
import type { Engine } from '../src/engine.ts';
import { DirectoryInUse } from '../src/io/directory-lock.ts';
import { FollowerThread } from '../src/follower-thread.ts';
import { FollowerThreads } from '../src/follower-threads.ts';
import { overriding } from '../src/exchange-port.ts';
import { openDirectoryEngine, WORKER } from '@bourse/test-kit/test-engine.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { openMarket, order, orderFlow } from '@bourse/test-kit/market.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const submitAll = (engine: Engine, commands: Iterable<Command>) =>
  Promise.all(Array.from(commands, (command) => submit(engine, command)));

describe('the engine with its follower on a thread and history in SQLite', () => {
  test('has every done order in memory or in history, and all of them in history once it has caught up', async (context) => {
    const dir = makeDirectory(context);
    const engine = await openDirectoryEngine(dir, { followPauseMs: 5 });
    await submitAll(engine, openMarket());
    const ids: number[] = [];
    for (let i = 0; i < 300; i++) {
      const { outcome } = await submit(engine, order(i % 2, 'buy', 1000, 5, { timeInForce: 'IOC' }));
      assert.ok(outcome.kind === 'order');
      ids.push(outcome.order);
      const id = ids[(i * 13) % ids.length];
      const found = (await engine.read((exchange) => exchange.doneOrder(id))) ?? engine.history.order(id);
      assert.equal(found?.order, id);
    }
    await engine.historyCaughtUp();
    assert.equal(engine.health.historyLag, 0);
    for (const id of ids) assert.equal(engine.history.order(id)?.order, id);
    await engine.close();
  });

  test('takes snapshots, removes old segments, and starts from the rest', async (context) => {
    const dir = makeDirectory(context);
    const options = { followPauseMs: 5, segmentBytes: 8192 };
    const engine = await openDirectoryEngine(dir, options, { snapshotRecords: 50 });
    // In two halves, each followed to its end: a slow follower may take a single snapshot on the way of each.
    for (const half of [[...openMarket(), ...orderFlow(9, 200)], orderFlow(10, 200)]) {
      for (const command of half) await submit(engine, command);
      await engine.historyCaughtUp();
    }
    const hash = await engine.read((exchange) => exchange.hash());
    await engine.close();
    assert.equal(readdirSync(`${dir}/snapshots`).length, 2);
    assert.ok(Number.parseInt(readdirSync(`${dir}/log`)[0], 10) > 1);
    const again = await openDirectoryEngine(dir, options);
    assert.equal(again.start.commands, 0);
    assert.equal(await again.read((exchange) => exchange.hash()), hash);
    await again.close();
  });

  test('rebuilds a lost history if the log is complete', async (context) => {
    const dir = makeDirectory(context);
    const engine = await openDirectoryEngine(dir);
    await submitAll(engine, [...openMarket(), ...orderFlow(4, 200)]);
    const { seq } = engine.health;
    await engine.close();
    for (const name of readdirSync(dir)) if (name.startsWith('history.db')) rmSync(`${dir}/${name}`);
    const again = await openDirectoryEngine(dir);
    await again.historyCaughtUp();
    assert.equal(again.history.checkpoint, seq);
    await again.close();
  });

  test('callers that wait for history during a close get it, even those that ask during it', async (context) => {
    // The next round is far away, so all of them join the final one.
    const engine = await openDirectoryEngine(makeDirectory(context), { followPauseMs: 60_000 });
    for (const command of openMarket()) await submit(engine, command);
    const asked = [submit(engine, order(0, 'sell', 1000, 5)).then(() => engine.historyCaughtUp())];
    const closing = { isOver: false };
    const closed = engine.close().finally(() => {
      closing.isOver = true;
    });
    for (let i = 0; i < 10_000 && !closing.isOver; i++) {
      asked.push(engine.historyCaughtUp());
      await new Promise((resolve) => setImmediate(resolve));
    }
    await closed;
    await Promise.all(asked);
    await engine.historyCaughtUp();
    assert.equal(engine.health.historyLag, 0);
    await assert.rejects(engine.snapshot(), { name: 'Unavailable', reason: 'stopped' });
  });

  test('closes although the follower cannot read a record, which history has after the next start', async (context) => {
    const dir = makeDirectory(context);
    const clock = new ManualClock();
    const warnings: string[] = [];
    const engine = await openDirectoryEngine(dir, {
      followPauseMs: 60_000,
      clock,
      onWarning: (sentence) => warnings.push(sentence),
      // A follower whose log was removed.
      startFollower: async () =>
        overriding(await FollowerThread.start(WORKER, { dir, limits: {} }), {
          follow: () => new Promise<never>(() => undefined),
        }),
    });
    for (const command of openMarket()) await submit(engine, command);
    const { seq } = engine.health;
    const closing = { isOver: false };
    const closed = engine.close().finally(() => {
      closing.isOver = true;
    });
    for (let i = 0; i < 1000 && !closing.isOver; i++) {
      clock.leapToNext();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await closed;
    assert.match(warnings.at(-1)!, /^the log does not respond: .* next start will need longer$/);
    const again = await openDirectoryEngine(dir);
    await again.historyCaughtUp();
    assert.equal(again.history.checkpoint, seq);
    await again.close();
  });

  test('does not start if the follower cannot, and reports why', async (context) => {
    const dir = makeDirectory(context);
    const engine = await openDirectoryEngine(dir);
    await submitAll(engine, openMarket());
    await engine.close();
    const unfit = { dir: makeDirectory(context), limits: {} };
    mkdirSync(`${unfit.dir}/history.db`);
    const startFollower = () => FollowerThread.start(WORKER, unfit);
    await assert.rejects(openDirectoryEngine(dir, { startFollower }), { name: 'HistoryDamaged' });
    await (await openDirectoryEngine(dir)).close();
  });

  test('ends the thread of a follower that cannot be opened', async (context) => {
    const dir = makeDirectory(context);
    const engine = await openDirectoryEngine(dir);
    await engine.close();
    const unfit = { dir: makeDirectory(context), limits: {} };
    mkdirSync(`${unfit.dir}/history.db`);
    const created = once(process, 'worker') as Promise<[Worker]>;
    const threads = new FollowerThreads(WORKER);
    const first = await threads.open({ dir, limits: {} });
    const [worker] = await created;
    context.after(() => worker.terminate());
    await first.close();
    await assert.rejects(threads.open(unfit), { name: 'HistoryDamaged' });
    assert.equal(worker.threadId, -1, 'it has ended');
    await threads.close();
  });

  test('rejects a directory in use with an error message, and opens it when it is free', async (context) => {
    const dir = makeDirectory(context);
    const engine = await openDirectoryEngine(dir);
    await assert.rejects(openDirectoryEngine(dir), (error) => {
      assert.ok(error instanceof DirectoryInUse);
      assert.match(error.message, /in use by another process/);
      return true;
    });
    await engine.close();
    await (await openDirectoryEngine(dir)).close();
  });
});

test('an engine process responds, and has every acknowledged command after kill -9', {
  timeout: 120_000,
}, async (context) => {
  const dir = makeDirectory(context);
  const entry = fileURLToPath(new URL('../../test-kit/src/engine-process.ts', import.meta.url));
  const start = () => {
    const child = spawn(process.execPath, [entry, dir], { stdio: ['pipe', 'pipe', 'inherit'] });
    context.after(() => child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => JSON.parse((await lines.next()).value as string) as Record<string, unknown>;
    const ask = (request: object) =>
      child.stdin.write(
        `${JSON.stringify(request, (_, field) => (typeof field === 'bigint' ? `${field}n` : field))}\n`,
      );
    return { child, next, ask };
  };
  const first = start();
  assert.ok((await first.next())['ready']);
  openMarket().forEach((command, id) => first.ask({ id, command }));
  for (const _ of openMarket()) await first.next();
  first.ask({ id: 100, command: order(0, 'sell', 1000, 5) });
  const { outcome, seq } = (await first.next()) as { outcome: { order: number }; seq: number };
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const second = start();
  const { ready } = (await second.next()) as { ready: { seq: number } };
  assert.equal(ready.seq, seq);
  second.ask({ id: 1, order: outcome.order });
  assert.equal(((await second.next())['active'] as { order: number }).order, outcome.order);
  second.child.stdin.end();
  assert.deepEqual(await second.next(), { closed: true });
  await once(second.child, 'exit');
});
