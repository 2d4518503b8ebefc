// Tidy rules on files: size, names, unfinished work, traces of a machine, exact versions.

import { testHome } from '../scripts/tree.mjs';
import type { Source } from './source-text.ts';

/** Far above the usual 100 to 400: a file is a concept, and no file is split because of its length. */
const linesMax = 600;

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const upperCase =
  /^(README|ARCHITECTURE|CHANGELOG|CODE_OF_CONDUCT|CONTRIBUTING|SECURITY|LICENSE|NOTICE)(\.md)?$|^CITATION\.cff$/;

// In two parts, so that this file does not break its own rule.
const unfinished = new RegExp(`\\b(${'TO'}${'DO'}|${'FIX'}${'ME'})\\b`, 'g');

/** Conflict markers of a merge. */
const mergeMark = /^(<{7}|>{7}) .*$/gm;

/** A folder of one machine. Does not match the end of a URL or of a relative path. */
const machinePath = /(?<![\w.~}*)-])(\/(home|Users|root|work|tmp|mnt|private)\/[\w.-]+|[A-Z]:\\{1,2}\w+)/g;
const registryHost =
  /\b(registry|npm|artifactory|nexus|verdaccio)\.[\w-]+\.[a-z]{2,}\b|\bregistry\s*=\s*http/gi;

type Dependencies = Readonly<Record<string, string>>;
type Engines = { readonly engines?: { readonly node?: string } };
type Lock = { packages: Record<string, Engines & { resolved?: string; hasInstallScript?: boolean }> };

export function checkSize({ path, text }: Source): string[] {
  if (!/\.(ts|tsx|mjs|css|sql)$/.test(path)) return [];
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return lines > linesMax ? [`${path}: ${lines} lines, at most ${linesMax}`] : [];
}

export function checkName({ path }: Source): string[] {
  // Forges prescribe the names in their folder, such as ISSUE_TEMPLATE.
  if (path.startsWith('.github/')) return [];
  // Python imports modules by names without dashes.
  const isModule = path.startsWith('packages/testing/python/');
  const parts = (isModule ? path.replaceAll('__init__', 'init').replaceAll('_', '-') : path).split('/');
  const fine = parts.every((part, at) => {
    if (part.startsWith('.')) return true;
    if (at === parts.length - 1)
      return upperCase.test(part) || part.split('.').every((piece) => kebab.test(piece));
    return kebab.test(part);
  });
  return fine ? [] : [`${path}: not kebab-case`];
}

export function checkTestHome({ path }: Source): string[] {
  return /\.(test|spec)\.\w+$/.test(path) && !testHome.test(path) ? [`${path}: a test that never runs`] : [];
}

export function checkText({ path, text }: Source): string[] {
  const found = (pattern: RegExp, what: string): string[] =>
    Array.from(text.matchAll(pattern), ([match]) => `${path}: ${what} '${match}'`);
  return [
    ...found(registryHost, 'registry host'),
    ...found(mergeMark, 'mark of a merge'),
    // Hashes in the lockfile may contain any text.
    ...(path === 'package-lock.json' ? [] : found(unfinished, 'unfinished work')),
    ...(path === 'package-lock.json' ? [] : found(machinePath, 'path of a machine')),
  ];
}

