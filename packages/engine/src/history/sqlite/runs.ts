/**
 * Ids by what they are looked for by: a lane of a user, an order, a bucket of order ids. All that one transaction adds
 * under one key is one row, a run, and not a row for each id: a busy user has hundreds of them in a transaction, and
 * each row would cost SQLite a microsecond or two. The id of a transaction's last row, `through`, tells runs of one
 * key apart, and is the same for all keys of the transaction.
 *
 * A run is a list of ids, each with a number beside it where the table's kind has one. The first is in columns of its
 * own, because many runs have no other; the others are bytes, every number as the difference from the one before.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { ByteSink } from '../../bytes/byte-sink.ts';
import { ByteSource } from '../../bytes/byte-source.ts';

/** An id in a run; `note` is the number beside it, 0 where there is none. */
export interface RunItem {
  readonly id: number;
  readonly note: number;
}

/** The ids of one transaction by key. Most keys have few, some have thousands. */
export class RunWriter {
  readonly #insert: StatementSync;
  readonly #bind: (key: number) => readonly number[];
  readonly #sink = new ByteSink();
  readonly #runs = new Map<number, number[]>();

  /** `bind` gives the values of the table's key columns. */
  constructor(db: DatabaseSync, table: string, keyColumns: number, bind: (key: number) => readonly number[]) {
    const values = Array(keyColumns + 5).fill('?');
    this.#insert = db.prepare(`INSERT INTO ${table} VALUES (${values.join(', ')})`);
    this.#bind = bind;
  }

  /** Ids of a key come in their order. */
  add(key: number, id: number, note = 0): void {
    const run = this.#runs.get(key);
    if (run === undefined) this.#runs.set(key, [id, note]);
    else run.push(id, note);
  }

  /** The id under this key, if there is exactly one in this transaction: it is taken out. Otherwise 0. */
  takeSingle(key: number): number {
    const run = this.#runs.get(key);
    if (run === undefined || run.length > 2) return 0;
    this.#runs.delete(key);
    return run[0];
  }

  /** Forgets what an earlier transaction left behind. */
  begin(): void {
    this.#runs.clear();
  }

  /** Calls `rest` after each statement. */
  flush(through: number, rest: () => void): void {
    const sink = this.#sink;
    for (const [key, run] of this.#runs) {
      sink.at = 0;
      for (let i = 2; i < run.length; i += 2) {
        sink.whole(run[i] - run[i - 2]);
        sink.whole(run[i + 1] - run[i - 1]);
      }
      const more = sink.at === 0 ? null : sink.bytes.subarray(0, sink.at);
      this.#insert.get(...this.#bind(key), through, run[0], run[1], run.length / 2, more);
      rest();
    }
    this.#runs.clear();
  }
}

/** What a statement gives of a run. */
export type RunColumns = readonly [id: number, note: number, more: Uint8Array | null];

export function readRun(first: number, noted: number, more: Uint8Array | null): RunItem[] {
  const items: RunItem[] = [{ id: first, note: noted }];
  if (more === null) return items;
  const source = new ByteSource(more);
  let [id, note] = [first, noted];
  while (source.left > 0) {
    id += source.whole();
    note += source.whole();
    items.push({ id, note });
  }
  return items;
}
