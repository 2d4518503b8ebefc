// The dependencies that lie in the package: exactly those that the tests of this repository ran with, and nothing of
// them is hoisted among the packages of the project that installs it, nor linked into its `.bin`.

import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../tree.mjs';

/** What no program reads while it runs: maps and sources for debuggers, declarations, tests. */
const UNUSED =
  /\.(map|ts|mts|cts|flow|tsbuildinfo|md|markdown)$|\/(test|tests|__tests__|benchmarks?|examples?)(\/|$)/;
/** Licenses stay with the code. */
const KEPT = /license|licence|notice|copying/i;

/**
 * Copies these packages and all that they need.
 *
 * @param {readonly string[]} names
 * @param {string} to the folder `node_modules`
 * @returns {[folder: string, name: string][]} the folder of each in `to`, and its name with its version
 */
export function bundleDependencies(names, to) {
  const found = new Set();
  for (const name of names) collect(name, root, found);
  const modules = join(root, 'node_modules');
  for (const folder of found) {
    cpSync(folder, join(to, relative(modules, folder)), {
      recursive: true,
      // Packages that lie within this one are found by themselves, where they are needed.
      filter: (path) => isUsed(path.slice(folder.length)),
    });
  }
  // The longest path last: a package within another one counts for itself.
  return [...found].toSorted().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return [relative(modules, folder), `${name}@${version}`];
  });
}

function isUsed(path) {
  return !path.includes('node_modules') && (KEPT.test(path) || !UNUSED.test(path));
}

/** Adds the folder of a package as `from` finds it, and of all that it depends on. */
function collect(name, from, found) {
  const folder = findPackage(name, from);
  if (folder === null || found.has(folder)) return folder !== null;
  found.add(folder);
  const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  for (const each of Object.keys(dependencies)) {
    if (each in optionalDependencies) continue;
    if (!collect(each, folder, found)) throw new Error(`${each}, which ${name} needs, is not installed.`);
  }
  return true;
}

function findPackage(name, from) {
  for (let at = from; at.startsWith(root); at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(folder)) return folder;
  }
  return null;
}
