// Type checks every project. A project is a folder with a tsconfig.json; each .ts file belongs to the nearest
// one above it, so that no list can miss a new folder. Projects with equal options are checked together: most import the
// product, and each alone would check all of it again. The compiler's state is kept for the next run, which checks only what
// has changed.

import './require-node.mjs';
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, resolve as toAbsolute } from 'node:path';
import { listFiles, root } from './tree.mjs';

const files = listFiles();
const configs = new Set(files.filter((file) => posix.basename(file) === 'tsconfig.json'));
/** @type {Map<string, string[]>} */
const projects = new Map();
let failed = false;

for (const file of files.filter((name) => /\.tsx?$/.test(name))) {
  let folder = posix.dirname(file);
  while (folder !== '.' && !configs.has(`${folder}/tsconfig.json`)) folder = posix.dirname(folder);
  if (folder === '.') fail(`${file}: no tsconfig.json above it`);
  else projects.set(folder, [...(projects.get(folder) ?? []), file]);
}
if (projects.size === 0) fail('No TypeScript file found.');

/** Inside the repository, because the compiler resolves types from there. */
const state = join(root, 'node_modules', '.types');
mkdirSync(state, { recursive: true });
await Promise.all([...groupByOptions()].map(([options, folders], at) => check(options, folders, at)));
process.exitCode = failed ? 1 : 0;

/** Folders by their configuration without `include`. */
function groupByOptions() {
  const groups = new Map();
  for (const folder of projects.keys()) {
    const text = readFileSync(join(root, folder, 'tsconfig.json'), 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
    const { include, ...options } = JSON.parse(text);
    options.extends = toAbsolute(root, folder, options.extends);
    if (options.exclude) options.exclude = options.exclude.map((path) => toAbsolute(root, folder, path));
    const key = JSON.stringify(options);
    groups.set(key, [...(groups.get(key) ?? []), { folder, include }]);
  }
  return groups;
}

async function check(options, folders, at) {
  const config = join(state, `tsconfig.${at}.json`);
  const include = folders.flatMap((each) => each.include.map((path) => toAbsolute(root, each.folder, path)));
  const { compilerOptions, ...others } = JSON.parse(options);
  const incremental = { incremental: true, tsBuildInfoFile: join(state, `${at}.tsbuildinfo`) };
  writeFileSync(
    config,
    JSON.stringify({ ...others, compilerOptions: { ...compilerOptions, ...incremental }, include }),
  );
  const { status, output } = await tsc(['-p', config, '--pretty', 'false', '--listFiles']);
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const seen = new Set(lines.map((line) => line.trim().replaceAll('\\', '/')));
  const errors = lines.filter(
    (line) => line.includes(': error TS') || !/^\S.*\.([cm]?[jt]sx?|json)$/.test(line),
  );
  const base = root.replaceAll('\\', '/');
  for (const { folder } of folders) {
    for (const member of projects.get(folder)) {
      if (!seen.has(`${base}/${member}`)) errors.push(`${member}: not included by ${folder}/tsconfig.json`);
    }
  }
  const names = folders.map(({ folder }) => folder).join(', ');
  if (status !== 0 || errors.length > 0) fail(errors.join('\n') || `tsc of ${names}: exit ${status}`);
  else console.log(`types ok: ${names}`);
}

function tsc(args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [`${root}/node_modules/typescript/bin/tsc`, ...args], {
      cwd: root,
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (status) => resolve({ status, output }));
  });
}

function fail(message) {
  failed = true;
  console.error(message);
}
