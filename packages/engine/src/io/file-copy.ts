/** Durable copies of files and directories, for exchanges that start from the state of another one. */

import { type BigIntStats, constants, promises } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectories } from './directories.ts';
import { DIRECTORY_MODE } from './private-files.ts';

/** Shares blocks if the file system supports copy-on-write; never hard-links the file itself. */
const MODE = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;

/** The first `bytes` of the file, or all of it; durable when it resolves. The new file must not exist. */
export async function copyFile(from: string, to: string, bytes?: number): Promise<void> {
  makeDirectories(dirname(to), DIRECTORY_MODE);
  await promises.copyFile(from, to, MODE);
  const file = await promises.open(to, 'r+');
  try {
    if (bytes !== undefined) await file.truncate(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

/** Recursive. */
export async function copyDirectory(from: string, to: string): Promise<void> {
  makeDirectories(to, DIRECTORY_MODE);
  const entries = await promises.readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map((entry) => {
      const [source, target] = [`${from}/${entry.name}`, `${to}/${entry.name}`];
      return entry.isDirectory() ? copyDirectory(source, target) : copyFile(source, target);
    }),
  );
  await syncDirectory(to);
}

/** Whether two paths lead to the same file, through links or mounts; false if either does not exist. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([statOf(one), statOf(other)]);
  return a !== null && b !== null && a.dev === b.dev && a.ino === b.ino;
}

async function statOf(path: string): Promise<BigIntStats | null> {
  try {
    return await promises.stat(path, { bigint: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

export async function moveDurably(from: string, to: string): Promise<void> {
  await promises.rename(from, to);
  await syncDirectory(dirname(to));
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await promises.open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
