import { test } from 'node:test';
import { compareWorld, runDifferential } from './differential.ts';
import { Coverage } from '@bourse/test-tools/flow/coverage.ts';
import { requireCoverage, summary } from './run.ts';
import { KEPT_SEEDS } from './seeds.ts';

for (const { name, seed } of KEPT_SEEDS) {
  test(`kept seed: ${name}`, () => {
    compareWorld(seed, new Coverage(), Number.POSITIVE_INFINITY);
  });
}

test('promise 7: 200,000 commands have the same outcomes and events in core and the naive exchange', (context) => {
  const report = runDifferential({ commands: 200_000, seed: 1 });
  context.diagnostic(summary(report));
  requireCoverage(report);
});
