/** Inserts rows with one statement for many of them: calling SQLite costs about as much as inserting a row. */

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

const ROWS_TOGETHER = 32;

export class Inserts {
  readonly #many: StatementSync;
  readonly #one: StatementSync;
  readonly #columnCount: number;
  readonly #values: SQLInputValue[] = [];

  constructor(db: DatabaseSync, table: string, columnCount: number) {
    const row = `(${Array(columnCount).fill('?').join(', ')})`;
    this.#many = db.prepare(`INSERT INTO ${table} VALUES ${Array(ROWS_TOGETHER).fill(row).join(', ')}`);
    this.#one = db.prepare(`INSERT INTO ${table} VALUES ${row}`);
    this.#columnCount = columnCount;
  }

  /** Drops rows left behind by an earlier failed transaction. */
  begin(): void {
    this.#values.length = 0;
  }

  add(row: readonly SQLInputValue[]): void {
    const values = this.#values;
    for (let at = 0; at < row.length; at++) values.push(row[at]);
    if (values.length < this.#columnCount * ROWS_TOGETHER) return;
    // `get` returns nothing here; `run` would allocate an object with counts.
    this.#many.get(...values);
    values.length = 0;
  }

  /** After this call every row is in the database. */
  end(): void {
    const values = this.#values;
    for (let at = 0; at < values.length; at += this.#columnCount) {
      this.#one.get(...values.slice(at, at + this.#columnCount));
    }
    values.length = 0;
  }
}
