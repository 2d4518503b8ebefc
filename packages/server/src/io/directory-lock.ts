/**
 * One process at a time owns a data directory. The lock is a database with an exclusive transaction that is never
 * finished: the operating system frees it when the process ends, however it ends.
 */

import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const NAME = 'lock.db';

/** Somebody else has the directory; the message says which, and what to do. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';
}

/** The lock itself cannot be opened or written; the message says which file, and where to look. */
export class LockUnusable extends Error {
  override readonly name = 'LockUnusable';
  readonly code = 'LOCK_UNUSABLE';
}

export interface DirectoryLock {
  release(): void;
}

/** Makes the directory when it is not there. Throws DirectoryInUse, LockUnusable. */
export function lockDirectory(dir: string): DirectoryLock {
  mkdirSync(dir, { recursive: true });
  const path = `${dir}/${NAME}`;
  const database = open(path);
  try {
    // Without a rollback file there is nothing to recover, and so nothing that a second process could touch.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw unusable(path, error);
    throw new DirectoryInUse(
      `The data directory ${dir} is in use by another process. Stop that one first, or give this one a directory of its own.`,
    );
  }
  return { release: () => database.close() };
}

function open(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 });
  } catch (error) {
    throw unusable(path, error);
  }
}

function unusable(path: string, error: unknown): LockUnusable {
  const why = error instanceof Error ? error.message : String(error);
  return new LockUnusable(
    `The lock file ${path} cannot be used (${why}). Check that it is a file, that this user may read and write it and ` +
      'its directory, and the disk. It holds no data: while no Bourse runs on the directory, it may be removed.',
    { cause: error },
  );
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
