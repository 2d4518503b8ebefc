/** The runs of some lanes of a user, merged by transaction. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { EMPTY_LANE, statementLanes } from './lanes.ts';
import type { RunColumns } from './runs.ts';

/** Transactions by the id of their last row, both ends included. */
export interface Transactions {
  readonly first: number;
  readonly last: number;
}

export type RunRow = readonly [through: number, lane: number, ...RunColumns];

/** So many runs are read at first; of further ones more at a time, because the list seems to be long. */
const RUNS_FIRST = 64;
const RUNS_MAX = 4096;

/** Takes user, lane, the first and the last `through` for each lane. */
function ofLanes(columns: string, table: string, laneCount: number): string {
  const lane = `SELECT ${columns} FROM ${table} WHERE user = ? AND lane = ? AND through >= ? AND through <= ?`;
  return Array<string>(laneCount).fill(lane).join(' UNION ALL ');
}

/** The runs of all lanes by transaction. Then a limit. */
function mergeSql(columns: string, table: string, laneCount: number, isAscending: boolean): string {
  const runs = ofLanes(columns, table, laneCount);
  return `${runs} ORDER BY through ${isAscending ? 'ASC' : 'DESC'} LIMIT ?`;
}

export const mergeRunsSql = (table: string, laneCount: number, isAscending: boolean): string =>
  mergeSql('through, lane, id, note, more', table, laneCount, isAscending);

const sizesSql = (table: string, laneCount: number, isAscending: boolean): string =>
  mergeSql('through, size', table, laneCount, isAscending);

export class LaneRuns {
  readonly #db: DatabaseSync;
  readonly #table: string;
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync, table: string) {
    this.#db = db;
    this.#table = table;
  }

  /** Until nobody asks for more; there is at least one lane. */
  *merged(
    user: number,
    lanes: readonly number[],
    { first, last }: Transactions,
    isAscending: boolean,
  ): Generator<RunRow> {
    const laneCount = statementLanes(lanes.length);
    const merge = this.#prepare(mergeRunsSql(this.#table, laneCount, isAscending));
    let left: Transactions = { first, last };
    for (let limit = laneCount + RUNS_FIRST; ; limit = laneCount + Math.min(limit * 4, RUNS_MAX)) {
      const rows = merge.all(...values(user, lanes, left), limit) as unknown as RunRow[];
      if (rows.length < limit) {
        yield* rows;
        return;
      }
      // Of the last transaction some may be missing: it is read again with those that follow.
      const [through] = rows[limit - 1];
      for (const row of rows) if (row[0] !== through) yield row;
      left = isAscending ? { first: through, last } : { first, last: through };
    }
  }

  /**
   * How many items each run has, until nobody asks for more; at most `max` runs. Without their bytes that is a small
   * part of reading them, and each is looked at once.
   */
  sizes(
    user: number,
    lanes: readonly number[],
    within: Transactions,
    isAscending: boolean,
    max: number,
  ): Iterable<readonly [through: number, size: number]> {
    const sizes = this.#prepare(sizesSql(this.#table, statementLanes(lanes.length), isAscending));
    return sizes.iterate(...values(user, lanes, within), max) as unknown as Iterable<
      readonly [through: number, size: number]
    >;
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      // Arrays take half the time of objects for thousands of rows.
      statement.setReturnArrays(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

function values(user: number, lanes: readonly number[], { first, last }: Transactions): number[] {
  const laneCount = statementLanes(lanes.length);
  const bound: number[] = [];
  for (let at = 0; at < laneCount; at++) bound.push(user, lanes[at] ?? EMPTY_LANE, first, last);
  return bound;
}
