/**
 * Snapshots in a directory, each named by the sequence of its last record. A snapshot is written under another name,
 * synced, renamed, and its directory synced: so a file with a snapshot's name is complete, unless the disk has damaged it
 * since. The newest intact one is used; two are kept because of such damage.
 */

import {
  Exchange,
  hashBytes,
  type HashKey,
  SNAPSHOT_HASH_BYTES,
  SNAPSHOT_MAGIC,
  SNAPSHOT_VERSION,
} from '@bourse/core';
import type { Disk, DiskFile } from './io/disk.ts';
import { UNFINISHED } from './io/files.ts';
import { randomBytes } from 'node:crypto';

/** The hash key of the core's tables, drawn per process, so that nobody outside can choose colliding keys. */
const PROCESS_HASH_KEY: HashKey = drawHashKey();

function drawHashKey(): HashKey {
  const bytes = randomBytes(8);
  return [bytes.readUInt32LE(0), bytes.readUInt32LE(4)];
}

/** A newer Bourse wrote the snapshot. */
export class SnapshotTooNew extends Error {
  override readonly name = 'SnapshotTooNew';
}

export interface SnapshotInfo {
  readonly seq: number;
  readonly bytes: number;
  readonly hash: string;
}

export interface Restored {
  readonly exchange: Exchange;
  /** 0: there is none, and the exchange is empty. */
  readonly seq: number;
  /** An error message for each skipped snapshot. */
  readonly damaged: readonly string[];
}

const KEPT = 2;
const SUFFIX = '.snapshot';
const SEQ_DIGITS = 20;
/** Written and synced in chunks, so that the log's own syncs never wait behind hundreds of megabytes. */
const PIECE_BYTES = 4 << 20;
const HEADER_BYTES = SNAPSHOT_MAGIC.length + 4;

export class Snapshots {
  readonly #disk: Disk;
  readonly #dir: string;
  /** Found damaged when restoring: they do not count as kept snapshots. */
  readonly #damaged = new Set<number>();

  constructor(disk: Disk, dir: string) {
    this.#disk = disk;
    this.#dir = dir;
  }

  get dir(): string {
    return this.#dir;
  }

  /** Sequences of the existing snapshots, ascending, without verifying them. */
  async list(): Promise<number[]> {
    const names = await this.#disk.list(this.#dir);
    return names.filter((name) => /^\d{20}\.snapshot$/.test(name)).map((name) => Number.parseInt(name, 10));
  }

  /** The sequence of the newest snapshot, intact or not: everything up to this record was durable. 0 for none. */
  async newestSeq(): Promise<number> {
    return (await this.list()).at(-1) ?? 0;
  }

  /**
   * No start needs records below this one, even if the newest snapshot is damaged; 0 while there are fewer than two.
   */
  async oldestKept(): Promise<number> {
    const seqs = await this.#intact();
    return seqs.length >= KEPT ? seqs[0] : 0;
  }

