/** 20,000 signed requests, half of them sent again, under a clock that jumps; a million is `npm run sim -- replay`. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runReplay } from './replay.ts';

test('promise 20: no signed request acts twice, whatever the clock does', (context) => {
  const report = runReplay(20_000, 1);
  context.diagnostic(JSON.stringify(report));
  assert.equal(report.twice, 0);
  // It would prove nothing if little happened.
  assert.ok(report.acted > 1000 && report.repeated > 5000 && report.jumps > 50 && report.restarts > 20);
  for (const reason of ['request-repeated', 'timestamp-invalid', 'clock-behind']) {
    assert.ok((report.refused[reason] ?? 0) > 50, `${reason} ${report.refused[reason]}`);
  }
});
