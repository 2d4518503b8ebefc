/**
 * Checks that the database of history is complete and consistent. It runs at the start, because a damaged one would
 * open and answer until somebody asks for a row on a damaged page.
 *
 * `quick_check` reads every page. It finds damaged pages, keys out of order, and pages of different moments, as after a
 * copy that was restored without its write-ahead log. It does not find a changed amount in a well-formed row. Rows
 * missing at the end are found by the counts that are stored with the checkpoint.
 */

import { DatabaseSync } from 'node:sqlite';
import { BUSY_MS_MAX, isDamage, translating } from './database.ts';

/** Tables whose rows have the ids that the checkpoint counts; the oldest may have been removed, the newest never. */
const COUNTED = { done_orders: 'orders', fills: 'fills', audit: 'audit' } as const;
const TIMED = ['fills', 'audit'] as const;

/** What is wrong with it, however old its version; null for nothing. Throws what keeps it from being read at all. */
export function faultOfHistory(path: string): string | null {
  return translating(path, () => {
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS_MAX });
    try {
      return firstFault(db);
    } catch (error) {
      if (isDamage(error)) return (error as Error).message;
      throw error;
    } finally {
      db.close();
    }
  });
}

/** The newest row of each table whose rows have the time of their record: by them a log knows its own history. */
export function newestRows(
  path: string,
): { readonly table: string; readonly seq: number; readonly time: number }[] {
  return translating(path, () => {
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS_MAX });
    try {
      if (isNew(db)) return [];
      return TIMED.flatMap((table) => {
        const row = db.prepare(`SELECT seq, time FROM ${table} ORDER BY id DESC LIMIT 1`).get();
        return row ? [{ table, seq: Number(row['seq']), time: Number(row['time']) }] : [];
      });
    } finally {
      db.close();
    }
  });
}

const isNew = (db: DatabaseSync): boolean =>
  db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'checkpoint'").get() === undefined;

function firstFault(db: DatabaseSync): string | null {
  const [first] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {});
  if (first !== 'ok') return String(first);
  return isNew(db) ? null : faultOfCounts(db);
}

function faultOfCounts(db: DatabaseSync): string | null {
  const counts = db.prepare('SELECT * FROM checkpoint').get() ?? {};
  for (const [table, name] of Object.entries(COUNTED)) {
    const last = db.prepare(`SELECT id, seq FROM ${table} ORDER BY id DESC LIMIT 1`).get();
    if (!last) continue;
    if (last['id'] !== counts[name]) {
      return `the last row of ${table} is ${last['id']}, and the checkpoint says ${counts[name]}`;
    }
    if (Number(last['seq']) > Number(counts['seq'])) {
      return `${table} has a row of record ${last['seq']}, and the checkpoint is record ${counts['seq']}`;
    }
  }
  return null;
}
