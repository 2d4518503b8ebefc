import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { type Command, Exchange } from '@bourse/core';
import { LogDamaged } from '../src/log/command-log.ts';
import type { Engine } from '../src/engine.ts';
import { type Disk, nodeDisk } from '../src/io/disk.ts';
import { overriding } from '../src/exchange-port.ts';
import { makeDirectory } from '@bourse/test-kit/directory.ts';
import { openMarket, order, orderFlow } from '@bourse/test-kit/market.ts';
import { MemoryHistory, RecordedHistory } from '@bourse/test-kit/memory-history.ts';
import { openTestEngine } from '@bourse/test-kit/test-engine.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const submitAll = (engine: Engine, commands: Iterable<Command>) =>
  Promise.all(Array.from(commands, (command) => submit(engine, command)));

/** Waits for a condition; the test's deadline ends an endless wait. */
async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 20_000 && !isSo(); i++) await new Promise((resolve) => setTimeout(resolve, 1));
  assert.ok(isSo(), 'it did not come to be');
}

const hashOf = (engine: Engine) => engine.read((exchange) => exchange.hash());

describe('the engine', () => {
  test('recovers the same state from the log and from a snapshot (promise 1)', async (context) => {
    const dir = makeDirectory(context);
    const history = new RecordedHistory();
    const engine = await openTestEngine(dir, history);
    await submitAll(engine, openMarket());
    await submitAll(engine, orderFlow(1, 500));
    const hash = await hashOf(engine);
    const { seq } = engine.health;
    await engine.close();
    const again = await openTestEngine(dir, history);
    assert.deepEqual([again.start.snapshotSeq, again.start.seq, again.start.commands], [seq, seq, 0]);
    assert.equal(await hashOf(again), hash);
    await submitAll(again, orderFlow(2, 100));
    await again.close();
    assert.deepEqual(
      history.records.map((record) => record.seq),
      [...Array(history.checkpoint).keys()].map((i) => i + 1),
    );
  });

  test('rejects callers that wait for history while the disk is full, and serves them when it has space (promise 4)', async (context) => {
    const history = new MemoryHistory();
    const engine = await openTestEngine(makeDirectory(context), history);
    history.isFull = true;
    await submitAll(engine, openMarket());
    await assert.rejects(engine.historyCaughtUp(), { name: 'Unavailable', reason: 'disk-full' });
    history.isFull = false;
    await engine.historyCaughtUp();
    assert.equal(engine.health.historyLag, 0);
    await engine.close();
  });

  test('finds a done order without a gap: in memory until history has it', async (context) => {
    const history = new MemoryHistory();
    const engine = await openTestEngine(makeDirectory(context), history);
    await submitAll(engine, openMarket());
    const done: number[] = [];
    for (let i = 0; i < 200; i++) {
      const { outcome } = await submit(engine, order(i % 2, 'sell', 1000, 5, { timeInForce: 'IOC' }));
      assert.ok(outcome.kind === 'order');
      done.push(outcome.order);
      const id = done[(i * 7) % done.length];
      const inMemory = await engine.read((exchange) => exchange.doneOrder(id));
      assert.ok(inMemory ?? history.order(id), `order ${id} is nowhere`);
    }
    await until(() => engine.health.historyLag === 0);
    assert.equal(await engine.read(({ doneCount }) => doneCount), 0);
    for (const id of done) assert.ok(history.order(id));
    await engine.close();
  });

  test('removes only segments below the oldest kept snapshot, and starts from the rest', async (context) => {
    const dir = makeDirectory(context);
    const history = new MemoryHistory();
    const options = { segmentBytes: 4096, followerLimits: { snapshotRecords: 40 } };
    const engine = await openTestEngine(dir, history, options);
    for (const command of openMarket()) await submit(engine, command);
    for (const command of orderFlow(1, 400)) await submit(engine, command);
    await until(() => engine.health.historyLag === 0 && engine.health.snapshotSeq > 300);
    const hash = await hashOf(engine);
    await engine.close();
    const segments = readdirSync(`${dir}/log`).map((name) => Number.parseInt(name, 10));
    const [oldest] = readdirSync(`${dir}/snapshots`).map((name) => Number.parseInt(name, 10));
    assert.ok(segments[0] > 1 && segments[0] <= oldest + 1, `${segments[0]} and ${oldest}`);
    const again = await openTestEngine(dir, history, options);
    assert.equal(await hashOf(again), hash);
    await again.close();
  });

  test('keeps all segments if keepSegments is set', async (context) => {
    const dir = makeDirectory(context);
    const options = { segmentBytes: 4096, keepSegments: true, followerLimits: { snapshotRecords: 40 } };
    const engine = await openTestEngine(dir, new MemoryHistory(), options);
    for (const command of [...openMarket(), ...orderFlow(1, 200)]) await submit(engine, command);
    await engine.close();
    assert.equal(Number.parseInt(readdirSync(`${dir}/log`)[0], 10), 1);
    assert.ok(readdirSync(`${dir}/log`).length > 3);
  });

  test('takes a snapshot on request', async (context) => {
    const dir = makeDirectory(context);
    const engine = await openTestEngine(dir, new MemoryHistory());
    await submitAll(engine, openMarket());
    const { seq, hash } = await engine.snapshot();
    assert.equal(seq, engine.health.seq);
    assert.equal(engine.health.snapshotSeq, seq);
    assert.equal(hash, await hashOf(engine));
    await engine.close();
  });

  test('stops permanently with an error when the follower computes another state', async (context) => {
    const stops: Error[] = [];
    const history = new MemoryHistory();
    const engine = await openTestEngine(makeDirectory(context), history, {
      onStop: (why) => stops.push(why),
    });
    await submitAll(engine, openMarket());
    await until(() => engine.health.historyLag === 0);
    // The live exchange executes an order that differs from the log.
    await engine.read((exchange) => {
      exchange.apply = (record) =>
        Exchange.prototype.apply.call(exchange, { ...record, commands: [order(0, 'sell', 1000, 6)] });
    });
    await submit(engine, order(0, 'sell', 1000, 5));
    await until(() => stops.length > 0);
    assert.equal(stops[0].name, 'Diverged');
    assert.equal(engine.health.state, 'stopped');
    await assert.rejects(submit(engine, order(0, 'sell', 1000, 5)), /differ after one of the records/);
    await engine.close();
  });

  test('rejects a log that ends before history, with a message', async (context) => {
    const history = new MemoryHistory();
    history.checkpoint = 7;
    await assert.rejects(openTestEngine(makeDirectory(context), history), (error) => {
      assert.ok(error instanceof LogDamaged);
      assert.match(
        error.message,
        /log: it is missing, but history or a snapshot has everything up to record 7\. Nothing/,
      );
      return true;
    });
  });

  test('continues while the disk has no space for history, and catches up later', async (context) => {
    const history = new MemoryHistory();
    const warnings: string[] = [];
    const dir = makeDirectory(context);
    const engine = await openTestEngine(dir, history, { onWarning: (sentence) => warnings.push(sentence) });
    await submitAll(engine, openMarket());
    await until(() => engine.health.historyLag === 0);
    history.isFull = true;
    await submitAll(engine, orderFlow(1, 100));
    await until(() => warnings.length > 0);
    assert.equal(engine.health.state, 'open');
    assert.ok(engine.health.historyLag > 0);
    history.isFull = false;
    await engine.close();
    const again = await openTestEngine(dir, history);
    assert.equal(history.checkpoint, again.health.seq);
    await again.close();
  });

  test('stops permanently when a sync fails; the next start recovers (promise 3)', async (context) => {
    const dir = makeDirectory(context);
    const history = new MemoryHistory();
    let failAt = Infinity;
    let syncs = 0;
    const disk: Disk = {
      ...nodeDisk,
      open: async (path, mode) => {
        const file = await nodeDisk.open(path, mode);
        if (!path.endsWith('.log')) return file;
        const sync = async () => {
          if (++syncs === failAt)
            throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
          await file.sync();
        };
        return overriding(file, { sync });
      },
    };
    const first = await openTestEngine(dir, history);
    await submitAll(first, openMarket());
    await first.close();
    failAt = 20;
    const engine = await openTestEngine(dir, history, { disk });
    let acknowledged = engine.health.seq;
    for (const command of orderFlow(1, 100)) {
      const answer = await submit(engine, command).catch(() => null);
      if (!answer) break;
      acknowledged = answer.seq;
    }
    assert.equal(engine.health.state, 'stopped');
    await assert.rejects(submit(engine, order(0, 'sell', 1000, 5)), /EIO/);
    assert.equal(syncs, 20, 'it is not retried');
    await engine.close().catch(() => undefined);
    const again = await openTestEngine(dir, history);
    assert.ok(again.health.seq === acknowledged || again.health.seq === acknowledged + 1);
    await again.close();
  });
});
