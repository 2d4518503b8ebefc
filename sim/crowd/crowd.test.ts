/** Promise 14 without its figures: the ratio is only printed; `npm run sim -- crowd` checks it against its limit. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCrowd } from './run.ts';

const CONNECTIONS = 1000;
const MINUTES = 60_000;

test(`promise 14: with ${CONNECTIONS} idle and slow connections, all others are served, and slow ones are disconnected`, {
  timeout: 5 * MINUTES,
}, async (context) => {
  const dir = mkdtempSync(join(tmpdir(), 'bourse-crowd-'));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  const report = await runCrowd(dir, { connections: CONNECTIONS, turns: 2, rate: 300, seconds: 1 });
  context.diagnostic(JSON.stringify(report));
  assert.equal(report.answered, report.sent);
  assert.equal(report.slow, CONNECTIONS / 2);
  assert.equal(report.slowCut, report.slow);
  assert.deepEqual(report.lostAtFirst, []);
});
