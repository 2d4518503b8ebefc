/**
 * The follower replays the log with its own core, beside the live one: it writes history, takes snapshots so that the live
 * thread never stops to serialise, and compares the effects of records with the live thread's. It is independent of
 * threads: a worker runs it in production, a simulator step by step.
 *
 * Order of durability: history first, then a snapshot, then the live side may drop data. So after any crash history's
 * checkpoint is at or behind the log, a snapshot is at or behind the checkpoint, and nothing in between is lost.
 */

import { DAY_MS, type Exchange, type LogRecord } from '@bourse/core';
import type { LogSource } from './log/command-log.ts';
import { Digest } from './digest.ts';
import { HistoryFull, type HistoryRecord, type HistoryWriter } from './history/history.ts';
import { historyRecordOf } from './history/history-record.ts';
import type { LogRetention } from './log/log-copy.ts';
import type { SnapshotInfo, Snapshots } from './snapshots.ts';

/** The target record, and the live side's digest of the records after `from`. */
export interface Target {
  readonly from: number;
  readonly seq: number;
  readonly digest: string;
  /** Bytes of the log after the snapshot that the live side started from. */
  readonly logBytes: number;
  /** Take a snapshot of exactly this record. */
  readonly isSnapshotDue?: boolean;
  /** Do not take a snapshot now, even if one is due. */
  readonly isSnapshotPutOff?: boolean;
  /** Do not prune now, however old the data seems. */
  readonly isPruningPutOff?: boolean;
}

export interface FollowerProgress {
  /** Everything up to this record is applied, and durable in history. */
  readonly seq: number;
  readonly snapshot: SnapshotInfo | null;
  /** A snapshot was due, but there was no space for it. */
  readonly isSnapshotMissed: boolean;
  /** The oldest kept snapshot; 0 if there is none. */
  readonly oldestSnapshot: number;
  /** Segments of the log that end at or before this record may be removed. */
  readonly removable: number;
  /** Why segments before the snapshot may not be removed; null if they may. */
  readonly keptBecause: string | null;
}

export interface FollowerLimits {
  /** Records and rows per history transaction; the record that reaches the latter is included. */
  readonly recordsMax: number;
  readonly rowsMax: number;
  /** A snapshot is due after this many records or bytes of log since the last. */
  readonly snapshotRecords: number;
  readonly snapshotBytes: number;
  /** History older than this is removed, in small steps; Infinity: none is. */
  readonly retentionMs: number;
}

/** Names in a data directory. */
export const SNAPSHOTS = 'snapshots';
export const HISTORY = 'history.db';

/** A step removes up to a thousand rows of each kind. */
const ROWS_PER_PRUNING = 1000;

export const DEFAULT_FOLLOWER_LIMITS: FollowerLimits = {
  recordsMax: 4096,
  rowsMax: 8192,
  snapshotRecords: 1_000_000,
  snapshotBytes: 256 << 20,
  retentionMs: 90 * DAY_MS,
};

/** The follower as the live side sees it, wherever it runs. One call at a time. */
export interface FollowerLink {
  /** The record it started with: later ones are read from the log. */
  readonly beganWith: number;
  /**
   * Rejects with Diverged, NoRoom (for history; call again later), or any other failure. `onStep` reports the target too,
   * before a snapshot that is due.
   */
  follow(target: Target, onStep?: (seq: number) => void): Promise<FollowerProgress>;
  snapshot(): Promise<SnapshotInfo>;
  /** The current snapshot and history, in an empty directory. */
  copyTo(dir: string): Promise<SnapshotInfo>;
  hash(): Promise<string>;
  /** Ends a call in flight, as a kill would. */
  close(): Promise<void>;
}

export interface FollowerParts {
  readonly log: LogSource;
  /** At or behind history's checkpoint. */
  readonly exchange: Exchange;
  /** A start needs no record below this one, whichever snapshot it uses; 0 if unknown. */
  readonly oldestSnapshot?: number;
  readonly history: HistoryWriter;
  readonly snapshots: Snapshots;
  readonly limits?: Partial<FollowerLimits>;
  /** Decides which parts of the log may be removed. Default: everything before the oldest snapshot. */
  readonly retention?: LogRetention;
  /** Called after each record, to yield to other threads. */
  readonly rest?: () => void;
}

