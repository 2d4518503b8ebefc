/**
 * Checks that the database of history is complete and consistent. It runs at the start, because a damaged one would
 * open and answer until somebody asks for a row on a damaged page.
 *
 * `quick_check` reads every page. It finds damaged pages, keys out of order, and pages of different moments, as after a
 * copy that was restored without its write-ahead log. It does not find a changed amount in a well-formed row. For that
 * done orders and fills have checksums, and they must follow each other without a gap. Rows missing at the end are found
 * by the counts that are stored with the checkpoint.
 */

import { DatabaseSync } from 'node:sqlite';
import { ByteSource, Malformed } from '../../bytes/byte-source.ts';
import { BUSY_MS_MAX, isDamage, translating } from './database.ts';
import { contentOf } from './packs.ts';

/**
 * What the checkpoint counts the ids of, with the tables that have had it, one in each version; the oldest rows may have
 * been removed, the newest never.
 */
const COUNTED = [
  { name: 'orders', tables: ['order_packs', 'done_orders'] },
  { name: 'fills', tables: ['fill_packs', 'fills'] },
  { name: 'audit', tables: ['audit'] },
] as const;
/** Rows of these have the time of their record. */
const TIMED: readonly string[] = ['fills', 'audit'];

type PackColumns = readonly [id: number, through: number, rows: Uint8Array];

/** What is wrong with it, however old its version; null for nothing. Throws what keeps it from being read at all. */
export function faultOfHistory(path: string): string | null {
  return translating(path, () => {
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS_MAX });
    try {
      return firstFault(db);
    } catch (error) {
      if (isDamage(error) || error instanceof Malformed) return (error as Error).message;
      throw error;
    } finally {
      db.close();
    }
  });
}

/** The newest of each kind whose rows have the time of their record: by them a log knows its own history. */
export function newestRows(
  path: string,
): { readonly name: string; readonly seq: number; readonly time: number }[] {
  return translating(path, () => {
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS_MAX });
    try {
      if (isNew(db)) return [];
      return COUNTED.filter(({ name }) => TIMED.includes(name)).flatMap(({ name, tables }) => {
        const row = db.prepare(`SELECT seq, time FROM ${tableOf(db, tables)} ORDER BY id DESC LIMIT 1`).get();
        return row ? [{ name, seq: Number(row['seq']), time: Number(row['time']) }] : [];
      });
    } finally {
      db.close();
    }
  });
}

/** The one that the database has. */
function tableOf(db: DatabaseSync, tables: readonly string[]): string {
  return tables.find((table) => hasTable(db, table)) ?? tables[0];
}

function hasTable(db: DatabaseSync, table: string): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema WHERE name = ?').get(table) !== undefined;
}

/** Each pack has its checksum, follows the one before without a gap, and the last of a transaction ends it. */
function checkPacks(db: DatabaseSync, table: string): void {
  const packs = db.prepare(`SELECT id, through, rows FROM ${table} ORDER BY id`);
  packs.setReturnArrays(true);
  let [last, end] = [0, 0];
  for (const [id, through, rows] of packs.iterate() as unknown as Iterable<PackColumns>) {
    const first = id - new ByteSource(contentOf(rows)).count() + 1;
    if (last > 0 && first !== last + 1) throw new Malformed(`${table}: row ${first} comes after row ${last}`);
    if (through < id || (last < end && through !== end))
      throw new Malformed(`${table}: row ${id} is in no transaction`);
    [last, end] = [id, through];
  }
  if (last < end)
    throw new Malformed(`${table}: the last transaction ends with row ${end}, and there is none`);
}

/** Done orders in the form of versions up to 7, which opening it for writing packs. */
export function unpackedOrders(path: string): number {
  return translating(path, () => {
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS_MAX });
    try {
      if (!hasTable(db, 'done_orders')) return 0;
      return Number(db.prepare('SELECT count(*) AS count FROM done_orders').get()?.['count']);
    } finally {
      db.close();
    }
  });
}

const isNew = (db: DatabaseSync): boolean => !hasTable(db, 'checkpoint');

function firstFault(db: DatabaseSync): string | null {
  const [first] = Object.values(db.prepare('PRAGMA quick_check(1)').get() ?? {});
  if (first !== 'ok') return String(first);
  if (isNew(db)) return null;
  const fault = faultOfCounts(db);
  if (fault !== null) return fault;
  for (const table of ['order_packs', 'fill_packs']) if (hasTable(db, table)) checkPacks(db, table);
  return null;
}

function faultOfCounts(db: DatabaseSync): string | null {
  const counts = db.prepare('SELECT * FROM checkpoint').get() ?? {};
  for (const { name, tables } of COUNTED) {
    const last = db.prepare(`SELECT id, seq FROM ${tableOf(db, tables)} ORDER BY id DESC LIMIT 1`).get();
    if (!last) continue;
    if (last['id'] !== counts[name]) {
      return `the last of its ${name} is ${last['id']}, and the checkpoint says ${counts[name]}`;
    }
    if (Number(last['seq']) > Number(counts['seq'])) {
      return `its ${name} go up to record ${last['seq']}, and the checkpoint is record ${counts['seq']}`;
    }
  }
  return null;
}
