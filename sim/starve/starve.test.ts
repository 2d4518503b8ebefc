/** A short run of the starvation attacks. For figures use `npm run sim -- starve`. */

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ATTACKS } from './attacks.ts';
import { faultsOf, runStarve } from './run.ts';

const MINUTES = 60_000;
/** A failed attack is retried, because a busy machine may have caused it. */
const TRIES = 5;

/** Attacks that can be judged on a busy machine. The complete list needs a quiet one: `npm run sim -- starve`. */
const HERE = [
  'documents',
  'figures',
  'unread',
  'nowhere',
  'smallest',
  'crowd',
  'cancel-all',
  'fill-or-kill',
  'wrong-signatures',
  'lists',
  'sweep',
  'junk',
  'resubscribing',
  'stalled-tunnels',
  'order-entry',
  'subscribing',
  'pings',
  'pongs',
  'movements',
  'client-ids',
  'sub-accounts',
  'keys',
  'refused-orders',
];
const TURNS = 3;
const SECONDS = 0.5;

test('every attack named here is on the list', () => {
  const names = ATTACKS.map(({ name }) => name);
  assert.deepEqual(
    HERE.filter((name) => !names.includes(name)),
    [],
  );
});

for (const { name, who, what } of ATTACKS) {
  if (!HERE.includes(name)) continue;
  test(`promise 18: ${who}: ${what}`, { timeout: 12 * MINUTES }, async (context) => {
    const dir = mkdtempSync(join(tmpdir(), 'bourse-starve-'));
    context.after(() => rmSync(dir, { recursive: true, force: true }));
    let faults: string[] = [];
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const reports = await runStarve(join(dir, String(attempt)), {
        names: [name],
        turns: TURNS,
        seconds: SECONDS,
      });
      context.diagnostic(JSON.stringify(reports));
      faults = faultsOf(reports);
      if (faults.length === 0) return;
    }
    assert.deepEqual(faults, []);
  });
}
