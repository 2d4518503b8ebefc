import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLongRun, ofSize } from '@bourse/test-tools/run-size.ts';
import { findFacts, isHeld } from './facts.ts';
import { runSolvency } from './solvency.ts';

const MINUTES = 60_000;
const DAY_HOURS = 24;

for (const preset of ['calm', 'wild'] as const) {
  test(`a simulated day of ${preset} shows the facts of a market`, {
    timeout: 15 * MINUTES,
    skip: preset === 'wild' && !isLongRun,
  }, (context) => {
    const facts = findFacts(preset, 1, DAY_HOURS);
    for (const { name, value, low, high } of facts) {
      context.diagnostic(
        `${name}: ${value.toPrecision(4)} (${low.toPrecision(3)} to ${high.toPrecision(3)})`,
      );
    }
    assert.deepEqual(
      facts.filter((fact) => !isHeld(fact)),
      [],
    );
  });
}

const hours = ofSize(6, 7 * DAY_HOURS);

test(`in ${hours} hours every order is paid for, the ledger sums to zero, and nobody is ruined`, {
  timeout: 30 * MINUTES,
}, (context) => {
  const { unbalanced, unpaid, refused, left } = runSolvency('calm', 3, hours);
  for (const [name, share] of left)
    context.diagnostic(`${name} has ${(100 * share).toFixed(2)} % of its money`);
  assert.deepEqual({ unbalanced, unpaid, refused }, { unbalanced: [], unpaid: 0, refused: [] });
  for (const [name, share] of left) assert.ok(share > 0.5, `${name}: ${share}`);
});
