/**
 * Directories that may be missing. Node's own recursive way does not come back from where the system says that there is
 * no such directory though the one above is there, as in /proc, and hides that a file system is read-only.
 */

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes the directory and those above it; returns the first that was made, undefined if all were there. */
export function makeDirectories(path: string, mode?: number): string | undefined {
  try {
    mkdirSync(path, { ...(mode !== undefined && { mode }) });
    return path;
  } catch (error) {
    if (isDirectory(path)) return undefined;
    const above = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error;
    const first = makeDirectories(above, mode);
    // Where all above was there, the system makes nothing here.
    if (first === undefined) throw error;
    return makeDirectories(path, mode) === undefined ? undefined : first;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
