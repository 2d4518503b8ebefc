/** Promise 16, a small one, without a word on how fast; figures are for `npm run overload`. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { faultsOf } from './faults.ts';
import { runOverload } from './overload.ts';

const MINUTES = 60_000;

test('promise 16: five times what can be done is answered or refused to the last request, and the queue has its bound', {
  timeout: 5 * MINUTES,
}, async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-overload-'));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  const report = await runOverload(dir, { loads: [0.5, 5], seconds: 1, connections: 8, warmUps: 4000 });
  context.diagnostic(JSON.stringify(report));
  assert.deepEqual(faultsOf(report), []);
});
