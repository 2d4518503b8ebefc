// Who may import whom. Every rule is a function from sources to complaints, so that the tests can show each
// of them broken by a sample before they run it over the repository.

import { posix } from 'node:path';
import { importsOf, type Source } from './source-text.ts';

/** What a package offers: its folder, and its `exports` as paths from the repository's root. */
export type Package = { readonly folder: string; readonly exports: Readonly<Record<string, string>> };

export type Packages = Readonly<Record<string, Package>>;

type Edge = {
  readonly from: string;
  readonly line: number;
  readonly specifier: string;
  readonly to: string | null;
};

/** Packages that a package may import. A new package must be put here before it passes. */
const packagesAllowed: Readonly<Record<string, readonly string[]>> = {
  core: [],
  client: [],
  server: ['core'],
  testing: ['server', 'client'],
  web: ['client'],
};

/** Layers of the server: folders that a folder may import, besides itself and the files at the top. */
const layersAllowed: Readonly<Record<string, readonly string[]>> = {
  io: [],
  bytes: [],
  log: ['bytes', 'io'],
  history: ['io'],
  'history/sqlite': ['history', 'bytes', 'io'],
  engine: ['log', 'history', 'io'],
  cluster: ['engine', 'log', 'history', 'bytes', 'io'],
  views: ['engine', 'history', 'io'],
  sockets: ['io'],
  gateway: ['engine', 'views', 'history', 'sockets', 'io'],
  'order-entry': ['engine', 'views', 'gateway', 'sockets', 'io'],
  // The feed's document describes order entry too: they share the AsyncAPI page.
  feed: ['engine', 'views', 'history', 'gateway', 'order-entry', 'sockets', 'io'],
  // People: apart from the gateway's routes, because a session is not a signed request.
  identity: ['engine', 'views', 'gateway', 'io'],
  config: ['engine', 'gateway', 'feed', 'order-entry', 'io'],
  report: ['log', 'engine', 'io'],
  sandbox: [
    'report',
    'log',
    'engine',
    'views',
    'history',
    'gateway',
    'identity',
    'order-entry',
    'feed',
    'io',
  ],
  mirror: ['cluster', 'engine', 'log', 'history', 'io'],
  tools: ['startup', 'log', 'engine', 'gateway', 'history', 'history/sqlite', 'io'],
  startup: [
    'config',
    'cluster',
    'sandbox',
    'log',
    'engine',
    'views',
    'history',
    'history/sqlite',
    'gateway',
    'identity',
    'feed',
    'order-entry',
    'io',
  ],
  cli: ['config', 'identity', 'sandbox', 'mirror', 'tools', 'startup', 'report', 'log', 'engine', 'io'],
};

/** Folders inside a layer that one of its folders may not import. */
const foldersForbidden: readonly (readonly [from: string, to: string])[] = [
  // Who may do what is decided before anybody knows which interface asks.
  ['gateway/access', 'gateway/operator'],
  ['gateway/access', 'gateway/routes'],
  ['gateway/access', 'gateway/orders'],
  ['gateway/errors', 'gateway/routes'],
  ['gateway/http', 'gateway/operator'],
  ['feed', 'gateway/routes'],
  ['order-entry', 'gateway/routes'],
];

/** Files that are started and not imported, besides the `exports` of the packages. */
const mains: readonly RegExp[] = [
  /^examples\/[^/]+\.ts$/,
  /^scripts\/cluster\/main\.ts$/,
  /^packages\/server\/src\/main\.ts$/,
  /^packages\/web\/(src\/begin\.ts|vite\.config\.ts)$/,
];
const trialMains: readonly RegExp[] = [
  /\.test\.ts$/,
  /^sim\/(.+\/)?(main|run|differential|properties)\.ts$/,
  /^bench\/([^/]+\/)?main\.ts$/,
  /\/list\.ts$/,
];

const testTools = 'packages/test-tools/';

/** Simulation, benches, tests and their tools: they may look into the product, and it may not look into them. */
function isTrial(path: string): boolean {
  return /^(sim|bench|test|packages\/test-tools|packages\/[^/]+\/test)\//.test(path);
}

/**
 * Trials among themselves: the tools serve all others and so know none of them, and a test knows no simulation, because
 * what both need is a tool.
 */
