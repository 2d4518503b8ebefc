/**
 * Checks that the history database is complete and consistent. It runs at the start, because a damaged database opens
 * and works until a query reads a damaged page.
 *
 * `quick_check` reads every page. It finds damaged pages, keys out of order, indexes with more or fewer entries than
 * their table has rows, and pages of different moments, as after a copy that was restored without its write-ahead log.
 * Rows missing in the middle are found by their ids, and those at the end by the counts of the checkpoint. A changed
 * amount in a well-formed row is not found: SQLite has no checksums.
 */

import { DatabaseSync } from 'node:sqlite';
import { BUSY_MS_MAX, isDamage, isHistory, translating, versionOf } from './database.ts';
import { VERSION } from './schema.ts';

/** The checkpoint has the last id of each; the oldest rows may have been pruned, the newest never. */
const COUNTED = ['orders', 'fills', 'house', 'audit'] as const;
/** Rows of these have the time of their record. */
const TIMED = ['fills', 'audit'] as const;

/** Returns what is wrong with it, or null. Throws if it cannot be read at all. */
export function faultOfHistory(path: string): string | null {
  return faultIn(path, firstFault);
}

/** Like faultOfHistory, but only checks the version, which takes no time; such a database can only be rebuilt. */
export function faultOfVersion(path: string): string | null {
  return faultIn(path, (db) => {
    const version = isHistory(db) ? versionOf(db) : VERSION;
    return version === VERSION ? null : `it has version ${version}, and this Bourse reads version ${VERSION}`;
  });
}

/** The newest row of each kind that has its record's time: they identify the log that the history belongs to. */
export function newestRows(
  path: string,
): { readonly name: string; readonly seq: number; readonly time: number }[] {
  return reading(path, (db) => {
    if (!isHistory(db)) return [];
    return TIMED.flatMap((name) => {
      const row = db.prepare(`SELECT seq, time FROM ${name} ORDER BY id DESC LIMIT 1`).get();
      return row ? [{ name, seq: Number(row['seq']), time: Number(row['time']) }] : [];
    });
  });
}

function faultIn(path: string, find: (db: DatabaseSync) => string | null): string | null {
  return reading(path, (db) => {
    try {
      return find(db);
    } catch (error) {
      if (isDamage(error)) return (error as Error).message;
      throw error;
    }
  });
}

function reading<Answer>(path: string, read: (db: DatabaseSync) => Answer): Answer {
  return translating(path, () => {
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS_MAX });
    try {
      return read(db);
    } finally {
      db.close();
    }
  });
}

function firstFault(db: DatabaseSync): string | null {
  const [first] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {});
  if (first !== 'ok') return String(first);
  // A new file, or another kind of file, which opening rejects.
  if (!isHistory(db)) return null;
  const checkpoint = db.prepare('SELECT * FROM checkpoint').get() ?? {};
  for (const table of COUNTED) {
    const fault = faultOfEnd(db, table, checkpoint) ?? faultOfCounts(db, table);
    if (fault !== null) return fault;
  }
  return null;
}

type Counted = (typeof COUNTED)[number];

function faultOfEnd(db: DatabaseSync, table: Counted, checkpoint: Record<string, unknown>): string | null {
  const last = db.prepare(`SELECT id, seq FROM ${table} ORDER BY id DESC LIMIT 1`).get();
  if (!last) return null;
  if (last['id'] !== checkpoint[table]) {
    return `the last of its ${table} is ${last['id']}, and the checkpoint says ${checkpoint[table]}`;
  }
  if (Number(last['seq']) > Number(checkpoint['seq'])) {
    return `its ${table} go up to record ${last['seq']}, and the checkpoint is record ${checkpoint['seq']}`;
  }
  return null;
}

/** SQLite counts pages, without reading the rows. */
function faultOfCounts(db: DatabaseSync, table: Counted): string | null {
  const { rows } = db.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number };
  const { ids } = db.prepare(`SELECT max(id) - min(id) + 1 AS ids FROM ${table}`).get() as {
    ids: number | null;
  };
  return rows === (ids ?? 0) ? null : `${(ids ?? 0) - rows} of its ${table} are missing`;
}
