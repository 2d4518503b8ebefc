/**
 * Writes the client ids of a transaction's done orders in the order of their keys, many with one statement: SQLite then
 * finds the place of most beside that of the one before, and a statement costs about as much as a row.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ClientKeys } from './client-keys.ts';

const ROWS_TOGETHER = 64;
/** A hash has 32 bits: with 21 behind them for the place in the list it is a whole number that a double can hold. */
const PLACES = 2 ** 21;

export class ClientIdWriter {
  readonly #keys: ClientKeys;
  readonly #insertMany: StatementSync;
  readonly #insert: StatementSync;
  readonly #ids: number[] = [];
  readonly #hashes: number[] = [];

  constructor(db: DatabaseSync, keys: ClientKeys) {
    this.#keys = keys;
    const rows = Array(ROWS_TOGETHER).fill('(?, ?)').join(', ');
    this.#insertMany = db.prepare(`INSERT INTO client_ids VALUES ${rows}`);
    this.#insert = db.prepare('INSERT INTO client_ids VALUES (?, ?)');
  }

  /** Forgets what an earlier transaction left behind. */
  begin(): void {
    this.#ids.length = 0;
    this.#hashes.length = 0;
  }

  add(id: number, user: number, clientId: string): void {
    this.#ids.push(id);
    this.#hashes.push(this.#keys.hashOf(user, clientId));
    if (this.#ids.length === PLACES) this.flush(() => undefined);
  }

  /** Calls `rest` after each statement. */
  flush(rest: () => void): void {
    const { length } = this.#ids;
    const sorted = new Float64Array(length);
    for (let at = 0; at < length; at++) sorted[at] = this.#hashes[at] * PLACES + at;
    sorted.sort();
    const whole = length - (length % ROWS_TOGETHER);
    for (let at = 0; at < whole; at += ROWS_TOGETHER) {
      this.#insertMany.get(...this.#values(sorted, at, at + ROWS_TOGETHER));
      rest();
    }
    for (let at = whole; at < length; at++) {
      this.#insert.get(...this.#values(sorted, at, at + 1));
      rest();
    }
    this.begin();
  }

  #values(sorted: Float64Array, from: number, to: number): number[] {
    const values: number[] = [];
    for (let i = from; i < to; i++) {
      const at = sorted[i] % PLACES;
      const id = this.#ids[at];
      values.push(this.#keys.keyOf(id, this.#hashes[at]), id);
    }
    return values;
  }
}
