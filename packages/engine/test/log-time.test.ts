import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LogTime } from '../src/log-time.ts';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';

const START = 1_700_000_000_000;

describe('the time of records', () => {
  test('follows the wall clock while it goes forward, even by a jump', () => {
    const clock = new ManualClock(START);
    const time = new LogTime(clock, 0);
    assert.equal(time.now(), START);
    clock.wall += 5;
    clock.monotonic += 5;
    assert.equal(time.now(), START + 5);
    clock.jump(3_600_000);
    assert.equal(time.now(), START + 5 + 3_600_000);
  });

  test('continues at half the rate of the monotonic clock while the wall clock is behind', () => {
    const clock = new ManualClock(START);
    const time = new LogTime(clock, 0);
    assert.equal(time.now(), START);
    clock.jump(-10_000);
    assert.equal(time.now(), START);
    const seen: number[] = [];
    for (let i = 0; i < 8; i++) {
      clock.wall += 0.5;
      clock.monotonic += 0.5;
      seen.push(time.now() - START);
    }
    assert.deepEqual(seen, [0, 0, 0, 1, 1, 1, 1, 2]);
    clock.wall = START + 60_000;
    clock.monotonic += 1;
    assert.equal(time.now(), START + 60_000);
  });

  test('continues from the log if the machine is behind it', () => {
    const clock = new ManualClock(START);
    const time = new LogTime(clock, START + 500);
    assert.equal(time.now(), START + 500);
    clock.wall += 100;
    clock.monotonic += 100;
    assert.equal(time.now(), START + 550);
    clock.wall += 300;
    clock.monotonic += 300;
    assert.equal(time.now(), START + 700);
    clock.wall += 800;
    clock.monotonic += 800;
    assert.equal(time.now(), START + 1200, 'the wall clock has caught up');
  });

  test('a machine that is further ahead of most others than the bound is not trusted until an operator accepts it', () => {
    const clock = new ManualClock(START + 3_600_000);
    const time = new LogTime(clock, START, 300_000, 3_600_000);
    assert.equal(time.jumpMs, 3_600_000);
    clock.wall += 10;
    clock.monotonic += 10;
    assert.equal(time.now(), START + 10);
    time.trust();
    assert.equal(time.now(), START + 3_600_010);
    const within = new LogTime(clock, START, 300_000, 300_000);
    assert.deepEqual([within.jumpMs, within.now()], [0, START + 3_600_010]);
  });

  test('never goes back and is always an integer, whatever the wall clock does', () => {
    const clock = new ManualClock(START);
    const time = new LogTime(clock, 0);
    let state = 7;
    let last = 0;
    for (let i = 0; i < 10_000; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      clock.monotonic += (state % 1000) / 100;
      clock.wall += state % 3 === 0 ? -(state % 100_000) : (state % 5000) / 7;
      const now = time.now();
      assert.ok(Number.isInteger(now) && now >= last, `step ${i}: ${now} after ${last}`);
      last = now;
    }
  });
});
