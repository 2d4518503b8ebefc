/**
 * The source of a mirror: durable records, and the exchange as of some earlier record. A directory is one such source, a
 * replicated stream with its snapshots another.
 */

import type { Exchange, LogRecord } from '@bourse/core';
import {
  type Disk,
  findEnd,
  logDirectory,
  type LogReader,
  logReaderIn,
  segmentsAmong,
  snapshotsIn,
} from '@bourse/engine';

export interface MirrorSource {
  /** The last record that is certain to be durable; 0 for none. */
  lastSeq(): Promise<number>;
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
}

/** There is no log in the directory. */
export class NoMirrorSource extends Error {
  override readonly name = 'NoMirrorSource';
}

/** The log of a data directory, whether or not an exchange runs on it. */
export class DirectorySource implements MirrorSource {
  readonly #parts: DirectoryParts;
  readonly #reader: LogReader;

  constructor(parts: DirectoryParts) {
    this.#parts = parts;
    this.#reader = logReaderIn(parts.disk, parts.dir);
  }

  /**
   * The last record may be written and not yet synced, so that a power failure would undo it. The one before it is durable,
   * because a record is written only then; and so is everything that history or a snapshot has.
   */
  async lastSeq(): Promise<number> {
    const { disk, dir } = this.#parts;
    const last = (await this.#segments()).at(-1)!;
    const knownSeq = await this.#parts.knownSeq();
    const { lastSeq } = await findEnd(disk, logDirectory(dir), last);
    return Math.max(lastSeq - 1, Math.min(knownSeq, lastSeq), 0);
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
