/** Replicates a log to the tables of a mirror. */

import type { Exchange, LogRecord } from '@bourse/core';
import {
  type Disk,
  type EndFinder,
  endFinderIn,
  logDirectory,
  type LogReader,
  logReaderIn,
  nodeClock,
  pause,
  segmentsAmong,
  snapshotsIn,
} from '@bourse/engine';
import { MirrorBatch } from './mirror-batch.ts';
import { isoTime } from './money-rows.ts';
import { MirrorRefused } from './postgres-connection.ts';
import type { MirrorPosition, PostgresStore } from './postgres-store.ts';

/**
 * Durable records, and the exchange as of some earlier record. A directory is one such source, a replicated
 * stream with its snapshots another.
 */
export interface MirrorSource {
  /** The last record that is certain to be durable; 0 for none. `durableSeq` is known to be, if the log has it. */
  lastSeq(durableSeq: number): Promise<number>;
  /** The oldest record that can still be read. */
  firstSeq(): Promise<number>;
  /** As of the record `seqMax`, or of the nearest snapshot before it; empty if there is none. */
  exchangeBefore(seqMax: number): Promise<Exchange>;
  read(fromSeq: number, throughSeq: number): AsyncIterable<LogRecord>;
  close(): Promise<void>;
}

export interface DirectoryParts {
  readonly disk: Disk;
  readonly dir: string;
  /** The record up to which history or a snapshot has everything. */
  knownSeq(): Promise<number>;
  /** Rejects if the exchange has moved to another directory. */
  check?(): Promise<void>;
}

/** The directory has no log. */
export class NoMirrorSource extends Error {
  override readonly name = 'NoMirrorSource';
}

/** The log of a data directory, whether or not an exchange runs on it. */
export class DirectorySource implements MirrorSource {
  readonly #parts: DirectoryParts;
  readonly #reader: LogReader;
  readonly #end: EndFinder;

  constructor(parts: DirectoryParts) {
    this.#parts = parts;
    this.#end = endFinderIn(parts.disk, parts.dir);
    this.#reader = logReaderIn(parts.disk, parts.dir);
  }

  /**
   * The last record may be written and not yet synced, so that a power failure would undo it. Everything that history or a
   * snapshot has is durable; they are asked only if the log itself leaves it open.
   */
  async lastSeq(durableSeq: number): Promise<number> {
    const { knownSeq, check } = this.#parts;
    await check?.();
    const end = await this.#end.find((await this.#segments()).at(-1)!, durableSeq);
    if (end.durableSeq === end.lastSeq) return end.lastSeq;
    return Math.max(end.durableSeq, Math.min(await knownSeq(), end.lastSeq));
  }

  async firstSeq(): Promise<number> {
    return (await this.#segments())[0];
  }

  async exchangeBefore(seqMax: number): Promise<Exchange> {
    const { disk, dir } = this.#parts;
    return (await snapshotsIn(disk, dir).restore(seqMax)).exchange;
  }

  read(fromSeq: number, throughSeq: number): AsyncIterable<LogRecord> {
    return this.#reader.read(fromSeq, throughSeq);
  }

  close(): Promise<void> {
    return this.#reader.close();
  }

  async #segments(): Promise<readonly number[]> {
    const { disk, dir } = this.#parts;
    const segments = segmentsAmong(await disk.list(logDirectory(dir)));
    if (segments.length > 0) return segments;
    throw new NoMirrorSource(`${dir} is not a data directory of Bourse: it has no log.`);
  }
}

export type MirrorStore = Pick<PostgresStore, 'checkpoint' | 'write' | 'isLost'>;

export interface MirrorOptions {
  readonly source: MirrorSource;
  readonly store: MirrorStore;
  /** Approximate number of rows per transaction. */
  readonly rowsMax?: number;
  /** A message for the operator. */
  readonly onWarning?: (sentence: string) => void;
}

const ROWS_MAX = 20_000;
const LOOK_MS = 200;
const RETRY_MS = 1000;
/** A log server that has just become the leader may lack the last records for a moment. */
const BEHIND_MS_MAX = 3000;

/**
 * Replicates the log to the tables of a mirror: applies every record with its own core and writes the changes exactly once.
 * The tables determine where it resumes; the exchange as of then comes from a snapshot and the records after it.
 */
export class Mirror {
  readonly #source: MirrorSource;
  readonly #store: MirrorStore;
  readonly #rowsMax: number;
  readonly #warn: (sentence: string) => void;
  readonly #exchange: Exchange;
  #written: MirrorPosition;

  private constructor(options: MirrorOptions, exchange: Exchange, written: MirrorPosition) {
    this.#source = options.source;
    this.#store = options.store;
    this.#rowsMax = options.rowsMax ?? ROWS_MAX;
    this.#warn = options.onWarning ?? (() => undefined);
    this.#exchange = exchange;
    this.#written = written;
  }

