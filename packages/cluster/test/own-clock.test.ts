/** How a node judges its own clock when it becomes the leader. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '@bourse/test-kit/manual-clock.ts';
import { OwnClock } from '../src/leadership/clocks.ts';

const START = 1_700_000_000_000;
const HOUR_MS = 3_600_000;
const JUMP_MS_MAX = 300_000;

function begin(aheadMs = 0): { clock: ManualClock; own: OwnClock } {
  const clock = new ManualClock(START);
  return { clock, own: new OwnClock(clock, JUMP_MS_MAX, () => aheadMs) };
}

test('a clock that jumped while another node was the leader is not used until an operator accepts it', () => {
  const { clock, own } = begin();
  clock.jump(HOUR_MS);
  const time = own.makeTime(START);
  assert.deepEqual([time.now(), time.jumpMs], [START, HOUR_MS]);
  own.accept();
  assert.equal(own.makeTime(START).now(), START + HOUR_MS);
});

test('a clock that agrees with the records of other nodes after a jump is used', () => {
  const { clock, own } = begin();
  clock.jump(HOUR_MS);
  own.compare(START);
  assert.equal(own.look(), HOUR_MS);
  own.compare(START + HOUR_MS);
  assert.equal(own.makeTime(START + HOUR_MS).jumpMs, 0);
});

test('a clock far ahead of most others is not used, and one behind them continues from the time of the log', () => {
  assert.equal(
    begin(HOUR_MS)
      .own.makeTime(START - HOUR_MS)
      .now(),
    START - HOUR_MS,
  );
  assert.equal(
    begin(-HOUR_MS)
      .own.makeTime(START - 1000)
      .now(),
    START,
  );
});
