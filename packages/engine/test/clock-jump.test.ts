/** A wall clock that jumps is not trusted until it is back or an operator accepts it. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { ManualClock, settle } from '@bourse/test-kit/manual-clock.ts';
import { openMarket, order, orderFlow } from '@bourse/test-kit/market.ts';
import { MemoryHistory } from '@bourse/test-kit/memory-history.ts';
import { MemoryLog } from '@bourse/test-kit/memory-log.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { open, refusedAs } from '@bourse/test-kit/test-engine.ts';
import { type Engine, openEngine } from '../src/engine.ts';
import { snapshotsIn } from '../src/file-storage.ts';
import { openFollower } from '../src/follower.ts';
import { LogTime } from '../src/log-time.ts';
import { submit } from '@bourse/test-kit/submit.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const DAY_SECONDS = DAY_MS / 1000;
const JUMP_MS_MAX = 5 * MINUTE_MS;

/** With a monitored clock, on a log without fault injection. */
async function openWatched() {
  const sentences: string[] = [];
  const all = await open(
    {},
    { clockJumpMsMax: JUMP_MS_MAX, onClock: (sentence) => sentences.push(sentence) },
  );
  all.log.isAutomatic = true;
  return { ...all, sentences };
}

describe('the sequencer, when the wall clock jumps beyond the bound', () => {
  for (const days of [100, -100]) {
    test(`rejects commands and lets nothing expire, but serves reads (${days} days)`, async () => {
      const { clock, log, sequencer, sentences } = await openWatched();
      await submit(
        sequencer,
        order(0, 'sell', 1000, 1, { timeInForce: 'GTT', cancelAfterSec: 92 * DAY_SECONDS }),
      );
      const { seq, time } = log.records.at(-1)!;
      clock.jump(days * DAY_MS);
      await assert.rejects(submit(sequencer, order(0, 'sell', 1000, 1)), refusedAs('clock'));
      await clock.pass(10_000);
      assert.equal(sequencer.state, 'clock');
      assert.equal(log.lastSeq, seq, 'nothing was written');
      assert.equal(await sequencer.read((exchange) => exchange.openOrders(0, 0).length), 1);
      assert.equal(sentences.length, 1);
      assert.match(sentences[0], new RegExp(`set ${days > 0 ? 'forward' : 'back'} by 8640000 seconds`));

      clock.jump(-days * DAY_MS);
      await clock.pass(2000);
      const answer = await submit(sequencer, order(0, 'sell', 1000, 1));
      assert.ok(
        answer.time > time && answer.time < time + MINUTE_MS,
        'the order is dated as if nothing had been',
      );
      assert.equal(sequencer.state, 'open');
      assert.match(sentences[1], /trusted again/);
    });
  }

  test('rejects pending commands, and closes cleanly', async () => {
    const { clock, log, sequencer } = await openWatched();
    log.isAutomatic = false;
    const first = submit(sequencer, order(0, 'sell', 1000, 1));
    await settle();
    const second = submit(sequencer, order(0, 'sell', 1000, 1));
    clock.jump(DAY_MS);
    log.isAutomatic = true;
    log.sync();
    assert.equal((await first).outcome.kind, 'order', 'what was being written counts');
    await assert.rejects(second, refusedAs('clock'));
    await sequencer.close();
  });

  test('continues from there when an operator accepts the clock', async () => {
    const { clock, sequencer } = await openWatched();
    await submit(sequencer, order(0, 'sell', 1000, 1, { timeInForce: 'GTT', cancelAfterSec: DAY_SECONDS }));
    clock.jump(2 * DAY_MS);
    await clock.pass(2000);
    sequencer.acceptClock();
    await settle();
    assert.equal(
      await sequencer.read((exchange) => exchange.openOrders(0, 0).length),
      0,
      'what was due is done',
    );
    const { time } = await submit(sequencer, order(0, 'sell', 1000, 1));
    assert.equal(time, clock.now());
  });

  test('follows a small jump, a clock that is slowly corrected, and a machine that slept', async () => {
    const { clock, sequencer, sentences } = await openWatched();
    clock.jump(JUMP_MS_MAX - 1);
    assert.equal((await submit(sequencer, order(0, 'sell', 1000, 1))).time, clock.now());
    for (let i = 0; i < 20; i++) {
      clock.jump(MINUTE_MS);
      await clock.pass(MINUTE_MS);
      await submit(sequencer, order(0, 'sell', 1000, 1));
    }
    clock.sleep(9 * 60 * MINUTE_MS);
    assert.equal((await submit(sequencer, order(0, 'sell', 1000, 1))).time, clock.now());
    assert.deepEqual(sentences, []);
    clock.jump(9 * 60 * MINUTE_MS);
    await assert.rejects(
      submit(sequencer, order(0, 'sell', 1000, 1)),
      refusedAs('clock'),
      'it sleeps only once',
    );
  });
});

