/**
 * The writing side of history in SQLite. A call of `write` is one transaction that includes the checkpoint, and is
 * synced before it returns: after a crash the database has complete records up to its checkpoint and nothing of any
 * later one.
 */

import { backup, type DatabaseSync, type StatementSync } from 'node:sqlite';
import { makePrivateFile } from '../../io/files.ts';
import {
  HistoryFull,
  HistoryGap,
  type HistoryRecord,
  type HistoryWriter,
  type Movement,
} from '../history.ts';
import { addToCandles, putCandles } from './candles.ts';
import { isOpen, movedLane } from './codes.ts';
import { insertDoneOco, insertDoneStop } from './done-stops.ts';
import { openForWriting, transact, translating } from './database.ts';
import { FillWriter, insertTrades } from './fills.ts';
import { HouseWriter } from './house.ts';
import { INSERT_ENTRY, insertEntry } from './ledger.ts';
import { OrderWriter } from './orders.ts';
import { pruneStep } from './pruning.ts';
import { auditOf, type Counts, countsAfter, entryOf, fillsOf, idOf, usersOf } from '../rows.ts';
import { readJson, storeJson } from './values.ts';

export interface WriterOptions {
  /** The database is full when it has this many pages of 4 KiB. */
  readonly pagesMax?: number;
  /** Called after each record, to yield to other threads. */
  readonly rest?: () => void;
}

export class SqliteHistoryWriter implements HistoryWriter {
  readonly #path: string;
  readonly #rest: () => void;
  readonly #db: DatabaseSync;
  readonly #orders: OrderWriter;
  readonly #fills: FillWriter;
  readonly #insertEntry: StatementSync;
  readonly #house: HouseWriter;
  #checkpoint: number;
  #counts: Counts;
  /** The id of the last `house` row. */
  #houseCount: number;

  constructor(path: string, { pagesMax, rest }: WriterOptions = {}) {
    this.#path = path;
    this.#rest = rest ?? (() => undefined);
    const prepared = openForWriting(path, (db) => {
      if (pagesMax !== undefined) db.exec(`PRAGMA max_page_count = ${pagesMax}`);
      return {
        db,
        orders: new OrderWriter(db),
        fills: new FillWriter(db),
        insertEntry: db.prepare(INSERT_ENTRY),
        house: new HouseWriter(db),
        written: db.prepare('SELECT * FROM checkpoint').get() as unknown as Counts & {
          seq: number;
          house: number;
        },
      };
    });
    this.#db = prepared.db;
    this.#orders = prepared.orders;
    this.#fills = prepared.fills;
    this.#insertEntry = prepared.insertEntry;
    this.#house = prepared.house;
    const { seq, orders, fills, ledger, audit, house } = prepared.written;
    this.#checkpoint = seq;
    this.#counts = { orders, fills, ledger, audit };
    this.#houseCount = house;
  }

  get checkpoint(): number {
    return this.#checkpoint;
  }

