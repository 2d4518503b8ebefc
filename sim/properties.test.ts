import { test } from 'node:test';
import { Coverage } from '@bourse/test-tools/flow/coverage.ts';
import { checkWorld, runProperties } from './properties.ts';
import { requireCoverage, summary } from './run.ts';
import { KEPT_SEEDS } from './seeds.ts';

for (const { name, seed } of KEPT_SEEDS) {
  test(`kept seed: ${name}`, () => {
    checkWorld(seed, new Coverage(), Number.POSITIVE_INFINITY);
  });
}

test('every property holds after each of 1,000,000 commands', (context) => {
  const report = runProperties({ commands: 1_000_000, seed: 1_000_001 });
  context.diagnostic(summary(report));
  requireCoverage(report);
});
