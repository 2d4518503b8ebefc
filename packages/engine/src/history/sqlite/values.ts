/** Conversion of values to and from SQLite. */

import type { SQLOutputValue, DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

const INT64_BITS = 64;

/** Exact at any size: an integer if 64 bits hold it, otherwise decimal text. */
export function storeAmount(amount: bigint): bigint | string {
  return BigInt.asIntN(INT64_BITS, amount) === amount ? amount : String(amount);
}

export function readAmount(value: SQLOutputValue): bigint {
  return BigInt(value as bigint | string);
}

/**
 * Values that JSON lacks are stored as an object with one field. They occur because a rejected command may contain
 * anything.
 */
type Tagged = { readonly units: string } | { readonly number: string };

export function storeJson(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown): unknown => {
    if (typeof field === 'bigint') return { units: String(field) } satisfies Tagged;
    if (typeof field === 'number' && !Number.isFinite(field))
      return { number: String(field) } satisfies Tagged;
    return field;
  });
}

export function readJson<Value>(text: SQLOutputValue): Value {
  return JSON.parse(text as string, (_, field: unknown): unknown => {
    if (!isTagged(field)) return field;
    return 'units' in field ? BigInt(field.units) : Number(field.number);
  }) as Value;
}

function isTagged(field: unknown): field is Tagged {
  if (typeof field !== 'object' || field === null) return false;
  const keys = Object.keys(field);
  return keys.length === 1 && (keys[0] === 'units' || keys[0] === 'number');
}

const ROWS_TOGETHER = 32;

/**
 * Inserts rows with one statement for many of them: calling SQLite costs about as much as inserting a row. A statement
 * that fails rolls the transaction back, so that SQLite need not keep copies of the pages that each statement changes
 * (a fifth of the time).
 */
export class Inserts {
  readonly #many: StatementSync;
  readonly #one: StatementSync;
  readonly #columnCount: number;
  readonly #values: SQLInputValue[] = [];

  constructor(db: DatabaseSync, table: string, columnCount: number) {
    const row = `(${Array(columnCount).fill('?').join(', ')})`;
    const insert = `INSERT OR ROLLBACK INTO ${table} VALUES `;
    this.#many = db.prepare(insert + Array(ROWS_TOGETHER).fill(row).join(', '));
    this.#one = db.prepare(insert + row);
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