test('the time of the log never goes back and never leaps, whatever the clock does', () => {
  const clock = new ManualClock();
  const random = new Random(17);
  const time = new LogTime(clock, 0, JUMP_MS_MAX);
  let before = time.now();
  for (let i = 0; i < 20_000; i++) {
    const passedMs = random.below(3000);
    clock.leap(passedMs);
    if (random.chance(0.2))
      clock.jump((random.chance(0.5) ? 1 : -1) * random.below(random.pick([1000, DAY_MS])));
    const now = time.now();
    assert.ok(now >= before, `${now} after ${before}`);
    assert.ok(now - before <= passedMs + JUMP_MS_MAX + 1, `${now - before} ms at once`);
    before = now;
  }
});

describe('history', () => {
  const RETENTION_MS = 90 * DAY_MS;

  async function openWith(clock: ManualClock, log: MemoryLog, history: MemoryHistory): Promise<Engine> {
    const snapshots = snapshotsIn(new LossyDisk(new Random(1)), 'data');
    return openEngine({
      log,
      snapshots,
      history,
      clock,
      clockJumpMsMax: JUMP_MS_MAX,
      startFollower: () => openFollower({ log, history, snapshots, limits: { retentionMs: RETENTION_MS } }),
      followPauseMs: 250,
    });
  }

  async function trade(clock: ManualClock, engine: Engine, seed: number): Promise<void> {
    await Promise.allSettled(Array.from(orderFlow(seed, 200), (command) => submit(engine, command)));
    await clock.pass(5000);
  }

  test('is not pruned by a clock that was fast for a second, nor at once by one that was accepted', async () => {
    const clock = new ManualClock();
    const history = new MemoryHistory();
    const engine = await openWith(clock, new MemoryLog(), history);
    for (const command of openMarket()) await submit(engine, command);
    await trade(clock, engine, 1);
    const kept = history.doneOrders.length;
    assert.ok(kept > 50);

    clock.jump(100 * DAY_MS);
    await trade(clock, engine, 2);
    clock.jump(-100 * DAY_MS);
    await trade(clock, engine, 3);
    assert.ok(history.doneOrders.length > kept);
    const all = history.doneOrders.length;

    clock.jump(100 * DAY_MS);
    await clock.pass(2000);
    engine.acceptClock();
    await trade(clock, engine, 4);
    assert.ok(history.doneOrders.length > all, 'somebody may have been wrong');
    await clock.pass(61 * MINUTE_MS);
    for (let seed = 5; seed < 15; seed++) await trade(clock, engine, seed);
    assert.ok(history.doneOrders[0].doneAt > clock.now() - DAY_MS, 'an hour later it is pruned');
    await engine.close();
  });

  test('is not pruned at once after a start long after the last record', async () => {
    const clock = new ManualClock();
    const history = new MemoryHistory();
    const log = new MemoryLog();
    const first = await openWith(clock, log, history);
    for (const command of openMarket()) await submit(first, command);
    await trade(clock, first, 1);
    await first.close();
    const kept = history.doneOrders.length;
    clock.leap(100 * DAY_MS);
    const engine = await openWith(clock, log, history);
    await trade(clock, engine, 2);
    assert.ok(history.doneOrders.length > kept);
    await engine.close();
  });
});
