/** The bench of a cluster runs from its first part to its last, in a size that says nothing about speed. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { whySkipped } from '@bourse/test-tools/log-servers.ts';

const skip = await whySkipped();
/** Two parts that name a node alike: the second must not find what the first left. */
const SMALL = ['--only', 'commands,join', '--turns', '1', '--commands', '2000', '--orders', '4000', '--json'];

test('bench:cluster gets through its parts', { skip, timeout: 300_000 }, async () => {
  const args = ['bench/main.ts', 'cluster', ...SMALL];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: dirname(import.meta.dirname),
  });
  const figures = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, unknown>;
  assert.ok(Object.hasOwn(figures, 'ratio') && Object.hasOwn(figures, 'join'));
});
