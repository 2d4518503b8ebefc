/** Promise 9 with a real process; for more requests use `npm run sim -- storm`. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { faultsOf, runStorm } from './run.ts';

const REQUESTS = ofSize(3000, 25_000);
const SEED = 1;
const MINUTES = 60_000;

test(`promise 9: ${REQUESTS} requests with duplicates, cut connections and a kill -9 each take effect once (seed ${SEED})`, {
  timeout: 10 * MINUTES,
}, async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-storm-'));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  const report = await runStorm(dir, REQUESTS, SEED);
  context.diagnostic(JSON.stringify(report));
  assert.ok(report.sent >= REQUESTS);
  assert.deepEqual(faultsOf(report), []);
});
