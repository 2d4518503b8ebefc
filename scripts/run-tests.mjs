// npm run test:only -- [file, folder or part of a path ...] [node options ...]
// npm run test:long -- [the same]
// npm run test:all -- [the same]
// npm run test:quick -- [the same]
//
// Without an option: all files except those that test-sets.mjs reserves for the long run; tests with two sizes run in the
// short one. --long: those files, and all with two sizes, in the long one. --all: every file once, in the long size;
// `TEST_RUN=all npm test` is the same. A skipped test fails the last two. A path that exists selects
// that file or folder, anything else all files whose path contains it.
// `node --test` succeeds if its pattern matches nothing; here that is an error.

import './require-node.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWeb } from './build-web.mjs';
import { isAlone, isLongOnly, isPage, isQuick } from './test-sets.mjs';
import { listFiles, root, testHome } from './tree.mjs';

const args = process.argv.slice(2);
const RUNS = ['--long', '--all', '--quick'];
const { TEST_RUN, ...outside } = process.env;
const isAllRun = args.includes('--all') || TEST_RUN === 'all';
const isLong = isAllRun || args.includes('--long');
const isQuickRun = args.includes('--quick');
const options = args.filter((arg) => arg.startsWith('-') && !RUNS.includes(arg));
const parts = args.filter((arg) => !arg.startsWith('-'));

/** Such a file imports the module with the size of the run. */
const hasTwoSizes = (file) => readFileSync(join(root, file), 'utf8').includes('/run-size.ts');

const matches = (file, part) => {
  if (!existsSync(join(root, part))) return file.includes(part);
  return file === part || file.startsWith(part.endsWith('/') ? part : `${part}/`);
};

const isChosen = (file) => {
  if (parts.length > 0 && !parts.some((part) => matches(file, part))) return false;
  if (isAllRun) return true;
  if (isLong) return isLongOnly(file) || hasTwoSizes(file);
  if (isQuickRun) return isQuick(file);
  return parts.length > 0 || !isLongOnly(file);
};
const files = listFiles().filter((file) => testHome.test(file) && isChosen(file));

if (files.length === 0) {
  console.error('No test file matches.');
  process.exit(1);
}
console.log(`${files.length} test files${isLong ? ' in the long size' : ''}, Node ${process.version}`);
// Build once, or every exchange that a test starts would find no pages and build them.
if (!isQuickRun) await buildWeb();
const own = ['longest-files', ...(isLong ? ['skipped-tests'] : [])].map(
  (name) => new URL(`./${name}.mjs`, import.meta.url).href,
);
const reporters = ['spec', ...own].flatMap((reporter) => [
  `--test-reporter=${reporter}`,
  '--test-reporter-destination=stdout',
]);
// Hundreds of processes load the same sources; with the compile cache only the first strips and compiles them.
const cache = outside.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache');
// V8 accepts cached code only with the flags it was compiled with, so all processes have those of the product. With others,
// tests and the exchanges that they start would replace each other's code all the time.
const preloaded = ['./file-deadline.mjs', '../packages/bourse/bin/v8-flags.mjs'].map(
  (path) => `--import=${new URL(path, import.meta.url).href}`,
);
const env = { ...outside, NODE_COMPILE_CACHE: cache, TEST_SIZE: isLong ? 'long' : 'short' };

/** Returns whether all files passed. */
function run(chosen, atATime) {
  if (chosen.length === 0) return true;
  const all = ['--test', ...preloaded, `--test-concurrency=${atATime}`, ...reporters, ...options, ...chosen];
  return spawnSync(process.execPath, all, { cwd: root, stdio: 'inherit', env }).status === 0;
}

const alone = files.filter((file) => isLong && isAlone(file));
const pages = files.filter((file) => isLong && isPage(file));
const others = files.filter((file) => !alone.includes(file) && !pages.includes(file));
// Many tests only wait for their processes, so there is one more file at a time than there are processors.
const processors = availableParallelism();
const hasPassed = [run(others, processors + 1), run(pages, processors), run(alone, 1)];
process.exit(hasPassed.every(Boolean) ? 0 : 1);
