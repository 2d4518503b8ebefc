// .ci/run runs everything, and fails if any part fails or is skipped.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { LONG_ONLY, NOT_QUICK } from '../scripts/test-sets.mjs';
import { listFiles, root, testHome } from '../scripts/tree.mjs';

const dir = mkdtempSync(join(tmpdir(), 'bourse-ci-'));
after(() => rmSync(dir, { recursive: true }));

/** Runs it with a fake npm that records its arguments and fails at `failing`. */
function runCi(failing: string): { status: number | null; asked: string[] } {
  const asked = join(dir, 'asked');
  writeFileSync(asked, '');
  for (const program of ['npm', 'apt-get']) {
    const path = join(dir, program);
    writeFileSync(
      path,
      `#!/bin/sh\necho "${program} $*" >> '${asked}'\n[ "${program} $*" != '${failing}' ]\n`,
    );
    chmodSync(path, 0o755);
  }
  const env = { ...process.env, PATH: `${dir}:${process.env['PATH']}` };
  const { status } = spawnSync('bash', [join(root, '.ci/run')], { env, stdio: 'ignore' });
  const lines = readFileSync(asked, 'utf8').trim().split('\n');
  return { status, asked: lines.filter((line) => line.startsWith('npm')) };
}

const STEPS = ['npm ci --no-audit --no-fund', 'npm test'];

test('.ci/run installs, and runs the checks and every test', () => {
  assert.deepEqual(runCi(''), { status: 0, asked: STEPS });
});

for (const [at, step] of STEPS.entries()) {
  test(`.ci/run fails with ${step}`, () => {
    const { status, asked } = runCi(step);
    assert.notEqual(status, 0);
    assert.deepEqual(asked, STEPS.slice(0, at + 1));
  });
}

test('every path that a run leaves out is that of a test', () => {
  const files = listFiles().filter((file) => testHome.test(file));
  assert.deepEqual(
    [...LONG_ONLY, ...NOT_QUICK].filter((path) => !files.some((file) => file.startsWith(path))),
    [],
  );
});

test('a skipped test fails a run that allows none', () => {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const file = join(dir, 'some.test.mjs');
  const reporter = `--test-reporter=${join(root, 'scripts/skipped-tests.mjs')}`;
  const run = (options: string) => {
    writeFileSync(file, `import { test } from 'node:test';\ntest('a test', ${options}, () => undefined);\n`);
    return spawnSync(process.execPath, ['--test', reporter, file], { env, encoding: 'utf8' });
  };
  const whole = run('{}');
  assert.deepEqual([whole.status, whole.stdout], [0, '']);
  const skipped = run(`{ skip: 'no such tool here' }`);
  assert.equal(skipped.status, 1);
  assert.match(skipped.stdout, /1 tests were skipped.*\n {2}a test: no such tool here/);
});
