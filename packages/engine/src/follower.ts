/**
 * The follower reads the same log with a core of its own, beside the live one: it writes history, takes snapshots so
 * that the live thread never stops to serialise, and compares what records bring about with what the live thread saw.
 * It knows no thread: a worker runs it in production, a simulator step by step.
 *
 * Order of durability: history first, then a snapshot, then the live side may forget. So after any crash history's
 * checkpoint is at or behind the log, a snapshot is at or behind the checkpoint, and nothing in between is lost.
 */

import type { Exchange, LogRecord } from '@bourse/core';
import type { LogSource } from './log/command-log.ts';
import { Digest } from './digest.ts';
import { HistoryFull, type HistoryRecord, type HistoryWriter } from './history/history.ts';
import { historyRecordOf } from './history/history-record.ts';
import type { LogRetention } from './log-retention.ts';
import type { SnapshotInfo, Snapshots } from './snapshots.ts';

/** How far to go, and what the live side saw on the way: the digest of the records after `from`. */
export interface Target {
  readonly from: number;
  readonly seq: number;
  readonly digest: string;
  /** Bytes of the log behind the snapshot that the live side started from. */
  readonly logBytes: number;
  /** A snapshot is to be taken of exactly this record. */
  readonly isSnapshotDue?: boolean;
  /** None is taken now, even if one is due. */
  readonly isSnapshotPutOff?: boolean;
  /** Nothing is pruned now, however old it seems. */
  readonly isPruningPutOff?: boolean;
}

export interface Progress {
  /** Everything up to here is applied, and durable in history. */
  readonly seq: number;
  readonly snapshot: SnapshotInfo | null;
  /** A snapshot was due, and there was no room for it. */
  readonly isSnapshotMissed: boolean;
  /** The oldest snapshot that is kept; 0 while there is none. */
  readonly oldestSnapshot: number;
  /** Segments of the log that end with this record or before it may be removed. */
  readonly removable: number;
  /** Why segments behind the snapshot may not; null while nothing is wrong. */
  readonly keptBecause: string | null;
}

export interface FollowerLimits {
  /** Records and rows that go to history in one transaction; the record that reaches the latter goes with them. */
  readonly recordsMax: number;
  readonly rowsMax: number;
  /** A snapshot is taken after so many records or bytes of the log since the last. */
  readonly snapshotRecords: number;
  readonly snapshotBytes: number;
  /** History older than this is removed, in small steps; Infinity: none is. */
  readonly retentionMs: number;
}

/** Names in a data directory. */
export const SNAPSHOTS = 'snapshots';
export const HISTORY = 'history.db';

const DAY_MS = 86_400_000;
/** A step removes up to a thousand rows of each kind. */
const ROWS_PER_PRUNING = 1000;

export const DEFAULT_FOLLOWER_LIMITS: FollowerLimits = {
  recordsMax: 1024,
  rowsMax: 4096,
  snapshotRecords: 1_000_000,
  snapshotBytes: 256 << 20,
  retentionMs: 90 * DAY_MS,
};

/** The follower as the live side sees it, wherever it runs. One call at a time. */
export interface FollowerLink {
  /** The record it began with: what comes after, it reads from the log. */
  readonly beganWith: number;
  /** Rejects with Diverged, NoRoom (for history; call again later), or anything else that went wrong. */
  follow(target: Target, onStep?: (seq: number) => void): Promise<Progress>;
  snapshot(): Promise<SnapshotInfo>;
  /** A snapshot and history as they stand now, in a directory that has neither. */
  copyTo(dir: string): Promise<SnapshotInfo>;
  hash(): Promise<string>;
  close(): Promise<void>;
}

export interface FollowerParts {
  readonly log: LogSource;
  /** At or behind history's checkpoint. */
  readonly exchange: Exchange;
  /** A start needs no record below this one, whichever of the snapshots it uses; 0 where that is not known. */
  readonly oldestSnapshot?: number;
  readonly history: HistoryWriter;
  readonly snapshots: Snapshots;
  readonly limits?: Partial<FollowerLimits>;
  /** Decides what may be removed of the log. Left out: everything behind the oldest snapshot. */
  readonly retention?: LogRetention;
  /** Called after each record, to let other threads in. */
  readonly rest?: () => void;
}

/** The live thread and the follower came to different results: one of them cannot be trusted, and nobody knows which. */
export class Diverged extends Error {
  override readonly name = 'Diverged';
}

/** No room on the disk for history or a snapshot; nothing is lost, and it may be tried again. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
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
  /** The record after which the digest begins; -1 while it is not known. */
  #digestFrom: number;
  #snapshotSeq: number;
  #snapshotLogBytes = 0;
  #oldestSnapshot: number;
  #rowsSincePruning = 0;
  /** Applied, and not yet in history. */
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

  /** One bounded piece of the way: what fits in one transaction of history. True when the target is reached. */
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

  /** All the way, then what has become due. */
  async follow(target: Target, onStep?: (seq: number) => void): Promise<Progress> {
    while (!(await this.step(target))) onStep?.(this.seq);
    return this.maintain(target);
  }

  /** Once the target is reached: prunes a little, and takes a snapshot when it is due. */
  async maintain(target: Target): Promise<Progress> {
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
    const taken = await this.#snapshots.writeCopy(this.#exchange, `${dir}/${SNAPSHOTS}`);
    if (this.#history.copyTo === undefined) throw new Error('this history cannot be copied');
    await this.#history.copyTo(`${dir}/${HISTORY}`);
    return taken;
  }

  #prune(): void {
    // Prunes at least as much as was added since the last time, because history would grow without bound otherwise.
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

  /** History goes on without it; only the next start takes longer. */
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
    // A follower that began behind `from` has not seen all of what the digest is over.
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
  return code === 'ENOSPC' || code === 'EDQUOT' ? new NoRoom(`no room on the disk for ${forWhat}`) : error;
}

/** A follower on the newest snapshot that history has reached, or else on the beginning of the log. */
export async function openFollower(
  parts: Omit<FollowerParts, 'exchange' | 'oldestSnapshot'>,
): Promise<Follower> {
  const { snapshots, history } = parts;
  const { exchange, seq } = await snapshots.restore(history.checkpoint);
  // Newer snapshots were not checked and may be damaged. The one that is known to be whole is kept for the next start.
  const oldestSnapshot = Math.min(await snapshots.oldestKept(), seq);
  return new Follower({ ...parts, exchange, oldestSnapshot });
}
