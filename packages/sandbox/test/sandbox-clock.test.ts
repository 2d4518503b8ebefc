import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ManualClock, settle } from '@bourse/test-kit/manual-clock.ts';
import { type ClockMode, SandboxClock } from '../src/clock/sandbox-clock.ts';

const START = 1_767_225_600_000;

function start(mode: ClockMode, speed = 1) {
  const machine = new ManualClock();
  return { machine, clock: new SandboxClock(machine, { mode, speed, time: START }) };
}

describe('a stopped clock', () => {
  test('nothing happens by itself, whatever the clock of the machine does', async () => {
    const { machine, clock } = start('manual');
    let calls = 0;
    clock.after(10, () => calls++);
    await machine.pass(100_000);
    assert.deepEqual([clock.now(), calls], [START, 0]);
  });

  test('every due event happens at its own millisecond, in order, with the events it causes', async () => {
    const { clock } = start('manual');
    const seen: string[] = [];
    const note = (name: string) => seen.push(`${name}@${clock.now() - START}`);
    clock.after(20, () => note('b'));
    clock.after(10, () => {
      note('a');
      clock.after(5, () => note('a2'));
      clock.after(90, () => note('late'));
    });
    clock.after(20, () => note('c'));
    clock.after(30, () => note('gone'))();
    assert.equal(await clock.advance(50), true);
    assert.deepEqual(seen, ['a@10', 'a2@15', 'b@20', 'c@20']);
    assert.equal(clock.now(), START + 50);
    await clock.advance(50);
    assert.deepEqual(seen.slice(4), ['late@100']);
  });

  test('one advance of a minute equals sixty of a second', async () => {
    const run = async (steps: readonly number[]) => {
      const { clock } = start('manual');
      const seen: number[] = [];
      const tick = (): void => {
        seen.push(clock.now());
        clock.after(777, tick);
      };
      clock.after(777, tick);
      for (const step of steps) await clock.advance(step);
      return seen;
    };
    assert.deepEqual(await run([60_000]), await run(Array<number>(60).fill(1000)));
  });

  test('waits for the work that timers started before time continues', async () => {
    const { clock } = start('manual');
    const seen: number[] = [];
    let waiting = 0;
    clock.waitFor({
      get isSettled() {
        return waiting === 0;
      },
      async settled() {
        await settle();
        await settle();
      },
      agentsIdle: async () => undefined,
    });
    for (const ms of [10, 20]) {
      clock.after(ms, () => {
        waiting++;
        void settle().then(() => {
          seen.push(clock.now() - START);
          waiting--;
        });
      });
    }
    await clock.advance(100);
    assert.deepEqual(seen, [10, 20]);
  });

  test('a clock that is not stopped rejects an advance', async () => {
    const { clock } = start('real');
    assert.equal(await clock.advance(10), false);
  });
});

describe('a running clock', () => {
  test('at ten times the speed a second takes a tenth', async () => {
    const { machine, clock } = start('scaled', 10);
    const seen: number[] = [];
    clock.after(1000, () => seen.push(clock.now() - START));
    await machine.pass(99);
    assert.deepEqual(seen, []);
    await machine.pass(1);
    assert.deepEqual(seen, [1000]);
  });

  test('a fast clock stops at each due event, and waits for the work that it starts', async () => {
    const { machine, clock } = start('scaled', 1000);
    let finish: () => void = () => undefined;
    let working: Promise<void> | null = null;
    clock.waitFor({
      get isSettled() {
        return working === null;
      },
      settled: async () => {
        await working;
      },
      agentsIdle: async () => {
        await working;
      },
    });
    const seen: number[] = [];
    const step = (): void => {
      seen.push(clock.now() - START);
      working = new Promise<void>((resolve) => (finish = resolve)).then(() => {
        working = null;
      });
      clock.after(1000, step);
    };
    clock.after(1000, step);
    // The machine wakes it late: ten steps should have been taken by now.
    await machine.pass(10);
    assert.deepEqual([seen, clock.now() - START], [[1000], 1000], 'it stands while the step is under way');
    for (let done = 1; done < 10; done++) {
      finish();
      await settle();
      await settle();
    }
    assert.deepEqual(seen, [1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10_000]);
    finish();
    await settle();
    assert.deepEqual(clock.view, { mode: 'scaled', speed: 1000, time: START + 10_000 });
    // No machine completes a step per millisecond here: time runs slower, and does not catch up afterwards.
    await machine.pass(500);
    assert.equal(clock.now() - START, 11_000);
    finish();
    await settle();
    assert.ok(clock.view.reached! < 50, String(clock.view.reached));
  });

  test('continues from its current time when the mode changes, with its timers', async () => {
    const { machine, clock } = start('manual');
    const seen: number[] = [];
    await clock.advance(5000);
    clock.after(1000, () => seen.push(clock.now() - START));
    await clock.change('real', 1);
    await machine.pass(999);
    assert.deepEqual([clock.now() - START, seen], [5999, []]);
    await machine.pass(1);
    assert.deepEqual(seen, [6000]);
    await clock.change('manual', 0);
    await machine.pass(10_000);
    assert.equal(clock.now() - START, 6000);
    assert.deepEqual(clock.state, { mode: 'manual', speed: 0, time: START + 6000 });
  });

  test('in mode real time follows the wall clock, and timers the monotonic one', async () => {
    const { machine, clock } = start('real');
    const seen: number[] = [];
    clock.after(5000, () => seen.push(clock.elapsed() - START));
    machine.jump(3_600_000);
    await machine.pass(1000);
    assert.deepEqual([clock.now() - START, clock.elapsed() - START, seen], [3_601_000, 1000, []]);
    machine.jump(-7_200_000);
    await machine.pass(3999);
    assert.deepEqual([clock.now() - START, clock.elapsed() - START, seen], [-3_595_001, 4999, []]);
    await machine.pass(1);
    assert.deepEqual(seen, [5000]);
  });

  test('counts only the sleep of the machine in mode real', async () => {
    const { machine, clock } = start('manual');
    const slept = () => clock.sinceBoot() - clock.elapsed();
    const before = slept();
    machine.sleep(1000);
    assert.equal(slept() - before, 0, 'time stood');
    await clock.change('real', 1);
    assert.equal(slept() - before, 0);
    machine.sleep(500);
    assert.deepEqual([slept() - before, clock.now() - START, clock.elapsed() - START], [500, 500, 0]);
    await clock.change('scaled', 10);
    machine.sleep(70);
    assert.deepEqual([slept() - before, clock.now() - START], [500, 500]);
  });

  test('the monotonic clock continues when the mode changes, and never goes back', async () => {
    const { machine, clock } = start('real');
    const elapsed = () => clock.elapsed() - START;
    await machine.pass(100);
    machine.jump(50_000);
    await clock.change('manual', 0);
    assert.deepEqual([elapsed(), clock.now() - START], [100, 50_100]);
    const seen: number[] = [];
    clock.after(30, () => seen.push(clock.now() - START));
    await clock.advance(40);
    assert.deepEqual([elapsed(), clock.now() - START, seen], [140, 50_140, [50_130]]);
    await clock.change('scaled', 2);
    await machine.pass(10);
    assert.deepEqual([elapsed(), clock.now() - START], [160, 50_160]);
    machine.jump(-50_000);
    await clock.change('real', 1);
    await machine.pass(1);
    assert.deepEqual([elapsed(), clock.now() - START], [161, 50_161]);
  });

  test('is never behind the time of the log', () => {
    const { clock } = start('manual');
    clock.reach(START + 10);
    clock.reach(START);
    assert.equal(clock.now(), START + 10);
  });
});
