// Builds a package as it is published: JavaScript, declarations and source maps of imported files, the manifest, and the
// origin of each file.

import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, extname, join, posix } from 'node:path';
import { root } from '../tree.mjs';
import { bundleDependencies } from './bundled.mjs';
import { copyNode } from './node-binary.mjs';

/** A relative path to a source, in an import or a URL. */
const SOURCE = /(['"])(\.\.?\/[^'"]*)\.ts\1/g;
/** An import of another package, or of one of its entries. */
const BARE = /(\b(?:from|import)\s*\(?\s*)(['"])((?:@[\w-]+\/)?[\w-]+(?:\/[\w-]+)?)\2/g;

/**
 * Fills the empty folder `built` with a package.
 *
 * @param {readonly string[]} platforms whose Node is included
 * @returns {Map<string, string>} for each file of the package the file of the repository, or the package of npm, that it
 *   comes from
 */
export function buildPackage(
  { folder, readme, parts, inside = {}, bin, bundled = [], node },
  built,
  platforms,
) {
  const origins = new Map();
  for (const { from, to, declarations = [] } of parts) {
    for (const path of filesBelow(join(root, from))) {
      const [target, source] = [posix.join(to, path), posix.join(from, path)];
      write(join(built, target), join(root, source), (text) => adapt(text, target, inside));
      const made = target.replace(/\.ts$/, '.js');
      origins.set(made, source);
      if (declarations.length === 0 || made === target) continue;
      writeSourceMap(join(built, made), source);
      origins.set(`${made}.map`, source).set(made.replace(/\.js$/, '.d.ts'), source);
    }
    for (const project of declarations) declare(project, from, join(built, to));
    if (declarations.length > 0) adaptDeclarations(built, to, inside);
  }
  for (const [target, source] of [
    ['README.md', readme],
    ['LICENSE', 'LICENSE'],
    ['CHANGELOG.md', 'CHANGELOG.md'],
  ]) {
    copyFileSync(join(root, source), join(built, target));
    origins.set(target, source);
  }
  for (const platform of node ? platforms : []) {
    const { name, files } = copyNode(platform, join(built, node, platform));
    for (const file of files) origins.set(posix.join(node, platform, file), name);
  }
  const manifest = readManifest(folder);
  const dependencies = withoutInside(
    Object.assign({}, manifest.dependencies, ...bundled.map((each) => readManifest(each).dependencies)),
    inside,
  );
  if (bundled.length > 0) {
    const copied = bundleDependencies(Object.keys(dependencies), join(built, 'node_modules'));
    for (const [place, name] of copied)
      for (const path of filesBelow(join(built, 'node_modules', place), true))
        origins.set(posix.join('node_modules', place, path), name);
  }
  const text = JSON.stringify(
    {
      ...published(manifest, parts[0]),
      ...(bin && { bin }),
      ...(Object.keys(dependencies).length > 0 && { dependencies }),
      ...(bundled.length > 0 && { bundleDependencies: Object.keys(dependencies) }),
    },
    null,
    2,
  );
  writeFileSync(join(built, 'package.json'), `${text}\n`);
  return origins.set('package.json', `${folder}/package.json`);
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

function withoutInside(dependencies, inside) {
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => !(name in inside)));
}

/** Paths of the files below a folder, without compiler settings and build info. */
function filesBelow(folder, withAll = false) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && (withAll || (entry.name !== 'tsconfig.json' && !entry.name.startsWith('.'))),
    )
    .map((entry) => posix.join(entry.parentPath.slice(folder.length), entry.name).replace(/^\//, ''));
}

function write(target, source, adaptText) {
  const isSource = extname(source) === '.ts';
  mkdirSync(dirname(target), { recursive: true });
  if (!isSource && extname(source) !== '.mjs') return copyFileSync(source, target);
  const text = readFileSync(source, 'utf8');
  // Types become blanks, so the lines and columns of an error are those of the source.
  const script = isSource ? stripTypeScriptTypes(text, { mode: 'strip' }) : text;
  const { mode } = statSync(source);
  return writeFileSync(isSource ? target.replace(/\.ts$/, '.js') : target, adaptText(script), { mode });
}

/** Each output line is the same line of the source, so a map from line to line is exact. */
function writeSourceMap(made, source) {
  const text = readFileSync(join(root, source), 'utf8');
  const lines = text.split('\n').length;
  const map = {
    version: 3,
    file: basename(made),
    sources: [basename(source)],
    sourcesContent: [text],
    names: [],
    mappings: ['AAAA', ...Array.from({ length: lines - 1 }, () => 'AACA')].join(';'),
  };
  writeFileSync(`${made}.map`, JSON.stringify(map));
  appendFileSync(made, `//# sourceMappingURL=${basename(made)}.map\n`);
}

/** `target` is the path of the file in the package. */
function adapt(text, target, inside) {
  return text.replaceAll(SOURCE, '$1$2.js$1').replaceAll(BARE, (whole, before, quote, name) => {
    if (!Object.hasOwn(inside, name)) return whole;
    const path = posix.relative(posix.dirname(target), inside[name]);
    return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
}

function declare(project, from, to) {
  const flags = [
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--rootDir',
    join(root, from),
  ];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '-p', join(root, project), ...flags, '--outDir', to];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tsc -p ${project}:\n${stdout}`);
}

function adaptDeclarations(built, to, inside) {
  for (const path of filesBelow(join(built, to)).filter((name) => name.endsWith('.d.ts'))) {
    const target = posix.join(to, path);
    const file = join(built, target);
    writeFileSync(file, adapt(readFileSync(file, 'utf8'), target, inside));
  }
}

/** Fields that only the repository needs, or that are set above. */
const NOT_PUBLISHED = ['private', 'devDependencies', 'dependencies'];

/** With `exports` that name the built files. */
function published({ exports, ...others }, { to, declarations }) {
  const entries = Object.entries(exports ?? {}).map(([entry, source]) => {
    const made = `./${posix.join(to, source.replace(/^\.\/src\//, '').replace(/\.ts$/, ''))}`;
    return [entry, { ...(declarations && { types: `${made}.d.ts` }), default: `${made}.js` }];
  });
  return {
    ...Object.fromEntries(Object.entries(others).filter(([name]) => !NOT_PUBLISHED.includes(name))),
    ...(exports && { exports: Object.fromEntries(entries) }),
  };
}
