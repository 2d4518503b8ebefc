// npm run test:only -- [part of a path ...] [node options ...]
//
// `node --test` is content when its pattern matches nothing; here no test file at all is an error.

import './require-node.mjs';
import { spawnSync } from 'node:child_process';
import { listFiles, root, testHome } from './tree.mjs';

const args = process.argv.slice(2);
const options = args.filter((arg) => arg.startsWith('-'));
const parts = args.filter((arg) => !arg.startsWith('-'));

const files = listFiles()
  .filter((file) => testHome.test(file))
  .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));

if (files.length === 0) {
  console.error('No test file found.');
  process.exit(1);
}
console.log(`${files.length} test files, Node ${process.version}`);
const run = spawnSync(process.execPath, ['--test', ...options, ...files], { cwd: root, stdio: 'inherit' });
process.exit(run.status ?? 1);
