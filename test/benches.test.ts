/** Runs every part of the benches, in a size too small to measure speed. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { whySkipped } from '@bourse/test-kit/cluster/log-servers.ts';

async function run(name: string, ...size: readonly string[]): Promise<Record<string, unknown>> {
  const args = ['bench/main.ts', name, ...size, '--turns', '1', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: dirname(import.meta.dirname),
  });
  return JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, unknown>;
}

const skip = await whySkipped();

test('bench:cluster runs all its parts', { skip, timeout: 300_000 }, async () => {
  // Two parts use the same node name: the second must not find the state of the first.
  const size = [
    '--only',
    'commands,growth,join',
    '--commands',
    '2000',
    '--requests',
    '600',
    '--orders',
    '4000',
  ];
  const figures = await run('cluster', ...size);
  assert.ok(['ratio', 'costs', 'join'].every((name) => Object.hasOwn(figures, name)));
});

test('bench:order-entry runs all its parts', { timeout: 300_000 }, async () => {
  const figures = await run('order-entry', '--orders', '3200', '--users', '20');
  assert.ok(Object.hasOwn(figures, 'ratio') && Object.hasOwn(figures, 'cost'));
});
