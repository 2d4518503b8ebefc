// npm run release -- --dry-run [--to FOLDER] [--skip-tests]: builds everything that would be published, tests it as users
// install it, and lists every file with its size, hash and origin. It publishes nothing; docs/internals/release.md says
// how to.

import './require-node.mjs';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, posix, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { packWithOrigins } from './pack/main.mjs';
import { OWN_PLATFORM } from './pack/node-binary.mjs';
import { PYTHON_FOLDER, packPython } from './pack/python.mjs';
import { listFiles, root } from './tree.mjs';

/** Tested in addition to the machine's own Node and ours. */
const OTHER_NODES = ['22.23.3'];

/** @returns {string[]} reasons that prevent a release from this tree */
export function obstacles(status, versions) {
  const dirty = status.split('\n').filter(Boolean);
  const [[, expected]] = versions;
  return [
    ...(dirty.length > 0 ? [`The tree is dirty. Commit or remove:\n  ${dirty.join('\n  ')}`] : []),
    ...versions
      .filter(([, version]) => version !== expected)
      .map(([path, version]) => `${path} has version ${version}, but ${versions[0][0]} has ${expected}.`),
  ];
}

/** @returns {[path: string, version: string][]} every place that names the version, the root's manifest first */
export function versionsOf(folder = root) {
  const read = (path) => readFileSync(join(folder, path), 'utf8');
  const manifests = listFiles(folder).filter((path) => /^packages\/[^/]+\/package\.json$/.test(path));
  const own = manifests.map((path) => [path, JSON.parse(read(path))]);
  const names = new Set(own.map(([, { name }]) => name));
  return [
    ['package.json', JSON.parse(read('package.json')).version],
    ...own.map(([path, { version }]) => [path, version]),
    ...own.flatMap(([path, { dependencies = {} }]) =>
      Object.entries(dependencies)
        .filter(([name]) => names.has(name))
        .map(([name, version]) => [`${path} (${name})`, version]),
    ),
    [
      `${PYTHON_FOLDER}/pyproject.toml`,
      /^version = "(.+)"$/m.exec(read(`${PYTHON_FOLDER}/pyproject.toml`))?.[1],
    ],
    ['CITATION.cff', /^version: (.+)$/m.exec(read('CITATION.cff'))?.[1]],
  ];
}

/**
 * @param {string} archive a tarball, wheel or sdist
 * @param {(path: string) => string | undefined} originOf by the path in the archive
 * @returns {{ path: string, bytes: number, sha256: string, origin: string }[]}
 */
export function listArchive(archive, originOf) {
  const folder = mkdtempSync(join(tmpdir(), 'bourse-release-'));
  try {
    const [command, args] = archive.endsWith('.whl')
      ? ['python3', ['-m', 'zipfile', '-e', archive, folder]]
      : ['tar', ['-xzf', archive, '-C', folder]];
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${archive} cannot be unpacked: ${stderr}`);
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const file = join(entry.parentPath, entry.name);
        const path = file.slice(folder.length + 1);
        const origin = originOf(path);
        if (origin === undefined) throw new Error(`${basename(archive)}: ${path} has no known origin.`);
        const data = readFileSync(file);
        return { path, bytes: data.length, sha256: createHash('sha256').update(data).digest('hex'), origin };
      })
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Origins of the wheel's and the sdist's files: modules by name, metadata by the files that build_backend.py reads. */
export function pythonOrigin(path) {
  const name = path.replace(/^bourse_testing-[^/]+\/(?=[^/])/, '');
  if (/\/(METADATA|WHEEL|RECORD|entry_points\.txt)$|^PKG-INFO$/.test(path) || name === 'PKG-INFO')
    return `${PYTHON_FOLDER}/pyproject.toml`;
  if (/(^|\/)LICENSE$/.test(path)) return 'LICENSE';
  const own = posix.join(PYTHON_FOLDER, name);
  return listFiles().includes(own) ? own : undefined;
}

/** The binary of another Node version, from the same npm packages as ours. */
function fetchNode(version, folder) {
  const name = `node-${OWN_PLATFORM}`;
  const { status, stderr } = spawnSync(
    'npm',
    [
      'install',
      '--no-save',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--prefix',
      folder,
      `${name}@${version}`,
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`npm install ${name}@${version}: ${stderr}`);
  return join(folder, 'node_modules', name, 'bin/node');
}

function run(command, args, env = {}) {
  const { status } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed. Nothing may be released.`);
}

function testAll(tarballs, stage) {
  const nodes = OTHER_NODES.map((version) => fetchNode(version, join(stage, version)));
  const env = { BOURSE_TARBALLS: tarballs.join(':'), BOURSE_NODES: nodes.join(':'), TEST_SIZE: 'long' };
  run(process.execPath, ['--test', 'test/packages/packages.test.ts'], env);
  run(process.execPath, ['--test', 'packages/testing/test/python.test.ts']);
}

const megabytes = (bytes) => `${(bytes / 1e6).toFixed(bytes < 1e6 ? 3 : 1)} MB`;

function main() {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      to: { type: 'string', default: join(root, 'dist') },
      'skip-tests': { type: 'boolean', default: false },
    },
  });
  if (!values['dry-run']) {
    console.error(
      'This script publishes nothing. Run it with --dry-run, then `npm publish FILE` for each tarball.',
    );
    process.exit(2);
  }
  const { stdout: status } = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  const versions = versionsOf();
  const reasons = obstacles(status, versions);
  if (reasons.length > 0) {
    console.error(reasons.join('\n'));
    process.exit(1);
  }
  const [[, version]] = versions;
  const to = resolve(values.to);
  mkdirSync(to, { recursive: true });
  const packed = packWithOrigins(to, [OWN_PLATFORM]);
  const archives = [
    ...packed.map(({ tarball, origins }) => [tarball, (path) => origins.get(path.replace(/^package\//, ''))]),
    ...packPython(to).map((path) => [path, pythonOrigin]),
  ];
  const lines = [];
  for (const [archive, originOf] of archives) {
    const files = listArchive(archive, originOf);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    const hash = createHash('sha256').update(readFileSync(archive)).digest('hex');
    console.log(
      `${basename(archive)}: ${files.length} files, ${megabytes(statSync(archive).size)}, installed ${megabytes(bytes)}, sha256 ${hash}`,
    );
    for (const { path, bytes: size, sha256, origin } of files)
      lines.push([basename(archive), path, size, sha256, origin].join('\t'));
  }
  const list = join(to, `release-${version}.tsv`);
  writeFileSync(list, `archive\tfile\tbytes\tsha256\tmade from\n${lines.join('\n')}\n`);
  console.log(`${lines.length} files with size, hash and origin: ${list}`);
  if (!readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`\n## [${version}]`))
    console.log(`Before publishing: CHANGELOG.md has no section [${version}]; rename [Unreleased].`);
  if (values['skip-tests']) return console.log('The tests were skipped (--skip-tests).');
  const stage = mkdtempSync(join(tmpdir(), 'bourse-release-nodes-'));
  try {
    testAll(
      packed.map(({ tarball }) => tarball),
      stage,
    );
  } finally {
    rmSync(stage, { recursive: true });
  }
  return console.log(`${version} is ready to be published from ${to}. Nothing was published.`);
}

if (process.argv[1] === import.meta.filename) main();
