import { readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The folders of test files; a test elsewhere would never run. */
export const testHome = /^(packages\/[^/]+\/test|sim|test|examples)\/(.+\/)?[^/]+\.test\.ts$/;

/** Folders that git ignores too. The last two belong to pytest, which runs one of the examples. */
const skipped = new Set(['node_modules', '.git', 'data', 'coverage', 'dist', '.pytest_cache', '__pycache__']);

/**
 * All files of the repository, as sorted paths from its root with forward slashes. Reads the folders instead of asking
 * git, because a released archive has no git.
 *
 * @returns {string[]}
 */
export function listFiles(folder = root) {
  const files = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (skipped.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...listFiles(path));
    else if (entry.isFile()) files.push(relative(root, path).split(sep).join('/'));
  }
  return files.toSorted();
}
