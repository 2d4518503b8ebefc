import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { listArchive, obstacles, pythonOrigin, versionsOf } from '../scripts/release.mjs';

test('every place that names the version names the same one', () => {
  const versions = versionsOf();
  assert.ok(versions.length > 20, `${versions.length} places`);
  assert.deepEqual(obstacles('', versions), []);
});

test('a dirty tree and a version that differs are refused by name', () => {
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

test('a file in an archive that was made from nothing we know is refused', (t) => {
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

test('what is in the wheel and the sdist comes from files of the repository', () => {
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

test('without --dry-run it says that it publishes nothing', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release.mjs'], {
    encoding: 'utf8',
    cwd: join(import.meta.dirname, '..'),
  });
  assert.equal(status, 2);
  assert.match(stderr, /publishes nothing. Run it with --dry-run/);
});
