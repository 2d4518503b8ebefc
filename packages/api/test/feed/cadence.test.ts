import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Cadence } from '../../src/feed/cadence.ts';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';

const INTERVAL_MS = 100;

function start(intervalMs = INTERVAL_MS) {
  const clock = new ManualClock();
  const told: { readonly at: number; readonly symbols: readonly number[] }[] = [];
  const cadence = new Cadence(clock, intervalMs, (symbols) => told.push({ at: clock.elapsed(), symbols }));
  return { clock, told, cadence };
}

test('symbols that change together are published at different moments', async () => {
  const { clock, told, cadence } = start();
  for (const symbol of [0, 1, 2, 3]) cadence.note(symbol);
  await clock.pass(INTERVAL_MS);
  assert.deepEqual(told.flatMap(({ symbols }) => symbols).toSorted(), [0, 1, 2, 3]);
  const moments = told.map(({ at }) => at);
  for (const [at, moment] of moments.slice(1).entries())
    assert.ok(moment - moments[at]! >= 2, String(moments));
});

test('a symbol is published at most once per interval, however often it changes', async () => {
  const { clock, told, cadence } = start();
  for (let ms = 0; ms < 10 * INTERVAL_MS; ms += 5) {
    cadence.note(7);
    await clock.pass(5);
  }
  assert.ok(told.length >= 9 && told.length <= 10, `${told.length} times in ten intervals`);
  for (const [at, { at: moment }] of told.slice(1).entries()) assert.ok(moment - told[at]!.at >= INTERVAL_MS);
});

test('a timer that fires early does not publish twice in one interval', async () => {
  const clock = new ManualClock();
  const told: number[] = [];
  const early = { ...bound(clock), after: (ms: number, action: () => void) => clock.after(ms - 1, action) };
  const cadence = new Cadence(early, INTERVAL_MS, () => told.push(clock.elapsed()));
  for (let ms = 0; ms < 5 * INTERVAL_MS; ms += 1) {
    cadence.note(7);
    await clock.pass(1);
  }
  for (const [at, moment] of told.slice(1).entries()) assert.ok(moment - told[at]! >= INTERVAL_MS - 1);
});

test('symbols that share a moment take turns at being the first', async () => {
  const { clock, told, cadence } = start(2);
  for (let turn = 0; turn < 6; turn += 1) {
    for (const symbol of [3, 1, 2]) cadence.note(symbol);
    await clock.pass(2);
  }
  assert.deepEqual(
    told.map(({ symbols }) => symbols[0]),
    [1, 2, 3, 1, 2, 3],
  );
});

test('nothing is published after a stop', async () => {
  const { clock, told, cadence } = start();
  cadence.note(1);
  cadence.stop();
  await clock.pass(10 * INTERVAL_MS);
  assert.deepEqual(told, []);
  assert.equal(clock.timers, 0);
});

const bound = (clock: ManualClock) => ({
  now: () => clock.now(),
  elapsed: () => clock.elapsed(),
  soon: (action: () => void) => clock.soon(action),
  next: (action: () => void) => clock.next(action),
  machine: clock,
});
