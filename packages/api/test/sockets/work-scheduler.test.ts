/** Work of websockets is done in time slices, alternating between networks (promise 18). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TurningClock } from '@bourse/test-kit/manual-clock.ts';
import { type Worker, WorkScheduler } from '../../src/sockets/work-scheduler.ts';

const PIECE_MS = 2;

function start() {
  const clock = new TurningClock();
  const scheduler = new WorkScheduler(clock);
  const done: string[] = [];
  const postponed: string[] = [];
  const worker = (network: string, name: string, pieces = 1): Worker => ({
    network,
    work: () => {
      done.push(name);
      clock.monotonic += PIECE_MS;
      return --pieces > 0;
    },
    postponed: () => postponed.push(name),
  });
  return { clock, scheduler, done, postponed, worker };
}

describe('scheduling of websocket work', () => {
  test('stops at the end of the time slice, and continues in the next iteration of the event loop', () => {
    const { clock, scheduler, done, worker } = start();
    for (let at = 0; at < 8; at++) scheduler.add(worker('a', String(at)));
    const seen: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      clock.turn();
      seen.push(done.length);
    }
    assert.deepEqual(seen, [3, 6, 8, 8]);
    assert.deepEqual(done, ['0', '1', '2', '3', '4', '5', '6', '7'], 'in the order it came');
  });

  test('alternates between networks, however much work one of them has', () => {
    const { clock, scheduler, done, worker } = start();
    for (let at = 0; at < 100; at++) scheduler.add(worker('many', 'many'));
    scheduler.add(worker('one', 'one'));
    clock.turn();
    assert.deepEqual(done, ['many', 'one', 'many']);
  });

  test('lets others of the same network run between the pieces of long work', () => {
    const { clock, scheduler, done, worker } = start();
    scheduler.add(worker('a', 'long', 3));
    scheduler.add(worker('a', 'short'));
    clock.turn();
    clock.turn();
    assert.deepEqual(done, ['long', 'short', 'long', 'long']);
  });

  test('notifies workers that were postponed', () => {
    const { clock, scheduler, postponed, worker } = start();
    for (const name of ['1', '2', '3', '4', '5']) scheduler.add(worker('a', name));
    clock.turn();
    assert.deepEqual(postponed, ['4', '5']);
  });

  test('starts work at once only while the slice has time and the queue is empty', () => {
    const { clock, scheduler, worker } = start();
    assert.equal(scheduler.hasTime, true);
    clock.monotonic += 3 * PIECE_MS;
    assert.equal(scheduler.hasTime, false, 'this turn has no time any more');
    clock.turn();
    assert.equal(scheduler.hasTime, true);
    scheduler.add(worker('a', 'waits'));
    assert.equal(scheduler.hasTime, false, 'somebody else came first');
    clock.turn();
    assert.equal(scheduler.hasTime, true);
  });
});
