/** A sandbox in mode real on a machine whose wall clock jumps: it is guarded like any exchange. */

import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { ManualClock, settle } from '@bourse/test-kit/manual-clock.ts';
import { openMarket, order, orderFlow } from '@bourse/test-kit/market.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { MemoryLog } from '@bourse/test-kit/memory-log.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { refusedAs } from '@bourse/test-kit/test-engine.ts';
import { openEngine } from '../../engine/src/engine.ts';
import { snapshotsIn } from '../../engine/src/file-storage.ts';
import { openFollower } from '../../engine/src/follower.ts';
import { SandboxClock } from '../src/clock/sandbox-clock.ts';
import { LivingMarket } from '../src/market/living-market.ts';
import { seedCommands } from '../src/seed.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const JUMP_MS_MAX = 5 * MINUTE_MS;
const RETENTION_MS = 90 * DAY_MS;
const START = 1_767_225_600_000;

async function openSandbox(context: TestContext, mode: 'real' | 'manual') {
  const machine = new ManualClock();
  const clock = new SandboxClock(machine, { mode, speed: 1, time: START });
  const log = new MemoryLog();
  const history = new MemoryHistory();
  const snapshots = snapshotsIn(new LossyDisk(new Random(1)), 'data');
  const engine = await openEngine({
    log,
    snapshots,
    history,
    clock,
    clockJumpMsMax: JUMP_MS_MAX,
    startFollower: () => openFollower({ log, history, snapshots, limits: { retentionMs: RETENTION_MS } }),
    followPauseMs: 250,
  });
  context.after(() => engine.close());
  const openOrders = () => engine.read((exchange) => exchange.openOrders(0, 0).length);
  return { machine, clock, log, history, engine, openOrders };
}

const expiringIn = (ms: number) =>
  order(0, 'sell', 1_000_000, 1, { timeInForce: 'GTT', cancelAfterSec: ms / 1000 });

describe('a sandbox in mode real, when the wall clock of the machine jumps', () => {
  test('rejects commands, expires and prunes nothing, and continues when the clock is corrected', async (context) => {
    const { machine, log, history, engine, openOrders } = await openSandbox(context, 'real');
    for (const command of openMarket()) await submit(engine, command);
    await Promise.allSettled(Array.from(orderFlow(1, 200), (command) => submit(engine, command)));
    await machine.pass(5000);
    await submit(engine, expiringIn(60 * DAY_MS));
    await machine.pass(5000);
    const [open, kept, { lastSeq }] = [await openOrders(), history.doneOrders.length, log];
    assert.ok(open > 0 && kept > 50);

    machine.jump(100 * DAY_MS);
    await assert.rejects(submit(engine, order(0, 'sell', 1000, 1)), refusedAs('clock'));
    await machine.pass(1000);
    assert.equal(engine.health.state, 'clock');
    machine.jump(-100 * DAY_MS);
    await machine.pass(2000);

    assert.equal(engine.health.state, 'open');
    assert.equal(log.lastSeq, lastSeq, 'nothing was written');
    const { time } = await submit(engine, order(0, 'sell', 1000, 1));
    assert.equal(time, START + 13_000);
    await machine.pass(5000);
    assert.ok(history.doneOrders.length >= kept);
    assert.ok((await openOrders()) >= open);
  });

  test('an order placed on a stopped clock expires by the wall clock, even after small steps and sleep', async (context) => {
    const { machine, clock, engine, openOrders } = await openSandbox(context, 'manual');
    for (const command of openMarket()) await submit(engine, command);
    await submit(engine, expiringIn(10 * 60 * MINUTE_MS));
    await clock.change('real', 1);
    machine.sleep(9 * 60 * MINUTE_MS);
    machine.jump(4 * MINUTE_MS);
    await machine.pass(55 * MINUTE_MS);
    assert.equal(await openOrders(), 1);
    await machine.pass(MINUTE_MS + 2000);
    assert.equal(await openOrders(), 0);
  });

  test('its market waits, and then continues from where it was', async (context) => {
    const { machine, clock, log, engine } = await openSandbox(context, 'real');
    for (const command of seedCommands((secret) => secret)) await submit(engine, command);
    const problems: string[] = [];
    const onProblem = (sentence: string) => problems.push(sentence);
    const market = await LivingMarket.open({ port: engine, clock, recordings: '', onProblem });
    await market.begin({ preset: 'thin', seed: 1 });
    const until = async (ms: number): Promise<number> => {
      const before = log.lastSeq;
      for (let passed = 0; passed < ms; passed += 250) {
        await machine.pass(250);
        await market.idle();
      }
      await settle();
      return log.lastSeq - before;
    };
    const usual = await until(20_000);
    assert.ok(usual > 5);
    machine.jump(100 * DAY_MS);
    assert.equal(await until(20_000), 0);
    assert.ok(problems.length > 0 && problems.length <= 21, `${problems.length} tries`);
    machine.jump(-100 * DAY_MS);
    const later = await until(20_000);
    assert.ok(later > 5 && later <= usual * 3, `${later} records, and ${usual} before`);
    assert.ok(engine.health.state === 'open' && market.nextAt < clock.now() + MINUTE_MS);
    await market.close();
  });
});
