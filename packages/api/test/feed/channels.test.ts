/** Messages are collected until the next flush, and flushes leave a third of the thread to orders. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TurningClock } from '@bourse/test-kit/manual-clock.ts';
import { type Batch, Channels, type Reader } from '../../src/feed/channels.ts';
import { WorkScheduler } from '../../src/sockets/work-scheduler.ts';

/** One reader; writing a batch to it takes `writeMs`. */
function start(writeMs: number) {
  const clock = new TurningClock();
  const scheduler = new WorkScheduler(clock);
  const channels = new Channels(clock, scheduler);
  const writes: { readonly at: number; readonly batch: Batch }[] = [];
  const reader = {
    enqueue: (_: unknown, batch: Batch) =>
      scheduler.add({
        network: 'a',
        work: () => {
          writes.push({ at: clock.monotonic, batch });
          clock.monotonic += writeMs;
          return false;
        },
      }),
  } as unknown as Reader;
  const { channel } = channels.add(
    { name: '/market/match', key: 0, text: '/market/match:BTC-USDT' },
    reader,
    '',
  );
  return { clock, scheduler, channels, channel, writes };
}

const messagesIn = (batch: Batch): number =>
  batch.framesIn('').toString('latin1').split('"data":').length - 1;

describe('a flush of the feed', () => {
  test('sends everything that was published in an iteration in one write', () => {
    const { clock, channel, writes } = start(0);
    channel.push('1');
    channel.push('2');
    clock.turn();
    assert.deepEqual(
      writes.map(({ batch }) => messagesIn(batch)),
      [2],
    );
  });

  test('that took long is followed by a pause half as long, and messages of the pause share a write', async () => {
    const { clock, channel, writes } = start(4);
    const startedAt = clock.monotonic;
    channel.push('1');
    clock.turn();
    for (let at = 0; at < 3; at++) {
      channel.push(String(at));
      clock.turn();
    }
    assert.equal(writes.length, 1, 'the second flush waits');
    await clock.pass(2);
    clock.turn();
    assert.equal(writes.length, 2);
    assert.equal(writes[1].at, startedAt + 6);
    assert.equal(messagesIn(writes[1].batch), 3);
  });

  test('is due after 30 ms, however much work the sockets of others cause', async () => {
    const { clock, scheduler, channel, writes } = start(2);
    const startedAt = clock.monotonic;
    channel.push('1');
    clock.turn();
    channel.push('2');
    for (let at = 0; writes.length < 2 && at < 20; at++) {
      scheduler.add({
        network: 'others',
        work: () => {
          clock.monotonic += 4;
          return false;
        },
      });
      clock.turn();
      await clock.pass(0);
      clock.turn();
    }
    assert.equal(writes.length, 2);
    assert.ok(writes[1].at - startedAt <= 40, `${writes[1].at - startedAt} ms`);
  });

  test('that took less than a millisecond is followed by the next one at once', () => {
    const { clock, channel, writes } = start(0.5);
    for (let at = 0; at < 3; at++) {
      channel.push(String(at));
      clock.turn();
      clock.turn();
    }
    assert.equal(writes.length, 3);
  });

  test('gives a new reader nothing that was published before it subscribed', () => {
    const { clock, channels, channel, writes } = start(0);
    const given: Batch[] = [];
    const other = { enqueue: (_: unknown, batch: Batch) => given.push(batch) } as unknown as Reader;
    channel.push('1');
    channels.add(channel.address, other, '');
    channel.push('2');
    clock.turn();
    assert.deepEqual([writes.length, given.length], [2, 1]);
    assert.match(given[0].framesIn('').toString('latin1'), /"data":2/);
  });

  test('after a long one is not delayed when nothing was published during the pause', () => {
    const { clock, channel, writes } = start(4);
    channel.push('1');
    clock.turn();
    clock.monotonic += 100;
    channel.push('2');
    clock.turn();
    assert.equal(writes.length, 2);
  });
});
