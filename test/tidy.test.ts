import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import {
  checkDependencies,
  checkEngines,
  checkExports,
  checkInstallScripts,
  checkName,
  checkPrivate,
  checkSize,
  checkTestHome,
  checkText,
  checkVersions,
  countWords,
} from './tidy-rules.ts';
import { listFiles, root } from '../scripts/tree.mjs';
import { readTexts } from './repository.ts';
import type { Source } from './source-text.ts';

test('files that examples leave behind do not belong to the repository', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-tree-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const cache of ['.pytest_cache', '__pycache__', 'data']) {
    mkdirSync(join(folder, 'examples', cache), { recursive: true });
    writeFileSync(join(folder, 'examples', cache, 'CACHEDIR.TAG'), '');
  }
  assert.deepEqual(listFiles(folder), []);
});

describe('the repository', () => {
  const texts = readTexts();
  const check = (rule: (source: Source) => string[]): void => assert.deepEqual(texts.flatMap(rule), []);
  test('has files to check', () => assert.ok(texts.some(({ path }) => path === 'package.json')));
  test('has short source files', () => check(checkSize));
  test('has kebab-case names', () => check(checkName));
  test('has tests only where they run', () => check(checkTestHome));
  test('has no unfinished work, path of a machine or registry host', () => check(checkText));
  test('marks private members with #', () => check(checkPrivate));
  test('has exact versions, and a lockfile bound to no registry', () => check(checkVersions));
  test('installs no unused package', () => check((source) => checkDependencies(source, texts)));
  test('has no unused export', () => {
    const words = countWords(texts);
    check((source) => checkExports(source, words));
  });
  test('runs no script of a package at install', () => {
    const text = (name: string): string => texts.find(({ path }) => path === name)!.text;
    assert.deepEqual(checkInstallScripts(text('package.json'), text('package-lock.json')), []);
  });
  test('installs without a warning on the oldest supported Node', () => {
    const text = (name: string): string => texts.find(({ path }) => path === name)!.text;
    assert.deepEqual(checkEngines(text('package.json'), text('package-lock.json')), []);
  });
});

test('checkSize', () => {
  assert.equal(checkSize({ path: 'a.ts', text: 'x\n'.repeat(601) }).length, 1);
  assert.deepEqual(checkSize({ path: 'a.ts', text: 'x\n'.repeat(600) }), []);
  assert.deepEqual(checkSize({ path: 'a.md', text: 'x\n'.repeat(601) }), []);
});

test('checkName', () => {
  for (const path of ['test/fileLog.ts', 'test/file_log.ts', 'test/File.ts', 'Test/a.ts', 'docs/Start.md']) {
    assert.equal(checkName({ path, text: '' }).length, 1, path);
  }
  for (const path of [
    'packages/core/src/self-trade.test.ts',
    'README.md',
    '.ci/run',
    '.npmrc',
    'docs/0001-a.md',
    '.github/ISSUE_TEMPLATE/bug.yml',
    'CITATION.cff',
    'packages/testing/python/bourse_testing/__init__.py',
  ]) {
    assert.deepEqual(checkName({ path, text: '' }), [], path);
  }
});

test('checkTestHome', () => {
  for (const path of ['packages/core/src/a.test.ts', 'bench/a.test.ts', 'test/a.spec.ts', 'sim/a.test.js']) {
    assert.equal(checkTestHome({ path, text: '' }).length, 1, path);
  }
  for (const path of [
    'packages/core/test/b/a.test.ts',
    'sim/a.test.ts',
    'sim/b/a.test.ts',
    'test/a.test.ts',
  ]) {
    assert.deepEqual(checkTestHome({ path, text: '' }), [], path);
  }
});

test('checkPrivate', () => {
  const found = (member: string) =>
    checkPrivate({ path: 'a.ts', text: `class A {\n  ${member}\n}\n` }).length;
  for (const member of [
    'private a = 1;',
    'private readonly b: string;',
    'private async c(): Promise<void> {}',
  ])
    assert.equal(found(member), 1, member);
  for (const member of ['private constructor() {}', '#a = 1;', 'privateKey = 1;'])
    assert.equal(found(member), 0, member);
});

describe('checkText', () => {
  // Joined at run time, so that this file does not break the rules it tests.
  const refused = [
    `// ${['TO', 'DO'].join('')}: later`,
    ['FIX', 'ME'].join(''),
    `'${['', 'home', 'ann', 'data'].join('/')}'`,
    ['', 'tmp', 'x'].join('/'),
    ['C:', 'Users', 'ann'].join('\\'),
    `"${['https:', '', ['registry', 'example', 'org'].join('.'), 'a.tgz'].join('/')}"`,
    ['registry', 'http://a'].join('='),
    `${'<'.repeat(7)} HEAD`,
    `${'>'.repeat(7)} 967f94f9 (a subject)`,
  ];
  for (const text of refused) {
    test(`refuses ${text}`, () => assert.equal(checkText({ path: 'a.ts', text }).length, 1));
  }
  test('allows similar text', () => {
    const text = 'mastodon, todo 0, https://example.org/home/page, ./work/x, /api/v1/orders, /var/lib/bourse';
    assert.deepEqual(checkText({ path: 'a.ts', text }), []);
  });
});