function wrongTrial(from: string, to: string | null): string | null {
  if (to === null) return null;
  if (from.startsWith(testTools)) {
    return isTrial(to) && !to.startsWith(testTools) ? 'test tools know no test and no simulation' : null;
  }
  return /^(test|packages\/[^/]+\/test)\//.test(from) && to.startsWith('sim/')
    ? 'a test may not use a simulation: what both need is a test tool'
    : null;
}

function edgesOf(sources: readonly Source[], packages: Packages): Edge[] {
  return sources.flatMap(({ path, text }) =>
    importsOf(text).map(({ specifier, line }) => ({
      from: path,
      line,
      specifier,
      to: resolve(path, specifier, packages),
    })),
  );
}

/** The file that a specifier names, or null for one from outside the repository. */
function resolve(from: string, specifier: string, packages: Packages): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
  for (const [name, { folder, exports }] of Object.entries(packages)) {
    if (specifier !== name && !specifier.startsWith(`${name}/`)) continue;
    const entry = `.${specifier.slice(name.length)}`;
    return exports[entry] ?? matching(entry, exports) ?? `${folder}/${entry}`;
  }
  return null;
}

/** By an entry with a star, such as `./*.ts`. */
function matching(entry: string, exports: Package['exports']): string | null {
  for (const [pattern, file] of Object.entries(exports)) {
    const [before, after] = pattern.split('*');
    if (after === undefined || !entry.startsWith(before!) || !entry.endsWith(after)) continue;
    return file.replace('*', entry.slice(before!.length, entry.length - after.length));
  }
  return null;
}

export function checkDirections(sources: readonly Source[], packages: Packages): string[] {
  return edgesOf(sources, packages).flatMap((edge) => {
    const reason = wrongDirection(edge);
    return reason === null ? [] : [`${edge.from}:${edge.line} imports '${edge.specifier}': ${reason}`];
  });
}

function wrongDirection({ from, specifier, to }: Edge): string | null {
  if (isTrial(from)) return wrongTrial(from, to);
  if (to !== null && isTrial(to)) return 'only simulation, benches and tests may';
  const home = /^packages\/([^/]+)\/src\//.exec(from);
  if (home === null) return null;
  if (home[1] === 'core' && !(specifier.startsWith('.') && to!.startsWith('packages/core/src/'))) {
    return 'the core is closed';
  }
  if (specifier.startsWith('.') && !to!.startsWith(home[0])) return 'a relative path stays in its package';
  if (to === null) return null;

  const allowed = packagesAllowed[home[1]!];
  if (allowed === undefined) return `package ${home[1]} has no line in the table of directions`;
  const target = /^packages\/([^/]+)\//.exec(to)?.[1];
  if (target !== undefined && target !== home[1] && !allowed.includes(target)) {
    return `${home[1]} may not import ${target}`;
  }
  const forbidden = foldersForbidden.find(([a, b]) => isInFolder(from, a) && isInFolder(to, b));
  if (forbidden !== undefined) return `${forbidden[0]} may not import ${forbidden[1]}`;
  const layer = layerOf(from);
  const layerTo = layerOf(to);
  if (layer === null || layerTo === null || layer === layerTo) return null;
  const layers = layersAllowed[layer];
  if (layers === undefined) return `layer ${layer} has no line in the table of directions`;
  return layers.includes(layerTo) ? null : `${layer} may not import ${layerTo}`;
}

const isInFolder = (path: string, folder: string): boolean =>
  path.startsWith(`packages/server/src/${folder}/`);

/** A folder of the server; SQLite is a layer of its own, so that only the start knows which database there is. */
function layerOf(path: string): string | null {
  return /^packages\/server\/src\/(history\/sqlite|[^/]+)\//.exec(path)?.[1] ?? null;
}

/** One complaint for each cycle that a depth-first walk meets. */
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
 * Files that no entry point leads to. Product code must be reached from the product: a file that only tests
 * import is as dead as one that nobody imports.
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
    .map((file) => `${file}: no entry point leads to it`);
}

function graphOf(sources: readonly Source[], packages: Packages): Map<string, string[]> {
  const next = new Map<string, string[]>(sources.map(({ path }) => [path, []]));
  for (const { from, to } of edgesOf(sources, packages)) {
    if (to !== null && next.has(to)) next.get(from)!.push(to);
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
