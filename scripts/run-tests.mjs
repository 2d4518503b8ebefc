// npm run test:only -- [part of a path ...] [node options ...]
// npm run test:long -- [the same]
// npm run test:all -- [the same]
// npm run test:quick -- [the same]
//
// Without an option it leaves out the files that test-sets.mjs keeps for the long run, and tests that have two sizes run
// in the short one. The long run is of those files and of all that have two sizes, in the long one. The run of all is of
// every file, once, in the long size; `TEST_RUN=all npm test` is the same. Neither may skip a test. Parts of paths choose
// every file that fits. `node --test` is content when its pattern matches nothing; here no test file at all is an error.

import './require-node.mjs';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from './build-web.mjs';
import { isAlone, isLongOnly, isQuick } from './test-sets.mjs';
import { listFiles, root, testHome } from './tree.mjs';

const args = process.argv.slice(2);
const RUNS = ['--long', '--all', '--quick'];
const { TEST_RUN, ...outside } = process.env;
const isAllRun = args.includes('--all') || TEST_RUN === 'all';
const isLong = isAllRun || args.includes('--long');
const isQuickRun = args.includes('--quick');
const options = args.filter((arg) => arg.startsWith('-') && !RUNS.includes(arg));
const parts = args.filter((arg) => !arg.startsWith('-'));

/** They import what tells them which size is wanted. */
const hasTwoSizes = (file) => readFileSync(join(root, file), 'utf8').includes('/run-size.ts');

const isChosen = (file) => {
  if (parts.length > 0 && !parts.some((part) => file.includes(part))) return false;
  if (isAllRun) return true;
  if (isLong) return isLongOnly(file) || hasTwoSizes(file);
  if (isQuickRun) return isQuick(file);
  return parts.length > 0 || !isLongOnly(file);
};
const files = listFiles().filter((file) => testHome.test(file) && isChosen(file));

if (files.length === 0) {
  console.error('No test file found.');
  process.exit(1);
}
console.log(`${files.length} test files${isLong ? ' in the long size' : ''}, Node ${process.version}`);
// Once for all: every exchange that a test starts would find none and begin to build them.
if (!isQuickRun) await buildWeb();
const own = ['longest-files', ...(isLong ? ['skipped-tests'] : [])].map(
  (name) => new URL(`./${name}.mjs`, import.meta.url).href,
);
const reporters = ['spec', ...own].flatMap((reporter) => [
  `--test-reporter=${reporter}`,
  '--test-reporter-destination=stdout',
]);
// Hundreds of processes load the same sources: with this only the first removes their types and compiles them.
const cache = outside.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache');
const env = { ...outside, NODE_COMPILE_CACHE: cache, TEST_SIZE: isLong ? 'long' : 'short' };

/** Whether all of them passed. */
function run(chosen, atATime) {
  if (chosen.length === 0) return true;
  const deadline = `--import=${new URL('./file-deadline.mjs', import.meta.url).href}`;
  const all = ['--test', deadline, `--test-concurrency=${atATime}`, ...reporters, ...options, ...chosen];
  return spawnSync(process.execPath, all, { cwd: root, stdio: 'inherit', env }).status === 0;
}

const alone = files.filter((file) => isLong && isAlone(file));
const others = files.filter((file) => !alone.includes(file));
// Node would leave one processor free. Many tests wait for processes of their own, so none is too much; with one file
// more at a time, browsers are slow enough for a test to give up.
const hasPassed = [run(others, availableParallelism()), run(alone, 1)];
process.exit(hasPassed.every(Boolean) ? 0 : 1);