/** The live thread and the follower have different results: one of them is wrong, and nobody knows which. */
export class Diverged extends Error {
  override readonly name = 'Diverged';
}

/** No space on the disk for history or a snapshot; nothing is lost, and the call may be retried. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
  readonly code = 'ENOSPC';
}

export class Follower implements FollowerLink {
  readonly beganWith: number;
  readonly #log: LogSource;
  readonly #exchange: Exchange;
  readonly #history: HistoryWriter;
  readonly #snapshots: Snapshots;
  readonly #limits: FollowerLimits;
  readonly #retention: LogRetention | undefined;
  readonly #rest: () => void;
  readonly #digest = new Digest();
  /** The record after which the digest starts; -1 if unknown. */
  #digestFrom: number;
  #snapshotSeq: number;
  #snapshotLogBytes = 0;
  #oldestSnapshot: number;
  #rowsSincePruning = 0;
  /** Applied, but not yet in history. */
  #unwritten: HistoryRecord[] = [];
  #unwrittenRows = 0;

  constructor(parts: FollowerParts) {
    const { log, exchange, oldestSnapshot, history, snapshots, limits, retention, rest } = parts;
    this.beganWith = exchange.seq;
    this.#log = log;
    this.#exchange = exchange;
    this.#history = history;
    this.#snapshots = snapshots;
    this.#limits = { ...DEFAULT_FOLLOWER_LIMITS, ...limits };
    this.#retention = retention;
    this.#rest = rest ?? (() => undefined);
    this.#digestFrom = exchange.seq;
    this.#snapshotSeq = exchange.seq;
    this.#oldestSnapshot = oldestSnapshot ?? 0;
  }

  get seq(): number {
    return this.#exchange.seq;
  }

  /** One bounded step: the content of one history transaction. Returns true when the target is reached. */
  async step(target: Target): Promise<boolean> {
    const { recordsMax, rowsMax } = this.#limits;
    this.#write();
    const through = Math.min(target.seq, this.seq + recordsMax);
    if (this.seq === target.from) this.#beginDigest();
    for await (const record of this.#log.read(this.seq + 1, through)) {
      this.#apply(record);
      this.#rest();
      if (record.seq === target.from) this.#beginDigest();
      if (this.#unwrittenRows >= rowsMax) break;
    }
    this.#write();
    if (this.seq < target.seq) return false;
    this.#compare(target);
    return true;
  }

  /** Runs to the target, then maintenance. */
  async follow(target: Target, onStep?: (seq: number) => void): Promise<FollowerProgress> {
    let isReached = false;
    while (!isReached) {
      isReached = await this.step(target);
      onStep?.(this.seq);
    }
    return this.maintain(target);
  }

  /** Once the target is reached: prunes a little, and takes a snapshot if it is due. */
  async maintain(target: Target): Promise<FollowerProgress> {
    if (!target.isPruningPutOff) this.#prune();
    const isDue = this.#isSnapshotDue(target);
    const snapshot = isDue ? await this.#snapshotIfRoom() : null;
    if (snapshot) this.#snapshotLogBytes = target.logBytes;
    const isSnapshotMissed = isDue && snapshot === null;
    const oldestSnapshot = this.#oldestSnapshot;
    const retention = this.#retention;
    retention?.look(oldestSnapshot, this.#exchange.time);
    const removable = retention?.removable ?? oldestSnapshot;
    const keptBecause = retention?.problem ?? null;
    return { seq: this.seq, snapshot, isSnapshotMissed, oldestSnapshot, removable, keptBecause };
  }

  async snapshot(): Promise<SnapshotInfo> {
    try {
      const taken = await this.#snapshots.write(this.#exchange);
      this.#snapshotSeq = taken.seq;
      this.#oldestSnapshot = await this.#snapshots.oldestKept();
      return taken;
    } catch (error) {
      throw orNoRoom(error, 'a snapshot');
    }
  }

  async copyTo(dir: string): Promise<SnapshotInfo> {
    this.#write();
    if (this.#history.copyTo === undefined) throw new Error('this history cannot be copied');
    try {
      const taken = await this.#snapshots.writeCopy(this.#exchange, `${dir}/${SNAPSHOTS}`);
      await this.#history.copyTo(`${dir}/${HISTORY}`);
      return taken;
    } catch (error) {
      throw orNoRoom(error, 'a copy');
    }
  }

  #prune(): void {
    // Prune at least as much as was added since the last time, or history would grow without bound.
    let steps = 1 + Math.ceil(this.#rowsSincePruning / ROWS_PER_PRUNING);
    try {
      while (steps-- > 0 && this.#history.prune(this.#exchange.time - this.#limits.retentionMs));
    } catch (error) {
      throw orNoRoom(error, 'history');
    }
    this.#rowsSincePruning = 0;
  }

  #isSnapshotDue({ logBytes, isSnapshotDue = false, isSnapshotPutOff = false }: Target): boolean {
    const { snapshotRecords, snapshotBytes } = this.#limits;
    const records = this.seq - this.#snapshotSeq;
    const bytes = logBytes - this.#snapshotLogBytes;
    const isDue = isSnapshotDue || records >= snapshotRecords || bytes >= snapshotBytes;
    return !isSnapshotPutOff && records > 0 && isDue;
  }

  /** History continues without the snapshot; only the next start takes longer. */
  async #snapshotIfRoom(): Promise<SnapshotInfo | null> {
    try {
      return await this.snapshot();
    } catch (error) {
      if (error instanceof NoRoom) return null;
      throw error;
    }
  }

  async hash(): Promise<string> {
    return this.#exchange.hash();
  }

  async close(): Promise<void> {
    this.#retention?.close();
    this.#history.close();
    await this.#log.close();
  }

  #apply(record: LogRecord): void {
    const { seq } = record;
    const applied = this.#exchange.apply(record);
    this.#digest.add(seq, applied);
    if (seq <= this.#history.checkpoint) return;
    const written = historyRecordOf(this.#exchange, applied, record);
    this.#unwritten.push(written);
    this.#unwrittenRows += written.rowCount;
  }

  #write(): void {
    if (this.#unwritten.length === 0) return;
    try {
      this.#history.write(this.#unwritten);
    } catch (error) {
      throw orNoRoom(error, 'history');
    }
    this.#rowsSincePruning += this.#unwrittenRows;
    this.#unwritten = [];
    this.#unwrittenRows = 0;
  }

  #beginDigest(): void {
    this.#digest.reset();
    this.#digestFrom = this.seq;
  }

  #compare({ from, seq, digest }: Target): void {
    // A follower that started after `from` has not seen everything that the digest covers.
    if (this.#digestFrom === from && this.#digest.text !== digest) {
      throw new Diverged(
        `the live thread and the follower differ after one of the records ${from + 1} to ${seq}: ` +
          'the engine has stopped; start it again to recover from the log, and keep a copy of the directory',
      );
    }
  }
}

function orNoRoom(error: unknown, forWhat: string): unknown {
  if (error instanceof HistoryFull) return new NoRoom(error.message);
  const { code } = error as { code?: unknown };
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new NoRoom(`no space left on the disk for ${forWhat}`)
    : error;
}

/** A follower starting from the newest snapshot that history has reached, or else from the beginning of the log. */
export async function openFollower(
  parts: Omit<FollowerParts, 'exchange' | 'oldestSnapshot'>,
): Promise<Follower> {
  const { snapshots, history } = parts;
  const { exchange, seq } = await snapshots.restore(history.checkpoint);
  // Newer snapshots were not verified and may be damaged. The one known to be intact is kept for the next start.
  const oldestSnapshot = Math.min(await snapshots.oldestKept(), seq);
  return new Follower({ ...parts, exchange, oldestSnapshot });
}
