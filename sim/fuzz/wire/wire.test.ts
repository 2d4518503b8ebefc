/**
 * Promise 13 on the wire: no bytes on any connection stop the exchange. BOURSE_SEED selects other bytes; for more use
 * `npm run sim -- fuzz --connections N`.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inLongRunOnly, ofSize } from '@bourse/test-kit/run-size.ts';
import { runWire } from './wire.ts';

const CONNECTIONS = ofSize(2000, 20_000);
const SEED = Number(process.env['BOURSE_SEED'] ?? 1);
const MINUTES = 60_000;

test(`promise 13: ${CONNECTIONS} connections with random bytes stop nothing (seed ${SEED})`, {
  timeout: 15 * MINUTES,
}, async (context) => {
  const report = await runWire({ seed: SEED, connections: CONNECTIONS });
  context.diagnostic(JSON.stringify(report));
  const { connections, counts, stalls, failures } = report;
  assert.deepEqual(failures, [], `seed ${SEED}`);
  assert.equal(connections, CONNECTIONS);
  assert.equal(stalls, 0);
  // Checks that it was not idle.
  for (const [what, share] of Object.entries({
    'status 101': 0.15,
    'status 200': 0.05,
    'status 400': 0.2,
    'status 404': 0.1,
    'welcomed by feed': 0.05,
    'welcomed by order entry': 0.03,
    'websocket messages': 0.8,
    requests: 2,
  })) {
    assert.ok((counts[what] ?? 0) >= share * CONNECTIONS, `${what}: ${counts[what]}`);
  }
  assert.ok(counts['orders of the canary']! > 5);
});

const TO_VENUE = ofSize(500, 8000);

test(`promise 13: ${TO_VENUE} such connections to a venue, half of them to its operator listener, stop nothing either`, {
  timeout: 15 * MINUTES,
}, async (context) => {
  const report = await runWire({ seed: SEED, connections: TO_VENUE, venue: true });
  context.diagnostic(JSON.stringify(report));
  const { counts, stalls, failures } = report;
  assert.deepEqual([failures, stalls], [[], 0], `seed ${SEED}`);
  for (const status of [101, 200, 400, 401, 404]) assert.ok(counts[`status ${status}`]! > 0, `${status}`);
});

for (const [plant, venue, sign, culprit] of [
  ['loop', false, /STALL: no heartbeat/, /upgrade/i],
  ['crash', false, /Error: planted/, /expect/i],
  // Every second connection uses the operators' listener, and only that one has the planted loop.
  ['operator-loop', true, /STALL: no heartbeat/, /upgrade/i],
] as const) {
  test(`a planted ${plant} is noticed, with the connection that it needs`, {
    timeout: 5 * MINUTES,
    skip: venue && inLongRunOnly,
  }, async () => {
    const options = { seed: SEED, connections: 2000, plant, venue, cpuSecondsMax: 1 };
    const { failures, stalls } = await runWire(options);
    assert.equal(failures.length, 1, failures.join('\n'));
    const [failure] = failures;
    assert.match(failure!, sign);
    const [, bytes] = failure!.split('\nseed ');
    assert.match(bytes!, culprit);
    assert.equal(stalls, plant === 'crash' ? 0 : 1);
  });
}
