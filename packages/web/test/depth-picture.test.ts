// The depth chart's numbers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { depthOf, stepAt, ticksOf } from '../src/terminal/chart/depth-picture.ts';

test('levels are summed from the best price, within a range around the middle', () => {
  const depth = depthOf(
    [
      ['99', '1'],
      ['98', '2.5'],
      ['50', '100'],
    ],
    [
      ['101', '0.1'],
      ['103', '0.2'],
    ],
  );
  assert.equal(depth.middle, 100);
  assert.equal(depth.reach, 5);
  assert.deepEqual(depth.bids, [
    { price: '99', sum: '1', value: '99' },
    { price: '98', sum: '3.5', value: '344' },
  ]);
  // Exactly 0.3, unlike the sum of floats.
  assert.deepEqual(depth.asks.at(-1), { price: '103', sum: '0.3', value: '30.7' });
});

test('a price belongs to the last level that it has crossed', () => {
  const depth = depthOf(
    [['99', '1']],
    [
      ['101', '1'],
      ['103', '1'],
    ],
  );
  assert.equal(stepAt(depth, 99.5), undefined);
  assert.equal(stepAt(depth, 98.7)?.price, '99');
  assert.equal(stepAt(depth, 102)?.price, '101');
  assert.equal(stepAt(depth, 104)?.price, '103');
});

test('a one-sided book and an empty one have a depth', () => {
  assert.equal(depthOf([['99', '1']], []).middle, 99);
  assert.deepEqual(depthOf([], []), { bids: [], asks: [], middle: 0, reach: 1, most: 1 });
});

test('ticks are round', () => {
  assert.deepEqual(ticksOf(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(ticksOf(95, 105, 4), [95, 100, 105]);
  assert.deepEqual(ticksOf(1, 1, 4), []);
});
