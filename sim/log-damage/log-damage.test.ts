/** Runs sim/log-damage in a separate process: the test runner's bookkeeping would make it five times as slow. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import type { DamageReport } from './run.ts';

const SEED = 1;
const TIMEOUT_MS = 300_000;
/** Damages one in this many positions; for every byte and bit use `npm run sim -- log-damage --one-of 1`. */
const ONE_OF = ofSize(32, 8);
const ARGS = ['--seed', String(SEED), '--one-of', String(ONE_OF)];

const program = fileURLToPath(new URL('./run.ts', import.meta.url));
const run = promisify(execFile)(process.execPath, [program, ...ARGS], { timeout: TIMEOUT_MS });

async function reportOn(what: string): Promise<DamageReport> {
  const { stdout } = await run;
  const line = stdout.split('\n').find((each) => each.startsWith(`${what} `));
  assert.ok(line, `seed ${SEED}: nothing on '${what}' in\n${stdout}`);
  return JSON.parse(line.slice(what.length)) as DamageReport;
}

describe('promise 2: a torn tail is cut, earlier damage is reported, and the state is always that of a prefix', () => {
  test('a log cut at any byte keeps every complete record', async (context) => {
    const report = await reportOn('cut');
    context.diagnostic(JSON.stringify(report));
    assert.ok(report.cut > 8000 / ONE_OF && report.reported > 0 && report.whole > 0);
  });

  test('a flipped bit is reported, wherever there is a record', async (context) => {
    const report = await reportOn('flipped');
    context.diagnostic(JSON.stringify(report));
    assert.ok(report.reported > 80_000 / ONE_OF);
    assert.ok(report.cut < report.tried / 1000, 'hardly ever does a damaged last record look torn');
  });

  test('a flipped bit in preallocated space does no harm', async () => {
    const { whole, reported } = await reportOn('flipped-with-room');
    assert.ok(whole > 80 / ONE_OF && reported > 8000 / ONE_OF);
  });

  test('missing, repeated and swapped segments are reported', async (context) => {
    const report = await reportOn('segments');
    context.diagnostic(JSON.stringify(report));
    assert.ok(report.reported > 20);
    assert.equal(report.whole, 1, 'only what is missing at the end cannot be seen from the log alone');
  });
});
