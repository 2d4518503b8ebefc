/** A short run of promise 16 without its figures; for those use `npm run sim -- overload`. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { faultsOf, runOverload } from './run.ts';

const MINUTES = 60_000;

/** The measured capacity may be too low, so offer more until some requests are rejected. */
const OVERLOADS = [5, 15, 45];

test('promise 16: under overload every request is answered or rejected, and the queue stays within its bound', {
  timeout: 5 * MINUTES,
}, async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-overload-'));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  let faults: string[] = [];
  for (const load of OVERLOADS) {
    const report = await runOverload(join(dir, String(load)), {
      loads: [0.5, load],
      seconds: 1,
      connections: 8,
      warmUps: 4000,
    });
    context.diagnostic(JSON.stringify(report));
    faults = faultsOf(report);
    if (!faults.every((fault) => fault.endsWith('nothing was refused'))) break;
    if (faults.length === 0) break;
  }
  assert.deepEqual(faults, []);
});
