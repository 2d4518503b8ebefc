/**
 * Promise 13: invalid input gets a 4xx, never a 5xx, never crashes anything, and never changes the state. BOURSE_SEED
 * selects other input; for more use `npm run sim -- fuzz`.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { runFuzz } from './run.ts';
import { KEPT_INPUTS } from './inputs.ts';

const INPUTS = ofSize(10_000, 50_000);
/** The minimums below are for 200,000 inputs. */
const SHARE = INPUTS / 200_000;
const SEED = Number(process.env['BOURSE_SEED'] ?? 1);
const MINUTES = 60_000;

test(`promise 13: ${INPUTS} malformed inputs over HTTP, bare sockets and websockets, in both dialects (seed ${SEED})`, {
  timeout: 10 * MINUTES,
}, async (context) => {
  const { failures, counts, commands, effects } = await runFuzz(SEED, INPUTS);
  context.diagnostic(JSON.stringify({ counts, commands, effects }));
  assert.deepEqual(failures, [], `seed ${SEED}`);
  assert.equal(counts['kept'], KEPT_INPUTS.length);
  // Checks that it was not idle: every lane was rejected in the ways its input is meant to trigger.
  for (const [what, least] of Object.entries({
    'http 400': 10_000,
    'http 404': 1000,
    'http 405': 500,
    'raw 400': 1000,
    'feed 415': 1000,
    'feed 404': 500,
    'entry 4001002': 1000,
    'entry 400100': 1000,
    'upgrade 101': 1000,
  })) {
    assert.ok((counts[what] ?? 0) >= least * SHARE, `${what}: ${counts[what]}`);
  }
  assert.ok(
    effects > 500 * SHARE && commands - effects > 500 * SHARE,
    `${commands} commands, ${effects} effects`,
  );
});