  /** Ready to resume after the checkpoint. Throws MirrorRefused, LogDamaged, LogTooNew. */
  static async open(options: MirrorOptions): Promise<Mirror> {
    const { source, store } = options;
    const written = await store.checkpoint();
    const first = await source.firstSeq();
    await endOf(source, written);
    const exchange = await source.exchangeBefore(written.seq);
    if (exchange.seq + 1 < first) throw reachesNoFurther(written.seq, exchange.seq, first);
    for await (const record of source.read(exchange.seq + 1, written.seq)) exchange.apply(record);
    // Two exchanges may reach the same number of records, but not at the same millisecond.
    if (written.time !== null && written.time !== isoTime(exchange.time)) {
      throw new MirrorRefused(
        `Record ${written.seq} has the time ${isoTime(exchange.time)} in the log, but ${written.time} in the mirror: this is ` +
          'the mirror of a different log, or the log was restored from an older copy and has continued. Give this log a ' +
          'separate database, or remove the schema "bourse", and the mirror is rebuilt.',
      );
    }
    return new Mirror(options, exchange, written);
  }

  /** The last record that is in the tables. */
  get seq(): number {
    return this.#written.seq;
  }

  /**
   * Replicates up to the current end of the log. If the signal aborts while the database is unavailable, the last batch is
   * not written, and only a mirror that is opened anew can continue. Throws MirrorRefused, LogDamaged, LogTooNew.
   */
  async catchUp(signal?: AbortSignal): Promise<void> {
    const through = await endOf(this.#source, this.#written, signal);
    const isStopped = () => signal?.aborted ?? false;
    while (this.#exchange.seq < through && !isStopped()) await this.#step(through, signal);
  }

  /** Replicates until the signal aborts. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.catchUp(signal);
      await pause(LOOK_MS, signal);
    }
  }

  /** Writes one transaction. */
  async #step(through: number, signal?: AbortSignal): Promise<void> {
    const batch = new MirrorBatch(this.#exchange, this.#written.counts);
    for await (const record of this.#source.read(this.#exchange.seq + 1, through)) {
      batch.add(this.#exchange.apply(record), record);
      if (batch.rowCount >= this.#rowsMax) break;
    }
    const { seq, time } = this.#exchange;
    const after = { seq, time: isoTime(time), counts: batch.counts };
    if (await this.#write(after, batch, signal)) this.#written = after;
  }

  /**
   * If the database goes away, nobody knows whether the transaction committed; the checkpoint does. Returns false if the
   * signal aborts before the database is back.
   */
  async #write(after: MirrorPosition, batch: MirrorBatch, signal?: AbortSignal): Promise<boolean> {
    const rows = batch.rows();
    for (let isRetry = false; ; isRetry = true) {
      try {
        if (isRetry && (await this.#store.checkpoint()).seq === after.seq) return true;
        await this.#store.write(this.#written, after, rows);
        return true;
      } catch (error) {
        if (!this.#store.isLost(error)) throw error;
        if (!isRetry) {
          this.#warn(`The connection to the database was lost; waiting for it. ${(error as Error).message}`);
        }
        await pause(RETRY_MS, signal);
        if (signal?.aborted) return false;
      }
    }
  }
}

/** The last durable record. Throws MirrorRefused if the log does not have all that is written. */
async function endOf(source: MirrorSource, { seq }: MirrorPosition, signal?: AbortSignal): Promise<number> {
  for (const start = nodeClock.elapsed(); ; ) {
    const last = await source.lastSeq(seq);
    if (last >= seq || signal?.aborted) return last;
    if (nodeClock.elapsed() - start > BEHIND_MS_MAX) {
      throw new MirrorRefused(
        `The mirror has records up to ${seq}, but the log ends with ${last}: it is the mirror of a different log, ` +
          'or the log was restored from an older copy. Remove the schema "bourse", and the mirror is rebuilt.',
      );
    }
    await pause(LOOK_MS, signal);
  }
}

function reachesNoFurther(seq: number, snapshotSeq: number, first: number): MirrorRefused {
  const has = seq === 0 ? 'The mirror is empty' : `The mirror has the records up to ${seq}`;
  const from =
    snapshotSeq === 0 ? 'no snapshot is old enough' : `the snapshot before it is of record ${snapshotSeq}`;
  return new MirrorRefused(
    `${has}, but the log begins with record ${first}: the records in between were removed, and ${from}. Restore the older ` +
      'segments of the log, or a later copy of the database. Keep the log until it is mirrored (leave logCopy empty).',
  );
}
