// The examples that node:test does not run on its own; testing-node.test.ts is one of the test files.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../../..');

function run(command: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
    env: {
      ...process.env,
      NO_COLOR: '1',
      PYTHONDONTWRITEBYTECODE: '1',
      BOURSE_COMMAND: `'${process.execPath}' '${join(root, 'packages/bourse/bin/bourse.mjs')}'`,
    },
  });
  return { status, output: `${stdout}${stderr}` };
}

const hasModule = (name: string): boolean => spawnSync('python3', ['-c', `import ${name}`]).status === 0;

test('vitest', () => {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'examples/vitest.config.ts'];
  const { status, output } = run(process.execPath, args);
  assert.equal(status, 0, output);
  assert.match(output, /Tests\s+2 passed/);
});

test('python3 -m unittest', { skip: !hasModule('unittest') && 'there is no python3' }, () => {
  const { status, output } = run('python3', ['-m', 'unittest', 'examples/testing-pytest.py']);
  assert.equal(status, 0, output);
  assert.match(output, /Ran 2 tests/);
  assert.doesNotMatch(output, /stopping failed/);
});

test('pytest', { skip: !hasModule('pytest') && 'there is no pytest' }, () => {
  const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'examples/testing-pytest.py'];
  const { status, output } = run('python3', args);
  assert.equal(status, 0, output);
  assert.match(output, /2 passed/);
});
