/** Mutually exclusive options are a usage error, before anything is requested or read. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withdrawalLimitsCommand } from '../../src/cli/books.ts';
import { logCommand } from '../../src/cli/log.ts';
import { mirrorCommand } from '../../src/cli/mirror.ts';
import { EXIT } from '../../src/cli/output.ts';
import { reportCommand } from '../../src/cli/report.ts';

const NOWHERE = ['--url', 'http://127.0.0.1:1'];
const SET = ['set', 'EUR', '1', '--reason', 'test', ...NOWHERE];
const PROVE = ['prove', './none', '--checkpoint', './none'];

for (const [make, args, message] of [
  [withdrawalLimitsCommand, [...SET, '--user', 'dave', '--tier', '2'], /^Give either --user or --tier\.$/],
  [withdrawalLimitsCommand, SET, /^Give either --user or --tier\.$/],
  [withdrawalLimitsCommand, [...SET, '--tier', '13'], /^tier: '13' is not an integer from 0 to 12\.$/],
  [
    reportCommand,
    ['--user', 'dave', '--data', './none', ...NOWHERE],
    /^Give either a data directory \(--data\)/,
  ],
  [
    mirrorCommand,
    ['postgres://a@127.0.0.1:1/b', '--data', './none', '--cluster-stream', 's'],
    /^Give either a data directory \(--data\)/,
  ],
  [logCommand, [...PROVE, '--record', '1', '--since', './none'], /^Give either --record or --since\.$/],
  [logCommand, [...PROVE, '--content', '--since', './none'], /^Give --content only with --record/],
] as const) {
  test(`bourse ${make().name()} ${args.join(' ')}`, async () => {
    await assert.rejects(make().parseAsync(args, { from: 'user' }), {
      name: 'CommandFailed',
      exitCode: EXIT.usage,
      message,
    });
  });
}
