import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { listArchive, obstacles, pythonOrigin, versionsOf } from '../scripts/release.mjs';

test('every file has the same version', () => {
  const versions = versionsOf();
  assert.ok(versions.length > 20, `${versions.length} places`);
  assert.deepEqual(obstacles('', versions), []);
});

test('a dirty tree and a different version are rejected, and the files are named', () => {
  const [first] = versionsOf();
  assert.deepEqual(obstacles(' M README.md\n?? new.ts\n', [first!]), [
    'The tree is dirty. Commit or remove:\n   M README.md\n  ?? new.ts',
  ]);
  assert.deepEqual(
    obstacles('', [
      ['package.json', '0.1.0'],
      ['CITATION.cff', '0.2.0'],
    ]),
    ['CITATION.cff has version 0.2.0, but package.json has 0.1.0.'],
  );
});

test('a file of an archive without a known origin is rejected', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-release-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'package'));
  writeFileSync(join(folder, 'package/index.js'), 'export {};\n');
  const tarball = join(folder, 'a.tgz');
  spawnSync('tar', ['-czf', tarball, '-C', folder, 'package']);
  const [file] = listArchive(tarball, () => 'packages/a/src/index.ts');
  assert.deepEqual(file, {
    path: 'package/index.js',
    bytes: 11,
    sha256: '8e609bb71c20b858c77f0e9f90bb1319db8477b13f9f965f1a1e18524bf50881',
    origin: 'packages/a/src/index.ts',
  });
  assert.throws(() => listArchive(tarball, () => undefined), /package\/index\.js has no known origin/);
});

test('the files of the wheel and the sdist come from the repository', () => {
  const [module, manifest] = [
    'packages/testing/python/bourse_testing/client.py',
    'packages/testing/python/pyproject.toml',
  ];
  assert.equal(pythonOrigin('bourse_testing/client.py'), module);
  assert.equal(pythonOrigin('bourse_testing-0.1.0/bourse_testing/client.py'), module);
  assert.equal(pythonOrigin('bourse_testing-0.1.0.dist-info/METADATA'), manifest);
  assert.equal(pythonOrigin('bourse_testing-0.1.0/pyproject.toml'), manifest);
  assert.equal(pythonOrigin('bourse_testing-0.1.0/LICENSE'), 'LICENSE');
  assert.equal(pythonOrigin('bourse_testing/other.py'), undefined);
});

test('without --dry-run it reports that it publishes nothing', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release.mjs'], {
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '..'),
  });
  assert.equal(status, 2);
  assert.match(stderr, /publishes nothing. Run it with --dry-run/);
});