  write(records: readonly HistoryRecord[]): void {
    const fresh = following(this.#checkpoint, records);
    if (fresh.length === 0) return;
    const { seq } = fresh[fresh.length - 1];
    const after = fresh.reduce(countsAfter, this.#counts);
    const houseAfter = fresh.reduce((count, { house }) => count + house.length, this.#houseCount);
    this.#transact(() => {
      // It may be a retry.
      let counts = this.#counts;
      let houseCount = this.#houseCount;
      this.#orders.begin();
      this.#fills.begin();
      this.#house.begin();
      for (const record of fresh) {
        this.#writeRecord(record, counts);
        for (const posted of record.house) {
          this.#house.add({ id: ++houseCount, seq: record.seq, time: record.time, ...posted });
        }
        counts = countsAfter(counts, record);
        this.#rest();
      }
      this.#orders.end();
      this.#fills.end();
      this.#house.end();
      const trades = fresh.flatMap((record) => record.trades);
      insertTrades(this.#db, trades);
      addToCandles(this.#db, trades);
      this.#db
        .prepare('UPDATE checkpoint SET seq = ?, orders = ?, fills = ?, ledger = ?, audit = ?, house = ?')
        .run(seq, after.orders, after.fills, after.ledger, after.audit, houseAfter);
    });
    this.#checkpoint = seq;
    this.#counts = after;
    this.#houseCount = houseAfter;
  }

  /** SQLite's write-ahead log may occupy the space that the rows need, so it is checkpointed before giving up. */
  #transact(work: () => void): void {
    try {
      transact(this.#db, this.#path, work);
    } catch (error) {
      if (!(error instanceof HistoryFull)) throw error;
      translating(this.#path, () => this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)'));
      transact(this.#db, this.#path, work);
    }
  }

  prune(time: number): boolean {
    let isMoreLeft = false;
    this.#transact(() => {
      isMoreLeft = pruneStep(this.#db, time);
    });
    return isMoreLeft;
  }

  /**
   * By SQLite: opening and closing the file by any other means, as a copy of the file does, releases this process's
   * locks on it, and another process could then remove the write-ahead log that is in use.
   */
  async copyTo(path: string): Promise<void> {
    makePrivateFile(path);
    // Page by page: a copy with different pages would be uploaded completely to the snapshot store.
    await backup(this.#db, path).catch((error: unknown) =>
      translating(this.#path, () => {
        throw error;
      }),
    );
  }

  close(): void {
    this.#db.close();
  }

  #writeRecord(record: HistoryRecord, before: Counts): void {
    const { done, trades } = record;
    for (let at = 0; at < trades.length; at++) {
      const [buy, sell] = fillsOf(record, at, before);
      this.#fills.add(buy);
      this.#fills.add(sell);
    }
    for (let at = 0; at < done.length; at++) this.#orders.add(before.orders + at + 1, done[at]);
    this.#writeRare(record, before);
  }

  #writeRare(record: HistoryRecord, before: Counts): void {
    for (const entry of record.entries) insertEntry(this.#insertEntry, entryOf(record, entry, before));
    for (const stop of record.stops) insertDoneStop(this.#db, stop);
    for (const oco of record.ocos) insertDoneOco(this.#db, oco);
    for (const movement of record.movements) this.#writeMovement(movement, record.time);
    for (const { currency, code, scale } of record.currencies) {
      this.#db.prepare('INSERT OR REPLACE INTO currencies VALUES (?, ?, ?)').run(currency, code, scale);
    }
    for (const { symbol, code, base, quote, priceDecimals, sizeDecimals } of record.symbols) {
      this.#db
        .prepare('INSERT OR REPLACE INTO symbols VALUES (?, ?, ?, ?, ?, ?)')
        .run(symbol, code, base, quote, priceDecimals, sizeDecimals);
    }
    for (const imported of record.imports) putCandles(this.#db, imported);
    for (const { id, seq, time, by, why, command, outcome } of auditOf(record, before)) {
      this.#db
        .prepare('INSERT INTO audit VALUES (?, ?, ?, ?, ?, ?, ?)')
        .run(id, seq, time, by, why, outcome, storeJson(command));
    }
  }

  /** A change of state changes the lane. */
  #writeMovement(event: Movement, time: number): void {
    const db = this.#db;
    const id = idOf(event);
    const before = db.prepare('SELECT time, event FROM moved WHERE id = ?').get(id);
    if (before) {
      const lane = movedLane(readJson(before['event']));
      for (const user of usersOf(event)) {
        db.prepare('DELETE FROM moved_by_user WHERE user = ? AND lane = ? AND id = ?').run(user, lane, id);
      }
    }
    db.prepare('INSERT OR REPLACE INTO moved VALUES (?, ?, ?, ?, ?)').run(
      id,
      before ? before['time'] : time,
      time,
      isOpen(event) ? 1 : 0,
      storeJson(event),
    );
    for (const user of usersOf(event)) {
      db.prepare('INSERT INTO moved_by_user VALUES (?, ?, ?)').run(user, movedLane(event), id);
    }
  }
}

/** The records that history does not have yet. A gap would shift all later ids. */
function following(checkpoint: number, records: readonly HistoryRecord[]): HistoryRecord[] {
  const fresh: HistoryRecord[] = [];
  let last = checkpoint;
  for (const record of records) {
    if (record.seq <= last) continue;
    if (record.seq !== last + 1) {
      throw new HistoryGap(
        `history has the records up to ${last} and got record ${record.seq}: those in between are missing. ` +
          'Put back the history database or the segments of the log that have them.',
      );
    }
    fresh.push(record);
    last = record.seq;
  }
  return fresh;
}
