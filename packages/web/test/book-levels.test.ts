// The displayed book: groups, sums, and the prices of groups.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupSteps, shownLevels } from '../src/terminal/book/levels.ts';

const bids = [
  ['100.9', '1'],
  ['100.5', '2'],
  ['99.9', '0.5'],
  ['98', '4'],
] as const;
const asks = [
  ['101.1', '1'],
  ['101.9', '2'],
  ['102', '0.25'],
] as const;

test('grouped by the increment, every level is its own group, with the sum of all better ones', () => {
  assert.deepEqual(
    shownLevels(bids, 'bids', '0.1', 3).map(({ price, size, sum }) => [price, size, sum]),
    [
      ['100.9', '1', '1'],
      ['100.5', '2', '3'],
      ['99.9', '0.5', '3.5'],
    ],
  );
});

test('a group of bids is labelled with its lower end and a group of asks with its upper end', () => {
  assert.deepEqual(
    shownLevels(bids, 'bids', '1', 9).map(({ price, size }) => [price, size]),
    [
      ['100', '3'],
      ['99', '0.5'],
      ['98', '4'],
    ],
  );
  assert.deepEqual(
    shownLevels(asks, 'asks', '1', 9).map(({ price, size }) => [price, size]),
    [['102', '3.25']],
  );
});

test('bars are proportional to the deepest sum shown', () => {
  assert.deepEqual(
    shownLevels(bids, 'bids', '0.1', 2).map(({ share }) => share),
    [0.3333, 1],
  );
});

test('the last group is complete even if it ends beyond the count', () => {
  assert.deepEqual(
    shownLevels(bids, 'bids', '1', 1).map(({ size }) => size),
    ['3'],
  );
});

test('each step is ten times the previous one, beginning with the increment', () => {
  assert.deepEqual(groupSteps('0.1'), ['0.1', '1', '10', '100', '1000']);
  assert.deepEqual(groupSteps('0.00000001').at(-1), '0.0001');
});
