/** The folder with the built pages, read completely because their files refer to each other. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The published package contains the built pages; in the repository they may not be built yet. */
export const PAGE_FOLDER = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

/** Written last by the build. */
const FIRST_FILE = 'index.html';

const buildScript = join(PAGE_FOLDER, '../../../scripts/build-web.mjs');
/** Null outside the repository. */
export const PAGE_BUILD_SCRIPT = existsSync(buildScript) ? buildScript : null;

export function isPageFolder(folder: string): boolean {
  return existsSync(join(folder, FIRST_FILE));
}

/** By paths relative to the folder, with forward slashes; skips names that begin with a dot. */
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
