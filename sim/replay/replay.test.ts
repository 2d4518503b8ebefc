/** Signed requests, half of them replayed, under a clock that jumps; `npm run sim -- replay` sends a million. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { runReplay } from './run.ts';

const REQUESTS = ofSize(8000, 80_000);
/** The minimums below are for 20,000. */
const SHARE = REQUESTS / 20_000;

test('promise 20: no signed request takes effect twice, whatever the clock does', (context) => {
  const report = runReplay(REQUESTS, 1);
  context.diagnostic(JSON.stringify(report));
  assert.equal(report.twice, 0);
  // A run in which little happened would prove nothing.
  assert.ok(report.acted > 1000 * SHARE && report.repeated > 5000 * SHARE);
  assert.ok(report.jumps > 50 * SHARE && report.restarts > 20 * SHARE);
  for (const reason of ['request-repeated', 'timestamp-invalid', 'clock-behind']) {
    assert.ok((report.refused[reason] ?? 0) > 50 * SHARE, `${reason} ${report.refused[reason]}`);
  }
});
