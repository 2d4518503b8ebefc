/** Files that only their owner may read: creates them, and finds files with wider permissions. */

import { closeSync, openSync } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectories } from './directories.ts';

const FILE_MODE = 0o600;
export const DIRECTORY_MODE = 0o700;
/** Permission bits of group and others. */
const OTHERS = 0o077;
/** Permission bits of others. */
const EVERYBODY = 0o007;

export function makePrivateDirectory(path: string): void {
  makeDirectories(path, DIRECTORY_MODE);
}

/**
 * Creates an empty file unless it exists: a database would create it readable for everybody. The files that SQLite
 * puts beside it get the same mode.
 */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', FILE_MODE));
}

/** The identity and modification time of the file; null if there is none. */
export async function stampOf(
  path: string,
): Promise<{ readonly bytes: number; readonly text: string } | null> {
  try {
    const { dev, ino, size, mtimeNs } = await lstat(path, { bigint: true });
    return { bytes: Number(size), text: `${dev} ${ino} ${size} ${mtimeNs}` };
  } catch {
    return null;
  }
}

/** Whether every user of this machine may read or write it; group access may be intended. Always false on Windows. */
export async function isOpenToAll(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  return ((await stat(path)).mode & EVERYBODY) !== 0;
}

/** Every path at or below the directory that users other than the owner may read or write; none on Windows. */
export async function findShared(dir: string): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const { mode } = await lstat(dir);
  const shared = mode & OTHERS ? [dir] : [];
  for (const entry of await readdir(dir, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) continue;
    const found = await lstat(path).catch(() => null);
    if (found && found.mode & OTHERS) shared.push(path);
  }
  return shared;
}
