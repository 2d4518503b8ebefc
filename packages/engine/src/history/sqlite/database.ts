/** Opens the history database, creates its tables, and converts SQLite's errors into ones that say what to do. */

import { DatabaseSync } from 'node:sqlite';
import { HistoryDamaged, HistoryFull, HistoryUnfit } from '../history.ts';
import { SCHEMA, VERSION } from './schema.ts';

/** 'BRSH': distinguishes a history from other SQLite files. */
const APPLICATION_ID = 0x42525348;
export const BUSY_MS_MAX = 5000;
const WRITER_CACHE_KIB = 65_536;
const READER_CACHE_KIB = 16_384;
const MAPPED_BYTES_MAX = 1 << 30;
/** A longer write-ahead log lets several changes of a page be copied back as one. */
const WAL_PAGES = 16_000;

const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/**
 * SQLite reports FULL only for ENOSPC. If a write fails for another reason, such as a quota, or the index of the
 * write-ahead log cannot grow, it reports one of these codes without the reason. They are treated as a lack of space:
 * nothing was committed, and the same write succeeds when there is space again. On a failing disk it keeps failing,
 * and the message says so.
 */
const IOERR_MAYBE_FULL: ReadonlySet<number> = new Set([
  778, // WRITE: EDQUOT, or EFBIG where files may not grow further.
  4874, // SHMSIZE: the index of the log grows with every 4096 pages.
  1546, // TRUNCATE: copy-on-write file systems need space for it. It is called when the write-ahead log is checkpointed.
]);
// No other IOERR code becomes HistoryFull. FSYNC and DIR_FSYNC may mean a full disk (NFS), but after a failed
// sync the content of the disk is unknown, and a second sync that succeeds proves nothing. READ, SHORT_READ, DATA and
// CORRUPTFS are damage; the others concern memory, locks and permissions.

/**
 * Creates the database if there is none. The caller owns the data directory, so there is no other writer. If
 * `prepare` fails, the database is closed.
 */
export function openForWriting<Prepared>(path: string, prepare: (db: DatabaseSync) => Prepared): Prepared {
  return translating(path, () => {
    const db = new DatabaseSync(path, { timeout: BUSY_MS_MAX });
    return closingOnError(db, () => {
      checkFitness(db, path);
      // FULL: a commit is synced before it returns, because the core then forgets what history has.
      db.exec(`
        PRAGMA journal_mode = WAL;
        PRAGMA synchronous = FULL;
        PRAGMA wal_autocheckpoint = ${WAL_PAGES};
        PRAGMA cache_size = -${WRITER_CACHE_KIB};
        PRAGMA temp_store = MEMORY;
      `);
      if (isEmpty(db)) createTables(db, path);
      return prepare(db);
    });
  });
}

/** The database must exist: the writer creates it. If `prepare` fails, the database is closed. */
export function openForReading<Prepared>(path: string, prepare: (db: DatabaseSync) => Prepared): Prepared {
  return translating(path, () => {
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS_MAX });
    return closingOnError(db, () => {
      checkFitness(db, path);
      if (isEmpty(db))
        throw new HistoryUnfit(`${path} has no tables yet: it must be opened for writing first`);
      db.exec(`PRAGMA cache_size = -${READER_CACHE_KIB}; PRAGMA mmap_size = ${MAPPED_BYTES_MAX};`);
      return prepare(db);
    });
  });
}

/** All or nothing. */
export function transact(db: DatabaseSync, path: string, work: () => void): void {
  translating(path, () => {
    db.exec('BEGIN IMMEDIATE');
    try {
      work();
      db.exec('COMMIT');
    } catch (error) {
      // SQLite itself rolls back after some errors.
      if (db.isTransaction) db.exec('ROLLBACK');
      throw error;
    }
  });
}

/** Runs `work` and converts errors of SQLite into ones that say what to do. */
export function translating<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw translate(path, error);
  }
}

/** The content of the database is wrong; it is not just temporarily unreadable. */
export function isDamage(error: unknown): boolean {
  const { errcode = 0 } = error as { errcode?: number };
  return [SQLITE_CORRUPT, SQLITE_NOTADB].includes(errcode & 0xff);
}

function translate(path: string, error: unknown): unknown {
  const { errcode, message } = error as { errcode?: number; message?: string };
  // An amount or JSON that cannot be parsed: SQLite's page checks do not cover texts.
  if (error instanceof SyntaxError) return damaged(path, error);
  if (errcode === undefined) return error;
  if (IOERR_MAYBE_FULL.has(errcode)) {
    return new HistoryFull(
      `${path} cannot be written (${message}): no space is left on the disk, or the quota is used up, or the disk fails`,
      { cause: error },
    );
  }
  switch (errcode & 0xff) {
    case SQLITE_FULL:
      return new HistoryFull(`no space left on the disk for ${path}`, { cause: error });
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return damaged(path, error as Error);
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
      return new HistoryDamaged(
        `${path} cannot be read or written (${message}). Check that it is there, its permissions, the disk and its room, ` +
          'then start again: history continues from the last record it has.',
        { cause: error },
      );
    default:
      return error;
  }
}

function damaged(path: string, error: Error): HistoryDamaged {
  return new HistoryDamaged(
    `${path} is damaged (${error.message}). Stop Bourse, move this file and those named like it with -wal and -shm ` +
      'away, and start again: history is then written anew from the log, if all segments from the first on are ' +
      'kept. If they are not, put back a backup of the whole data directory.',
    { cause: error },
  );
}

function closingOnError<Result>(db: DatabaseSync, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    db.close();
    throw error;
  }
}

function numberOf(db: DatabaseSync, sql: string): number {
  return Object.values(db.prepare(sql).get() ?? {})[0] as number;
}

export const versionOf = (db: DatabaseSync): number => numberOf(db, 'PRAGMA user_version');

/** It has the tables of a history of any version. */
export const isHistory = (db: DatabaseSync): boolean =>
  numberOf(db, 'PRAGMA application_id') === APPLICATION_ID;

const isEmpty = (db: DatabaseSync): boolean => numberOf(db, 'SELECT count(*) FROM sqlite_schema') === 0;

function checkFitness(db: DatabaseSync, path: string): void {
  if (isEmpty(db)) return;
  if (!isHistory(db)) {
    throw new HistoryUnfit(`${path} is a database, but not a history of Bourse: move it away`);
  }
  const version = versionOf(db);
  if (version === VERSION) return;
  throw new HistoryUnfit(
    `${path} has version ${version}, and this Bourse reads version ${VERSION}. Start the Bourse that wrote it. Or move ` +
      'this file and those named like it with -wal and -shm away, and start again: history is then written anew from ' +
      'the log, if all segments from the first on are kept.',
  );
}

function createTables(db: DatabaseSync, path: string): void {
  transact(db, path, () => {
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
    db.exec(SCHEMA);
    db.exec(`PRAGMA user_version = ${VERSION}`);
  });
}
