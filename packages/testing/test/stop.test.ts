import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./leftovers.ts', import.meta.url));

/** Runs it with an empty temporary directory, and returns the directory's contents afterwards. */
function run(...args: string[]) {
  const temporary = mkdtempSync(join(tmpdir(), 'leftovers-'));
  const { status, stdout, stderr, signal } = spawnSync(process.execPath, [PROGRAM, ...args], {
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: temporary },
    timeout: 120_000,
  });
  const files = readdirSync(temporary);
  rmSync(temporary, { recursive: true });
  return { status, signal, stdout, stderr, files };
}

test('nothing is left after stop(), and the process ends by itself', () => {
  const { status, signal, stdout, stderr, files } = run();
  assert.deepEqual([status, signal], [0, null], stderr);
  assert.deepEqual(JSON.parse(stdout), { resources: [], listeners: 0 });
  assert.deepEqual(files, []);
});

test('a process that ends without stop() leaves no directory either', () => {
  const { status, stderr, files } = run('die');
  assert.equal(status, 3, stderr);
  assert.deepEqual(files, []);
});