  /** The fault in the snapshot of that record, read back from the disk; null if it is intact. */
  async findFault(seq: number): Promise<string | null> {
    const path = this.#path(seq);
    const fault = faultOf(path, await this.#read(path));
    if (fault !== null) this.#damaged.add(seq);
    return fault;
  }

  /** Durable when it resolves; then all but the newest two are removed. Leaves nothing behind if it fails. */
  async write(exchange: Exchange): Promise<SnapshotInfo> {
    const bytes = exchange.snapshot();
    const { seq } = exchange;
    await this.#disk.makeDirectory(this.#dir);
    await this.#removeUnfinished();
    const path = this.#path(seq);
    try {
      await this.#writeFile(path + UNFINISHED, bytes);
      await this.#disk.rename(path + UNFINISHED, path);
    } catch (error) {
      // Removes the unfinished file at once: on a full disk it would take the space that log and history need. If that
      // fails, the next snapshot removes it.
      await this.#disk.remove(path + UNFINISHED).catch(() => undefined);
      throw error;
    }
    this.#damaged.delete(seq);
    await this.#disk.syncDirectory(this.#dir);
    await this.#removeOld();
    return { seq, bytes: bytes.length, hash: hashBytes(bytes) };
  }

  /** Into the snapshot directory of another exchange, which has none yet. */
  writeCopy(exchange: Exchange, dir: string): Promise<SnapshotInfo> {
    return new Snapshots(this.#disk, dir).write(exchange);
  }

  /** The newest intact one up to `seqMax`; an empty exchange if there is none. */
  async restore(seqMax = Infinity): Promise<Restored> {
    const damaged: string[] = [];
    const seqs = (await this.list()).filter((seq) => seq <= seqMax);
    for (const seq of seqs.toReversed()) {
      const path = this.#path(seq);
      const bytes = await this.#read(path);
      const fault = faultOf(path, bytes);
      if (fault === null) {
        const exchange = Exchange.restore(bytes, PROCESS_HASH_KEY);
        if (exchange.seq === seq) return { exchange, seq, damaged };
      }
      const what = fault ?? `${path} is not of the record in its name`;
      this.#damaged.add(seq);
      damaged.push(
        seq === seqs[0]
          ? `${what}; there is no older one, so the log is replayed from its first record`
          : `${what}; the next older one is used, and the file may be removed`,
      );
    }
    return { exchange: new Exchange(PROCESS_HASH_KEY), seq: 0, damaged };
  }

  async #writeFile(path: string, bytes: Uint8Array): Promise<void> {
    const file = await this.#disk.open(path, 'create');
    try {
      await writePieces(file, bytes);
    } finally {
      await file.close();
    }
  }

  async #read(path: string): Promise<Uint8Array> {
    const file = await this.#disk.open(path, 'read');
    try {
      return await file.read(0, await file.size());
    } finally {
      await file.close();
    }
  }

  async #removeUnfinished(): Promise<void> {
    for (const name of await this.#disk.list(this.#dir)) {
      if (name.endsWith(UNFINISHED)) await this.#disk.remove(`${this.#dir}/${name}`);
    }
  }

  /** All except those known to be damaged. */
  async #intact(): Promise<number[]> {
    return (await this.list()).filter((seq) => !this.#damaged.has(seq));
  }

  /** Damaged ones are kept until they are old, for inspection. */
  async #removeOld(): Promise<void> {
    const kept = (await this.#intact()).slice(-KEPT);
    const old = (await this.list()).filter((seq) => seq < kept[0]);
    for (const seq of old) await this.#disk.remove(this.#path(seq));
    if (old.length > 0) await this.#disk.syncDirectory(this.#dir);
  }

  #path(seq: number): string {
    return snapshotPath(this.#dir, seq);
  }
}

/** Path of that record's snapshot in a directory of snapshots. */
export const snapshotPath = (dir: string, seq: number): string =>
  `${dir}/${String(seq).padStart(SEQ_DIGITS, '0')}${SUFFIX}`;

async function writePieces(file: DiskFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    file.write(at, bytes.subarray(at, at + PIECE_BYTES));
    await file.sync();
  }
}

/**
 * The fault in a snapshot; null if it is intact. Every format ends with its hash, which distinguishes a newer format
 * from damage.
 */
function faultOf(path: string, bytes: Uint8Array): string | null {
  const end = bytes.length - SNAPSHOT_HASH_BYTES;
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  if (end < HEADER_BYTES) return `${path} is truncated`;
  if (text(0, SNAPSHOT_MAGIC.length) !== SNAPSHOT_MAGIC) return `${path} is not a snapshot`;
  if (hashBytes(bytes.subarray(0, end)) !== text(end, bytes.length)) return `${path} is damaged`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getInt32(SNAPSHOT_MAGIC.length, true);
  if (version > SNAPSHOT_VERSION) {
    throw new SnapshotTooNew(
      `${path} has format ${version}, and this Bourse reads up to ${SNAPSHOT_VERSION}: ` +
        'a newer version wrote it; start that version, or a later one, on this directory',
    );
  }
  return version >= 1 ? null : `${path} has format ${version}, which no version wrote`;
}
