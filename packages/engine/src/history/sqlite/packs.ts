/**
 * Rows of one kind, many of them in one row of SQLite: a pack. SQLite takes a microsecond or more for each row it is
 * given, whatever the row says, and done orders and fills come by the thousand; as bytes one of them takes a third of
 * one. A pack fits a page of the database. Its rows have ids without a gap, and it has the id of the last of them.
 *
 * A pack begins with the number of its rows, with the record and the time that those of its rows are counted from, and
 * with the size of each row but the last. It ends with a checksum, because SQLite does not look into values when it
 * checks its pages.
 */

import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { ByteSink, viewOf } from '../../bytes/byte-sink.ts';
import { ByteSource, Malformed } from '../../bytes/byte-source.ts';

/** A pack takes no further row when it has so many bytes; SQLite has room for some 4,000 in a page. */
const PACK_BYTES = 3600;
const CHECKSUM_BYTES = 4;

/** What every row has. */
export interface RowHead {
  readonly id: number;
  readonly seq: number;
  readonly time: number;
}

export class PackWriter {
  readonly #insert: StatementSync;
  readonly #rows = new ByteSink();
  readonly #head = new ByteSink();
  /** Where each row begins. */
  #begins: number[] = [];
  #base = { seq: 0, time: 0 };
  #last: RowHead = { id: 0, seq: 0, time: 0 };
  #through = 0;

  constructor(db: DatabaseSync, table: string) {
    this.#insert = db.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?, ?)`);
  }

  /** Begins a transaction whose last row will have the id `through`. What an earlier one left behind is forgotten. */
  begin(through: number): void {
    this.#through = through;
    this.#forget();
  }

  /** Begins a row; what it says goes into the sink that is given back, before the next call. */
  add(head: RowHead): ByteSink {
    if (this.#begins.length > 0) {
      if (this.#rows.at >= PACK_BYTES || head.id !== this.#last.id + 1) this.flush();
    }
    if (this.#begins.length === 0) this.#base = head;
    this.#begins.push(this.#rows.at);
    this.#last = head;
    this.#rows.whole(head.seq - this.#base.seq);
    this.#rows.whole(head.time - this.#base.time);
    return this.#rows;
  }

  flush(): void {
    if (this.#begins.length === 0) return;
    const head = this.#head;
    head.at = 0;
    head.varint(this.#begins.length);
    head.whole(this.#base.seq);
    head.whole(this.#base.time);
    for (let i = 1; i < this.#begins.length; i++) head.varint(this.#begins[i] - this.#begins[i - 1]);
    head.reserve(this.#rows.at);
    head.bytes.set(this.#rows.bytes.subarray(0, this.#rows.at), head.at);
    head.at += this.#rows.at;
    head.uint32(crc32(head.bytes.subarray(0, head.at)));
    const { id, seq, time } = this.#last;
    const bytes = head.bytes.subarray(0, head.at);
    // `get`, which makes nothing where there is no row to give; `run` makes an object of counts.
    this.#insert.get(id, this.#through, seq, time, bytes);
    this.#forget();
  }

  #forget(): void {
    this.#rows.at = 0;
    this.#begins = [];
  }
}

/** Without the checksum, which must be right. */
export function contentOf(checked: Uint8Array): Uint8Array {
  const end = checked.length - CHECKSUM_BYTES;
  const content = checked.subarray(0, Math.max(end, 0));
  if (end < 0 || viewOf(checked).getUint32(end, true) !== crc32(content)) {
    throw new Malformed('rows do not have their checksum');
  }
  return content;
}

/** A pack that was read; it never changes. */
export class Pack {
  readonly first: number;
  readonly last: number;
  readonly #source: ByteSource;
  readonly #seq: number;
  readonly #time: number;
  /** Where each row begins, and behind them where the last ends. */
  readonly #begins: number[];

  constructor(last: number, checked: Uint8Array) {
    const bytes = contentOf(checked);
    const source = new ByteSource(bytes);
    const count = source.count();
    this.first = last - count + 1;
    this.last = last;
    this.#source = source;
    this.#seq = source.whole();
    this.#time = source.whole();
    const sizes = Array.from({ length: Math.max(count - 1, 0) }, () => source.varint());
    let begin = bytes.length - source.left;
    this.#begins = [begin];
    for (const size of sizes) this.#begins.push((begin += size));
    this.#begins.push(bytes.length);
  }

  /** Reads the row with this id, which the pack has. */
  read<Row>(id: number, readRow: (head: RowHead, source: ByteSource) => Row): Row {
    const at = id - this.first;
    const source = this.#source;
    source.seek(this.#begins[at], this.#begins[at + 1]);
    const seq = this.#seq + source.whole();
    const time = this.#time + source.whole();
    return readRow({ id, seq, time }, source);
  }
}
