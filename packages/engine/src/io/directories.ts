/** Creates and removes directories, temporarily or permanently. */

import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';

/**
 * Creates the directory and its parents; returns the first created one, undefined if all existed. Node's recursive
 * mkdir does not return if the system reports a missing directory although its parent exists, as in /proc, and hides
 * that a file system is read-only.
 */
export function makeDirectories(path: string, mode?: number): string | undefined {
  try {
    mkdirSync(path, { ...(mode !== undefined && { mode }) });
    return path;
  } catch (error) {
    if (isDirectory(path)) return undefined;
    const above = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error;
    const first = makeDirectories(above, mode);
    // If all parents existed, the system creates nothing here.
    if (first === undefined) throw error;
    return makeDirectories(path, mode) === undefined ? undefined : first;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The topmost missing directory of a path; null if it exists. A failed start removes the directories it created. */
export function firstMissing(path: string): string | null {
  let missing: string | null = null;
  for (let at = resolve(path); !existsSync(at); at = dirname(at)) missing = at;
  return missing;
}

/** Recursive. Resolves even if it does not exist. */
export function removeDirectory(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}

/** A directory for the duration of one action. */
export async function inTemporaryDirectory<T>(
  prefix: string,
  action: (dir: string) => Promise<T>,
): Promise<T> {
  const dir = await mkdtemp(`${tmpdir()}/${prefix}`);
  try {
    return await action(dir);
  } finally {
    await removeDirectory(dir);
  }
}
