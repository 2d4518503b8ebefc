// Reads the repository for the rules.

import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { listFiles, root } from '../scripts/tree.mjs';
import type { Packages } from './import-rules.ts';
import type { Source } from './source-text.ts';

type Names = Readonly<Record<string, string>>;
type Manifest = {
  readonly name: string;
  readonly exports?: Names;
  readonly dependencies?: Names;
  readonly devDependencies?: Names;
  readonly peerDependencies?: Names;
};

/** Every text file; a file with a zero byte is binary. */
export function readTexts(): Source[] {
  return listFiles()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .filter(({ text }) => !text.includes('\0'));
}

export function readSources(): Source[] {
  return readTexts().filter(({ path }) => /\.tsx?$/.test(path));
}

export function readPackages(): Packages {
  return Object.fromEntries(
    readTexts()
      .filter(({ path }) => /^packages\/[^/]+\/package\.json$/.test(path))
      .map(({ path, text }) => {
        const folder = path.slice(0, -'/package.json'.length);
        const { name, exports = {}, ...manifest } = JSON.parse(text) as Manifest;
        const { dependencies, devDependencies, peerDependencies } = manifest;
        const declares = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
        const paths = Object.entries(exports).map(([entry, file]) => [entry, posix.join(folder, file)]);
        return [name, { folder, exports: Object.fromEntries(paths), declares }];
      }),
  );
}
