import { test } from 'node:test';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { Coverage } from '@bourse/test-kit/flow/coverage.ts';
import { checkWorld, runProperties } from './properties.ts';
import { KEPT_SEEDS, requireCoverage, summary } from './run.ts';

for (const { name, seed } of KEPT_SEEDS) {
  test(`kept seed: ${name}`, () => {
    checkWorld(seed, new Coverage(), Number.POSITIVE_INFINITY);
  });
}

const COMMANDS = ofSize(40_000, 400_000);

test(`promise 6: every property holds after each of ${COMMANDS} commands`, (context) => {
  const report = runProperties({ commands: COMMANDS, seed: 1_000_001 });
  context.diagnostic(summary(report));
  requireCoverage(report);
});
