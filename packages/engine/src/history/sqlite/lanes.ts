/**
 * Ids of rows by user and lane: one range of the index for each lane, merged. The cost of a list depends on the number of
 * the user's lanes and of the rows requested or skipped, never on the number of rows in the table. SQLite merges and
 * skips: an id skipped there costs a small part of one that is returned.
 */

import type { DatabaseSync, SQLOutputValue, StatementSync } from 'node:sqlite';
import type { Page, Span } from '../history.ts';

/** Ids between the two, exclusive. */
export interface Range {
  readonly above: number;
  readonly below: number;
}

const EVERYTHING: Range = { above: 0, below: Number.MAX_SAFE_INTEGER };
const BEFORE_ALL_LANES = -1;
/** A lane without rows. Statements exist for 1, 2, 4 ... lanes; this lane fills unused parameters. */
const EMPTY_LANE = -1;
/** Maximum number of lanes merged by one statement; SQLite's limit is 500. */
export const MERGED_LANES_MAX = 256;

const inLane = (table: string): string =>
  `SELECT id FROM ${table} WHERE user = ? AND lane = ? AND id > ? AND id < ?`;

/** Takes user, lane, above and below for each lane, then limit and skip. */
export function mergeSql(table: string, laneCount: number, isAscending: boolean): string {
  const lanes = Array<string>(laneCount).fill(inLane(table)).join(' UNION ALL ');
  return `${lanes} ORDER BY id ${isAscending ? 'ASC' : 'DESC'} LIMIT ? OFFSET ?`;
}

export class Lanes {
  readonly #db: DatabaseSync;
  readonly #table: string;
  readonly #nextLane: StatementSync;
  readonly #count: StatementSync;
  readonly #merges = new Map<string, StatementSync>();

  /** `table` has the columns user, lane and id, and an index over them in this order. */
  constructor(db: DatabaseSync, table: string) {
    this.#db = db;
    this.#table = table;
    this.#nextLane = db.prepare(
      `SELECT lane FROM ${table} WHERE user = ? AND lane > ? ORDER BY lane LIMIT 1`,
    );
    this.#count = db.prepare(`SELECT count(*) AS count FROM (${inLane(table)} ORDER BY id LIMIT ?)`);
  }

  /** At most `limit` ids in page order, from all matching lanes of the user. */
  ids(user: number, isWanted: (lane: number) => boolean, range: Range, page: Page): number[] {
    const lanes = [...this.of(user)].filter(isWanted);
    if (lanes.length <= MERGED_LANES_MAX) return this.#merged(user, lanes, range, page);
    const { skip = 0, ascending = false } = page;
    const limit = skip + page.limit;
    let ids: number[] = [];
    let { above, below } = range;
    for (let at = 0; at < lanes.length; at += MERGED_LANES_MAX) {
      const group = lanes.slice(at, at + MERGED_LANES_MAX);
      ids = ids.concat(this.#merged(user, group, { above, below }, { limit, ascending }));
      ids.sort(ascending ? (a, b) => a - b : (a, b) => b - a);
      ids = ids.slice(0, limit);
      // The page is full: a further lane matters only if its first id precedes the last one here.
      if (ids.length === limit && ascending) below = ids[limit - 1];
      else if (ids.length === limit) above = ids[limit - 1];
    }
    return ids.slice(skip);
  }

  /** Counts the rows of the user's wanted lanes; `max` for that many or more. */
  count(user: number, isWanted: (lane: number) => boolean, { above, below }: Range, max: number): number {
    let count = 0;
    for (const lane of this.of(user)) {
      if (!isWanted(lane)) continue;
      const row = this.#count.get(user, lane, above, below, max - count);
      count += row?.['count'] as number;
      if (count >= max) return max;
    }
    return count;
  }

  #merged(user: number, lanes: readonly number[], { above, below }: Range, page: Page): number[] {
    if (lanes.length === 0) return [];
    const { limit, skip = 0, ascending = false } = page;
    const laneCount = 2 ** Math.ceil(Math.log2(lanes.length));
    const key = `${laneCount} ${ascending}`;
    let merge = this.#merges.get(key);
    if (!merge) {
      merge = this.#db.prepare(mergeSql(this.#table, laneCount, ascending));
      // Arrays take half the time of objects for thousands of rows.
      merge.setReturnArrays(true);
      this.#merges.set(key, merge);
    }
    const values: number[] = [];
    for (let at = 0; at < laneCount; at++) values.push(user, lanes[at] ?? EMPTY_LANE, above, below);
    const rows = merge.all(...values, limit, skip) as unknown as [id: number][];
    return rows.map(([id]) => id);
  }

  /** The user's lanes. Skips from one to the next, however many rows they have. */
  *of(user: number): Generator<number> {
    let lane = BEFORE_ALL_LANES;
    for (;;) {
      const next = this.#nextLane.get(user, lane);
      if (!next) return;
      lane = next['lane'] as number;
      yield lane;
    }
  }
}

/** Converts times to ids, in a table where a column ascends with the id. */
export class IdSearch {
  readonly #ends: StatementSync;
  readonly #seek: StatementSync;

  constructor(db: DatabaseSync, table: string, column: string) {
    this.#ends = db.prepare(
      `SELECT (SELECT min(id) FROM ${table}) AS first, (SELECT max(id) FROM ${table}) AS last`,
    );
    this.#seek = db.prepare(`SELECT id, ${column} AS value FROM ${table} WHERE id >= ? ORDER BY id LIMIT 1`);
  }

  /** The first id whose row has at least this value; after the last row if none has. */
  firstFrom(value: number): number {
    const { first, last } = this.#ends.get() as { first: number | null; last: number | null };
    if (first === null || last === null) return 1;
    let low = first;
    let high = last + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = this.#seek.get(middle) as { id: number; value: number } | undefined;
      if (!row || row.value >= value) high = middle;
      else low = row.id + 1;
    }
    return low;
  }

  /** The ids of a span of time. */
  rangeOf({ from, until }: Span): Range {
    return {
      above: from === undefined ? EVERYTHING.above : this.firstFrom(from) - 1,
      below: until === undefined ? EVERYTHING.below : this.firstFrom(until + 1),
    };
  }
}

/** The part of the range that is not yet paged through. */
export function afterIn({ above, below }: Range, { after, ascending = false }: Page): Range {
  if (after === undefined) return { above, below };
  return ascending ? { above: Math.max(above, after), below } : { above, below: Math.min(below, after) };
}

type Row = Record<string, SQLOutputValue>;

/** The rows of a page, by their ids. Integers are read as bigint, because amounts do not fit a number. */
export class PageRows {
  readonly #ascending: StatementSync;
  readonly #descending: StatementSync;

  constructor(db: DatabaseSync, table: string, columns: string) {
    // One statement for all rows: with one for each, most of the time would be spent on calling SQLite.
    const sql = `SELECT ${columns} FROM ${table} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id`;
    this.#ascending = db.prepare(`${sql} ASC`, { readBigInts: true });
    this.#descending = db.prepare(`${sql} DESC`, { readBigInts: true });
  }

  /** In the order of the page; omits rows that were pruned in the meantime. */
  read(ids: readonly number[], { ascending = false }: Page): Row[] {
    return (ascending ? this.#ascending : this.#descending).all(JSON.stringify(ids));
  }
}
