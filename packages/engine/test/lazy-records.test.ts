/** Records that no client awaits: they wait for a sync only if somebody could observe them. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Exchange } from '@bourse/core';
import { LossyDisk } from '@bourse/test-kit/disk/lossy-disk.ts';
import { diskError, HookedDisk } from '@bourse/test-kit/hooked-disk.ts';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { openMarket, order } from '@bourse/test-kit/market.ts';
import { Random } from '@bourse/test-kit/random.ts';
import { submit } from '@bourse/test-kit/submit.ts';
import { refusedAs } from '@bourse/test-kit/test-engine.ts';
import { Digest } from '../src/digest.ts';
import type { CommandResult } from '../src/exchange-port.ts';
import { Sequencer } from '../src/sequencer.ts';
import { FileLog } from '../src/log/file-log.ts';

class SimulatedClock extends ManualClock {
  isSimulated = true;
}

async function open(isWatched = () => false) {
  const lossy = new LossyDisk(new Random(7));
  const disk = new HookedDisk(lossy);
  const options = { disk, dir: 'data/log' };
  const log = await FileLog.open(options);
  const clock = new SimulatedClock();
  const exchange = new Exchange();
  const sequencer = new Sequencer({ log, exchange, clock, digest: new Digest(), isWatched });
  for (const command of openMarket()) await submit(sequencer, command);
  const counts = { syncs: 0 };
  disk.hook = (call) => {
    if (call === 'sync') counts.syncs += 1;
  };
  const step = (price: number): Promise<CommandResult> =>
    new Promise((answered, failed) =>
      sequencer.send(order(0, 'sell', price, 1), { answered, failed, isLazy: true }, 0),
    );
  const steps = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await step(1000 + 10 * i);
  };
  return { lossy, disk, options, log, clock, exchange, sequencer, counts, step, steps };
}

describe('a record that nobody awaits', () => {
  test('is acknowledged without a sync, and the first read syncs all of them once', async () => {
    const { sequencer, counts, steps, exchange, log } = await open();
    const { seq } = exchange;
    await steps(50);
    assert.equal(counts.syncs, 0);
    assert.equal(await sequencer.read((now) => now.seq, true), seq + 50, 'the agents see it');
    assert.equal(counts.syncs, 0);
    assert.equal(await sequencer.read((now) => now.seq), seq + 50);
    assert.deepEqual([counts.syncs, log.isBehind], [1, false]);
  });

  test('is durable before a later caller gets a result', async () => {
    const { sequencer, steps, lossy, exchange, options } = await open();
    await steps(20);
    const { seq } = await submit(sequencer, order(1, 'sell', 5000, 1));
    assert.equal(seq, exchange.seq);
    lossy.crash();
    const found = await FileLog.open(options);
    assert.equal(found.lastSeq, seq);
  });

  test('may be lost in a power failure, with everything after it', async () => {
    const { exchange, steps, lossy, options } = await open();
    const { seq } = exchange;
    await steps(50);
    lossy.crash();
    const { lastSeq } = await FileLog.open(options);
    assert.ok(lastSeq >= seq && lastSeq < seq + 50, `${lastSeq} of ${seq} to ${seq + 50}`);
  });

  test('waits for its sync while somebody watches, and with the clock of the machine', async () => {
    const watched = await open(() => true);
    await watched.steps(5);
    assert.equal(watched.counts.syncs, 5);
    const real = await open();
    real.clock.isSimulated = false;
    await real.steps(5);
    assert.equal(real.counts.syncs, 5);
  });

  test('waits together with an awaited command', async () => {
    const { sequencer, counts, step } = await open();
    const both = await Promise.all([step(1000), submit(sequencer, order(1, 'sell', 5000, 1))]);
    assert.equal(new Set(both.map(({ seq }) => seq)).size, 1);
    assert.equal(counts.syncs, 1);
  });

  test('stops the engine permanently if it cannot be synced (promise 3)', async () => {
    const { sequencer, disk, steps, counts } = await open();
    await steps(3);
    disk.hook = () => {
      counts.syncs += 1;
      throw diskError('EIO');
    };
    await assert.rejects(
      sequencer.read((now) => now.seq),
      refusedAs('stopped'),
    );
    await assert.rejects(
      sequencer.read((now) => now.seq),
      refusedAs('stopped'),
    );
    assert.equal(counts.syncs, 1, 'it is not tried again');
    assert.equal(sequencer.state, 'stopped');
  });
});
