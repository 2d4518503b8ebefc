// A package as it is published: JavaScript, declarations where the package is imported, a manifest that fits.

import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, extname, join, posix } from 'node:path';
import { root } from '../tree.mjs';

/** A relative path to a source, in an import or a URL. */
const SOURCE = /(['"])(\.\.?\/[^'"]*)\.ts\1/g;
/** An import of another package. */
const BARE = /(\b(?:from|import)\s*\(?\s*)(['"])(@[\w-]+\/[\w-]+)\2/g;

/** Fills the empty place `built` with a package. */
export function buildPackage({ folder, readme, parts, inside = {}, declarations }, built) {
  for (const { from, to } of parts) {
    for (const path of filesBelow(join(root, from))) {
      const target = posix.join(to, path);
      write(join(built, target), join(root, from, path), (text) => adapt(text, target, inside));
    }
  }
  for (const project of declarations) declare(project, parts[0], built);
  copyFileSync(join(root, readme), join(built, 'README.md'));
  copyFileSync(join(root, 'LICENSE'), join(built, 'LICENSE'));
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  writeFileSync(
    join(built, 'package.json'),
    `${JSON.stringify(published(manifest, parts[0].to, inside, declarations.length > 0), null, 2)}\n`,
  );
}

/** Paths of the files below a folder, without what configures a compiler and what a build notes for itself. */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'tsconfig.json' && !entry.name.startsWith('.'))
    .map((entry) => posix.join(entry.parentPath.slice(folder.length), entry.name).replace(/^\//, ''));
}

function write(target, source, adaptText) {
  const isSource = extname(source) === '.ts';
  mkdirSync(dirname(target), { recursive: true });
  if (!isSource && extname(source) !== '.mjs') return copyFileSync(source, target);
  const text = readFileSync(source, 'utf8');
  // Types become blanks, so lines and columns of an error are those of the source.
  const script = isSource ? stripTypeScriptTypes(text, { mode: 'strip' }) : text;
  const { mode } = statSync(source);
  return writeFileSync(isSource ? target.replace(/\.ts$/, '.js') : target, adaptText(script), { mode });
}

/** `target` is the path of the file in the package. */
function adapt(text, target, inside) {
  return text.replaceAll(SOURCE, '$1$2.js$1').replaceAll(BARE, (whole, before, quote, name) => {
    if (!(name in inside)) return whole;
    const path = posix.relative(posix.dirname(target), inside[name]);
    return `${before}${quote}${path.startsWith('.') ? path : `./${path}`}${quote}`;
  });
}

function declare(project, { from, to }, built) {
  const flags = [
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--rootDir',
    join(root, from),
  ];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '-p', join(root, project), ...flags, '--outDir', join(built, to)];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`tsc -p ${project}:\n${stdout}`);
  for (const path of filesBelow(join(built, to)).filter((name) => name.endsWith('.d.ts'))) {
    const file = join(built, to, path);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(SOURCE, '$1$2.js$1'));
  }
}

const OF_THE_REPOSITORY = ['private', 'devDependencies'];

/** Without what only the repository needs, and with `exports` that name the files made. */
function published(manifest, place, inside, isTyped) {
  const { dependencies, exports, ...others } = manifest;
  const kept = Object.entries(dependencies ?? {}).filter(([name]) => !(name in inside));
  const entries = Object.entries(exports ?? {}).map(([entry, source]) => {
    const made = `./${posix.join(place, source.replace(/^\.\/src\//, '').replace(/\.ts$/, ''))}`;
    return [entry, { ...(isTyped && { types: `${made}.d.ts` }), default: `${made}.js` }];
  });
  return {
    ...Object.fromEntries(Object.entries(others).filter(([name]) => !OF_THE_REPOSITORY.includes(name))),
    ...(exports && { exports: Object.fromEntries(entries) }),
    ...(dependencies && { dependencies: Object.fromEntries(kept) }),
  };
}
