/**
 * One process at a time owns a data directory. The lock is a database with an exclusive transaction that is never
 * finished: the operating system frees it when the process ends, however it ends.
 *
 * The system locks the file and not its name. If somebody removes the file, a second process can create and lock
 * another one of the same name. So the owner calls `isHeld` before it writes and before it acknowledges; and a process
 * that had to create the file beside an existing log waits long enough for an earlier owner to have called it and
 * stopped.
 */

import { existsSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { makePrivateDirectory, makePrivateFile } from './files.ts';

const NAME = 'lock.db';
/** An owner calls `isHeld` at least this often. */
export const OWNERSHIP_CHECK_MS = 1000;
/** Longer than that interval plus the longest write that may have begun before. */
const TAKE_OVER_MS = 3 * OWNERSHIP_CHECK_MS;

/** Another process owns the directory; the message says which one, and what to do. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse';
}

/** The lock itself cannot be opened or written; the message says which file, and where to look. */
export class LockUnusable extends Error {
  override readonly name = 'LockUnusable';
  readonly code = 'LOCK_UNUSABLE';
}

export interface DirectoryLock {
  /** The file did not exist and was created. */
  readonly isNew: boolean;
  /** Whether the file at that path is still the locked one. */
  isHeld(): boolean;
  release(): void;
}

/** For a directory that this process has just created: it cannot have another owner, so there is nothing to wait for. */
export function makeLockFile(dir: string): void {
  makePrivateFile(`${dir}/${NAME}`);
}

/** For a new lock file in an existing directory: waits until an owner that lost its lock has stopped. */
export function waitForOthers(): Promise<void> {
  return wait(TAKE_OVER_MS);
}

/** Creates the directory if it does not exist. Throws DirectoryInUse, LockUnusable. */
export function lockDirectory(dir: string): DirectoryLock {
  makePrivateDirectory(dir);
  const path = `${dir}/${NAME}`;
  const isNew = !existsSync(path);
  const database = open(path, isNew);
  try {
    // Without a rollback file there is nothing to recover, so a second process cannot touch anything.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!isBusy(error)) throw unusable(path, error);
    throw new DirectoryInUse(
      `The data directory ${dir} is in use by another process. Stop that one first, or give this one a directory of its own.`,
    );
  }
  const locked = identityOf(path);
  return {
    isNew,
    isHeld: () => locked !== null && identityOf(path) === locked,
    release() {
      if (database.isOpen) database.close();
    },
  };
}

/**
 * Keeps writers away from a directory that is only read, along with any number of other readers; returns the release.
 * Creates nothing, because the directory may be on a read-only disk: without a lock file nobody has written to it.
 * Throws DirectoryInUse, LockUnusable.
 */
export function lockForReading(dir: string): () => void {
  const path = `${dir}/${NAME}`;
  if (!existsSync(path)) return () => undefined;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    // A transaction has its shared lock from the first read on.
    database.exec('BEGIN; SELECT * FROM sqlite_schema');
  } catch (error) {
    database?.close();
    if (!isBusy(error)) throw unusable(path, error);
    throw new DirectoryInUse(
      `${dir} is being written by another process. Wait until that one has ended, and try again.`,
    );
  }
  return () => database.close();
}

/** null if there is no such file, or its identity is unknown. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  } catch {
    return null;
  }
}

function open(path: string, isNew: boolean): DatabaseSync {
  try {
    // Not if it exists: closing any descriptor of the file releases the lock that this process may have on it.
    if (isNew) makePrivateFile(path);
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