test('checkVersions', () => {
  const manifest = (version: string): Source => ({
    path: 'packages/core/package.json',
    text: JSON.stringify({ devDependencies: { a: version } }),
  });
  for (const version of ['^1.2.3', '~1.2.3', '1.2', 'latest', '*']) {
    assert.equal(checkVersions(manifest(version)).length, 1, version);
  }
  assert.deepEqual(checkVersions(manifest('1.2.3')), []);

  const lock = (entry: object): Source => ({
    path: 'package-lock.json',
    text: JSON.stringify({ packages: { 'node_modules/a': entry } }),
  });
  assert.equal(checkVersions(lock({ resolved: 'https://example.org/a.tgz' })).length, 1);
  assert.deepEqual(checkVersions(lock({ resolved: 'packages/core', link: true })), []);
});

test('checkDependencies', () => {
  const manifest = (name: string): Source => ({
    path: 'packages/core/package.json',
    text: JSON.stringify({ dependencies: { [name]: '1.2.3' } }),
  });
  const file = (path: string): Source => ({ path, text: "import '@a/b';\nimport 'c/d.js';" });
  for (const name of ['@a/b', 'c']) {
    assert.deepEqual(checkDependencies(manifest(name), [file('packages/core/src/a.ts')]), []);
    assert.equal(checkDependencies(manifest(name), [file('packages/engine/src/a.ts')]).length, 1, name);
  }
  for (const name of ['@a/c', 'd']) {
    assert.equal(checkDependencies(manifest(name), [file('packages/core/src/a.ts')]).length, 1, name);
  }
});

test('checkExports', () => {
  const first = { path: 'a.ts', text: 'export const used = 1;\nexport async function idle() {}\nidle();\n' };
  const texts = [first, { path: 'b.ts', text: "import { used } from './a.ts';" }];
  assert.deepEqual(checkExports(first, countWords(texts)), ['a.ts: exports idle, which nothing imports']);
  assert.deepEqual(checkExports(first, countWords([...texts, { path: 'c.ts', text: 'await idle();' }])), []);
  assert.equal(checkExports(first, countWords([...texts, { path: 'c.md', text: 'idle' }])).length, 1);
});

test('checkInstallScripts', () => {
  const check = (allowScripts: object, entry: object): string[] =>
    checkInstallScripts(
      JSON.stringify({ allowScripts }),
      JSON.stringify({ packages: { '': {}, 'node_modules/b/node_modules/@a/a': entry } }),
    );
  const scripted = { hasInstallScript: true };
  assert.deepEqual(check({}, scripted), ['@a/a has an install script']);
  assert.deepEqual(check({ '@a/a': true }, scripted), ['@a/a may run its install script']);
  assert.deepEqual(check({ '@a/a': false }, {}), ['@a/a has no install script, but is listed']);
  assert.deepEqual(check({ '@a/a': false }, scripted), []);
  assert.deepEqual(check({}, {}), []);
});

test('checkEngines', () => {
  const check = (node: string): string[] =>
    checkEngines(
      '{"engines":{"node":">=20.19.0"}}',
      JSON.stringify({ packages: { a: { engines: { node } } } }),
    );
  for (const node of [
    '>=22',
    '>=20.20',
    '^18 || >=22.12.0',
    '18.x',
    '<20',
    '~20.18.0',
    '>= 21.0.0',
    '^16 || ^18',
  ]) {
    assert.equal(check(node).length, 1, node);
  }
  for (const node of [
    '>=18',
    '*',
    '^18.12.0 || ^20.9.0 || >=22',
    '20',
    '20.x',
    '>= 0.8',
    '>=6 <22',
    '20 || >=22',
  ]) {
    assert.deepEqual(check(node), [], node);
  }
});

test('git ignores the files that a sandbox leaves in the current folder', (t) => {
  if (spawnSync('git', ['--version']).status !== 0) return t.skip('git is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'bourse-tidy-'));
  t.after(() => rmSync(folder, { recursive: true }));
  spawnSync('git', ['init', '-q'], { cwd: folder });
  copyFileSync(join(root, '.gitignore'), join(folder, '.gitignore'));
  // The paths that README uses.
  for (const path of ['connection.json', 'data/lock', 'other/connection.json', 'dist/bourse-0.1.0.tgz']) {
    assert.equal(spawnSync('git', ['check-ignore', path], { cwd: folder }).status, 0, path);
  }
  assert.equal(spawnSync('git', ['check-ignore', 'README.md'], { cwd: folder }).status, 1);
});
