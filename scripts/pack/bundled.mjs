// Bundles the dependencies into the package: exactly the versions that the tests of this repository ran with. npm neither
// hoists them into the project that installs the package nor links them into its `.bin`.

import { cpSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root } from '../tree.mjs';

/** Files that no program reads at run time: source maps, sources, declarations, tests. */
const UNUSED =
  /\.(map|ts|mts|cts|flow|tsbuildinfo|md|markdown)$|\/(test|tests|__tests__|benchmarks?|examples?)(\/|$)/;
/** Licenses stay beside the code. */
const KEPT = /license|licence|notice|copying/i;

/**
 * Copies these packages with their dependencies.
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
      // Packages nested in this one are found separately, if something needs them.
      filter: (path) => isUsed(path.slice(folder.length)),
    });
  }
  // The longest path last, so that the files of a nested package belong to it and not to the outer one.
  return [...found].toSorted().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return [relative(modules, folder), `${name}@${version}`];
  });
}

function isUsed(path) {
  return !path.includes('node_modules') && (KEPT.test(path) || !UNUSED.test(path));
}

/** Adds the folder of a package as `from` resolves it, and those of its dependencies. */
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
