/** Rows by id, out of the packs that have them. */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { ByteSource } from '../../bytes/byte-source.ts';
import { Pack, type RowHead } from './packs.ts';

type ReadRow<Row> = (head: RowHead, source: ByteSource) => Row;

export class PackReader<Row> {
  readonly #seek: StatementSync;
  readonly #through: StatementSync;
  readonly #last: StatementSync;
  readonly #readRow: ReadRow<Row>;
  /** The one that was read last: the rows of a list are often in the same one. */
  #held: Pack | null = null;

  constructor(db: DatabaseSync, table: string, readRow: ReadRow<Row>) {
    this.#seek = db.prepare(`SELECT id, rows FROM ${table} WHERE id >= ? ORDER BY id LIMIT 1`);
    this.#through = db.prepare(`SELECT through FROM ${table} WHERE id >= ? ORDER BY id LIMIT 1`);
    this.#last = db.prepare(`SELECT max(id) AS last FROM ${table}`);
    this.#readRow = readRow;
  }

  /** The lowest and the highest id; null where there are no rows. */
  get ends(): { readonly first: number; readonly last: number } | null {
    const first = this.#packFrom(0)?.first;
    return first === undefined ? null : { first, last: this.#last.get()?.['last'] as number };
  }

  /** Null where there is none, or none any more. */
  row(id: number): Row | null {
    const pack = this.#packFrom(id);
    return pack === null || id < pack.first ? null : pack.read(id, this.#readRow);
  }

  /** The last id of the transaction that wrote this id or, where there is no such row, the next one; null for none. */
  throughOf(id: number): number | null {
    const row = this.#through.get(id);
    return row ? (row['through'] as number) : null;
  }

  /**
   * The first id whose row has at least this value, for a value that rises with the ids; behind the last where none
   * has.
   */
  firstFrom(value: number, valueOf: ReadRow<number>): number {
    const { ends } = this;
    if (ends === null) return 1;
    let low = ends.first;
    let high = ends.last + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const pack = this.#packFrom(middle);
      if (pack === null || pack.read(pack.last, valueOf) >= value) high = middle;
      else low = pack.last + 1;
    }
    const pack = this.#packFrom(low);
    if (pack === null) return low;
    let id = pack.first;
    // Of a pack that was written in the meantime perhaps no row has it.
    while (id <= pack.last && pack.read(id, valueOf) < value) id++;
    return id;
  }

  /** The pack that has this id, or the next one. */
  #packFrom(id: number): Pack | null {
    const held = this.#held;
    if (held !== null && id >= held.first && id <= held.last) return held;
    const row = this.#seek.get(id);
    if (!row) return null;
    this.#held = new Pack(row['id'] as number, row['rows'] as Uint8Array);
    return this.#held;
  }
}