/** `#` is private at run time too. Only a constructor cannot have it. */
export function checkPrivate({ path, text }: Source): string[] {
  if (!/\.tsx?$/.test(path)) return [];
  const members = text.matchAll(/^\s+private (?!constructor\b)[^;({=]*/gm);
  return Array.from(members, ([member]) => `${path}: '${member.trim()}', write #`);
}

/** Exact versions, and a lockfile without a registry. */
export function checkVersions({ path, text }: Source): string[] {
  if (path === 'package-lock.json') {
    return Object.entries((JSON.parse(text) as Lock).packages).flatMap(([name, { resolved }]) =>
      resolved?.includes('://') ? [`${path}: ${name} names its registry`] : [],
    );
  }
  if (!/(^|\/)package\.json$/.test(path)) return [];
  const manifest = JSON.parse(text) as Record<string, Dependencies | undefined>;
  return ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides'].flatMap((kind) =>
    Object.entries(manifest[kind] ?? {})
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${path}: ${name} ${version} is not an exact version`),
  );
}

/** Declared only to fix their version: another package would install one that requires a newer Node. */
const namedForVersion = ['light-my-request'];

/** Every dependency of a package is imported by one of its own files. */
export function checkDependencies({ path, text }: Source, texts: readonly Source[]): string[] {
  if (!/^packages\/[^/]+\/package\.json$/.test(path)) return [];
  const own = texts.filter(
    (each) => each.path !== path && each.path.startsWith(path.slice(0, -'package.json'.length)),
  );
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: Dependencies };
  return Object.keys(dependencies)
    .filter((name) => !namedForVersion.includes(name))
    .filter((name) => !own.some((each) => each.text.includes(`'${name}'`) || each.text.includes(`'${name}/`)))
    .map((name) => `${path}: nothing imports ${name}`);
}

/** No install script runs: the manifest's `allowScripts` lists every package that has one, as not allowed. */
export function checkInstallScripts(manifest: string, lock: string): string[] {
  const listed = (JSON.parse(manifest) as { allowScripts?: Record<string, boolean> }).allowScripts ?? {};
  const withScripts = Object.entries((JSON.parse(lock) as Lock).packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([place]) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length));
  return [
    ...withScripts.filter((name) => !(name in listed)).map((name) => `${name} has an install script`),
    ...Object.keys(listed).flatMap((name) => [
      ...(listed[name] ? [`${name} may run its install script`] : []),
      ...(withScripts.includes(name) ? [] : [`${name} has no install script, but is listed`]),
    ]),
  ];
}

/** npm warns about a dependency that does not support the oldest Node that we support. */
export function checkEngines(manifest: string, lock: string): string[] {
  const { engines } = JSON.parse(manifest) as Engines;
  const oldest = engines!.node!.replace('>=', '');
  return Object.entries((JSON.parse(lock) as Lock).packages).flatMap(([place, { engines: wanted }]) =>
    wanted?.node === undefined || isWithin(oldest, wanted.node)
      ? []
      : [`${place} requires Node ${wanted.node}, so npm warns on Node ${oldest}`],
  );
}

/** Ranges with `>=`, `<`, `^`, `~` or a prefix, combined with `||` or blanks. */
function isWithin(version: string, range: string): boolean {
  return range.split('||').some((each) =>
    each
      .trim()
      .replaceAll(/([<>=^~]+)\s+/g, '$1')
      .split(/\s+/)
      .every((bound) => isOnSide(version, bound)),
  );
}

function isOnSide(version: string, bound: string): boolean {
  const [, sign, wanted] = /^([<>=^~]*)v?(.*)$/.exec(bound)!;
  const parts = wanted.split('.').filter((part) => /^\d/.test(part));
  const order = version.localeCompare(parts.join('.'), 'en', { numeric: true });
  if (sign === '>=') return order >= 0;
  if (sign === '>') return order > 0;
  if (sign === '<') return order < 0;
  if (sign === '<=') return order <= 0;
  const isSame = (count: number): boolean =>
    version.split('.').slice(0, count).join('.') === parts.slice(0, count).join('.');
  if (sign === '^') return isSame(1) && order >= 0;
  if (sign === '~') return isSame(2) && order >= 0;
  return isSame(parts.length);
}

/** The number of files that contain each word. */
export function countWords(texts: readonly Source[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of texts.filter(isSource)) {
    for (const word of new Set(text.match(/[\w$]+/g))) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** Functions and constants only: a type may be exported so that callers can name it. */
export function checkExports(source: Source, words: ReadonlyMap<string, number>): string[] {
  if (!isSource(source)) return [];
  const { path, text } = source;
  const exported = text.matchAll(/^export (?:async )?(?:function\*?|const) ([\w$]+)/gm);
  return Array.from(exported, ([, name]) => name)
    .filter((name) => words.get(name) === 1)
    .map((name) => `${path}: exports ${name}, which nothing imports`);
}

const isSource = ({ path }: Source): boolean => /\.(?:ts|tsx|mjs)$/.test(path);
