import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { runAuctions } from './run.ts';

test('auctions of random books trade according to the literal rule', (context) => {
  const seed = Date.now() % 1_000_000;
  context.diagnostic(`seed ${seed}`);
  const books = ofSize(4000, 200_000);
  const report = runAuctions(books, seed);
  // A run in which nothing crosses, or the reference price is never needed, would prove nothing.
  assert.ok(report.crossed > books / 5, JSON.stringify(report));
  assert.ok(report.decidedByReference > books / 100, JSON.stringify(report));
});
