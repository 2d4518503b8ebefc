// Type checks every project. A project is a folder with a tsconfig.json; each .ts file belongs to the nearest
// one above it, so that a new folder cannot escape the check by being forgotten in a list.

import './require-node.mjs';
import { spawn } from 'node:child_process';
import { posix } from 'node:path';
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

await Promise.all([...projects].map(([folder, members]) => check(folder, members)));
process.exitCode = failed ? 1 : 0;

async function check(folder, members) {
  const { status, output } = await tsc(['-p', folder, '--pretty', 'false', '--listFiles']);
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const seen = new Set(lines.map((line) => line.trim().replaceAll('\\', '/')));
  const errors = lines.filter(
    (line) => line.includes(': error TS') || !/^\S.*\.([cm]?[jt]sx?|json)$/.test(line),
  );
  const base = root.replaceAll('\\', '/');
  for (const member of members) {
    if (!seen.has(`${base}/${member}`)) errors.push(`${member}: not included by ${folder}/tsconfig.json`);
  }
  if (status !== 0 || errors.length > 0) fail(errors.join('\n') || `tsc -p ${folder}: exit ${status}`);
  else console.log(`types ok: ${folder} (${members.length} files)`);
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
