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

export interface DirectoryLock {
  release(): void;
}

/** Makes the directory when it is not there. Throws DirectoryInUse. */
export function lockDirectory(dir: string): DirectoryLock {
  mkdirSync(dir, { recursive: true });
  const database = new DatabaseSync(`${dir}/${NAME}`, { timeout: 0 });
  try {
    // Without a journal file there is nothing to recover, and so nothing that a second process could touch.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw error;
    throw new DirectoryInUse(
      `The data directory ${dir} is in use by another process. Stop that one first, or give this one a directory of its own.`,
    );
  }
  return { release: () => database.close() };
}

const SQLITE_BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
