import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOf } from '../src/values/intervals.ts';

const DAY_MS = 86_400_000;

test('months begin where the calendar says, in every year until 2400', () => {
  for (let day = 0; day < 157_000; day += 1) {
    const time = day * DAY_MS + ((day * 7_919_993) % DAY_MS);
    const date = new Date(time);
    assert.equal(
      startOf('1month', time),
      Date.UTC(date.getUTCFullYear(), date.getUTCMonth()),
      date.toISOString(),
    );
  }
});

test('weeks begin on Monday', () => {
  for (let day = 0; day < 1000; day += 1) {
    const start = startOf('1week', day * DAY_MS + 5);
    assert.equal(new Date(start).getUTCDay(), 1);
    assert.ok(start <= day * DAY_MS + 5 && start > (day - 7) * DAY_MS);
  }
});
