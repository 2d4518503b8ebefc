// A package may only import what its manifest declares. npm links all workspaces side by side, so an undeclared import
// resolves here and fails only when the package is installed. Every rule is a function from sources to complaints, so
// that tests can run it on samples that break it, and then on the repository.

import { posix } from 'node:path';
import { importsOf, type Source } from './source-text.ts';

/** Its folder, its `exports` as paths from the repository's root, and the packages that it declares. */
export type Package = {
  readonly folder: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly declares: readonly string[];
};

export type Packages = Readonly<Record<string, Package>>;

/** Files that are started, not imported, in addition to the packages' `exports`. */
const mains: readonly RegExp[] = [
  /^examples\/[^/]+\.ts$/,
  /^scripts\/cluster\/main\.ts$/,
  /^packages\/bourse\/src\/main\.ts$/,
  /^packages\/web\/(src\/(begin|docs\/site)\.ts|vite\.config\.ts)$/,
];
const trialMains: readonly RegExp[] = [
  /\.test\.ts$/,
  /^sim\/(.+\/)?(main|run|differential|properties)\.ts$/,
  /^bench\/([^/]+\/)?main\.ts$/,
  /\/list\.ts$/,
];

/** Simulations, benches, tests and their kit: they may import the product, never the reverse. */
function isTrial(path: string): boolean {
  return /^(sim|bench|test|packages\/test-kit|packages\/[^/]+\/test)\//.test(path);
}

/** Bare imports are declared, and relative ones stay in the package. */
export function checkDeclared(sources: readonly Source[], packages: Packages): string[] {
  return sources
    .filter(({ path }) => !isTrial(path))
    .flatMap(({ path, text }) => {
      const own = Object.values(packages).find(({ folder }) => path.startsWith(`${folder}/`));
      if (own === undefined) return [];
      return importsOf(text).flatMap(({ specifier, line }) => {
        const reason = undeclared(path, specifier, own);
        return reason === null ? [] : [`${path}:${line} imports '${specifier}': ${reason}`];
      });
    });
}

function undeclared(from: string, specifier: string, { folder, declares }: Package): string | null {
  if (specifier.startsWith('.')) {
    const to = posix.join(posix.dirname(from), specifier);
    const isInside = to.startsWith(`${folder}/`) && !isTrial(to);
    // A folder with built files outside of the package is read, not imported.
    return isInside || !/\.[cm]?[jt]sx?$/.test(to) ? null : `a relative path stays in ${folder}`;
  }
  if (specifier.startsWith('node:')) return null;
  const name = /^(@[^/]+\/)?[^/]+/.exec(specifier)![0];
  return declares.includes(name) ? null : `${folder}/package.json does not declare ${name}`;
}

/** One complaint for each package that depends on itself through its declared dependencies. */
export function checkOrder(packages: Packages): string[] {
  const needs = (name: string, seen: ReadonlySet<string>): ReadonlySet<string> =>
    (packages[name]?.declares ?? []).reduce(
      (all, each) => (all.has(each) ? all : needs(each, new Set([...all, each]))),
      seen,
    );
  return Object.keys(packages)
    .filter((name) => needs(name, new Set()).has(name))
    .map((name) => `${name} depends on itself through its declared packages`);
}

/** The file that a specifier names, or null if it is outside of the repository. */
function resolve(from: string, specifier: string, packages: Packages): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  for (const [name, { folder, exports }] of Object.entries(packages)) {
    if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
    const entry = `.${specifier.slice(name.length)}`;
    return exports[entry] ?? matching(entry, exports) ?? `${folder}/${entry}`;
  }
  return null;
}

/** Resolves an entry with a star, such as `./*.ts`. */
function matching(entry: string, exports: Package['exports']): string | null {
  for (const [pattern, file] of Object.entries(exports)) {
    const [before, after] = pattern.split('*');
    if (after === undefined || !entry.startsWith(before!) || !entry.endsWith(after)) continue;
    return file.replace('*', entry.slice(before!.length, entry.length - after.length));
  }
  return null;
}

/** One complaint for each cycle found by a depth-first search. */
export function checkCycles(sources: readonly Source[], packages: Packages): string[] {
  const next = graphOf(sources, packages);
  const done = new Set<string>();
  const path: string[] = [];
  const complaints: string[] = [];

  const walk = (file: string): void => {
    const open = path.indexOf(file);
    if (open >= 0) complaints.push(`import cycle: ${[...path.slice(open), file].join(' -> ')}`);
    if (open >= 0 || done.has(file)) return;
    path.push(file);
    for (const to of next.get(file) ?? []) walk(to);
    path.pop();
    done.add(file);
  };
  for (const { path: file } of sources) walk(file);
  return complaints;
}

/**
 * Files that no entry point reaches. Product code must be reached from the product: a file that only tests import is as
 * dead as one without imports.
 */
export function checkUnused(sources: readonly Source[], packages: Packages): string[] {
  const next = graphOf(sources, packages);
  const offered = new Set(Object.values(packages).flatMap((each) => Object.values(each.exports)));
  const files = sources.map((source) => source.path);
  const product = files.filter((file) => offered.has(file) || mains.some((main) => main.test(file)));
  const trial = files.filter((file) => trialMains.some((main) => main.test(file)));
  const fromProduct = reach(product, next);
  const fromAll = reach([...product, ...trial], next);
  return files
    .filter((file) => !(isTrial(file) ? fromAll : fromProduct).has(file))
    .map((file) => `${file}: not reachable from an entry point`);
}

function graphOf(sources: readonly Source[], packages: Packages): Map<string, string[]> {
  const next = new Map<string, string[]>(sources.map(({ path }) => [path, []]));
  for (const { path, text } of sources) {
    for (const { specifier } of importsOf(text)) {
      const to = resolve(path, specifier, packages);
      if (to !== null && next.has(to)) next.get(path)!.push(to);
    }
  }
  return next;
}

function reach(entries: readonly string[], next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set<string>();
  const waiting = [...entries];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    waiting.push(...(next.get(file) ?? []));
  }
  return seen;
}
