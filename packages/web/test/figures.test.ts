// Metrics over time: gaps while the exchange was not running are not drawn.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Sample, withGaps } from '../src/console/figures/figures.ts';

const sampleAt = (time: number): Sample => ({
  time,
  orders: 1,
  p50: 1,
  p99: 1,
  records: 1,
  historyLag: 1,
  queue: 1,
  connections: 1,
  feedConnections: 1,
  diskFree: 1,
  memory: 1,
  heap: 1,
  processor: 1,
});

test('a gap in the samples gets a sample without figures, and a late sample does not', () => {
  const samples = [0, 60_000, 130_000, 600_000].map(sampleAt);
  const shown = withGaps({ everyMs: 60_000, samples });
  assert.deepEqual(
    shown.map(({ time, memory }) => [time, memory]),
    [
      [0, 1],
      [60_000, 1],
      [130_000, 1],
      [190_000, null],
      [600_000, 1],
    ],
  );
});
