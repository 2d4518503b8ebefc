// Words that must not occur in the code of a folder. Comments and strings may contain them.

import { codeOnly, importsOf, lineAt, type Source } from './source-text.ts';

/** The core is a function of its commands: no clock, randomness, waiting, catching, I/O or locale. */
const coreForbidden: readonly RegExp[] = [
  ...words('Date', 'async', 'await', 'Promise', 'try', 'process', 'console', 'globalThis', 'performance'),
  ...words(
    'setTimeout',
    'setInterval',
    'setImmediate',
    'queueMicrotask',
    'Intl',
    'WeakRef',
    'FinalizationRegistry',
  ),
  /\bMath\s*\.\s*random\b/g,
  /\blocaleCompare\b/g,
  /\btoLocale\w+/g,
];

/** Only `io/` reads the clock and the disk. */
const serverForbidden: readonly RegExp[] = [
  ...words('performance', 'setTimeout', 'setInterval', 'setImmediate'),
  /\bprocess\s*\.\s*nextTick\b/g,
  /\bDate\s*\.\s*now\b/g,
  /\bnew\s+Date\b(?!\s*\(\s*[^\s)])/g,
  /\bhrtime\b/g,
];
/** The packages around the core. */
const withSeams = /^packages\/(engine|cluster|mirror|api|sandbox|bourse)\/src\//;
const serverForbiddenImports = /^(node:)?(fs|timers|perf_hooks)(\/|$)/;
/** The database accesses the disk too, but only for history. */
const database = 'node:sqlite';

export function checkCoreTokens(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.startsWith('packages/core/src/'))
    .flatMap((source) => findTokens(source, coreForbidden, 'not allowed in the core'));
}

export function checkServerSeams(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => withSeams.test(path) && !path.startsWith('packages/engine/src/io/'))
    .flatMap((source) => [
      ...findTokens(source, serverForbidden, 'allowed only in io/'),
      ...importsOf(source.text)
        .filter(({ specifier }) => forbidsImport(source.path, specifier))
        .map(({ specifier, line }) => `${source.path}:${line} imports '${specifier}': allowed only in io/`),
    ]);
}

function forbidsImport(path: string, specifier: string): boolean {
  if (specifier === database) return !path.startsWith('packages/engine/src/history/sqlite/');
  return serverForbiddenImports.test(specifier);
}

function findTokens({ path, text }: Source, forbidden: readonly RegExp[], reason: string): string[] {
  const code = codeOnly(text);
  return forbidden.flatMap((token) =>
    Array.from(
      code.matchAll(token),
      (match) => `${path}:${lineAt(text, match.index)} has \`${match[0].trim()}\`: ${reason}`,
    ),
  );
}

/** Whole words, except members (`batch.process`), which belong to the project. */
function words(...names: string[]): RegExp[] {
  return names.map((name) => new RegExp(`(?<![\\w$])(?<!(?<!\\.\\.)\\.)${name}(?![\\w$])`, 'g'));
}
