// Writes licenses.txt beside the built pages: the license of every package that is bundled in them.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './tree.mjs';

/** Packages with code in the pages that is not a module of the bundle: build helpers and styles. */
const BUILDERS = ['rolldown', 'tailwindcss', 'vite'];
const LICENSE_FILE = /^(?:licen[cs]e|copying|notice)/i;
/** In vite's license file, the licenses of its own dependencies follow; none of these gets into the pages. */
const OF_VITE_ITSELF = /^# Licenses of bundled dependencies/m;
const PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** A vite plugin. */
export function writeLicenses() {
  return {
    name: 'licenses',
    generateBundle(_options, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => Object.keys(chunk.modules ?? {}));
      this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: licensesOf(foldersOf(modules)) });
    },
  };
}

/** Licenses of the modules' packages, and of those with styles, fonts and helpers. */
function foldersOf(modules) {
  const web = join(root, 'packages/web');
  const { dependencies } = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8'));
  const { resolve } = createRequire(join(web, 'package.json'));
  const named = [...Object.keys(dependencies).filter((name) => !name.startsWith('@bourse/')), ...BUILDERS];
  const folderOf = (name) =>
    resolve
      .paths(name)
      .map((path) => join(path, name))
      .find((path) => existsSync(path));
  return new Set([
    ...named.map(folderOf),
    ...modules.map((id) => PACKAGE.exec(id)?.[1]).filter((folder) => folder !== undefined),
  ]);
}

function licensesOf(folders) {
  const packages = [...folders]
    .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  /** Packages of one project often have the same text. */
  const names = Map.groupBy(packages, licenseText);
  const parts = Array.from(names, ([text, list]) => {
    const title = list.map(({ name, version, license }) => `${name} ${version} (${license})`).join('\n');
    return `${title}\n\n${text}`;
  });
  return `Software of others that is in these pages.\n\n${parts.join(`\n\n${'='.repeat(80)}\n\n`)}\n`;
}

function licenseText({ folder, name, license, author }) {
  const files = readdirSync(folder).filter((file) => LICENSE_FILE.test(file));
  const texts = files.map((file) =>
    readFileSync(join(folder, file), 'utf8').replaceAll('\r', '').split(OF_VITE_ITSELF)[0].trim(),
  );
  if (texts.length > 0) return texts.join('\n\n');
  const owner = typeof author === 'string' ? author : (author?.name ?? `the authors of ${name}`);
  if (license === 'MIT') return `Copyright (c) ${owner}\n\n${MIT}`;
  if (license === 'Unlicense') return `${owner} has given it into the public domain (Unlicense).`;
  throw new Error(`${dirname(folder)}/${name} has no file with its license (${license})`);
}
