import { test } from 'node:test';
import { compareWorld, runDifferential } from './differential.ts';
import { Coverage } from '@bourse/test-kit/flow/coverage.ts';
import { ofSize } from '@bourse/test-kit/run-size.ts';
import { KEPT_SEEDS, requireCoverage, summary } from './run.ts';

for (const { name, seed } of KEPT_SEEDS) {
  test(`kept seed: ${name}`, () => {
    compareWorld(seed, new Coverage(), Number.POSITIVE_INFINITY);
  });
}

const COMMANDS = ofSize(80_000, 200_000);

test(`promise 7: ${COMMANDS} commands have the same outcomes and events in core and the naive exchange`, (context) => {
  const report = runDifferential({ commands: COMMANDS, seed: 1 });
  context.diagnostic(summary(report));
  requireCoverage(report);
});
