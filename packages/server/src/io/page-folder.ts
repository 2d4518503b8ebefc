/** The folder that the pages were built into: read as a whole, because their files name each other. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In the repository, and in the published package, which carries them built. */
const PLACES = ['../../../web/dist/', '../../web/'].map((place) =>
  fileURLToPath(new URL(place, import.meta.url)),
);
/** Written last by the build. */
const FIRST_FILE = 'index.html';

/** There in the repository only. */
export const PAGE_BUILD_SCRIPT = join(PLACES[0], '../../../scripts/build-web.mjs');

/** Where they are; in the repository they may still have to be built. */
export const PAGE_FOLDER = PLACES.find(isPageFolder) ?? PLACES[0];

export function isPageFolder(folder: string): boolean {
  return isFile(join(folder, FIRST_FILE));
}

export function isFile(path: string): boolean {
  return existsSync(path);
}

/** By their paths from the folder, with forward slashes; without those that begin with a dot. */
export function readPageFiles(folder: string): Map<string, Buffer> {
  return new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        return [posix.join(...path.slice(folder.length).split(/[\\/]/)), readFileSync(path)];
      }),
  );
}
