import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { runStatements } from './run.ts';

test('the statements of a month, with the system accounts, sum to zero to the last unit', async (context) => {
  const seed = Date.now() % 1_000_000;
  context.diagnostic(`seed ${seed}`);
  const [users, records] = [ofSize(40, 200), ofSize(1500, 8000)];
  const report = await runStatements(users, records, seed);
  // A month without trades or corrections would prove nothing.
  assert.ok(report.entries > 5 * users, JSON.stringify(report));
  assert.ok(report.corrections > records / 100, JSON.stringify(report));
});
